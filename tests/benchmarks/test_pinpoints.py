"""Pinpoints: counted where units are right and a pinpoint was written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.pinpoints import Mark, pinpoint_accuracy, read_marks
from corpus.citations.model import Reason, Status, Target
from corpus.graph.build import GraphBuild
from corpus.graph.model import Form, Reference
from corpus.model import Level, Statute, Tier, Unit

TEXT = "제2조제1항 및 제2호에 따른다."
UNIT = Unit("나루법_1조", "나루법", Level.ARTICLE, "제1조", "", TEXT, 1)
LAW = [Statute("나루법", "나루법", "법률", Tier.ACT, "ko", (UNIT,))]


def mark(*targets: tuple[str, str | None], text: str = "제2조제1항") -> Mark:
    return Mark(UNIT.semantic_id, 0, len(text), text, "own", targets)


def read(*targets: tuple[str, str], start: int = 0, end: int = 6) -> GraphBuild:
    status = Status.RESOLVED if targets else Status.UNRESOLVED
    reason = None if targets else Reason.NO_SUCH_PLACE
    units = tuple(Target(*one) for one in targets)
    text = TEXT[start:end]
    one = Reference(UNIT.semantic_id, start, end, text, status, reason, units, Form.OWN)
    return GraphBuild(edges=[], references=[one])


@pytest.mark.parametrize(
    ("marked", "built", "value", "n"),
    [
        (mark(("나루법_2조", "1항")), read(("나루법_2조", "1항")), 1.0, 1),
        (mark(("나루법_2조", "1항")), read(("나루법_2조", "2항")), 0.0, 1),
        (mark(("나루법_2조", "1항")), read(("나루법_2조", "")), 0.0, 1),
        (mark(("나루법_2조", "")), read(("나루법_2조", "")), 1.0, 1),
        # another unit, none, no pinpoint written, nothing meant, elsewhere, another version
        (mark(("나루법_2조", "1항")), read(("나루법_3조", "1항")), None, 0),
        (mark(("나루법_2조", "1항")), read(), None, 0),
        (mark(("나루법_2조", None)), read(("나루법_2조", "1항")), None, 0),
        (mark(), read(("나루법_2조", "1항")), None, 0),
        (mark(("나루법_2조", "1항")), read(("나루법_2조", "1항"), start=6, end=9), None, 0),
        (mark(("나루법_2조", "1항"), text="제3조"), read(("나루법_2조", "1항")), None, 0),
    ],
)
def test_a_pinpoint_counts_where_the_unit_is_right(
    marked: Mark, built: GraphBuild, value: float | None, n: int
) -> None:
    figure = pinpoint_accuracy([marked], LAW, built)
    assert (figure.value, figure.n) == (value, n)


def test_a_line_of_the_sample_is_a_mark(tmp_path: Path) -> None:
    place = {"unit_id": "나루법_1조", "start": 0, "end": 6, "text": "제2조제1항", "form": "own"}
    targets = [{"unit_id": "나루법_2조", "pinpoint": "1항"}, {"unit_id": "나루법_3조"}]
    file = tmp_path / "sample.jsonl"
    file.write_text(json.dumps({**place, "targets": targets}) + "\n\n", encoding="utf-8")
    [one] = read_marks(file)
    assert one.targets == (("나루법_2조", "1항"), ("나루법_3조", None))
    assert one.units == {"나루법_2조", "나루법_3조"}


def test_a_line_without_targets_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "sample.jsonl"
    file.write_text('{"unit_id": "나루법_1조"}', encoding="utf-8")
    with pytest.raises(KeyError):
        read_marks(file)
