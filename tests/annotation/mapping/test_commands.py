from collections import Counter

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from annotation.mapping import commands as mapping_commands
from annotation.work import commands, queue_service
from storage.law.imports import keep_statutes
from storage.projects import create_project
from tests.annotation.house import SLUG, House, cite, given_back, statute
from tests.support.refusals import code_of


def _decisions(house: House, person: int, item: int) -> dict[int, str]:
    view = queue_service.open_item(house.ws, person, item)
    return {c.unit_id: c.decision for c in view.candidates if c.decision}


def _submit(house: House, person: int, item: int, *numbers: int) -> int:
    for number in numbers:
        mapping_commands.label(house.ws, person, item, house.units[number], "accept")
    return commands.submit(house.ws, person, item)


def test_undo_takes_back_every_kind_of_act(house: House) -> None:
    ws, item, ann = house.ws, house.items[0], house.ann
    before = queue_service.open_item(ws, ann, item)
    acts = (
        lambda: mapping_commands.label(ws, ann, item, house.units[2], "reject"),
        lambda: mapping_commands.add_unit(ws, ann, item, house.units[5]),
        lambda: mapping_commands.set_no_provision(ws, ann, item, True),
        lambda: commands.set_comment(ws, ann, item, "why"),
        lambda: commands.set_flag(ws, ann, item, "cut off"),
        lambda: commands.skip(ws, ann, item, "later"),
    )
    for act in acts:
        act()
        after = queue_service.open_item(ws, ann, item)
        assert after != before
        if act not in acts[4:]:  # what is said already is not written again
            act()
        assert after.can_undo
        commands.undo(ws, ann, item)
        assert queue_service.open_item(ws, ann, item) == before


def test_a_submission_is_taken_back_by_its_own_act_and_leaves_the_draft(house: House) -> None:
    ws, item, ann = house.ws, house.items[0], house.ann
    commands.set_comment(ws, ann, item, "clear")
    first = _submit(house, ann, item, 1, 3)
    assert queue_service.open_item(ws, ann, item).status == "submitted"
    rejects = ws, ann, item, house.units[1], "reject"
    assert code_of(mapping_commands.label, *rejects) == "item_submitted"
    assert code_of(commands.submit, ws, ann, item) == "item_submitted"
    assert code_of(commands.undo, ws, ann, item) == "item_submitted"
    assert (view := queue_service.open_item(ws, ann, item)).can_take_back and not view.can_undo
    commands.take_back(ws, ann, item)
    view = queue_service.open_item(ws, ann, item)
    assert (view.status, view.comment, view.can_undo) == ("draft", "clear", True)
    assert not view.can_take_back
    assert code_of(commands.take_back, ws, ann, item) == "nothing_to_take_back"
    assert _decisions(house, ann, item) == {house.units[1]: "accept", house.units[3]: "accept"}
    second = _submit(house, ann, item)
    with ws.reading() as session:
        chain = session.execute(
            text("SELECT id, kind, supersedes_id FROM annotation ORDER BY id")
        ).all()
    assert [tuple(row) for row in chain] == [
        (first, "submit", None),
        (first + 1, "withdraw", first),
        (second, "submit", first + 1),
    ]


def test_a_third_annotator_finds_the_item_full(house: House) -> None:
    ws, item = house.ws, house.items[0]
    mapping_commands.label(ws, house.cho, item, house.units[1], "accept")
    _submit(house, house.ann, item, 1)
    assert item in [entry.item_id for entry in queue_service.queue(ws, house.cho)]
    _submit(house, house.ben, item, 2)
    assert item not in [entry.item_id for entry in queue_service.queue(ws, house.cho)]
    assert code_of(commands.submit, ws, house.cho, item) == "item_full"
    accepts = ws, house.cho, item, house.units[2], "accept"
    assert code_of(mapping_commands.label, *accepts) == "item_full"
    assert code_of(queue_service.open_item, ws, house.cho, item) == "item_full"
    given_back(house, house.ben, item)
    commands.take_back(ws, house.ben, item)
    assert commands.submit(ws, house.cho, item)
    assert code_of(commands.submit, ws, house.ben, item) == "item_full"


def test_everything_unknown_is_refused(house: House) -> None:
    ws, item, ann, unit = house.ws, house.items[0], house.ann, house.units[1]
    for nobody in (0, -1, 99, 2**70, "1", None):
        assert code_of(mapping_commands.label, ws, nobody, item, unit, "accept") == "person_unknown"
        assert code_of(mapping_commands.label, ws, ann, nobody, unit, "accept") == "item_unknown"
        assert code_of(mapping_commands.label, ws, ann, item, nobody, "accept") == "unit_not_listed"
        assert code_of(mapping_commands.add_unit, ws, ann, item, nobody) == "unit_unknown"
    assert code_of(mapping_commands.label, ws, ann, item, unit, "maybe") == "decision_unknown"
    unlisted = ws, ann, item, house.units[5], "accept"
    assert code_of(mapping_commands.label, *unlisted) == "unit_not_listed"
    assert code_of(mapping_commands.label, ws, house.judge, item, unit, "accept") == "not_allowed"


