"""Annotations go from PostgreSQL to SQLite and back, and stay the same bytes."""

from __future__ import annotations

from pathlib import Path

from annotation.adjudication import disputes
from annotation.check.project import check
from annotation.exchange.files import export_annotations, import_annotations
from annotation.gold.derivation import derive
from storage.db.engines import file_address
from storage.db.migrate import migrate
from storage.db.workspace import DATABASE_FILE, Workspace
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project
from tests.annotation.crew import batch, know, submit
from tests.annotation.house import SLUG, House, question, statute
from tests.conftest import FakeClock


def empty(ws: Workspace, slug: str) -> None:
    create_project(ws, slug, "Lake law")
    keep_statutes(ws, slug, [statute()], "first")
    keep_questions(ws, slug, [question(n) for n in range(1, 4)], "questions.jsonl")


def test_annotations_move_between_databases(on_postgres: str, house: House, tmp_path: Path) -> None:
    for person, number in ((house.ann, 1), (house.ben, 2)):
        submit(house, person, house.items[0], number)
    disputes.decide(house.ws, house.judge, house.items[0], [house.units[1]], False, "so", 2.0)
    know(house)
    batch(house, ids=("q2",))
    files = [tmp_path / f"{n}.jsonl" for n in range(3)]
    export_annotations(house.ws, SLUG, files[0])
    folder = tmp_path / "sqlite"
    there = Workspace(folder, FakeClock(), file_address(folder / DATABASE_FILE))
    migrate(there)
    empty(there, "there")
    import_annotations(there, "there", files[0])
    export_annotations(there, "there", files[1])
    empty(house.ws, "back")
    import_annotations(house.ws, "back", files[1])
    export_annotations(house.ws, "back", files[2])
    assert len({file.read_bytes() for file in files}) == 1
    assert check(there, "there") == check(house.ws, "back") == []
    gold = [[(g.outcome, g.units) for g in derive(house.ws, slug)] for slug in (SLUG, "back")]
    assert gold[0] == gold[1]
