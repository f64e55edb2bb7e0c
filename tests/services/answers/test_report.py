from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from corpus.model import Question
from errors import UserError
from evaluation.answers.trust import NotDefined
from evaluation.judging.accuracy import Withheld
from evaluation.ranking.compare import Inference
from evaluation.scores import Column
from messages import say
from services.answers import report as services
from services.answers.beside import answers_to
from services.answers.report_tables import as_report
from services.answers.report_views import (
    AnswerReport,
    AnswerState,
    Measure,
    ReportOptions,
    SystemScores,
)
from services.answers.scores import TOKENISERS, BertSetting, plan_scores, rouge_scores
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions
from storage.projects import create_project
from tests.annotation.judging.answered import SLUG, Answered, verdict
from tests.conftest import FakeClock
from tests.services.answers.answered_questions import (
    COUNT,
    EVERYONE,
    OFFICIAL,
    POOR,
    build,
    rate,
    reply,
)
from tests.support.refusals import code_of

ROUGES = (Measure.ROUGE1, Measure.ROUGE2, Measure.ROUGE_L)
KOREAN = ReportOptions(stratum=("language", "ko"))
FEW = Inference(100)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answered]:
    """Two judges of whom one also compares; people have rated everything in Korean."""
    found = build(tmp_path_factory.mktemp("answers"), FakeClock())
    rate(found)
    said = [
        verdict(f"k{number:02}", number >= 2 if system == "strong" else number % 3 == 0, j, system)
        for system in EVERYONE
        for number in range(COUNT - 1)  # the last one nobody judged
        for j in ("gpt", "solar")
    ]
    compared = [
        {"id": f"k{number:02}", "system": "strong", "judge": "gpt", "verdict": said, "swapped": way}
        for number, both in enumerate((("first", "first"), ("first", "second"), ("tie", "tie")))
        for way, said in zip((False, True), both, strict=True)
    ]
    found.judge(*said, *compared)
    keep_questions(found.ws, SLUG, [_asked(number) for number in range(COUNT)], "k.jsonl")
    states = {"k00": "refused", "k01": "cut_off", "k02": "empty", "k03": "invalid", "k04": "failed"}
    reply(found.ws, "asked", states)
    reply(found.ws, "chooser", {"k00": "unread"}, "choice_generated")  # answers no text
    yield found
    found.ws.engine.dispose()


def _asked(number: int) -> Question:
    columns = (("level", "hard" if number % 4 == 0 else "easy"),)
    text = f"소화기를 설치하여야 하는가 {number}?"
    return Question(f"k{number:02}", text, OFFICIAL, "ko", (), (), columns)


@pytest.fixture(scope="module")
def whole(made: Answered) -> AnswerReport:
    return services.report(made.ws, SLUG, options=KOREAN)


def system(found: AnswerReport, name: str) -> SystemScores:
    return next(each for each in found.systems if each.system == name)


def column(found: AnswerReport, measure: Measure) -> Column:
    return next(each for each in found.columns if each.measure == measure)


def value(found: AnswerReport, name: str, measure: Measure) -> float | None:
    return column(found, measure).figures[name].value


@pytest.mark.parametrize("tokeniser", [name for name in TOKENISERS if name != "rouge-score"])
def test_identical_korean_scores_one_by_every_tokeniser(made: Answered, tokeniser: str) -> None:
    cases = [each.case for each in made.states() if each.case.answer == OFFICIAL]
    found = rouge_scores(made.ws, tokeniser, cases)
    assert len(found) == COUNT
    for each in found.values():
        assert each is not None
        assert {getattr(each, name.value).f1 for name in ROUGES} == {1.0}


def test_means_are_over_the_answers_that_have_a_number(whole: AnswerReport) -> None:
    assert [each.system for each in whole.systems] == ["asked", "large", "small", *EVERYONE]
    poor = value(whole, "weak", Measure.ROUGE1)
    strong = value(whole, "strong", Measure.ROUGE1)
    assert poor is not None
    assert strong is not None
    low = 6 * poor / 5 - 1 / 5  # of twelve, two are 1
    assert strong == pytest.approx((10 + 2 * low) / 12)
    assert value(whole, "asked", Measure.ROUGE1) is None
    judge, wins = (column(whole, each) for each in (Measure.JUDGE, Measure.WINS))
    assert (judge.figures["strong"].n, judge.missing["strong"]) == (11, 1)
    assert judge.figures["strong"].value == pytest.approx(9 / 11)
    assert wins.figures["strong"].n == 3
    assert wins.figures["strong"].value == pytest.approx(2 / 3)


