from __future__ import annotations

from datetime import timedelta

from sqlalchemy import event, text

from annotation.mapping import commands as mapping_commands
from annotation.work import commands, queue_service
from storage.law.imports import keep_questions
from tests.annotation.house import ANSWER, SLUG, House, question
from tests.conftest import FakeClock
from tests.support.refusals import code_of


def _submit(house: House, person: int, item: int, number: int = 1) -> None:
    mapping_commands.label(house.ws, person, item, house.units[number], "accept")
    commands.submit(house.ws, person, item)


def _statuses(house: House, person: int) -> list[str]:
    return [entry.status for entry in queue_service.queue(house.ws, person)]


def test_an_item_shows_question_citations_and_candidates_with_reasons(house: House) -> None:
    view = queue_service.open_item(house.ws, house.ann, house.items[0])
    assert (view.external_id, view.position, view.total, view.done) == ("q1", 1, 3, 0)
    assert (view.status, view.can_undo, view.snapshot_id) == ("todo", False, 1)
    assert view.guideline_version.startswith("1-")
    cited, foreign = view.citations
    assert ANSWER[cited.start : cited.end] == cited.text == "「Lake Act」 Article 1 (1)"
    assert (cited.status, cited.unit_ids) == ("resolved", (house.units[1],))
    assert (foreign.status, foreign.reason) == ("unresolved", "no_such_instrument")
    assert foreign.unit_ids == ()
    first, second, _ = view.candidates
    assert (first.semantic_id, first.rank, first.added) == ("lake-act_article-1", 1, False)
    assert first.why[0].citation_text == cited.text
    start, end = first.pinpoints[0]
    assert first.text[start:end] == "(1) Boats need lamp 1."
    assert any(first.text[start:end].lower() == "lamp" for start, end in first.marks)
    assert (second.why[0].source, second.why[0].rank, second.pinpoints) == ("text", 2, ())


def test_added_units_stand_behind_the_candidates(house: House) -> None:
    item = house.items[0]
    mapping_commands.add_unit(house.ws, house.ann, item, house.units[5])
    mapping_commands.add_unit(house.ws, house.ann, item, house.units[2])
    view = queue_service.open_item(house.ws, house.ann, item)
    assert [(c.unit_id, c.added, c.rank, c.decision) for c in view.candidates] == [
        (house.units[1], False, 1, None),
        (house.units[2], False, 2, "accept"),
        (house.units[3], False, 3, None),
        (house.units[5], True, None, "accept"),
    ]


def test_an_unknown_target_of_an_ambiguous_citation_is_looked_up(house: House) -> None:
    from storage.tables.core import CandidateSet

    with house.ws.reading() as session:
        stored = session.get_one(CandidateSet, 1)
        citation = {**stored.citations[1], "status": "ambiguous", "reason": "several_match"}
    citation["remaining"] = ["lake-act_article-4", "lake-act_article-5"]
    with house.ws.writing() as session:
        item, at = house.items[0], house.ws.clock()
        session.add(
            CandidateSet(
                item_id=item, snapshot_id=1, method="t", citations=[citation], created_at=at
            )
        )
    view = queue_service.open_item(house.ws, house.ann, house.items[0])
    assert view.citations[0].unit_ids == (house.units[4], house.units[5])
    assert view.candidates == ()


def test_the_queue_says_where_each_item_stands(house: House) -> None:
    first, second, third = house.items
    assert _statuses(house, house.ann) == ["todo", "todo", "todo"]
    _submit(house, house.ann, first)
    commands.skip(house.ws, house.ann, second, "hard")
    commands.set_comment(house.ws, house.ann, third, "x")
    assert _statuses(house, house.ann) == ["submitted", "skipped", "draft"]
    assert _statuses(house, house.ben) == ["todo", "todo", "todo"]
    commands.undo(house.ws, house.ann, third)
    assert _statuses(house, house.ann) == ["submitted", "skipped", "todo"]


