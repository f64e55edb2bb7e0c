"""The references of English law against a sample that was marked by reading."""

from __future__ import annotations

import json
import sys
from functools import cache

from benchmarks.draw_references import read_marks
from corpus.graph.build import GraphBuild, build_graph
from corpus.importers.registry import read_statutes
from corpus.model import Statute
from tests.conftest import ROOT

SAMPLE = ROOT / "tests" / "fixtures" / "english_references.jsonl"
LAW = ("tests/fixtures/english", "tests/fixtures/english_code", "sample/statutes/en")


@cache
def built() -> tuple[list[Statute], GraphBuild]:
    statutes: list[Statute] = []
    joined = GraphBuild()
    for folder in LAW:  # each is a corpus of its own
        _, reading = read_statutes(ROOT / folder)
        statutes += reading.statutes
        joined.references += build_graph(reading.statutes).references
    return statutes, joined


def test_every_line_of_the_sample_is_what_stands_there() -> None:
    texts = {unit.semantic_id: unit.text for one in built()[0] for unit in one.units}
    sample = read_marks(SAMPLE)
    assert len(sample) == 132
    for one in sample:
        assert texts[one.unit_id][one.start : one.end] == one.text
        assert one.units <= texts.keys()


def test_paragraphs_are_kept_and_nothing_else_is_found() -> None:
    """The marked texts are marked in full, so a reference without a mark is a wrong one."""
    marks = {}
    for line in SAMPLE.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        targets = {(target["unit_id"], target["pinpoint"]) for target in one["targets"]}
        marks[one["unit_id"], one["start"], one["end"]] = targets
    found = {
        (one.unit_id, one.start, one.end): {(t.unit_id, t.pinpoint) for t in one.targets}
        for one in built()[1].references
    }
    right = [key for key, targets in marks.items() if found.get(key) == targets]
    sys.stdout.write(f"with paragraphs {len(right)} of {len(marks)}, {len(found)} found\n")
    assert len(right) >= 0.95 * len(marks)
    assert len(right) >= 0.98 * len(found)
