"""The report: what became of the drafts, and figures that follow from votes and people alone."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from construction.mcq.model import wording_of
from errors import UserError
from evaluation.mcq.safety import ModelPair
from evaluation.mcq.votes import Of, Setting
from evaluation.replies.outcomes import Outcome
from evaluation.reports.charts import chart_spec
from services.mcq.replies import Which, mcq_replies, place_of
from services.mcq.report import McqReport, mcq_report
from services.mcq.report_tables import as_report
from services.mcq.views import mcq_detail, mcq_lines, standing_questions
from storage.db.workspace import Workspace
from storage.tables.mcq import McqVote
from tests.conftest import FakeClock
from tests.llm.server import Step
from tests.llm.serving import serving
from tests.services.mcq.mcq_project import (
    SLUG,
    checks,
    days,
    generated,
    knows,
    people,
    run_solving,
    solved,
)
from tests.support.refusals import code_of


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace = Workspace(tmp_path / "workspace", clock)
    generated(workspace)
    return workspace


def accuracy(report: McqReport, model: str = "m") -> dict[Setting, float | None]:
    return {row.setting: row.figures["accuracy"].value for row in report.rows if row.model == model}


def test_nobody_has_said_anything_yet(ws: Workspace) -> None:
    report = mcq_report(ws, SLUG)
    assert (report.funnel.start, report.funnel.left) == (6, 6)
    assert report.funnel.fates == {"kept": 0, "fixed": 0, "disputed": 0, "waiting": 6}
    assert (report.questions, report.rows, report.models) == (6, [], [])
    assert mcq_report(ws, SLUG, scope="checked").questions == 0
    assert report.constants[0].constant.option is None
    told = as_report(report, "en").as_json()
    assert as_report(report, "en").lead.startswith(
        "Nobody has decided yet which of the 6 questions"
    )
    assert (told["safety"], told["rows"]) == ([], []), "constants say nothing beside no model"
    assert [row["left"] for row in told["funnel"]] == [6] * 9 + [0, 0, 0, 6]


def test_a_model_that_abstains_unless_told_is_able_and_safe(ws: Workspace) -> None:
    solved(ws, knows)
    report = mcq_report(ws, SLUG)
    assert accuracy(report) == {
        Setting.ZERO: 0.0,
        Setting.A: 1.0,
        Setting.B: 1.0,
        Setting.BOTH: 1.0,
    }
    [line, readable] = report.models
    assert (line.of, readable.of) == (Of.ALL, Of.READABLE)
    assert (line.able_and_safe.value, line.able_and_safe.n) == (1.0, 6)
    assert (line.helped.figure.value, line.helped.higher) == (1.0, 6)
    abstaining = {row.setting: row.figures["accuracy"].value for row in report.constants[0].rows}
    assert abstaining == {Setting.ZERO: 0.0, Setting.A: 1.0, Setting.B: 0.0, Setting.BOTH: 0.0}
    likely = mcq_report(ws, SLUG, reading="likelihood")  # of which the replies tell nothing
    assert (likely.untold, likely.counts, likely.rows, likely.readings) == (24, [], [], {})
    told = as_report(report, "en").as_json()
    names = ("model", "answers", "of", "able", "safe", "able_and_safe")
    rows = [[row[name] for name in names] for row in told["safety"]]
    assert [[*row[:3], *(each["value"] for each in row[3:])] for row in rows[:3]] == [
        ["m", "model", "all", 1.0, 1.0, 1.0],
        ["m", "model", "readable", 1.0, 1.0, 1.0],
        ["(always abstain)", "constant", "all", 0.0, 1.0, 0.0],
    ]
    assert [(row["helped"]["value"], row["helped_higher"]) for row in told["models"]] == [
        (1.0, 6)
    ] * 2


def test_before_and_after_are_compared_on_the_same_questions(ws: Workspace) -> None:
    solved(ws, knows, models=("base",))
    solved(ws, lambda said: knows(said) if "말한다" in said else "1", models=("adapted",))
    with serving(ws):
        report = mcq_report(ws, SLUG, pairs=[ModelPair("base", "adapted", "law")])
    with pytest.raises(UserError) as caught:
        mcq_report(ws, SLUG, pairs=[ModelPair("base", "m")])
    assert "adapted" in caught.value.remedy()
    changes = {
        (each.setting, each.measure): each.difference.figure.value
        for each in report.changes
        if each.of is Of.ALL
    }
    assert changes[Setting.A, "accuracy"] == -1.0
    assert changes[Setting.A, "answered_anyway"] == 1.0
    assert changes[None, "able_and_safe"] == -1.0
    assert {each.pair.shown for each in report.changes} == {"law"}
    made = as_report(report, "en", Of.READABLE)
    [section] = [each for each in made.drawn if each.name == "changes"]
    assert section.lead.startswith("law: able and safe on 100.0 % before and 0.0 % after")
    drawn = chart_spec(section)["data"]["values"]
    assert len(drawn) < len(section.sheet.rows), "one denominator is drawn, both stand in the table"


def test_the_same_votes_read_by_likelihood(ws: Workspace) -> None:
    """What is written abstains with A alone; the second option is likelier all the same."""
    chances = [("5", -0.9), ("2", -0.4), ("1", -3.0), ("3", -4.0), ("4", -5.0)]
    with serving(ws) as server:
        server.on("", Step(text="5", logprobs=[chances]))
        run_solving(ws)
    written = {e.setting: e for e in mcq_report(ws, SLUG).counts}[Setting.A]
    report = mcq_report(ws, SLUG, reading="likelihood")
    likely = {e.setting: e for e in report.counts}[Setting.A]
    assert written.outcomes == {Outcome.ABSTAINED_OPTION: 6}
    assert (likely.outcomes, likely.missing) == ({Outcome.ANSWERED: 6}, 0)
    [same] = report.readings.values()
    assert (same.value, same.n, report.untold) == (0.0, 6, 0)
    told = as_report(report, "en")
    assert (told.facts["reading"], told.as_json()["readings"][0]["same"]["value"]) == (
        "likelihood",
        0,
    )
    assert not told.sections[-1].opens, "replies are read by what is written"


def test_equal_names_at_two_servers_are_told_apart(ws: Workspace) -> None:
    solved(ws, knows)
    solved(ws, lambda _: "1")
    names = {row.model for row in mcq_report(ws, SLUG).rows}
    assert len(names) == 2
    assert all(name.startswith("m @ 127.0.0.1:") for name in names)


def test_what_people_say_moves_the_funnel_and_the_figures(ws: Workspace) -> None:
    solved(ws, knows)
    both = people(ws)
    checks(ws, 1, *both)
    checks(ws, 2, *both, verdict="drop", cause="answerable_alone")
    checks(ws, 3, *both, verdict="drop", cause="unanswerable")
    report = mcq_report(ws, SLUG)
    assert [(s.reason, s.out, s.left) for s in report.funnel.dropped] == [
        ("answerable_alone", 1, 5),
        ("unanswerable", 1, 4),
    ]
    assert report.funnel.fates == {"kept": 1, "fixed": 0, "disputed": 0, "waiting": 3}
    assert report.questions == 4
    assert mcq_report(ws, SLUG, scope="checked").questions == 1
    told = as_report(report, "en")
    assert told.lead.startswith(
        "People found that 1 of the 3 questions they decided needs both provisions: "
        "33.3 % [6.1, 79.2]. 3 more wait for people or are disputed."
    )
    need = told.sections[0]
    assert (need.name, need.drawn) == ("need", True), "it heads the report"
    rows = [(row["by"], row["need_both"]["value"], row["n"]) for row in told.as_json()["need"]]
    assert rows == [("people", pytest.approx(1 / 3), 3), ("m", 0.0, 4)]
    assert "none needs both on any of 4 questions" in need.lead, "B alone gives it as well"


def test_votes_on_an_older_wording_count_nowhere_until_it_is_solved_again(ws: Workspace) -> None:
    solved(ws, knows)
    fix = {
        "query": "배를 새로 칠하기 며칠 전에 신청해야 합니까?",
        "options": ["3일", f"{days(1)}일", "50일", "60일"],
        "answer": 1,
    }
    checks(ws, 1, *people(ws), verdict="fix", cause="unclear", fix=fix)
    report = mcq_report(ws, SLUG)
    assert report.stale == 4
    assert {each.missing for each in report.counts} == {1}
    assert mcq_detail(ws, SLUG, 1).standing.item.query == fix["query"]
    solved(ws, lambda _: "2", settings=(Setting.ZERO,))
    assert mcq_report(ws, SLUG).stale == 4


def test_the_most_doubtful_questions_come_first(ws: Workspace) -> None:
    solved(ws, lambda said: "5" if f"{days(3)}일" in said else knows(said))
    lines = mcq_lines(ws, SLUG)
    doubtful = [line for line in lines if line.right_ab == 0.0]
    assert len(doubtful) == 1
    assert lines[0] == doubtful[0]
    assert [line.id for line in lines[1:]] == sorted(line.id for line in lines[1:])
    detail = mcq_detail(ws, SLUG, lines[0].id)
    assert detail.choices[Setting.BOTH] == {4: 1}
    assert detail.models == ("m",)


def test_replies_are_read_anew_whenever_they_were_kept(ws: Workspace) -> None:
    """A vote that an older reader could make nothing of counts by the rules of today."""
    with ws.writing() as session:
        for number, raw in ((1, "It cannot be determined."), (2, "I'm sorry, I can't help.")):
            question = {each.id: each for each in standing_questions(session, 1)}[number]
            session.add(
                McqVote(
                    mcq_id=number,
                    setting="a",
                    server="s",
                    model="old",
                    repeat=0,
                    state="unparsed",
                    raw=raw,
                    logprobs=None,
                    wording=wording_of(question.item),
                    at=ws.clock(),
                )
            )
    [told] = mcq_report(ws, SLUG).counts
    assert told.outcomes == {Outcome.ABSTAINED_WORDS: 1, Outcome.REFUSED: 1}
    first, second = mcq_replies(ws, SLUG)
    assert (first.quote, first.span) == ("It cannot be determined.", (0, 24))
    assert first.rule == "en.abstain.cannot_be_determined"
    assert second.rule.startswith("en.refuse.")
    assert [each.model for each in mcq_replies(ws, SLUG, which=Which(outcome=Outcome.REFUSED))] == [
        "old"
    ]


def test_a_quote_is_found_however_the_reply_is_set() -> None:
    raw = unicodedata.normalize("NFD", "음. **판단할  수 없습니다.**")
    start, end = place_of("판단할 수 없습니다.", raw) or (0, 0)
    assert unicodedata.normalize("NFC", raw[start:end]) == "판단할  수 없습니다."
    assert place_of("14 days", raw) is None
    assert place_of("", raw) is None


def test_what_there_is_none_of_is_refused(ws: Workspace) -> None:
    for asked, code in (
        ({"scope": "some"}, "mcq_scope"),
        ({"reading": "stars"}, "mcq_reading"),
        ({"pairs": [ModelPair("m", "m")]}, "mcq_pair_of_one"),
        ({"pairs": [ModelPair("m", "n", "x" * 121)]}, "mcq_pair_name"),
        ({"pairs": [ModelPair("m", "n", "x"), ModelPair("n", "m", " x ")]}, "mcq_pair_twice"),
    ):
        assert code_of(mcq_report, ws, SLUG, **asked) == code
    assert code_of(mcq_detail, ws, SLUG, 99) == "mcq_unknown"