def test_no_answer_is_counted_and_is_no_zero(made: Answered, whole: AnswerReport) -> None:
    states = system(whole, "asked").states
    named = {state.value: count for state, count in states.items() if count}
    once = ("refused", "cut_off", "empty", "invalid", "failed")
    assert named == dict.fromkeys(once, 1) | {"not_asked": COUNT - 5}
    assert system(whole, "strong").states[AnswerState.ANSWERED] == COUNT
    assert system(whole, "small").states[AnswerState.ABSENT] == COUNT
    assert all(sum(each.states.values()) == whole.questions == COUNT for each in whole.systems)
    assert all(each.figures["asked"].n == 0 for each in whole.columns)


def test_what_cannot_be_asked_is_told_from_what_is_not_asked_yet(
    tmp_path: Path, clock: FakeClock
) -> None:
    found = build(tmp_path, clock)
    keep_questions(found.ws, SLUG, [_asked(number) for number in range(COUNT)], "k.jsonl")
    reply(found.ws, "golden", {"k00": "refused"}, context="gold")  # and nothing has gold
    reply(found.ws, "closed", {"k00": "refused"})
    report = services.report(found.ws, SLUG, options=KOREAN)
    told = {
        name: {state.value: n for state, n in system(report, name).states.items() if n}
        for name in ("golden", "closed", "small")
    }
    assert told == {
        "golden": {"refused": 1, "left_out": COUNT - 1},
        "closed": {"refused": 1, "not_asked": COUNT - 1},
        "small": {"absent": COUNT},
    }
    found.ws.engine.dispose()


def test_a_baseline_a_judge_and_a_family_are_chosen(made: Answered) -> None:
    options = ReportOptions(baseline="weak", judge="gpt", pairwise="gpt", inference=FEW)
    found = services.report(made.ws, SLUG, options=options)
    assert {each.baseline for each in found.columns} == {"weak"}
    assert found.judge == found.pairwise == "gpt"
    assert services.report(made.ws, SLUG).judge == "gpt", "of two there is no majority"
    offered = services.choices(made.ws, SLUG)
    assert offered.judges == ("gpt", "solar")
    assert offered.pairwise == ("gpt",)
    assert offered.scorable == 2 * COUNT + 6
    assert list(offered.strata) == ["kind", "language", "level", "source"]


def test_what_no_answer_has_is_refused(made: Answered) -> None:
    for options, code in (
        (ReportOptions(judge="nobody"), "judging_judge_unknown"),
        (ReportOptions(pairwise="nobody"), "judging_judge_unknown"),
        (ReportOptions(baseline="nobody"), "judging_system_unknown"),
        (ReportOptions(tokeniser="letters"), "unknown_tokeniser"),
        (ReportOptions(stratum=("colour", "red")), "column_unknown"),
        (ReportOptions(stratum=("language", "fr")), "answer_report_stratum"),
    ):
        assert code_of(services.report, made.ws, SLUG, options=options) == code


def test_the_position_and_the_corrected_figure(whole: AnswerReport) -> None:
    strong = system(whole, "strong")
    assert strong.position is not None
    assert (strong.position.pairs, strong.position.to_first) == (3, 1)
    assert strong.corrected is not None
    assert strong.corrected.withheld is Withheld.ALL_RATED
    assert system(whole, "weak").position is None


def test_which_score_deserves_trust(whole: AnswerReport) -> None:
    overlap, sequence, judge, wins = whole.trust
    assert (overlap.name, overlap.n, overlap.correct) == ("rouge1", 2 * COUNT, COUNT)
    assert overlap.auc.value == 1  # people went by the official words here
    assert overlap.kappa.value == 1
    assert sequence.kappa.value == 1
    assert judge.n == 2 * COUNT - 2
    assert judge.auc.value is not None
    assert 0.5 < judge.auc.value < 1
    assert wins.why is NotDefined.TOO_FEW


