"""Articles read whole: what is resolved beside the marks is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.whole_articles import (
    Mark,
    ReadArticle,
    pinpoint_accuracy,
    read_articles,
    read_marks,
    whole_article_figures,
)
from corpus.citations.model import Reason, Status, Target
from corpus.graph.build import GraphBuild
from corpus.graph.model import Form, Reference
from corpus.model import Level, Statute, Tier, Unit

TEXT = "제2조 및 제3조에 따라 이 조에서 정한다."
UNIT = Unit("나루법_1조", "나루법", Level.ARTICLE, "제1조", "", TEXT, 1)
LAW = [Statute("나루법", "나루법", "법률", Tier.ACT, "ko", (UNIT,))]


def mark(text: str, *units: str, form: str = "own") -> Mark:
    start = TEXT.index(text)
    targets = tuple((unit, "") for unit in units)
    return Mark(UNIT.semantic_id, start, start + len(text), text, form, targets)


def read(text: str, *units: str) -> Reference:
    start = TEXT.index(text)
    place = UNIT.semantic_id, start, start + len(text), text
    return Reference(*place, Status.RESOLVED, None, tuple(map(Target, units)), Form.OWN)


def figures(marks: list[Mark], references: list[Reference]) -> list[tuple[float | None, int]]:
    article = ReadArticle(UNIT.semantic_id, "random", tuple(marks))
    built = GraphBuild(edges=[], references=references)
    return [(one.value, one.n) for one in whole_article_figures([article], LAW, built)]


MARKED = [mark("제2조", "나루법_2조"), mark("제3조", "나루법_3조")]


def test_what_is_resolved_as_marked_is_right() -> None:
    found = [read("제2조", "나루법_2조"), read("제3조", "나루법_3조")]
    assert figures(MARKED, found) == [(1.0, 2), (1.0, 2)]


def test_a_reference_where_none_is_marked_is_wrong() -> None:
    found = [read("제2조", "나루법_2조"), read("정한다", "나루법_9조")]
    assert figures(MARKED, found) == [(0.5, 2), (0.5, 2)]


def test_a_reference_resolved_where_nothing_is_meant_is_wrong() -> None:
    assert figures([mark("제2조")], [read("제2조", "나루법_2조")]) == [(0.0, 1), (None, 0)]


def test_one_reference_over_two_marks_means_both() -> None:
    found = [read("제2조 및 제3조", "나루법_2조", "나루법_3조")]
    assert figures(MARKED, found) == [(1.0, 1), (0.0, 2)]


def test_words_for_the_place_itself_are_not_asked_for_but_allowed() -> None:
    marks = [mark("이 조", "나루법_1조", form="self")]
    assert figures(marks, []) == [(None, 0), (None, 0)]
    assert figures(marks, [read("이 조", "나루법_1조")]) == [(1.0, 1), (None, 0)]


def test_an_article_of_another_version_is_left_out() -> None:
    there = mark("제2조", "나루법_2조")
    moved = Mark(there.unit_id, there.start + 1, there.end + 1, *(there.text, "own", ()))
    assert figures([moved], [read("제2조", "나루법_2조")]) == [(None, 0), (None, 0)]


def test_an_article_is_read_with_its_marks(tmp_path: Path) -> None:
    one = {"start": 0, "end": 3, "text": "제2조", "form": "own", "targets": []}
    line = {"unit_id": "나루법_1조", "drawn": "random", "references": [one]}
    file = tmp_path / "read.jsonl"
    file.write_text(json.dumps(line) + "\n", encoding="utf-8")
    expected = Mark("나루법_1조", 0, 3, "제2조", "own", ())
    assert read_articles(file) == [ReadArticle("나루법_1조", "random", (expected,))]


TEXT_OF_PINPOINTS = "제2조제1항 및 제2호에 따른다."
UNIT_OF_PINPOINTS = Unit("나루법_1조", "나루법", Level.ARTICLE, "제1조", "", TEXT_OF_PINPOINTS, 1)
LAW_OF_PINPOINTS = [Statute("나루법", "나루법", "법률", Tier.ACT, "ko", (UNIT_OF_PINPOINTS,))]


def mark_of_pinpoints(*targets: tuple[str, str | None], text: str = "제2조제1항") -> Mark:
    return Mark(UNIT_OF_PINPOINTS.semantic_id, 0, len(text), text, "own", targets)


def read_of_pinpoints(*targets: tuple[str, str], start: int = 0, end: int = 6) -> GraphBuild:
    status = Status.RESOLVED if targets else Status.UNRESOLVED
    reason = None if targets else Reason.NO_SUCH_PLACE
    units = tuple(Target(*one) for one in targets)
    text = TEXT_OF_PINPOINTS[start:end]
    one = Reference(
        UNIT_OF_PINPOINTS.semantic_id, start, end, text, status, reason, units, Form.OWN
    )
    return GraphBuild(edges=[], references=[one])


@pytest.mark.parametrize(
    ("marked", "built", "value", "n"),
    [
        (
            mark_of_pinpoints(("나루법_2조", "1항")),
            read_of_pinpoints(("나루법_2조", "1항")),
            1.0,
            1,
        ),
        (
            mark_of_pinpoints(("나루법_2조", "1항")),
            read_of_pinpoints(("나루법_2조", "2항")),
            0.0,
            1,
        ),
        (mark_of_pinpoints(("나루법_2조", "1항")), read_of_pinpoints(("나루법_2조", "")), 0.0, 1),
        (mark_of_pinpoints(("나루법_2조", "")), read_of_pinpoints(("나루법_2조", "")), 1.0, 1),
        # another unit, none, no pinpoint written, nothing meant, elsewhere, another version
        (
            mark_of_pinpoints(("나루법_2조", "1항")),
            read_of_pinpoints(("나루법_3조", "1항")),
            None,
            0,
        ),
        (mark_of_pinpoints(("나루법_2조", "1항")), read_of_pinpoints(), None, 0),
        (
            mark_of_pinpoints(("나루법_2조", None)),
            read_of_pinpoints(("나루법_2조", "1항")),
            None,
            0,
        ),
        (mark_of_pinpoints(), read_of_pinpoints(("나루법_2조", "1항")), None, 0),
        (
            mark_of_pinpoints(("나루법_2조", "1항")),
            read_of_pinpoints(("나루법_2조", "1항"), start=6, end=9),
            None,
            0,
        ),
        (
            mark_of_pinpoints(("나루법_2조", "1항"), text="제3조"),
            read_of_pinpoints(("나루법_2조", "1항")),
            None,
            0,
        ),
    ],
)
def test_a_pinpoint_counts_where_the_unit_is_right(
    marked: Mark, built: GraphBuild, value: float | None, n: int
) -> None:
    figure = pinpoint_accuracy([marked], LAW_OF_PINPOINTS, built)
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
