"""The real law on fire safety with gold of real questions, and a copy with one article amended."""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection
from pathlib import Path
from unicodedata import normalize

from sqlmodel import Session, col, select

from annotation.mapping import commands as mapping_commands
from annotation.people.members import add_person
from annotation.work import commands
from services.law.importing import import_questions, import_statutes
from services.mapping.candidates import build_candidates
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use, load_items, unit_ids
from storage.mapping.candidates import newest_set_id, units_of_sets
from storage.projects import create_project
from storage.tables.core import StatuteRow, UnitRow
from tests.services.law.law_project import SLUG

ASKED = 60


def real_gold(folder: Path, data: Path) -> tuple[Workspace, Path, str, str]:
    """Make the project with one annotator, who accepts what the file says is gold, else nothing.

    Return it, a copy of the law with one article amended, a question that rests on it, and the
    semantic id of the article.
    """
    asked = (data / "searchfiresafety" / "qna.jsonl").read_text("utf-8").splitlines()[:ASKED]
    law = _some_of(data / "korean-law" / "fire-safety" / "kr", "".join(asked), folder / "law")
    ws = Workspace(folder / "ws")
    migrate(ws)
    create_project(ws, SLUG, "Fire safety", 1)
    import_statutes(ws, SLUG, law)
    (folder / "qna.jsonl").write_text("\n".join(asked), "utf-8")
    import_questions(ws, SLUG, folder / "qna.jsonl")
    build_candidates(ws, SLUG)
    ann = add_person(ws, SLUG, "Ann", "annotator").id
    rests: dict[str, str] = {}
    with ws.reading() as session:
        items, units = load_items(session, 1), unit_ids(session, 1)
        shown = {each.item_id: newest_set_id(session, each.item_id) or 0 for each in items}
        suggested = units_of_sets(session, shown.values())
    for each in items:
        known = [name for name in each.question.gold_ids or () if _is_article(name, units)]
        listed = suggested[shown[each.item_id]]
        for name in known:
            if units[name] not in listed:
                mapping_commands.add_unit(ws, ann, each.item_id, units[name])
            mapping_commands.label(ws, ann, each.item_id, units[name], "accept")
            rests.setdefault(name, each.question.external_id)
        if not known:
            mapping_commands.set_no_provision(ws, ann, each.item_id, True)
        commands.submit(ws, ann, each.item_id)
    unit, question = sorted(rests.items())[0]
    copy = folder / "amended"
    shutil.copytree(law, copy)
    with ws.reading() as session:
        _amend(session, copy, unit)
    return ws, copy, question, unit


def _some_of(law: Path, asked: str, into: Path) -> Path:
    """Copy a third of the law, with every statute that the questions' gold is in."""
    for at, family in enumerate(sorted(law.iterdir())):
        if at % 3 == 0 or f'"{normalize("NFC", family.name)}' in asked:
            shutil.copytree(family, into / family.name)
    return into


def denied_though_suggested(ws: Workspace, unit: str) -> set[str]:
    """Return the questions without a gold provision for which a unit of the law in use is shown."""
    with ws.reading() as session:
        law = id_in_use(session, 1) or 0
        wanted, items = unit_ids(session, law)[unit], load_items(session, 1)
        shown = {newest_set_id(session, each.item_id) or 0: each for each in items}
        suggested = units_of_sets(session, shown)
        known = unit_ids(session, law)
    return {
        each.question.external_id
        for number, each in shown.items()
        if wanted in suggested[number]
        and not {name for name in each.question.gold_ids or () if _is_article(name, known)}
    }


def _is_article(name: str, known: Collection[str]) -> bool:
    return re.fullmatch(r".+_\d+조", name) is not None and name in known


def _amend(session: Session, copy: Path, unit: str) -> None:
    query = select(StatuteRow.file, UnitRow.label).join(UnitRow)
    file, label = session.exec(query.where(col(UnitRow.semantic_id) == unit)).one()
    (path,) = [each for each in copy.rglob("*.md") if str(each).endswith(file)]
    text = path.read_text("utf-8")
    heading = re.search(rf"^#+ {re.escape(label)}(?!의)[^\n]*\n", text, re.MULTILINE)
    assert heading is not None
    path.write_text(f"{text[: heading.end()]}\n새로 쓴 문장.\n{text[heading.end() :]}", "utf-8")