def test_people_of_another_project_are_refused(house: House) -> None:
    from annotation.people.members import add_person

    create_project(house.ws, "other", "Other")
    stranger = add_person(house.ws, "other", "Ann", "annotator").id
    assert code_of(commands.submit, house.ws, stranger, house.items[0]) == "item_unknown"
    assert code_of(queue_service.open_item, house.ws, stranger, house.items[0]) == "item_unknown"
    assert queue_service.queue(house.ws, stranger) == []


def test_a_unit_of_another_snapshot_cannot_be_added(house: House) -> None:
    ws, item = house.ws, house.items[0]
    queue_service.open_item(ws, house.ann, item)
    second = keep_statutes(ws, SLUG, [statute(" Changed.")], "second").snapshot_id
    with ws.reading() as session:
        query = "SELECT id FROM unit WHERE snapshot_id = :s ORDER BY id"
        newer = session.execute(text(query), {"s": second}).scalars().first()
    assert code_of(mapping_commands.add_unit, ws, house.ann, item, newer) == "unit_unknown"


def test_texts_are_bounded(house: House) -> None:
    ws, item, ann = house.ws, house.items[0], house.ann
    commands.set_comment(ws, ann, item, "가" * 5000)
    assert queue_service.open_item(ws, ann, item).comment == "가" * 5000
    for act in (commands.set_comment, commands.set_flag, commands.skip):
        assert code_of(act, ws, ann, item, "x" * 5001) == "text_too_long"
    commands.set_comment(ws, ann, item, "a\ud800b\0c")
    assert queue_service.open_item(ws, ann, item).comment == "a?bc"


def test_a_submission_carries_its_world(house: House) -> None:
    from annotation.guidelines.documents import Edition, packaged
    from storage.tables.core import Annotation

    annotation_id = _submit(house, house.ann, house.items[0], 1)
    with house.ws.reading() as session:
        row = session.get_one(Annotation, annotation_id)
        assert (row.snapshot_id, row.candidate_set_id) == (1, 1)
        for kind in ("guideline", "codebook"):
            base = packaged(kind, "citation_mapping")
            assert base is not None
            assert getattr(row, f"{kind}_version") == Edition(base.number, base.texts).version
        assert row.seconds is not None and row.seconds > 0
        assert row.at.tzinfo is not None


@pytest.mark.parametrize(
    "table",
    ["candidate_set", "candidate", "draft_event", "annotation", "annotation_label"],
)
def test_the_database_itself_refuses_to_change_what_people_did(house: House, table: str) -> None:
    _submit(house, house.ann, house.items[0], 1)
    for statement in (f"UPDATE {table} SET id = id + 1000", f"DELETE FROM {table}"):  # noqa: S608
        with pytest.raises(IntegrityError, match="only ever added"), house.ws.writing() as session:
            session.execute(text(statement))


@pytest.mark.parametrize(
    ("cited", "status", "decided", "none", "code"),
    [
        ([1, 2], "resolved", {1: "accept"}, False, "cited_undecided"),
        ([1, 2], "resolved", {1: "accept", 2: "reject"}, False, None),
        ([1, 2], "resolved", {1: "accept", 2: "unsure"}, False, None),
        ([1, 2], "resolved", {1: "reject"}, True, "cited_beside_none"),
        ([1, 2], "resolved", {1: "reject", 2: "reject"}, True, None),
        ([2], "ambiguous", {1: "accept"}, False, None),
        ([2], "unresolved", {1: "accept"}, False, None),
        ([4], "resolved", {1: "accept"}, False, None),  # not on the list
        ([2], "resolved", {1: "reject"}, False, "nothing_decided"),  # which is said first
        ([], "resolved", {}, False, "nothing_decided"),
        ([], "resolved", {1: "unsure"}, False, None),
        ([2], "resolved", {1: "accept"}, True, "accept_beside_none"),
    ],
)
def test_what_the_answer_cites_is_not_passed_over_in_silence(
    house: House,
    cited: list[int],
    status: str,
    decided: dict[int, str],
    none: bool,
    code: str | None,
) -> None:
    ws, item, ann = house.ws, house.items[0], house.ann
    cite(house, cited, status)
    for number, decision in decided.items():
        mapping_commands.label(ws, ann, item, house.units[number], decision)
    if none:
        mapping_commands.set_no_provision(ws, ann, item, True)
    if code is not None:
        assert code_of(mapping_commands.submit, ws, ann, item) == code
        assert queue_service.open_item(ws, ann, item).status != "submitted"
        if not code.startswith("cited"):
            return
    kept = mapping_commands.submit(ws, ann, item, anyway=True)
    assert queue_service.open_item(ws, ann, item).status == "submitted"
    listed = len(queue_service.open_item(ws, ann, item).candidates)
    assert kept == Counter([*decided.values(), *[""] * (listed - len(decided))])


def test_other_ways_in_ask_nothing(house: House) -> None:
    item = house.items[0]
    cite(house, [1, 2], "resolved")
    assert _submit(house, house.ann, item, 1)
