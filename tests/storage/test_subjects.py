"""Items of things that are no questions."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from storage.db.workspace import Workspace
from storage.subjects import NO_LAW, Subject, add_candidate_set, add_items, item_of, shown_of
from storage.tables.core import CandidateSet, Item, Snapshot
from storage.tasks import Task


def newest(session: Session, item_id: int) -> int:
    query = select(CandidateSet.id).where(CandidateSet.item_id == item_id)
    return max(number or 0 for number in session.exec(query))


def test_items_are_added_behind_those_there_and_say_what_is_shown(ws: Workspace) -> None:
    with ws.writing() as session:
        page = Subject(1, "p1", "Page 1", {"draft": 7})
        first = add_items(session, 1, Task.OCR_CORRECTION, [page], ws.clock())
        more = [Subject(2, "p2", "Page 2", {}), Subject(3, "p3", "Page 3", {})]
        then = add_items(session, 1, Task.OCR_CORRECTION, more, ws.clock())
        assert shown_of(session, newest(session, first[0])) == {"draft": 7}
        add_candidate_set(session, first[0], {"draft": 9}, ws.clock())
        assert shown_of(session, newest(session, first[0])) == {"draft": 9}
        items = session.exec(select(Item).order_by(col(Item.order))).all()
        assert [(each.id, each.external_id) for each in items] == [
            (first[0], "p1"),
            (then[0], "p2"),
            (then[1], "p3"),
        ]
        assert item_of(session, Task.OCR_CORRECTION, 2) == then[0]
        assert item_of(session, Task.OCR_VERIFICATION, 2) is None


def test_without_law_one_empty_snapshot_stands_in(ws: Workspace) -> None:
    with ws.writing() as session:
        for number in (1, 2):
            subject = Subject(number, f"p{number}", "Page", {})
            add_items(session, 1, Task.OCR_CORRECTION, [subject], ws.clock())
        assert [each.name for each in session.exec(select(Snapshot))] == [NO_LAW]


def test_a_subject_has_one_item_of_a_task(ws: Workspace) -> None:
    with pytest.raises(IntegrityError), ws.writing() as session:
        for _ in range(2):
            subject = Subject(1, "p1", "Page", {})
            add_items(session, 1, Task.OCR_CORRECTION, [subject], ws.clock())
