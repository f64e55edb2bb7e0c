from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlmodel import select

from annotation.judging.state import judges_of, rated_correct
from annotation.work import queue_service
from evaluation.judging.judged import MAJORITY
from services.judging.importing import Brought, import_cases, import_ratings, import_verdicts
from storage.db.columns import add_rows
from storage.tables.answers import JudgeCase, Verdict
from storage.tables.core import Item
from storage.tasks import Task
from tests.annotation.crew import submit
from tests.annotation.house import SLUG as LAKE
from tests.annotation.house import build as build_house
from tests.annotation.judging.answered import SLUG, Answered, case, jsonl, verdict
from tests.conftest import FakeClock
from tests.support.refusals import fault_of, refused


def _bring(answered: Answered, *lines: dict[str, Any]) -> Brought:
    return import_cases(answered.ws, SLUG, jsonl(answered.folder / "more.jsonl", lines))


def test_what_is_there_is_left_alone_and_nothing_comes_in_twice(answered: Answered) -> None:
    assert _bring(answered, case("q1", "small"), case("q9", "small")) == Brought(1, 1)
    with answered.ws.reading() as session:
        assert len(session.exec(select(JudgeCase)).all()) == 7
        assert len(session.exec(select(Item)).all()) == 14


def test_a_wrong_line_keeps_the_whole_file_out(answered: Answered) -> None:
    for line, code, field in (
        (case("q1", "small", answer="Another."), "judging_case_changed", None),
        (case("q1", "small", provisions=["Another."]), "judging_case_changed", None),
        ({"id": "q9", "system": "s", "answer": "a"}, "judging_question_unknown", None),
        (case("q9", "s", reference=""), "judging_reference_missing", "reference"),
        (case("q8", "small"), "judging_case_repeated", None),
    ):
        assert fault_of(_bring, answered, case("q8", "small"), line) == (code, 2, field)
    with answered.ws.reading() as session:
        assert len(session.exec(select(JudgeCase)).all()) == 6


def test_a_line_without_a_question_takes_that_of_the_project_with_its_gold(
    tmp_path: Path, clock: FakeClock
) -> None:
    house = build_house(tmp_path / "lake", clock)
    for who in (house.ann, house.ben):
        submit(house, who, house.items[0], 1)
    lines = [{"id": name, "system": "gpt", "answer": "No."} for name in ("q1", "q2")]
    import_cases(house.ws, LAKE, jsonl(tmp_path / "cases.jsonl", lines))
    with house.ws.reading() as session:
        first, second = (row.model_dump() for row in session.exec(select(JudgeCase)))
    assert first["question"] == "Which boats need a lamp, case 1?"
    assert first["reference"].startswith("See 「Lake Act」")
    assert (first["language"], first["question_id"], second["provisions"]) == ("en", 1, [])
    [provision] = first["provisions"]
    assert provision["unit"] == "lake-act_article-1"
    assert provision["label"] == "Lake Act Article 1 (Lamps)"
    assert provision["text"].startswith("(1) Boats need lamp 1.")


def test_nothing_that_raters_see_names_the_system(answered: Answered) -> None:
    queue = queue_service.queue(answered.ws, answered.ann, task=Task.ANSWER_RATING)
    assert len(queue) == 6
    for entry in queue:
        view = queue_service.open_item(answered.ws, answered.ann, entry.item_id)
        assert "small" not in f"{view.external_id}{view.title}{view.shown}"
        assert "large" not in f"{view.external_id}{view.title}{view.shown}"
    names = {entry.external_id for entry in queue}
    assert len(names) == 6


def test_reviews_show_the_verdicts_that_there_were(answered: Answered) -> None:
    def shown() -> object:
        item = answered.state().review_item or 0
        return queue_service.open_item(answered.ws, answered.adjudicator, item).shown

    assert shown() == {"verdicts": []}
    answered.judge(verdict("q1", True), verdict("q2", True))
    assert shown() == {"verdicts": [1]}
    answered.judge(verdict("q1", False), verdict("q2", True))
    assert shown() == {"verdicts": [3]}


def test_verdicts_come_once_and_those_that_change_are_added(answered: Answered) -> None:
    file = jsonl(answered.folder / "v.jsonl", [verdict("q1", True), verdict("q2", False)])
    assert import_verdicts(answered.ws, SLUG, file) == Brought(2, 0)
    assert import_verdicts(answered.ws, SLUG, file) == Brought(0, 2)
    jsonl(file, [verdict("q1", False)])
    assert import_verdicts(answered.ws, SLUG, file) == Brought(1, 0)
    with answered.ws.reading() as session:
        rows = session.exec(select(Verdict)).all()
        assert [row.verdict for row in rows] == ["correct", "incorrect", "incorrect"]
        assert all(row.imported for row in rows)
        assert [row.source["line"] for row in rows] == [1, 2, 1]
        assert rows[2].source["sha256"] == sha256(file.read_bytes()).hexdigest()
        assert all(row.source["file"].endswith("v.jsonl") for row in rows)


