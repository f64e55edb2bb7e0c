"""Scoring the references that were read: samples, pinpoints, and whole articles.

The sample of 300 (benchmarks/whole_articles.py) asks only about the references it lists. Here the
articles were read whole, so that a reference resolved where there is none counts as wrong.

``whole_precision``  of the resolved references in these articles, how many stand where one was
                     marked and mean nothing else than what was marked
``whole_recall``     of the marked references that mean a unit, how many are resolved to exactly
                     their units; words that name only the place where they stand (이 조) are no
                     part of it

The articles are in tests/fixtures/references_read.jsonl, one a line: ``unit_id``, ``drawn`` (why)
and ``references``, each as a line of the sample without its ``unit_id``.

How often the paragraph or item that a sampled reference names is read right.

Counted are the sampled references (see benchmarks/whole_articles.py) whose units were resolved
right and whose every target gives a ``pinpoint``: a part path (``1항/3호/가목``), empty where the
whole unit is named. A reference is right when exactly those parts were read.

Scoring the references that were read against a sample that a person resolved by reading.

The sample is JSONL, one reference a line: ``unit_id``, ``start`` and ``end`` in the unit's text,
``text`` (exactly that stretch), and ``targets``: a list of unit ids, or of [unit id, pinpoint], or
of objects with ``unit_id`` and ``pinpoint``. Empty ``targets`` say that the corpus holds no unit
that is meant. A line whose text is not what stands there is for another version of the law and is
left out of the figures.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.draw_references import UNDRAWN
from corpus.citations.model import Status, Target
from corpus.graph.build import GraphBuild
from corpus.graph.model import Reference
from corpus.model import Statute
from evaluation.figure import Figure


@dataclass(frozen=True, slots=True)
class Mark:
    """One reference as a reader marked it. ``targets`` have no pinpoint where none was written."""

    unit_id: str
    start: int
    end: int
    text: str
    form: str
    targets: tuple[tuple[str, str | None], ...]

    @property
    def units(self) -> set[str]:
        """Return the units meant; none where the corpus holds none."""
        return {unit for unit, _ in self.targets}


def mark_of(fields: Mapping[str, Any]) -> Mark:
    """Return the mark of a line of the sample. Raises KeyError for a line without its fields."""
    targets = tuple((one["unit_id"], one.get("pinpoint")) for one in fields["targets"])
    place = fields["unit_id"], fields["start"], fields["end"]
    return Mark(*place, fields["text"], fields["form"], targets)


def read_marks(path: Path) -> list[Mark]:
    """Return the sample's marks. Raises KeyError or ValueError for a line of another shape."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [mark_of(json.loads(line)) for line in lines if line.strip()]


def pinpoint_accuracy(
    marks: Iterable[Mark], statutes: Sequence[Statute], built: GraphBuild
) -> Figure:
    """Return the share of references whose parts were read right, among those of right units."""
    texts = texts_of(statutes)
    found = resolved_by_unit(built.references)
    right = [
        read == set(mark.targets)
        for mark in marks
        if stands(mark, texts) and all(pinpoint is not None for _, pinpoint in mark.targets)
        for read in [{(one.unit_id, one.pinpoint) for one in targets_within(mark, found)}]
        if mark.targets and {unit for unit, _ in read} == mark.units
    ]
    return Figure("pinpoint_accuracy", sum(right) / len(right) if right else None, len(right))


def texts_of(statutes: Sequence[Statute]) -> dict[str, str]:
    """Return the text of every unit by its id."""
    return {unit.semantic_id: unit.text for one in statutes for unit in one.units}


def stands(mark: Mark, texts: Mapping[str, str]) -> bool:
    """Return whether the marked words stand where they were read: else it is another version."""
    return texts.get(mark.unit_id, "")[mark.start : mark.end] == mark.text


def resolved_by_unit(references: Iterable[Reference]) -> dict[str, list[Reference]]:
    """Return the resolved references by the unit that they stand in."""
    found: dict[str, list[Reference]] = defaultdict(list)
    for one in references:
        if one.status is Status.RESOLVED:
            found[one.unit_id].append(one)
    return found


def targets_within(mark: Mark, references: Mapping[str, Sequence[Reference]]) -> list[Target]:
    """Return the targets of the resolved references that share a character with the mark."""
    return [
        target
        for one in references.get(mark.unit_id, ())
        if one.start < mark.end and mark.start < one.end
        for target in one.targets
    ]


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
    meant = [mark for one in present for mark in one.marks if mark.targets and mark.form != UNDRAWN]
    return [
        _share("whole_precision", claims),
        _share(
            "whole_recall",
            [
                {each.unit_id for each in targets_within(mark, found)} == mark.units
                for mark in meant
            ],
        ),
    ]


def _right(claim: Reference, marks: Sequence[Mark]) -> bool:
    """Return whether a resolved reference means only what the marks it touches mean."""
    touched = [mark for mark in marks if mark.start < claim.end and claim.start < mark.end]
    meant = {unit for mark in touched for unit in mark.units}
    return {target.unit_id for target in claim.targets} <= meant


def _share(name: str, right: Sequence[bool]) -> Figure:
    return Figure(name, sum(right) / len(right) if right else None, len(right))


FIXTURE = Path(__file__).resolve().parent.parent / "tests" / "fixtures" / "references.jsonl"


@dataclass(frozen=True, slots=True)
class Sampled:
    """One reference of the sample and the units that it means."""

    unit_id: str
    start: int
    end: int
    text: str
    targets: frozenset[str]


def read_sample(path: Path) -> list[Sampled]:
    """Return the sample's references. Raises KeyError or ValueError for a line of other shape."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_sampled(json.loads(line)) for line in lines if line.strip()]


def citation_figures(
    sample: Sequence[Sampled], statutes: Sequence[Statute], built: GraphBuild
) -> list[Figure]:
    """Return precision over what was resolved of the sample, and recall over what it resolves."""
    texts = {unit.semantic_id: unit.text for one in statutes for unit in one.units}
    present = [s for s in sample if texts.get(s.unit_id, "")[s.start : s.end] == s.text]
    found: dict[str, list[Reference]] = defaultdict(list)
    for one in built.references:
        found[one.unit_id].append(one)
    pairs = [(sampled, _units_read(sampled, found[sampled.unit_id])) for sampled in present]
    resolved = [read == sampled.targets for sampled, read in pairs if read]
    meant = [read == sampled.targets for sampled, read in pairs if sampled.targets]
    return [_share("citation_precision", resolved), _share("citation_recall", meant)]


def _units_read(sampled: Sampled, references: Sequence[Reference]) -> frozenset[str]:
    """Return the units of the resolved references that lie within the sampled stretch."""
    within = [
        one
        for one in references
        if one.start < sampled.end and sampled.start < one.end and one.status is Status.RESOLVED
    ]
    return frozenset(target.unit_id for one in within for target in one.targets)


def _sampled(fields: dict[str, Any]) -> Sampled:
    targets = frozenset(_unit(target) for target in fields["targets"])
    return Sampled(fields["unit_id"], fields["start"], fields["end"], fields["text"], targets)


def _unit(target: str | list[str] | dict[str, str]) -> str:
    if isinstance(target, str):
        return target
    return target["unit_id"] if isinstance(target, dict) else target[0]
