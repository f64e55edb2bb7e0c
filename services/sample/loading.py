"""Loading of the sample project: fictional law, questions, court cases, and five people.

Its scans of annexes come with stored Tesseract drafts, so that the sample shows drafts without
Tesseract. Two annotators tagged four of its court cases. Its experiment files run on any other
project, too.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from annotation.forms.form import answer
from annotation.people.accounts import list_accounts
from annotation.people.members import add_person, list_people
from annotation.work.commands import submit
from annotation.work.queue_service import queue
from construction.experiments.reading import parse
from corpus.long_work import Progress
from corpus.ocr.blocks import Word, of_json
from corpus.ocr.drafting import Draft
from errors import UserError
from services.cases.importing import import_court_cases
from services.judging.importing import import_cases, import_ratings, import_verdicts
from services.law.importing import import_questions, import_statutes
from services.mapping.candidates import build_candidates
from services.mcq.importing import import_mcqs
from services.ocr.drafting import Made, keep_page_draft
from services.ocr.importing import ImportOptions, import_pages
from services.sample.people import PEOPLE, SLUG, TITLE
from services.tagging.items import make_items
from storage.cases import case_of
from storage.db.backup import replace_content, unpacked
from storage.db.migrate import migrate
from storage.db.moved_times import move_times
from storage.db.workspace import Workspace
from storage.ocr import PageInfo, drafted_by, pages
from storage.projects import create_project, find_project, list_projects
from storage.tables.core import Item
from storage.tasks import Task

SAMPLE = Path(__file__).resolve().parents[2] / "sample"
PROJECT = SAMPLE / "project.zip"  # a backup that `scripts.make_sample` writes


@dataclass(frozen=True, slots=True)
class Starter:
    """A starter experiment: file name, experiment name, and text."""

    file: str
    name: str
    text: str


@cache
def starters() -> tuple[Starter, ...]:
    """Return the starter experiments, by file name."""
    found = []
    for path in sorted((SAMPLE / "experiments").glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        found.append(Starter(path.name, parse(text, path.name).name, text))
    return tuple(found)


_UNITS = {  # scan → annex and language
    "decree-annex-2-ko": ("가온-화재안전-기본법-시행령_별표2", "ko"),
    "decree-annex-5-en": ("Enforcement-Decree-of-the-Gaon-Fire-Safety-Act_annex-5", "en"),
}


def bring_sample_pages(workspace: Workspace, project_slug: str, folder: Path) -> None:
    """Import the scans of the folder with their drafts, skipping existing ones."""
    for name, (unit, language) in _UNITS.items():
        wish = ImportOptions(unit=unit, language=language)
        import_pages(workspace, project_slug, folder / f"{name}.jpg", wish)
    for page in _pages_without_draft(workspace, project_slug):
        kept = json.loads((folder / f"{page.external_id}.json").read_text(encoding="utf-8"))
        keep_page_draft(workspace, page, _stored_draft(kept))


def _pages_without_draft(workspace: Workspace, project_slug: str) -> list[PageInfo]:
    """Return the sample's pages that have no draft."""
    with workspace.reading() as session:
        number = find_project(session, project_slug).id
        done = drafted_by(session, number)
        found = pages(session, number)
    return [page for page in found if page.id not in done and page.external_id in _UNITS]


def _stored_draft(values: dict[str, Any]) -> Made:
    """Return an OCR draft of the sample's file."""
    words = tuple(Word(text, (*box,), sure) for text, *box, sure in values["words"])
    draft = Draft(of_json(values["blocks"]), words)
    return Made(values["engine"], values["engine_version"], {}, draft, None, values["seconds"])


def tag_sample_cases(workspace: Workspace, project_slug: str, file: Path) -> None:
    """Submit the tags of the file as the sample's people, skipping submitted ones."""
    people = {person.name: person.id for person in list_people(workspace, project_slug)}
    for line in file.read_text(encoding="utf-8").splitlines():
        said = json.loads(line)
        person_id = people[said["person"]]
        entries = queue(workspace, person_id, Task.FACTOR_TAGGING)
        (entry,) = (each for each in entries if each.external_id == said["case"])
        if entry.status != "submitted":
            _tag(workspace, person_id, entry.item_id, said)