def test_verdicts_on_what_is_not_there_are_refused_by_line_and_field(answered: Answered) -> None:
    for line, code, field in (
        (verdict("q9", True), "judging_answer_unknown", "id"),
        (verdict("q1", True, system="huge"), "judging_answer_unknown", "system"),
        (verdict("q1", "first") | {"other": "huge"}, "judging_answer_unknown", "other"),
        (verdict("q1", "first") | {"other": "small"}, "judging_same_answer", "other"),
        (verdict("q2", False), "judging_verdict_repeated", None),
    ):
        file = jsonl(answered.folder / "v.jsonl", [verdict("q2", True), line])
        assert fault_of(import_verdicts, answered.ws, SLUG, file) == (code, 2, field)
    with answered.ws.reading() as session:
        assert session.exec(select(Verdict)).all() == []


def test_a_judge_of_a_file_is_counted_apart_from_ours_of_the_same_name(
    answered: Answered,
) -> None:
    answered.judge(verdict("q1", True), verdict("q2", True, judge="other"))
    alone = answered.state()
    assert alone.verdicts["gpt"] is True
    with answered.ws.writing() as session:  # as asking a model here adds it
        own = session.exec(
            select(JudgeCase.id).where(JudgeCase.external_id == "q1", JudgeCase.system == "small")
        ).first()
        said: dict[str, Any] = {
            "judge": "gpt",
            "kind": "binary",
            "verdict": "incorrect",
            "state": "said",
        }
        at = answered.ws.clock()
        add_rows(session, [Verdict(case_id=own or 0, imported=False, at=at, **said)])
    both = answered.state()
    assert dict(both.verdicts) == {"gpt": False, "gpt @ file": True}
    assert judges_of(answered.states()) == ["gpt", "gpt @ file", "other", MAJORITY]
    file = answered.folder / "verdicts.jsonl"  # what stands already is found again
    assert import_verdicts(answered.ws, SLUG, file) == Brought(0, 2)
    jsonl(file, [verdict("q1", False)])
    assert import_verdicts(answered.ws, SLUG, file) == Brought(1, 0)
    assert dict(answered.state().verdicts) == {"gpt": False, "gpt @ file": False}


def _ratings(answered: Answered, *lines: dict[str, Any]) -> Brought:
    return import_ratings(answered.ws, SLUG, jsonl(answered.folder / "r.jsonl", lines))


def _rating(person: str, rating: object, question: str = "q1") -> dict[str, Any]:
    return {"id": question, "system": "small", "person": person, "rating": rating}


def test_ratings_come_in_as_if_given_here(answered: Answered) -> None:
    lines = [_rating("Ann", 1) | {"comment": "Fine."}, _rating("Ben", "incorrect")]
    assert _ratings(answered, *lines) == Brought(2, 0)
    assert [(each.person, rated_correct(each)) for each in answered.state().ratings] == [
        ("Ann", True),
        ("Ben", False),
    ]
    assert answered.state().ratings[0].comment == "Fine."
    assert _ratings(answered, *lines) == Brought(0, 2)


def test_a_rating_that_cannot_be_keeps_all_out(answered: Answered) -> None:
    for line, code in (
        (_rating("Zoe", 1), "judging_person"),
        (_rating("Ada", 1), "judging_person"),
        (_rating("Ann", 1, "q9"), "judging_answer_unknown"),
        (_rating("Ben", 0), "judging_rating_repeated"),
    ):
        with refused(code):
            _ratings(answered, _rating("Ben", 1), line)
    assert answered.state().so_far == 0


def test_raters_get_answers_in_an_order_that_has_nothing_to_do_with_the_file(
    answered: Answered,
) -> None:
    lines = [case(f"r{at:03}", system) for system in ("small", "large") for at in range(100)]
    _bring(answered, *lines)
    systems = {each.rating_item: each.case.system for each in answered.states()}
    queue = queue_service.queue(answered.ws, answered.ann, task=Task.ANSWER_RATING)
    first = [systems[entry.item_id] for entry in queue[6:106]]
    # Of 100 drawn from 200, half of them small: the hypergeometric is within 12 of 50 but once in
    # a thousand times, and this order is the same at every run.
    assert 38 <= first.count("small") <= 62
    again = queue_service.queue(answered.ws, answered.ben, task=Task.ANSWER_RATING)
    assert [each.item_id for each in again] == [each.item_id for each in queue]
