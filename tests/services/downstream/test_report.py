"""The report on downstream accuracy, against what was written into the project by hand."""

from __future__ import annotations

from typing import Any

import pytest

from errors import UserError
from evaluation.downstream import NoGap, Of, Outcome
from evaluation.reports.report import shown
from services.downstream.questions import question_detail, question_lines
from services.downstream.report import DownstreamReport, Line, Wanted, downstream_report
from services.downstream.tables import as_report, gap_cell, reader_words
from storage.db.workspace import Workspace
from tests.projects.closure_law import FINE, RAFTS, REPORT
from tests.projects.downstream_project import (
    CHOICES,
    HARM,
    PSEUDO_TEXT,
    SLUG,
    add_answers,
    by_letters,
    downstream,
)
from tests.support.refusals import code_of


@pytest.fixture(scope="module")
def ws(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Return the project, into which nothing here writes."""
    return downstream(tmp_path_factory.mktemp("downstream") / "workspace").ws


@pytest.fixture(scope="module")
def found(ws: Workspace) -> DownstreamReport:
    return report(ws)


def report(ws: Workspace, **wanted: Any) -> DownstreamReport:
    return downstream_report(ws, SLUG, Wanted(**wanted))


def line(found: DownstreamReport, name: str) -> Line:
    return next(each for each in found.lines if each.setting.name == name)


def test_accuracy_by_context_and_model_with_its_n(found):
    names = [each.setting.name for each in found.lines]
    assert names == [
        *("big none", "big gold", "small none", "small pseudo", "small run"),
        *("small one by one · top 1", "small one by one · top 10", "small gold"),
    ]
    shares = {
        each.setting.name: [
            number for of in Of for number in (each.accuracy[of].value, each.accuracy[of].n)
        ]
        for each in found.lines
    }
    assert shares["small none"] == pytest.approx([3 / 11, 11] * 2)  # y1 is right with A, "yes"
    assert shares["small run"] == pytest.approx([5 / 8, 8, 5 / 7, 7])  # one refused
    assert shares["small gold"] == [1.0, 8] * 2
    assert shares["big none"] == [0.5, 8, 1.0, 4]  # one of nine failed, four are no answer
    assert (found.questions, found.unkeyed) == (11, 1)
    counts = line(found, "big none").outcomes
    assert {str(outcome): count for outcome, count in counts.items() if count} == {
        **{"right": 4, "refused": 1, "unread": 1, "failed": 1, "empty": 1, "cut_off": 1},
        "not_asked": 2,
    }
    assert sum(counts.values()) == found.questions


def test_the_most_confident_passage_is_gone_by(ws, found):
    first, ten = (line(found, f"small one by one · top {k}") for k in (1, 10))
    assert first.accuracy[Of.ALL].value == 0.5
    # c07 and c08 are surer of the second passage; of c05 one answer has no log-probability.
    assert (ten.outcomes[Outcome.RIGHT], ten.outcomes[Outcome.UNRANKED]) == (6, 1)
    assert (ten.accuracy[Of.ALL].value, ten.accuracy[Of.ALL].n) == pytest.approx((6 / 7, 7))
    assert (first.fewer, ten.fewer) == (0, 8)
    two = report(ws, tops=(2,))
    assert [each.setting.top for each in two.lines if each.setting.top] == [2]
    assert line(two, "small one by one · top 2").outcomes[Outcome.UNRANKED] == 0


def test_the_gap_is_measured_on_the_same_questions(found, tmp_path):
    run = line(found, "small run").gap[Of.ALL]
    assert (run.closed.value, run.closed.n) == (0.5, 8)  # 5 − 2 of 8 − 2
    assert (run.gain.value, run.room.value) == (0.375, 0.75)
    assert line(found, "small run").gap[Of.READABLE].closed.value == pytest.approx(3 / 5)
    assert line(found, "small pseudo").gap[Of.ALL].closed.value == pytest.approx(1 / 6)
    assert (line(found, "small none").place, line(found, "small gold").place) == ("base", "ceiling")
    assert not line(found, "small gold").gap
    ws = downstream(tmp_path / "workspace").ws
    add_answers(ws, "big pseudo", {"kind": "pseudo"}, by_letters("bbbbbbbb"),
                form="choice_generated", model="big")  # fmt: skip
    add_answers(ws, "small gold 2", {"kind": "gold"}, by_letters("bbbb"))
    more = report(ws)
    again = line(more, "big pseudo")
    assert again.gap[Of.ALL].reason is NoGap.NOT_ABOVE
    assert "may be 0" in shown(gap_cell(again, Of.ALL))
    # Settings of one context are told apart, and the newest is the ceiling.
    assert line(more, "small gold 2").setting.words() == "Gold (small gold 2)"
    assert line(more, "small gold 2").place == "ceiling"
    assert line(more, "small run").gap[Of.ALL].closed.n == 4
    assert line(more, "big gold").setting.words() == "Gold"


def test_beside_a_run_stands_what_it_scores_on_the_same_questions(found):
    recall = line(found, "small run").retrieval["Recall@10"]
    assert (recall.value, recall.n) == (0.5, 8)
    assert line(found, "small one by one · top 10").retrieval["Recall@10"].n == 7
    assert not line(found, "small gold").retrieval
    (first, *_) = as_report(found, "en").as_json()["retrieval"]
    assert first["context"] == "BM25, top 10"
    assert (first["Recall@10"]["value"], first["all"]["value"]) == (0.5, 5 / 8)


def test_paired_tests_are_corrected_together(ws, found):
    tests = found.tests[Of.ALL]
    assert list(tests) == [
        ("big none", "big gold"),
        *(("small none", each.setting.name) for each in found.lines[3:]),
    ]
    gold = list(tests.values())[-1]
    assert (gold.tally.wins, gold.tally.losses, gold.p) == pytest.approx((6, 0, 2 / 64))
    assert gold.p_holm == pytest.approx(6 * 2 / 64)
    assert len(report(ws, against="all").tests[Of.ALL]) == 1 + 15


def test_answers_in_words_are_judged_and_named(ws):
    assert report(ws).judges == ("people", "gavel")
    found = line(report(ws, verdicts="gavel"), "big words")
    told = {str(outcome): count for outcome, count in found.outcomes.items() if count}
    assert told == {"right": 1, "wrong": 1, "unjudged": 1, "refused": 1, "not_asked": 9}
    assert (found.accuracy[Of.ALL].value, found.accuracy[Of.ALL].n) == pytest.approx((1 / 3, 3))
    assert reader_words(found.setting) == "big · in words · by gavel"
    people = line(report(ws, verdicts="people"), "big words")
    assert people.outcomes[Outcome.UNJUDGED] == 3
    assert code_of(report, ws, verdicts="nobody") == "downstream_judge"


def test_strata_and_questions_replied_to_under_every_context(ws):
    hard = report(ws, stratum=("difficulty", "L2"))
    assert (line(hard, "small none").accuracy[Of.ALL].value, hard.questions) == (0.0, 5)
    split = report(ws, split="difficulty")
    assert list(split.parts) == ["L1", "L2", ""]
    easy = next(each for each in split.parts["L1"] if each.setting.name == "small none")
    assert (easy.accuracy[Of.ALL].value, easy.accuracy[Of.ALL].n) == (0.4, 5)
    same = report(ws, common=True)
    ns = {each.accuracy[Of.ALL].n for each in same.lines if each.setting.model == "small"}
    assert ns == {7}  # c05 cannot be compared
    for wrong in ({"split": "colour"}, {"stratum": ("difficulty", "L9")}, {"against": "x"}):
        with pytest.raises(UserError):
            report(ws, **wrong)
    with pytest.raises(UserError):
        report(ws, tops=(0,))


def test_the_report_has_every_figure_and_picture(ws):
    found = report(ws, split="difficulty")
    told = as_report(found, "en").as_json()
    run = next(row for row in told["accuracy"] if row["name"] == "small run")
    assert (run["gap"]["value"], run["Recall@10"]["value"]) == (0.5, 0.5)
    assert len(told["accuracy"]) == len(told["outcomes"]) == len(found.lines)
    assert len(told["tests"]) == sum(map(len, found.tests.values()))
    assert {row["stratum"] for row in told["strata"]} == {"L1", "L2", "(not stated)"}
    assert told["retrieval"] and told["questions"] == found.questions
    korean = as_report(found, "ko", Of.READABLE).written("markdown")
    assert "메운 격차" in korean and "선택형(가능도)" in korean
    lead = as_report(found, "en").sections[0].lead
    closed = line(found, "small run").gap[Of.ALL].closed
    assert "closes the largest part of the gap" in lead
    assert ("may be chance" in lead) is (closed.low is None)
    assert as_report(report(ws, stratum=("difficulty", "")), "en").written("latex")


def test_the_questions_behind_a_figure(ws):
    lines = question_lines(ws, SLUG, "small none")
    assert [each.external_id for each in lines] == [*CHOICES, "y1"]
    first, last = lines[0], lines[-1]
    assert (first.outcome, first.chosen, first.right) == (Outcome.RIGHT, "B", ("B",))
    assert (last.outcome, last.chosen, last.right) == (Outcome.RIGHT, "A", ("A",))
    detail = question_detail(ws, SLUG, "small run", "c05")
    assert [each.unit for each in detail.passages] == [FINE, RAFTS, detail.passages[2].unit]
    assert not any(each.gold for each in detail.passages)
    assert detail.passages[1].text.startswith("뗏목에 관하여는")
    assert [each.chosen for each in detail.options] == [False, True, False, False]
    assert detail.options[1].logprob == -0.5 and detail.options[2].text == HARM
    own = question_detail(ws, SLUG, "small pseudo", "c01")
    assert [each.text for each in own.passages] == [PSEUDO_TEXT]
    gold = question_detail(ws, SLUG, "small gold", "c02")
    assert [(each.unit, each.gold) for each in gold.passages] == [(REPORT, True)]


def test_single_passages_are_shown_with_the_one_that_is_gone_by(ws):
    detail = question_detail(ws, SLUG, "small one by one · top 10", "c07")
    assert (detail.line.passage, detail.line.chosen, detail.raw) == (2, "B", "B")
    assert [(each.choice, each.logprob, each.kept) for each in detail.passages] == [
        ("A", -0.9, False),
        ("B", -0.1, True),
    ]
    first = question_detail(ws, SLUG, "small one by one · top 1", "c07")
    assert (first.line.passage, len(first.passages)) == (1, 1)
    unsure = question_detail(ws, SLUG, "small one by one · top 10", "c05")
    assert (unsure.line.outcome, unsure.line.passage) == (Outcome.UNRANKED, 0)
    for name, question in (("small none", "c99"), ("nothing", "c01")):
        with pytest.raises(UserError):
            question_detail(ws, SLUG, name, question)
