from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from annotation.agreement.report import main_figures
from evaluation.judging.accuracy import Withheld
from evaluation.judging.judged import Matrix
from messages import say
from services.judging.report import report
from services.judging.report_tables import as_report
from storage.db.workspace import Workspace
from storage.tasks import Task
from tests.annotation.judging.answered import SLUG, Answered, build, verdict
from tests.conftest import FakeClock
from tests.projects.project_cache import kept_project
from tests.support.refusals import code_of


@pytest.fixture
def answered(tmp_path: Path, clock: FakeClock) -> Answered:
    """Six answers: both judges on five of them, four rated by both people, one of them reviewed."""
    ws = Workspace(tmp_path / "workspace", clock)
    made = kept_project("six judged answers", ws, lambda: _judged(tmp_path, clock))
    return replace(made, folder=tmp_path)


def _judged(folder: Path, clock: FakeClock) -> Answered:
    found = build(folder, clock)
    found.judge(
        *(verdict(q, True, "gpt") for q in ("q1", "q2")),
        *(verdict(q, False, "gpt", "large") for q in ("q1", "q2", "q3")),
        *(verdict(q, True, "=solar") for q in ("q1", "q2")),
        verdict("q1", True, "=solar", "large"),
        {"id": "q2", "system": "large", "judge": "=solar", "raw": "Hm."},
        {"id": "q1", "system": "small", "judge": "gpt", "verdict": "first"},
        {"id": "q1", "system": "small", "judge": "gpt", "verdict": "second", "swapped": True},
    )
    for question, system, ann, ben in [
        ("q1", "small", True, True),
        ("q2", "small", False, False),
        ("q1", "large", True, True),
        ("q2", "large", True, False),
    ]:
        found.rate(found.ann, ann, question, system)
        found.rate(found.ben, ben, question, system)
    found.review(True, "under", "more_specific", system="large")
    return found


def test_what_judges_and_people_come_to(answered: Answered) -> None:
    found = report(answered.ws, SLUG)
    assert found.systems == ("large", "small")
    counts = {"cases": 6, "rated": 4, "differ": 1, "settled": 0, "reviewed": 1}
    assert found.progress == counts
    by_name = {each.judge: each for each in found.judges}
    assert list(by_name) == ["=solar", "gpt"], "of two there is no majority"
    assert (by_name["gpt"].said, by_name["gpt"].silent) == (5, 0)
    assert (by_name["=solar"].said, by_name["=solar"].silent) == (3, 1)
    assert by_name["gpt"].matrix == Matrix(tp=1, fp=1, fn=1, tn=0)
    assert by_name["=solar"].matrix == Matrix(tp=2, fp=1, fn=0, tn=0)
    # On q1 of the large system the two judges differ, and people find it correct.
    assert (found.common.answers, found.common.found) == (3, 3)
    assert (found.common.ties.value, found.common.ties.n) == (1 / 3, 3)
    assert (found.common.ties_correct.value, found.common.ties_correct.n) == (1.0, 1)
    assert found.people.raw.figure.value == pytest.approx(0.75)
    assert found.people.raw.figure.n == 4
    assert [(each.first, each.second) for each in found.people_pairs] == [("Ann", "Ben")]
    [(compared, bias)] = found.positions.items()
    assert compared == ("gpt", "small", "")
    assert bias.to_first == 1
    assert found.estimates == {"under": 1}
    assert found.categories == {"more_specific": {"over": 0, "under": 1, "fair": 0}}


def test_all_judges_stand_on_the_same_answers_and_one_alone_on_all_of_its_own(answered) -> None:
    """An answer that one judge left out is in no judge's figure; nor are ties left out."""
    answered.judge({"id": "q2", "system": "small", "judge": "=solar", "raw": "Hm.", "state": ""})
    answered.judge(
        *(verdict(q, q == "q1", "third") for q in ("q1", "q2")),
        *(verdict(q, False, "fourth") for q in ("q1", "q2")),
        verdict("q1", False, "fourth", "large"),
    )
    found = report(answered.ws, SLUG)
    by_name = {each.judge: each for each in found.judges}
    assert list(by_name) == ["=solar", "fourth", "gpt", "third", "majority"]
    assert {each.matrix.n for each in found.judges} == {2}
    assert {each.shares.agreement.n for each in found.judges} == {2}
    # Two and two on q2 of the small system: a tie, which agrees with nobody.
    assert by_name["majority"].matrix == Matrix(tp=1, tied=1)
    assert (by_name["majority"].ties, by_name["majority"].shares.agreement.value) == (1, 0.5)
    assert (found.common.ties.value, found.common.ties_correct.value) == (0.5, 0.0)
    tied = as_report(found, "en").as_json()["judges"][-1]
    assert (tied["ties"]["n"], tied["ties_correct"]["n"]) == (2, 1)
    alone = report(answered.ws, SLUG, judges=["gpt"])
    assert [each.judge for each in alone.judges] == ["gpt"]
    assert alone.known == found.known == ("=solar", "fourth", "gpt", "third")
    assert alone.judges[0].matrix == Matrix(tp=1, fp=1, fn=1)
    assert code_of(report, answered.ws, SLUG, judges=["nobody"]) == "judging_judge_unknown"


