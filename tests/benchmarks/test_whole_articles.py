"""Articles read whole: what is resolved beside the marks is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.draw_references import (
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

TEXT = "제2조제1항 및 제3조에 따라 이 조에서 정한다."
UNIT = Unit("나루법_1조", "나루법", Level.ARTICLE, "제1조", "", TEXT, 1)
LAW = [Statute("나루법", "나루법", "법률", Tier.ACT, "ko", (UNIT,))]
Place = tuple[str, str | None]
TWO, THREE, SELF, NINE = "나루법_2조", "나루법_3조", "나루법_1조", "나루법_9조"


def mark(text: str, *targets: Place, form: str = "own", moved: int = 0) -> Mark:
    start = TEXT.index(text) + moved
    return Mark(UNIT.semantic_id, start, start + len(text), text, form, targets)


def read(text: str, *targets: tuple[str, str]) -> Reference:
    start = TEXT.index(text)
    place = UNIT.semantic_id, start, start + len(text), text
    if not targets:
        return Reference(*place, Status.UNRESOLVED, Reason.NO_SUCH_PLACE, (), Form.OWN)
    units = tuple(Target(*each) for each in targets)
    return Reference(*place, Status.RESOLVED, None, units, Form.OWN)


def built(*references: Reference) -> GraphBuild:
    return GraphBuild(edges=[], references=list(references))


MARKED = [mark("제2조제1항", (TWO, "")), mark("제3조", (THREE, ""))]
RIGHT = read("제2조제1항", (TWO, ""))


@pytest.mark.parametrize(
    ("marks", "found", "precision", "recall"),
    [
        (MARKED, [RIGHT, read("제3조", (THREE, ""))], (1.0, 2), (1.0, 2)),
        (MARKED, [RIGHT, read("정한다", (NINE, ""))], (0.5, 2), (0.5, 2)),  # where none is marked
        ([mark("제2조제1항")], [RIGHT], (0.0, 1), (None, 0)),  # where nothing is meant
        # one reference over two marks means both
        (MARKED, [read("제2조제1항 및 제3조", (TWO, ""), (THREE, ""))], (1.0, 1), (0.0, 2)),
        # words for the place itself are not asked for but allowed
        ([mark("이 조", (SELF, ""), form="self")], [], (None, 0), (None, 0)),
        (
            [mark("이 조", (SELF, ""), form="self")],
            [read("이 조", (SELF, ""))],
            (1.0, 1),
            (None, 0),
        ),
        # an article of another version is left out
        ([mark("제2조제1항", (TWO, ""), moved=1)], [RIGHT], (None, 0), (None, 0)),
    ],
)
def test_precision_and_recall_of_an_article_read_whole(marks, found, precision, recall) -> None:
    article = ReadArticle(UNIT.semantic_id, "random", tuple(marks))
    figures = whole_article_figures([article], LAW, built(*found))
    assert [(one.value, one.n) for one in figures] == [precision, recall]


@pytest.mark.parametrize(
    ("marked", "found", "value"),
    [
        ((TWO, "1항"), (TWO, "1항"), 1.0),
        ((TWO, "1항"), (TWO, "2항"), 0.0),
        ((TWO, "1항"), (TWO, ""), 0.0),
        ((TWO, ""), (TWO, ""), 1.0),
        ((TWO, "1항"), (THREE, "1항"), None),  # another unit
        ((TWO, "1항"), None, None),
        ((TWO, None), (TWO, "1항"), None),  # no pinpoint is written
        (None, (TWO, "1항"), None),  # nothing is meant
    ],
)
def test_a_pinpoint_counts_where_the_unit_is_right(
    marked: Place | None, found: tuple[str, str] | None, value: float | None
) -> None:
    meant = mark("제2조제1항", *([marked] if marked else []))
    reference = read("제2조제1항", *([found] if found else []))
    figure = pinpoint_accuracy([meant], LAW, built(reference))
    assert (figure.value, figure.n) == (value, int(value is not None))


def test_articles_and_marks_are_read_and_a_line_without_targets_is_refused(tmp_path: Path) -> None:
    one = {"start": 0, "end": 3, "text": "제2조", "form": "own"}
    file = tmp_path / "read.jsonl"
    line = {"unit_id": SELF, "drawn": "random", "references": [one | {"targets": []}]}
    file.write_text(json.dumps(line) + "\n", encoding="utf-8")
    expected = Mark(SELF, 0, 3, "제2조", "own", ())
    assert read_articles(file) == [ReadArticle(SELF, "random", (expected,))]
    targets = [{"unit_id": TWO, "pinpoint": "1항"}, {"unit_id": THREE}]
    file.write_text(json.dumps({"unit_id": SELF, **one, "targets": targets}), encoding="utf-8")
    assert read_marks(file)[0].targets == ((TWO, "1항"), (THREE, None))
    file.write_text(json.dumps({"unit_id": SELF}), encoding="utf-8")
    with pytest.raises(KeyError):
        read_marks(file)
