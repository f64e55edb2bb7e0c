"""Precision and recall over articles in which a reader marked every reference.

The sample of 300 (benchmarks/references.py) asks only about the references it lists. Here the
articles were read whole, so that a reference resolved where there is none counts as wrong.

``whole_precision``  of the resolved references in these articles, how many stand where one was
                     marked and mean nothing else than what was marked
``whole_recall``     of the marked references that mean a unit, how many are resolved to exactly
                     their units; words that name only the place where they stand (이 조) are no
                     part of it

The articles are in tests/fixtures/references_read.jsonl, one a line: ``unit_id``, ``drawn`` (why)
and ``references``, each as a line of the sample without its ``unit_id``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.draw_references import UNDRAWN
from benchmarks.pinpoints import (
    Mark,
    mark_of,
    resolved_by_unit,
    stands,
    targets_within,
    texts_of,
)
from corpus.graph.build import GraphBuild
from corpus.graph.model import Reference
from corpus.model import Statute
from evaluation.figure import Figure


@dataclass(frozen=True, slots=True)
class ReadArticle:
    """An article that was read whole; ``drawn`` says why it was drawn (``random``, or a form)."""

    unit_id: str
    drawn: str
    marks: tuple[Mark, ...]


def read_articles(path: Path) -> list[ReadArticle]:
    """Return the articles read. Raises KeyError or ValueError for a line of another shape."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        ReadArticle(
            line["unit_id"],
            line["drawn"],
            tuple(mark_of({**one, "unit_id": line["unit_id"]}) for one in line["references"]),
        )
        for line in lines
    ]


def whole_article_figures(
    articles: Sequence[ReadArticle], statutes: Sequence[Statute], built: GraphBuild
) -> list[Figure]:
    """Return both figures over the articles whose text is as it was read."""
    texts = texts_of(statutes)
    present = [
        one
        for one in articles
        if one.unit_id in texts and all(stands(mark, texts) for mark in one.marks)
    ]
    found = resolved_by_unit(built.references)
    claims = [_right(claim, one.marks) for one in present for claim in found.get(one.unit_id, ())]
    meant = [mark for one in present for mark in one.marks if mark.targets and _counts(mark)]
    return [
        _share("whole_precision", claims),
        _share("whole_recall", [_resolved(mark, found) for mark in meant]),
    ]


def _right(claim: Reference, marks: Sequence[Mark]) -> bool:
    """Return whether a resolved reference means only what the marks it touches mean."""
    touched = [mark for mark in marks if mark.start < claim.end and claim.start < mark.end]
    meant = {unit for mark in touched for unit in mark.units}
    return {target.unit_id for target in claim.targets} <= meant


def _counts(mark: Mark) -> bool:
    return mark.form != UNDRAWN


def _resolved(mark: Mark, found: Mapping[str, Sequence[Reference]]) -> bool:
    return {target.unit_id for target in targets_within(mark, found)} == mark.units


def _share(name: str, right: Sequence[bool]) -> Figure:
    return Figure(name, sum(right) / len(right) if right else None, len(right))