def test_the_queue_takes_the_same_few_queries_however_long_it_is(house: House) -> None:
    queue_service.queue(
        house.ws, house.ann
    )  # the first use of a workspace asks what shape it has, too
    seen: list[str] = []
    event.listen(
        house.ws.engine,
        "before_cursor_execute",
        lambda _c, _cur, statement, *_: seen.append(statement),
    )
    queue_service.queue(house.ws, house.ann)
    few = len(seen)
    keep_questions(house.ws, SLUG, [question(n) for n in range(10, 60)], "more.jsonl")
    seen.clear()
    assert len(queue_service.queue(house.ws, house.ann)) == 53
    assert len(seen) == few <= 12


def test_drawing_an_item_again_logs_nothing_until_a_break(house: House, clock: FakeClock) -> None:
    def opened() -> int:
        with house.ws.reading() as session:
            return len(session.execute(text("SELECT id FROM draft_event")).all())

    first, second, _ = house.items
    for _ in range(5):
        queue_service.open_item(house.ws, house.ann, first)
    assert opened() == 1
    clock.now += timedelta(minutes=5)
    queue_service.open_item(house.ws, house.ann, first)
    assert opened() == 2
    queue_service.open_item(house.ws, house.ann, second)
    queue_service.open_item(house.ws, house.ann, first)
    assert opened() == 4


def test_who_comes_back_resumes_where_they_left(house: House) -> None:
    ws, ann = house.ws, house.ann
    first, second, third = house.items
    assert queue_service.next_item(ws, ann) == first
    queue_service.open_item(ws, ann, third)
    assert queue_service.next_item(ws, ann) == third
    commands.set_comment(ws, ann, second, "begun")
    _submit(house, ann, third)
    assert queue_service.next_item(ws, ann) == second
    commands.skip(ws, ann, second, "")
    assert queue_service.next_item(ws, ann) == first
    _submit(house, ann, first)
    assert queue_service.next_item(ws, ann) == second
    _submit(house, ann, second)
    assert queue_service.next_item(ws, ann) is None


def test_who_goes_on_gets_the_item_behind_and_goes_round(house: House) -> None:
    ws, ann = house.ws, house.ann
    first, second, third = house.items
    commands.set_comment(ws, ann, first, "a draft must not hold its owner back")
    assert queue_service.next_item(ws, ann, first) == second
    assert queue_service.next_item(ws, ann, second) == third
    assert queue_service.next_item(ws, ann, third) == first
    commands.skip(ws, ann, second, "")
    assert queue_service.next_item(ws, ann, first) == third
    _submit(house, ann, third)
    assert queue_service.next_item(ws, ann, first) == second
    _submit(house, ann, second)
    assert queue_service.next_item(ws, ann, first) is None


def test_the_last_submission_can_be_found_to_be_undone(house: House) -> None:
    ws, ann = house.ws, house.ann
    first, second, third = house.items
    assert queue_service.last_submitted(ws, ann) is None
    _submit(house, ann, second)
    _submit(house, ann, first)
    assert queue_service.last_submitted(ws, ann) == queue_service.last_undoable(ws, ann) == first
    commands.take_back(ws, ann, first)
    assert queue_service.last_submitted(ws, ann) == second
    commands.skip(ws, ann, third, "")
    assert (queue_service.last_submitted(ws, ann), queue_service.last_undoable(ws, ann)) == (
        second,
        third,
    )
    assert queue_service.last_submitted(ws, house.ben) is None


def test_items_without_candidates_say_how_to_make_them(house: House) -> None:
    keep_questions(house.ws, SLUG, [question(9)], "more.jsonl")
    item = queue_service.queue(house.ws, house.ann)[-1].item_id
    assert code_of(queue_service.open_item, house.ws, house.ann, item) == "candidates_missing"
    said = house.ws, house.ann, item, True
    assert code_of(mapping_commands.set_no_provision, *said) == "candidates_missing"
