"""Answer rating, judge review and the report on judges as each kind of person finds them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotation.forms.form import answer
from annotation.guidelines.editing import new_version
from annotation.work.queue_service import open_item
from errors import UserError
from messages import say
from pages.judging.judge_review import tell_matrix
from pages.task.acts import TaskSession
from services.background.tasks import TaskKind, latest
from services.judging.importing import import_cases
from storage.tasks import Task
from tests.annotation.judging.answered import SLUG, Answered, case, jsonl, verdict
from tests.llm.server import Server, Step
from tests.pages import screens
from tests.pages.screens import rows, told
from tests.pages.small_project import HOSTILE, shown


@pytest.fixture
def judged(answered: Answered) -> Answered:
    """Two judges, two people, one review."""
    answered.judge(
        *(verdict(q, q != "q3", judge) for q in ("q1", "q2", "q3") for judge in ("gpt", "solar")),
        {"id": "q1", "system": "small", "judge": "gpt", "verdict": "first"},
        {"id": "q1", "system": "small", "judge": "gpt", "verdict": "second", "swapped": True},
    )
    for question in ("q1", "q2", "q3"):
        answered.rate(answered.ann, question != "q2", question)
        answered.rate(answered.ben, question == "q1", question)
    answered.review(False, "over", "missing_entity", question="q2")
    return answered


def opened(answered: Answered, tab: str = "report") -> AppTest:
    sections = ("agreement", "matrix", "judges", "positions", "categories")
    state: dict[str, Any] = {f"judges-{section}-more": True for section in sections}
    state["judge-tab"] = say(f"judge_report.page.tab_{tab}")
    return screens.opened("judge_report", answered.ws, answered.researcher, SLUG, **state)


def test_the_matrix_and_the_figures(judged: Answered) -> None:
    at = opened(judged)
    assert not at.error
    assert [metric.value for metric in at.metric] == ["6", "3", "1", "1"]
    shares = [row[-1] for row in rows(at, say("judge_report.cell"))]
    assert [each.strip("(").split()[0] for each in shares] == ["50.0", "50.0", "0.0", "0.0"]
    judges = rows(at, say("judge_report.tied_answers"))
    assert [row[0] for row in judges] == ["gpt", "solar", say("judge_report.tied")]
    assert [row[1] for row in judges] == ["2", "2", "0"]
    assert judges[0][2] == "(50.0 % [9.5, 90.5])", "two answers do not stand out"
    assert say("common.brackets") in shown(at)
    people = rows(at, say("judge_report.between"))
    assert any(row[2].startswith("(66.7 %") for row in people)
    positions = rows(at, say("judge_report.half"))
    assert any(cell.startswith("(0.0 %") for cell in positions[0])
    [category] = rows(at, say("judge_report.category"))
    assert category[0] in ("Missing entity", "빠진 대상")
    assert category[1:] == ["1", "0", "0"]


def test_what_an_answer_says_is_text(answered: Answered, tmp_path: Path) -> None:
    line = case("q9", HOSTILE, kind=HOSTILE, answer=HOSTILE) | {"question": HOSTILE}
    import_cases(answered.ws, SLUG, jsonl(tmp_path / "more.jsonl", [line]))
    answered.judge(*(verdict("q9", True, judge, HOSTILE) for judge in (HOSTILE, "gpt")))
    for tab in ("report", "run", "cases"):
        at = opened(answered, tab)
        assert HOSTILE not in shown(at)
        options = [each for control in at.segmented_control for each in control.options]
        assert HOSTILE not in options


def test_bringing_in_a_file(answered: Answered) -> None:
    at = opened(answered, "run")
    assert "No model is set up for judging" in shown(at)
    at.segmented_control(key="judge-what").set_value("verdicts").run()
    content = json.dumps(verdict("q1", True)).encode()
    at.file_uploader(key="judge-file").upload("v.jsonl", content, "application/jsonl")
    at.button(key="FormSubmitter:judge-bring-Import").click().run()
    assert "1 new, 0 already here" in shown(at).replace("\\", "")
    assert answered.state().verdicts == {"gpt": True}
    again = opened(answered, "run")
    again.button(key="FormSubmitter:judge-bring-Import").click().run()
    assert "Choose a file first" in shown(again)


def test_asking_a_judge_and_what_came_of_it(answered: Answered, server: Server) -> None:
    server.plays(answered.ws.folder)
    server.on("", Step(text="1"))
    at = opened(answered, "run")
    at.text_input(key="judge-name").set_value("strict").run()
    at.segmented_control(key="judge-kind").set_value("pairwise").run()
    at.segmented_control(key="judge-kind").set_value("binary").run()
    at.button(key="judge-start").click().run()
    run = latest(answered.ws, SLUG, TaskKind.JUDGE)
    assert run is not None
    run.wait(100)
    at.run()
    assert at.text_input(key="judge-name").value == "strict"  # to go on under this name
    assert "6 answered, 0 refused, 0 failed" in shown(at).replace("\\", "")
    assert answered.state().verdicts == {"strict": True}


def test_a_rater_is_told_the_texts_and_no_verdict(answered: Answered) -> None:
    answered.judge(verdict("q1", True), {**verdict("q1", True, "two"), "raw": "SECRET"})
    item = answered.state().rating_item
    data = told("answer_rating", answered.ws, answered.ann, item, SLUG)
    fixed = data["fixed"]
    (question, answers) = fixed["panes"]
    assert question[1][0]["text"] == "May a boat sail without a lamp, q1?"
    assert answers[1][1]["pieces"] == [["The small model says no.", "shared"]]
    assert set(fixed) == {"id", "externalId", "stage", "language", "panes", "law"}
    assert set(fixed["law"]) == {"title", "units", "none", "after"}
    assert {key for each in fixed["law"]["units"] for key in each} == {
        *("unit", "head", "pieces", "missing"),
    }
    assert data["moving"]["total"] == 6
    assert data["words"]["option_correct"] == "Correct"
    assert "SECRET" not in json.dumps(data)

    first = told("answer_rating", answered.ws, answered.ann, project=SLUG)["fixed"]
    answered.say(answered.ann, first["id"], {"rating": "correct"})
    second = told("answer_rating", answered.ws, answered.ann, project=SLUG)["fixed"]
    names = {first["externalId"], second["externalId"]}
    assert len(names) == 2
    assert not any("small" in name or "large" in name for name in names)


def test_a_reviewer_is_told_what_was_said_of_the_case(answered: Answered) -> None:
    fixed = told("judge_review", answered.ws, answered.researcher, project=SLUG)["fixed"]
    voices = fixed["panes"][1][1]
    assert (voices["verdicts"], fixed["implies"]["consensus"]) == ([], {})
    assert (voices["raters"], voices["rated"]) == ([], {"count": 0, "wanted": 2})

    pair = {"id": "q1", "system": "small", "judge": "gpt", "other": "reference"}
    answered.judge(verdict("q1", False), {**pair, "swapped": True, "verdict": "second"})
    for person in (answered.ann, answered.ben):
        answered.rate(person, True)
    fixed = told("judge_review", answered.ws, answered.adjudicator, project=SLUG)["fixed"]
    assert fixed["externalId"] == "q1 · small"
    voices, (_, legend, answers) = fixed["panes"][1][1], fixed["law"]["panes"]
    assert [each["said"] for each in voices["verdicts"]] == ["incorrect", "passed_over"]
    assert voices["verdicts"][1]["note"] == "after the official answer"
    raters = [(each["person"], each["said"]) for each in voices["raters"]]
    assert raters == [("Ann", "correct"), ("Ben", "correct")]
    assert fixed["implies"]["consensus"] == {
        "correct": {"estimate": "under"},
        "incorrect": {"estimate": "fair"},
    }
    pieces = answers[1][1]["pieces"]
    assert "".join(text for text, _ in pieces) == "The small model says no."
    assert legend[1] == {"shared": 1, "reference": 5, "answer": 4}


def matrix(answered: Answered) -> dict[str, dict[str, list[str]]]:
    """Return the matrix as its reviewer is told it, with names in the place of items."""
    sitting = TaskSession(SLUG, answered.adjudicator)
    tell_matrix(answered.ws, sitting, {})
    names = {each.review_item: each.case.external_id[1] for each in answered.states()}
    return {
        judge["name"]: {
            cell: [names[item] for item in items] for cell, items in judge["cells"].items()
        }
        for judge in sitting.told["matrix"]["judges"]
    }


def test_each_case_is_in_one_cell_of_each_judge(answered: Answered) -> None:
    assert matrix(answered) == {}
    answered.judge(verdict("q1", True), verdict("q2", True), verdict("q3", False))
    for question, found in (("q1", True), ("q2", False), ("q3", True)):
        for person in (answered.ann, answered.ben):
            answered.rate(person, found, question)
    assert matrix(answered) == {
        "gpt": {"tp": ["1"], "fp": ["2"], "fn": ["3"], "unrated": ["1", "2", "3"]}
        | {"telling": matrix(answered)["gpt"]["telling"]}
    }
    assert sorted(matrix(answered)["gpt"]["telling"]) == ["1", "2", "3"]
    answered.review(False, "over", "missing_entity")
    assert matrix(answered)["gpt"]["fp"] == ["1", "2"]
    assert sorted(matrix(answered)["gpt"]["telling"]) == ["2", "3"]


def test_an_edited_taxonomy_is_offered_at_once_and_what_it_dropped_stays_marked(
    answered: Answered,
) -> None:
    item = answered.state().review_item or 0
    where = answered.ws, answered.adjudicator, item
    open_item(*where)
    answer(*where, "categories", ["missing_entity"])
    text = """
    options = [{key = "odd_one", label = {en = "Odd one", ko = "이상함"},
        meaning = {en = "It is odd.", ko = "이상하다."}}]
    """.replace("\n", " ")
    new_version(answered.ws, SLUG, "codebook", Task.JUDGE_REVIEW, {"mul": text}, "", 1)
    data = told("judge_review", answered.ws, answered.adjudicator, project=SLUG)
    assert data["guideline"]["meanings"] == {"odd_one": "It is odd."}
    offered = data["form"]["fields"]["categories"]["options"]
    assert [each[:3] for each in offered] == [["odd_one", "Odd one", "It is odd."]]
    assert data["moving"]["answers"] == {"categories": ["missing_entity"]}
    answer(*where, "categories", ["missing_entity", "odd_one"])
    with pytest.raises(UserError):
        answer(*where, "categories", ["wrong_figure"])
