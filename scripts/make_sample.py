"""Make the sample project's life: ``python -m scripts.make_sample`` writes ``sample/project.zip``.

Everything is done by the product's own services, on a clock of its own and with a seed, from the
files of ``sample``; so the same code makes the same file.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

from sqlmodel import Session

from annotation.people.members import add_person
from normalization.hashing import file_hash
from scripts.sample_project import (
    answer_work,
    choice_work,
    law_work,
    mapping_work,
    mcq_work,
    own_work,
    question_work,
    research_work,
    run_work,
    tagging_work,
)
from scripts.sample_project.desk import Clock, Desk
from services.backup import back_up
from services.bundle import zipped
from services.sample.loading import PROJECT, load_sample
from services.sample.people import RESEARCHER, SLUG
from storage.db.backup import MANIFEST
from storage.db.migrate import migrate
from storage.db.workspace import DATABASE_FILE, Workspace
from storage.runs.experiments import RecordView, keep_record

BEGINS = datetime(2026, 10, 30, 9, tzinfo=UTC)
WORK = (
    law_work,
    mapping_work,
    mcq_work,
    tagging_work,
    question_work,
    research_work,
    run_work,
    answer_work,
    choice_work,
    own_work,
)
_TIMED = ("services.mapping.candidates", "services.ocr.importing")
_MEASURED = ("fit_s", "search_ms_per_query")


@contextmanager
def nothing_measured() -> Iterator[None]:
    """Leave out what depends on the machine: how long things take, and what runs were made on."""
    with ExitStack() as stack:
        for module in _TIMED:
            stack.enter_context(patch(f"{module}.perf_counter", lambda: 0.0))
        stack.enter_context(patch("services.runs.retrieving.keep_record", _keep_unmeasured))
        yield


def _keep_unmeasured(session: Session, run_id: int, record: RecordView, at: datetime) -> None:
    cost = {name: value for name, value in record.cost.items() if name not in _MEASURED}
    keep_record(session, run_id, replace(record, environment={}, cost=cost), at)


def make(folder: Path) -> Workspace:
    """Return a new workspace below `folder` in which the sample's people have done their work."""
    clock = Clock(BEGINS)
    ws = Workspace(folder / "workspace", clock)
    (folder / "files").mkdir()
    with nothing_measured():
        migrate(ws)
        load_sample(ws)
        desk = Desk(ws, clock, folder / "files")
        add_person(ws, SLUG, *RESEARCHER)
        acts = sorted((act for each in WORK for act in each.acts()), key=lambda act: act.when)
        for act in acts:
            clock.go_to(act.when)
            act.do(desk)
    return ws


def write(file: Path) -> None:
    """Make the project and keep it as a backup that has the same bytes each time."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        ws = make(folder)
        back_up(ws, folder / "made.zip")
        ws.engine.dispose()
        with zipfile.ZipFile(folder / "made.zip") as archive:
            archive.extractall(folder)
        content = folder / "content"
        content.mkdir()
        _settle(folder / DATABASE_FILE, content / DATABASE_FILE)
        _describe(folder / MANIFEST, content)
        file.write_bytes(zipped(content))


def _settle(made: Path, file: Path) -> None:
    """Copy a database so that its bytes depend on its content alone.

    Its indexes were made in the order of a set; pages hold remains of what was deleted.
    """
    query = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
    with closing(sqlite3.connect(made)) as database:
        indexes = database.execute(f"{query} ORDER BY name").fetchall()
        for name, _ in indexes:
            database.execute(f'DROP INDEX "{name}"')
        for _, sql in indexes:
            database.execute(sql)
        database.commit()
        database.execute("VACUUM INTO ?", (str(file),))


def _describe(manifest: Path, content: Path) -> None:
    """Write the manifest of the settled database."""
    said = json.loads(manifest.read_text(encoding="utf-8"))
    file = content / DATABASE_FILE
    said |= {"sha256": file_hash(file), "size": file.stat().st_size}
    (content / MANIFEST).write_text(json.dumps(said, indent=2), encoding="utf-8")


def main() -> None:
    """Write the sample in the middle of its life to ``--output``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=PROJECT, help="File to write.")
    write(parser.parse_args().output)


if __name__ == "__main__":
    main()
