"""Answer rating and judge review as each kind of person finds them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from annotation.forms.form import answer
from annotation.guidelines.editing import new_version
from annotation.work.queue_service import open_item
from errors import UserError
from pages.judging.judge_review import tell_matrix
from pages.task.acts import TaskSession
from services.judging.importing import import_cases
from storage.tasks import Task
from tests.annotation.judging.answered import SLUG, Answered, build, case, jsonl, verdict
from tests.conftest import FakeClock
from tests.pages.screens import person_of, viewer
from tests.pages.small_project import HOSTILE, page, shown


@pytest.fixture
def answered(tmp_path: Path, clock: FakeClock) -> Answered:
    return build(tmp_path, clock)


def visit(answered: Answered, name: str, person: int, item: int | None = None) -> AppTest:
    at = page(name, answered.ws, person_of(answered.ws, SLUG, person), project=SLUG)
    if item is not None:
        at.query_params["item"] = str(item)
    return at.run()


def test_a_rater_is_told_the_texts_and_no_verdict(answered: Answered) -> None:
    answered.judge(verdict("q1", True), {**verdict("q1", True, "two"), "raw": "SECRET"})
    item = answered.state().rating_item
    data = viewer(visit(answered, "answer_rating", answered.ann, item))
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

    first = viewer(visit(answered, "answer_rating", answered.ann))["fixed"]
    names = [first["externalId"]]
    answered.say(answered.ann, first["id"], {"rating": "correct"})
    names.append(viewer(visit(answered, "answer_rating", answered.ann))["fixed"]["externalId"])
    assert len(set(names)) == 2
    assert not any("small" in name or "large" in name for name in names)


def test_a_reviewer_is_told_what_was_said_of_the_case(answered: Answered) -> None:
    fixed = viewer(visit(answered, "judge_review", answered.researcher))["fixed"]
    voices = fixed["panes"][1][1]
    assert (voices["verdicts"], fixed["implies"]["consensus"]) == ([], {})
    assert (voices["raters"], voices["rated"]) == ([], {"count": 0, "wanted": 2})

    pair = {"id": "q1", "system": "small", "judge": "gpt", "other": "reference"}
    answered.judge(verdict("q1", False), {**pair, "swapped": True, "verdict": "second"})
    for person in (answered.ann, answered.ben):
        answered.rate(person, True)
    fixed = viewer(visit(answered, "judge_review", answered.adjudicator))["fixed"]
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


def test_text_that_looks_like_html_is_told_as_text(answered: Answered) -> None:
    line = case("q0", "odd") | dict.fromkeys(("answer", "question", "reference"), HOSTILE)
    import_cases(answered.ws, SLUG, jsonl(answered.folder / "odd.jsonl", [line]))
    item = answered.state("q0", "odd").review_item or 0
    at = visit(answered, "judge_review", answered.adjudicator, item)
    question, _, answers = viewer(at)["fixed"]["law"]["panes"]
    assert question[1][0]["text"] == HOSTILE
    assert answers[1][1]["pieces"] == [[HOSTILE, "shared"]]
    assert HOSTILE not in shown(at)


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
    data = viewer(visit(answered, "judge_review", answered.adjudicator))
    assert data["guideline"]["meanings"] == {"odd_one": "It is odd."}
    offered = data["form"]["fields"]["categories"]["options"]
    assert [each[:3] for each in offered] == [["odd_one", "Odd one", "It is odd."]]
    assert data["moving"]["answers"] == {"categories": ["missing_entity"]}
    answer(*where, "categories", ["missing_entity", "odd_one"])
    with pytest.raises(UserError):
        answer(*where, "categories", ["wrong_figure"])
