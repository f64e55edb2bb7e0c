"""The real law on fire safety with gold of real questions, and a copy with one article amended."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from sqlmodel import Session, col, select

from annotation import commands
from annotation.people import add_person
from jobs.candidates import build_candidates
from jobs.imports import import_questions, import_statutes
from storage.candidates import newest_set_id
from storage.corpus import load_items, unit_ids
from storage.migrate import migrate
from storage.pinned import units_of_sets
from storage.projects import create_project
from storage.tables import StatuteRow, UnitRow
from storage.workspace import Workspace
from tests.jobs.law_project import SLUG

ASKED = 160


def real_gold(folder: Path, data: Path) -> tuple[Workspace, Path, str, int]:
    """Make the project with one annotator, who accepts what the file says is gold, else nothing.

    Return it, a copy of the law with one article amended, a question that rests on it and how many
    questions are settled.
    """
    law = data / "korean-law" / "fire-safety"
    ws = Workspace(folder / "ws")
    migrate(ws)
    create_project(ws, SLUG, "Fire safety", 1)
    import_statutes(ws, SLUG, law)
    import_questions(ws, SLUG, data / "searchfiresafety" / "qna.jsonl")
    build_candidates(ws, SLUG)
    ann = add_person(ws, SLUG, "Ann", "annotator").id
    rests: dict[str, str] = {}
    with ws.reading() as session:
        items, units = load_items(session, 1)[:ASKED], unit_ids(session, 1)
        shown = {each.item_id: newest_set_id(session, each.item_id) or 0 for each in items}
        suggested = units_of_sets(session, shown.values())
    for each in items:
        known = [name for name in each.question.gold_ids or () if re.fullmatch(r".+_\d+조", name)]
        known = [name for name in known if name in units]
        listed = suggested[shown[each.item_id]]
        for name in known:
            if units[name] not in listed:
                commands.add_unit(ws, ann, each.item_id, units[name])
            commands.label(ws, ann, each.item_id, units[name], "accept")
            rests.setdefault(name, each.question.external_id)
        if not known:
            commands.set_no_provision(ws, ann, each.item_id, True)
        commands.submit(ws, ann, each.item_id)
    unit, question = sorted(rests.items())[0]
    copy = folder / "amended"
    shutil.copytree(law, copy)
    with ws.reading() as session:
        _amend(session, copy, unit)
    return ws, copy, question, len(items)


def _amend(session: Session, copy: Path, unit: str) -> None:
    query = select(StatuteRow.file, UnitRow.label).join(UnitRow)
    file, label = session.exec(query.where(col(UnitRow.semantic_id) == unit)).one()
    (path,) = [each for each in copy.rglob("*.md") if str(each).endswith(file)]
    text = path.read_text("utf-8")
    heading = re.search(rf"^#+ {re.escape(label)}(?!의)[^\n]*\n", text, re.MULTILINE)
    assert heading is not None
    path.write_text(f"{text[: heading.end()]}\n새로 쓴 문장.\n{text[heading.end() :]}", "utf-8")