def _tag(workspace: Workspace, person_id: int, item_id: int, answers: Mapping[str, Any]) -> None:
    """Submit the tags of a case as an annotator, with passages as evidence."""
    with workspace.reading() as session:
        text = case_of(session, session.get_one(Item, item_id).subject_id or 0).text
    for key, option in answers["answers"].items():
        quote = answers["evidence"].get(key)
        evidence = [] if quote is None else [evidence_in(text, option, quote)]
        value = {"options": [option], "evidence": evidence}
        answer(workspace, person_id, item_id, key, value)
    submit(workspace, person_id, item_id)


def evidence_in(text: str, option: str, quote: str) -> dict[str, Any]:
    """Return a quotation as the evidence of an option. Raises ValueError if the text lacks it."""
    start = text.index(quote)
    return {"option": option, "start": start, "end": start + len(quote), "quote": quote}


_LAST = "Lee Sora"  # added last, which marks the load as complete


def load_worked_sample(workspace: Workspace) -> bool:
    """Load the sample project with three weeks of its people's work; return True if it was loaded.

    The last day of work is yesterday by the workspace's clock. Nothing is done where there is a
    project already. Raises UserError in a workspace that has accounts, but no project.
    """
    if list_projects(workspace):
        return False
    if list_accounts(workspace):
        raise UserError("sample_accounts")
    with unpacked(PROJECT, parent=workspace.folder) as (manifest, staged):
        since = workspace.clock().date() - datetime.fromisoformat(manifest.made_at).date()
        move_times(staged.database, since.days - 1)
        migrate(staged, keep_copy=False)
        replace_content(workspace, staged)
        staged.engine.dispose()
    return True


def load_sample(workspace: Workspace, progress: Progress | None = None) -> bool:
    """Load the sample project with nearly nothing decided; return True if it was loaded.

    The last people are added at the end, so an interrupted load is completed by the next call;
    every step before it is idempotent. Nothing is done where there are only other projects.
    """
    slugs = [project.slug for project in list_projects(workspace)]
    if slugs and SLUG not in slugs:
        return False
    if not slugs:
        create_project(workspace, SLUG, TITLE)
    present = {person.name for person in list_people(workspace, SLUG)}
    if _LAST in present:
        return _add_missing_people(workspace, present)
    import_statutes(workspace, SLUG, SAMPLE / "statutes")
    import_questions(workspace, SLUG, SAMPLE / "questions.jsonl")
    import_mcqs(workspace, SLUG, SAMPLE / "mcqs.jsonl")
    import_court_cases(workspace, SLUG, SAMPLE / "court_cases.jsonl")
    make_items(workspace, SLUG)
    bring_sample_pages(workspace, SLUG, SAMPLE / "pages")
    build_candidates(workspace, SLUG, progress)
    ends = [name for name, _ in PEOPLE].index(_LAST)
    _add_missing_people(workspace, present, PEOPLE[:ends])
    _import_judging(workspace)
    tag_sample_cases(workspace, SLUG, SAMPLE / "factor_tags.jsonl")
    return _add_missing_people(workspace, present, PEOPLE[ends:])


def _add_missing_people(
    workspace: Workspace, present: Collection[str], people: Sequence[tuple[str, str]] = PEOPLE
) -> bool:
    """Add missing people; return True if there were any."""
    missing = [(name, role) for name, role in people if name not in present]
    for name, role in missing:
        add_person(workspace, SLUG, name, role)
    return bool(missing)


def _import_judging(workspace: Workspace) -> None:
    """Import models' answers, judges' verdicts, and people's ratings."""
    folder = SAMPLE / "judging"
    import_cases(workspace, SLUG, folder / "answers.jsonl")
    import_verdicts(workspace, SLUG, folder / "verdicts.jsonl")
    import_ratings(workspace, SLUG, folder / "ratings.jsonl")
