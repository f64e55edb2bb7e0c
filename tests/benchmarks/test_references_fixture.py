"""The hand-checked sample: drawn as it says, whole in itself, and true of the statutes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks import draw_references
from benchmarks.draw_references import (
    FIXTURE,
    HELD_OUT,
    LEAST,
    READ,
    SAMPLED,
    UNDRAWN,
    citation_figures,
    drawn_articles,
    held_out_articles,
    mark_of,
    marks_of,
    pinpoint_accuracy,
    read_articles,
    read_marks,
    stands,
    texts_of,
    whole_article_figures,
)
from corpus.graph.build import GraphBuild, build_graph
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level, Statute

FILES = [READ, HELD_OUT]
MARKS = [mark_of(one) for file in FILES for one in marks_of(file)]
Built = tuple[list[Statute], GraphBuild]


def test_the_sample_is_what_the_command_draws(capsys: pytest.CaptureFixture[str]) -> None:
    assert draw_references.main(["sample"]) == 0
    assert capsys.readouterr().out == FIXTURE.read_text(encoding="utf-8")


def test_the_sample_has_every_form_that_was_marked() -> None:
    marked = Counter(mark_of(one).form for one in marks_of(READ))
    drawn = Counter(mark.form for mark in read_marks(FIXTURE))
    assert drawn.total() == SAMPLED
    assert drawn.keys() == marked.keys() - {UNDRAWN}
    for form, count in drawn.items():
        assert count >= min(LEAST, marked[form])


def test_every_mark_is_a_short_stretch_and_says_where() -> None:
    for mark in MARKS:
        assert mark.end - mark.start == len(mark.text)
        assert "\n" not in mark.text  # the words of the citation, no text of the law
        assert len(mark.text) <= 80
        assert len(set(mark.targets)) == len(mark.targets)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_marks_of_an_article_come_in_order_and_share_no_character(file: Path) -> None:
    for article in read_articles(file):
        ends = [0, *(mark.end for mark in article.marks)]
        starts = [mark.start for mark in article.marks]
        assert all(end <= start for end, start in zip(ends, starts, strict=False))


def test_an_article_was_read_once() -> None:
    units = [article.unit_id for file in FILES for article in read_articles(file)]
    assert len(set(units)) == len(units)


@pytest.fixture(scope="module")
def built() -> Built:
    """Return the statutes that were read and their graph, or skip the test."""
    folder = draw_references.statutes_folder()
    if not folder.is_dir():
        pytest.skip(f"real data is absent: no folder {folder} (set TOUCHSTONE_SHARED)")
    statutes = read_tree(folder)
    return statutes, build_graph(statutes)


@pytest.mark.real_data
def test_the_articles_read_are_those_that_are_drawn(built: Built) -> None:
    drawn = [(why, unit.semantic_id) for why, unit in drawn_articles(built[0])]
    assert drawn == [(one.drawn, one.unit_id) for one in read_articles(READ)]
    held_out = [unit.semantic_id for unit in held_out_articles(built[0])]
    assert held_out == [one.unit_id for one in read_articles(HELD_OUT)]


@pytest.mark.real_data
def test_every_mark_stands_in_its_article_and_means_places_that_are_there(built: Built) -> None:
    texts = texts_of(built[0])
    units = {unit.semantic_id: unit for one in built[0] for unit in one.units}
    for mark in MARKS:
        assert stands(mark, texts), mark
        for unit_id, pinpoint in mark.targets:
            unit = units[unit_id]
            if pinpoint and unit.level is Level.ARTICLE:
                assert pinpoint in {part.path for part in unit.parts}, mark


@pytest.mark.real_data
def test_the_resolver_reaches_what_is_asked_of_it(built: Built) -> None:
    precision, recall = citation_figures(read_marks(FIXTURE), *built)
    assert (precision.value or 0) >= 0.98
    assert (recall.value or 0) >= 0.95
    assert recall.n > 200
    for file in FILES:
        whole_precision, whole_recall = whole_article_figures(read_articles(file), *built)
        assert (whole_precision.value or 0) >= 0.98
        assert (whole_recall.value or 0) >= 0.95
    assert (pinpoint_accuracy(read_marks(FIXTURE), *built).value or 0) >= 0.95
