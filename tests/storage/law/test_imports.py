from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from sqlalchemy import func
from sqlmodel import SQLModel, col, select

from corpus.model import Level
from storage.db.workspace import Workspace
from storage.imported_files import BroughtFile
from storage.law.corpus import (
    catalogue_entries,
    load_items,
    load_statutes,
    load_units,
    required_snapshot,
    snapshot_by_id,
    snapshot_in_use,
    statute_titles,
    unit_ids,
)
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import project_by_slug
from storage.tables.core import Item, QuestionRow, Snapshot, StatuteRow, UnitRow
from tests.annotation.house import question, statute
from tests.conftest import FakeClock
from tests.support.refusals import code_of, refusal, refused

SLUG = "lake"


def _counts(ws: Workspace, *tables: type[SQLModel]) -> list[int]:
    with ws.reading() as session:
        return [session.exec(select(func.count()).select_from(table)).one() for table in tables]


def test_statutes_come_back_as_they_were_kept(ws: Workspace) -> None:
    other = replace(
        statute(),
        semantic_id="a-rule",
        title="A Rule",
        units=tuple(
            replace(
                unit,
                semantic_id=f"a-rule_{n}",
                statute_id="a-rule",
                path=("제1장", "제2절"),
                deleted=n == 1,
                text_missing=n == 2,
                effective=date(2027, 1, n + 1),
            )
            for n, unit in enumerate(statute().units)
        ),
        promulgated=date(2020, 2, 3),
        effective=date(2027, 5, 1),
    )
    report = keep_statutes(ws, SLUG, [statute(), other], "first")
    assert (report.new, report.statutes, report.articles, report.units) == (True, 2, 10, 10)
    with ws.reading() as session:
        assert load_statutes(session, report.snapshot_id) == [other, statute()]
        assert load_units(session, report.snapshot_id) == [*other.units, *statute().units]
        assert load_units(session, report.snapshot_id, [Level.ANNEX]) == []
        assert statute_titles(session, report.snapshot_id) == {
            "a-rule": "A Rule",
            "lake-act": "Lake Act",
        }
        entry = catalogue_entries(session, report.snapshot_id)[-1]
        assert (entry.statute_id, entry.unit_id) == ("lake-act", "lake-act_article-5")
        assert (entry.title, entry.heading, entry.kind) == ("Lake Act", "Lamps", "act")
        assert len(unit_ids(session, report.snapshot_id)) == 10


def test_a_snapshot_is_effective_as_of_its_latest_law_in_force_on_the_day_of_import(
    ws: Workspace, clock: FakeClock
) -> None:
    dates = (date(2025, 3, 1), date(2026, 1, 5), date(2026, 1, 6), date(9999, 1, 1), None)
    law = [
        replace(statute(), semantic_id=f"act-{n}", units=(), effective=day)
        for n, day in enumerate(dates)
    ]
    report = keep_statutes(ws, SLUG, law, "first")
    assert report.effective == date(2026, 1, 5)
    assert report.as_dict()["effective"] == "2026-01-05"
    clock.now += timedelta(days=30)
    assert keep_statutes(ws, SLUG, law, "first").effective == date(2026, 1, 5)
    assert keep_statutes(ws, SLUG, law[3:], "future").effective is None


def test_changed_content_makes_a_snapshot_beside_the_old_one(ws: Workspace) -> None:
    first = keep_statutes(ws, SLUG, [statute()], "first")
    second = keep_statutes(ws, SLUG, [statute(" Changed.")], "second")
    assert second.new
    assert _counts(ws, Snapshot, StatuteRow, UnitRow) == [2, 2, 10]
    with ws.reading() as session:
        project = project_by_slug(ws, SLUG)
        assert required_snapshot(session, project).id == second.snapshot_id
        assert snapshot_by_id(session, first.snapshot_id).name == "first"
        assert load_statutes(session, first.snapshot_id) == [statute()]
        with pytest.raises(KeyError):
            snapshot_by_id(session, 99)
    again = keep_statutes(ws, SLUG, [replace(statute(), file="elsewhere/act.md")], "again")
    assert (again.new, again.snapshot_id) == (False, first.snapshot_id)


def test_statutes_that_cannot_be_kept_leave_nothing(ws: Workspace) -> None:
    unit = statute().units[0]
    twice = replace(statute(), units=(unit, unit))
    assert code_of(keep_statutes, ws, SLUG, [], "n") == "import_empty"
    assert code_of(keep_statutes, ws, SLUG, [statute(), statute()], "n") == "statute_repeated"
    assert code_of(keep_statutes, ws, SLUG, [twice], "n") == "unit_repeated"
    assert code_of(keep_statutes, ws, "nowhere", [statute()], "n") == "project_unknown"
    assert _counts(ws, Snapshot, StatuteRow, UnitRow) == [0, 0, 0]
    with ws.reading() as session:
        project = project_by_slug(ws, SLUG)
        assert snapshot_in_use(session, project.id) is None
        assert code_of(required_snapshot, session, project) == "corpus_missing"


def test_an_import_that_breaks_half_way_leaves_nothing(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> dict[str, object]:
        raise RuntimeError("half way")

    monkeypatch.setattr("storage.law.imports._unit_values", broken)
    with pytest.raises(RuntimeError):
        keep_statutes(ws, SLUG, [statute()], "n")
    monkeypatch.setattr("storage.law.imports.keep_file", broken)  # the last that is stored
    with pytest.raises(RuntimeError):
        file = BroughtFile("questions", "q.jsonl", "0", None)
        keep_questions(ws, SLUG, [question(1)], "q.jsonl", file)
    assert _counts(ws, Snapshot, StatuteRow, UnitRow, QuestionRow, Item) == [0, 0, 0, 0, 0]


def test_questions_become_items_in_file_order_behind_those_there(ws: Workspace) -> None:
    first = keep_questions(ws, SLUG, [question(2), question(1)], "a.jsonl")
    second = keep_questions(ws, SLUG, [question(0), question(1)], "b.jsonl")
    assert (first.new, first.unchanged) == (2, 0)
    assert second.as_dict() == {"new": 1, "unchanged": 1, "completed": 0}
    with ws.reading() as session:
        items = load_items(session, project_by_slug(ws, SLUG).id)
        orders = session.exec(select(Item.order).order_by(col(Item.order))).all()
    assert [each.question for each in items] == [question(2), question(1), question(0)]
    assert list(orders) == [1, 2, 3]


def test_questions_that_cannot_be_kept_leave_nothing(ws: Workspace) -> None:
    keep_questions(ws, SLUG, [question(n) for n in range(9)], "a.jsonl")
    for changed in (
        replace(question(1), text="Another question?"),
        replace(question(1), answer="Another answer."),
        replace(question(1), language="ko"),
        replace(question(1), gold_ids=()),
    ):
        with refused("question_changed") as caught:
            keep_questions(ws, SLUG, [question(20), changed], "b.jsonl")
        assert "q1" in caught.value.what()
        assert caught.value.where.file == "b.jsonl"
    many = [replace(question(n), text="?") for n in range(9)]
    told = refusal(keep_questions, ws, SLUG, many, "b.jsonl").what()
    assert "9 questions" in told and "q4 …" in told
    twice = [question(20), question(20)]
    assert code_of(keep_questions, ws, SLUG, twice, "b.jsonl") == "questions_repeated"
    assert code_of(keep_questions, ws, SLUG, [], "b.jsonl") == "import_empty"
    assert _counts(ws, QuestionRow, Item) == [9, 9]