def test_two_people_agree_as_far_on_every_screen(answered: Answered) -> None:
    [pair] = report(answered.ws, SLUG).people_pairs
    [kappa] = main_figures(answered.ws, SLUG, Task.ANSWER_RATING)
    assert pair.kappa.figure.low is not None
    assert kappa.finding.figure == pair.kappa.figure, "both draw whole questions"


def test_of_one_system_alone(answered: Answered) -> None:
    found = report(answered.ws, SLUG, system="small")
    assert found.progress["cases"] == 3
    gpt = next(each for each in found.judges if each.judge == "gpt")
    assert gpt.matrix == Matrix(tp=1, fp=1)
    assert [system for system, _ in gpt.accuracies] == ["small"]
    assert code_of(report, answered.ws, SLUG, system="huge") == "judging_system_unknown"


def test_every_figure_is_in_the_report_and_none_is_a_formula(answered: Answered) -> None:
    found = report(answered.ws, SLUG)
    made = as_report(found, "ko")
    told = made.as_json()
    assert told["reviewed"] == 1
    (gpt,) = (row for row in told["judges"] if row["judge"] == "gpt")
    assert gpt["agreement"]["value"] == pytest.approx(1 / 3)
    cells = {row["cell"]: row["count"] for row in told["matrix"] if row["judge"] == "gpt"}
    assert cells == {"tp": 1, "fp": 1, "fn": 1, "tn": 0}
    assert {row["sides"] for row in told["agreement"]} == {"judge", "people", "rater"}
    assert told["positions"][0]["pairs"] == 1
    assert told["categories"] == [{"category": "more_specific", "over": 0, "under": 1, "fair": 0}]
    assert all(told[f"by_{name}"] for name in ("kind", "length"))
    assert not any(line.startswith("=") for line in made.written("csv").splitlines())
    assert "33.3 %" in made.written("markdown")
    alone = as_report(found, "en", judge="gpt").as_json()
    assert {row["judge"] for row in alone["accuracy"]} == {"gpt"}


def test_sections_say_which_answers_they_count_and_why_a_figure_is_withheld(
    answered: Answered,
) -> None:
    found = report(answered.ws, SLUG)
    made = as_report(found, "en")
    sections = {each.name: each for each in made.sections}
    assert sections["by_kind"].lead == (
        "gpt: of the 3 answers that every judge here has judged and people have decided, "
        "33.3 % [2.8, 89.6] overestimated and 33.3 % [6.1, 79.2] underestimated."
    )
    assert sections["by_length"].lead == sections["by_kind"].lead, "groups of a few are not named"
    said = sections["categories"].lead
    assert said.startswith("1 answer is reviewed")
    assert "underestimated 1 and were fair on 0" in said
    assert "no sample of the 3 answers" in said
    assert sections["accuracy"].lead.startswith("No corrected share has an interval")
    reason = say("judge_report.withheld.all_rated")
    rows = made.as_json()["accuracy"]
    (row,) = (row for row in rows if (row["judge"], row["system"]) == ("gpt", "small"))
    assert row["corrected"] == row["tuned"] == {"value": None, "note": reason}
    line = found.judges[-1]
    held = next(acc for _, acc in line.accuracies if acc.withheld is Withheld.ALL_RATED)
    twice = replace(line, accuracies=(("large", held), ("small", held)))
    sections = {e.name: e for e in as_report(replace(found, judges=(twice,)), "en").sections}
    (once,) = (each for each in sections["accuracy"].notes if each.startswith("gpt: "))
    assert once.startswith("gpt: large, small: every judged answer is rated")


def test_a_disputed_answer_is_rated_whether_or_not_it_is_settled(answered: Answered) -> None:
    """Large q2 was disputed and is reviewed; small q3 is disputed and nobody has settled it."""
    answered.review(True, "under", "more_specific", question="q2", system="large")
    answered.judge(verdict("q3", True, "gpt"))
    answered.rate(answered.ann, True, "q3")
    answered.rate(answered.ben, False, "q3")
    for system, waiting, settled in (("large", 0, 1), ("small", 1, 0)):
        found = dict(report(answered.ws, SLUG).people_alone)[system]
        assert (found.waiting, found.found.n) == (waiting, settled)
        assert found.disputed.value == pytest.approx(1 / (3 if system == "small" else 2))
    rows = as_report(report(answered.ws, SLUG), "en").as_json()["people_alone"]
    people = {row["system"]: row["people"] for row in rows}
    assert people["small"]["note"] == say("judge_report.withheld.unsettled")
    assert people["large"]["value"] == 1


def test_nothing_to_report_on_is_no_error(tmp_path: Path, clock: FakeClock) -> None:
    empty = build(tmp_path, clock)
    found = report(empty.ws, SLUG)
    assert found.judges == ()
    assert found.people.raw.figure.value is None
    assert as_report(found, "en").filled == () or not as_report(found, "en").drawn
