"""A project with a few court cases and the small typology, for the tests of standard groups."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.people.members import add_person
from annotation.work.versioned_texts import TYPOLOGY
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project, find_project
from tests.construction.cases.small_typology import SMALL
from tests.projects.court_cases import add_court_cases
from tests.projects.project_cache import kept

SLUG = "court"
CASES = (  # external id, title, charges, provisions
    ("2021-1", "모욕", (), ()),
    ("2021-2", "", ("모욕", "명예훼손"), ("형법 제307조 제1항",)),
    ("2021-3", "명예훼손", (), ("형법 제307조 제1항",)),
    ("2021-4", "명예훼손", (), ("형법 제307조 제2항",)),
    ("2021-5", "무고", (), ()),
    ("2021-6", "", (), ()),
)
INSULT, FACT = "honour.insult", "honour.defamation.fact"


@dataclass(frozen=True)
class Grouped:
    """The project: its people, and the court cases' database ids by their external ids."""

    ws: Workspace
    researcher: int
    annotator: int
    ids: dict[str, int]


def build(folder: Path, clock: Any) -> Grouped:
    """Make the project in a new workspace; its typology is version 2."""
    ws = Workspace(folder, clock)
    return Grouped(ws, *kept("grouped cases", ws, lambda: _made(ws)))


def _made(ws: Workspace) -> tuple[int, int, dict[str, int]]:
    migrate(ws)
    create_project(ws, SLUG, "Court")
    researcher = add_person(ws, SLUG, "Rho", "researcher").id
    annotator = add_person(ws, SLUG, "Ann", "annotator").id
    ids = bring_in(ws, SLUG, CASES)
    TYPOLOGY.save(ws, SLUG, SMALL, "small", 1, researcher)
    return researcher, annotator, ids


def bring_in(ws: Workspace, slug: str, cases: Any) -> dict[str, int]:
    """Keep court cases of that (external id, title, charges, provisions)."""
    with ws.writing() as session:
        told = (
            {
                "external_id": name,
                "court": "Court",
                "date": "2021-01-01",
                "title": title,
                "charges": list(charges),
                "provisions": list(provisions),
                "text": f"판결 {name}",
                "sections": [["facts", 0, 3]],
            }
            for name, title, charges, provisions in cases
        )
        rows = add_court_cases(session, find_project(session, slug).id, ws.clock(), told)
        return {row.external_id: row.id or 0 for row in rows}