def test_every_answer_of_a_judge_is_accounted_for(tmp_path: Path, clock: FakeClock) -> None:
    found = build(tmp_path, clock)
    found.judge(*(verdict(f"k{number:02}", number > 5, "gpt", "strong") for number in range(8)))
    mumbled = [
        verdict(f"k{number:02}", None, "gpt", "strong") | {"raw": "Hm."} for number in (8, 9)
    ]
    found.judge(*mumbled)
    found.judge(*(verdict(f"k{number:02}", number > 6, "solar", "strong") for number in (5, 6, 7)))
    found.judge(verdict("k00", False, "third", "strong"))
    one, both = (
        services.report(found.ws, SLUG, options=ReportOptions(judge=judge, inference=FEW))
        for judge in ("gpt", "majority")
    )
    said = system(one, "strong").verdicts
    assert said is not None and said.correct == column(one, Measure.JUDGE).figures["strong"]
    assert (said.correct.n, said.unread, said.ties, said.not_judged) == (8, 2, 0, 2)
    tied = system(both, "strong").verdicts
    assert tied is not None and tied.uneven
    assert (tied.correct.n, tied.unread, tied.ties, tied.not_judged) == (7, 2, 1, 2)
    assert tied.judges == (1, 2)
    judges = {each.name: each for each in as_report(both, "en").sections}["judges"]
    alone = {each.name: each for each in as_report(one, "en").sections}["judges"]
    assert len(judges.notes) == 1 and alone.notes == ()
    (row,) = (row for row in as_report(both, "en").as_json()["judges"] if row["system"] == "strong")
    assert row["judge_share"] == column(both, Measure.JUDGE).figures["strong"].as_json()
    names = ("judged", "unread", "ties", "judges", "not_judged")
    assert [row[name] for name in names] == [7, 2, 1, "1 – 2", 2]
    found.ws.engine.dispose()


def test_strata_are_those_of_the_questions(made: Answered) -> None:
    hard = ReportOptions(stratum=("level", "hard"), inference=FEW)
    found = services.report(made.ws, SLUG, options=hard)
    assert found.questions == 3
    assert found.columns[0].figures["strong"].n == 3
    kinds = ReportOptions(stratum=("kind", "의무"), inference=FEW)
    assert services.report(made.ws, SLUG, options=kinds).questions == COUNT // 2


def test_an_answer_without_an_official_one_has_no_overlap(made: Answered) -> None:
    case = next(each.case for each in made.states() if each.case.system == "strong")
    lonely = replace(case, id=-1, reference=" ")
    assert rouge_scores(made.ws, "morphemes", [lonely]) == {-1: None}


def test_the_answers_to_a_question(made: Answered) -> None:
    found = answers_to(made.ws, SLUG, "k00")
    assert (found.reference, found.language) == (OFFICIAL, "ko")
    assert dict(found.answers) == {"strong": POOR, "weak": POOR}
    with pytest.raises(UserError, match="k99"):
        answers_to(made.ws, SLUG, "k99")


def test_the_report_has_every_figure_and_count(whole: AnswerReport) -> None:
    made = as_report(whole, "ko")
    told = made.as_json()
    assert [each.name for each in made.filled] == [
        *("scores", "trust", "tests", "states", "judges", "parts")
    ]
    assert told["questions"] == COUNT
    asked = next(row for row in told["scores"] if row["system"] == "asked")
    assert asked["rouge1"] == {"value": None, "n": 0, "ci": None}  # missing, never zero
    tests = {(row["system"], row["measure"]): row for row in told["tests"]}
    weak = tests["weak", "rouge1"]
    assert (weak["against"], weak["wins"], weak["n"]) == ("strong", "0 / 4 / 8", 12)
    states = next(row for row in told["states"] if row["system"] == "asked")
    assert (states["refused"], states["not_asked"]) == (1, 7)
    parts = {row["part"] for row in told["parts"]}
    assert parts == {f"{m}_{of}" for m in ("rouge1", "rougeL") for of in ("precision", "recall")}
    markdown = made.written("markdown")
    assert say("answer_report.states", "ko") in markdown
    assert "▼" in markdown


def test_an_empty_project(tmp_path: Path, clock: FakeClock) -> None:
    ws = Workspace(tmp_path / "w", clock)
    migrate(ws)
    create_project(ws, "bare", "Bare")
    found = services.report(ws, "bare")
    assert found.systems == ()
    assert services.choices(ws, "bare").systems == ()
    assert code_of(plan_scores, ws, "bare", BertSetting("none")) == "answer_report_none"
    assert as_report(found, "en").as_json()["scores"] == []
    ws.engine.dispose()
