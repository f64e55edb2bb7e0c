"""The guideline and the codebook of a project: current versions and their texts.

The packaged text is current until a project saves a
version. Versions are numbered on from it; the first edit stores a copy of it beside the new
version. A language without a text in a version keeps that of the version before.

The packaged guidelines and codebooks.

They apply in a project until somebody saves a version. Each has
its number in a line of its own, which is not shown, since every view of a text shows its version.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

import sqlalchemy
from sqlalchemy import bindparam
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from annotation.people.roles import Act, reading_as, require
from annotation.tasks.reading import read_spec
from errors import UserError, Where
from messages import LANGUAGES
from normalization.grouping import grouped
from storage.db.workspace import Workspace
from storage.tables.people import Document
from storage.tables.tasks import TaskDeclaration
from storage.tasks import OWN

KINDS = ("guideline", "codebook")
TASK = "citation_mapping"
EVERY = "mul"  # language of a text for all languages (ISO 639-2)
IN_YAML = frozenset({"factor_tagging"})  # tasks whose codebook is YAML instead of TOML
_FOLDER = Path(__file__).parent / "builtin"
_NUMBER = re.compile(r"^(?:# )?(?:Version|버전) (\d+)$\n*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Packaged:
    """A packaged document: its number, and its texts by language."""

    number: int
    texts: Mapping[str, str]


def languages_of(kind: str) -> tuple[str, ...]:
    """Return the languages in which a document of the kind has texts."""
    return (EVERY,) if kind == "codebook" else tuple(LANGUAGES)


@cache
def packaged(kind: str, task: str) -> Packaged | None:
    """Return the packaged document of that kind; None for an unknown kind or task.

    Raises ValueError if its texts do not all have the same number, a defect that the tests catch.
    """
    if kind not in KINDS or not re.fullmatch(r"[a-z_]+", task):
        return None
    files = {each: _file(kind, task, each) for each in languages_of(kind)}
    if not all(file.is_file() for file in files.values()):
        return None
    texts = {each: file.read_text(encoding="utf-8") for each, file in files.items()}
    return Packaged(_number_in(kind, task, texts), MappingProxyType(texts))


def base_document(session: Session, project_id: int, kind: str, task: str) -> Packaged:
    """Return the document that applies until a version is saved; an own task declares its own.

    Raises UserError for an unknown document.
    """
    found = packaged(kind, task)
    if task.startswith(OWN) and kind in KINDS:
        query = select(TaskDeclaration.text).where(
            TaskDeclaration.project_id == project_id, TaskDeclaration.key == task
        )
        declared = session.exec(query).first()
        if declared is not None:
            text = read_spec(declared).guideline if kind == "guideline" else ""
            found = Packaged(1, dict.fromkeys(languages_of(kind), text))
    if found is None:
        raise UserError("document_unknown", Where(field="task"), kind=kind, task=task)
    return found


def is_packaged(kind: str, task: str, texts: Mapping[str, str]) -> bool:
    """Return True if these are the packaged texts of the document."""
    base = packaged(kind, task)
    return base is not None and dict(texts) == dict(base.texts)


def without_number(text: str) -> str:
    """Return the text without the line of its number."""
    return _NUMBER.sub("", text, count=1)


def _number_in(kind: str, task: str, texts: Mapping[str, str]) -> int:
    """Return the version number that all texts of a document state. Raises ValueError if none."""
    numbers = {found[1] for text in texts.values() if (found := _NUMBER.search(text))}
    if len(numbers) != 1:
        raise ValueError(f"the {kind} of {task} states versions {sorted(numbers)}, not one")
    return int(numbers.pop())


def _file(kind: str, task: str, language: str) -> Path:
    """Return the file of a document that comes with the product."""
    book = ".yaml" if task in IN_YAML else ".toml"
    ending = book if language == EVERY else f".{language}.md"
    return _FOLDER / f"{kind}s" / f"{task}{ending}"


_NAMED = ("project_id", "kind", "task")  # the key of a document


@dataclass(frozen=True, slots=True)
class Edition:
    """A version of a document: number, texts by language, and rows if it is stored.

    `packaged`: it equals the packaged text.
    """

    number: int
    texts: Mapping[str, str]
    rows: tuple[Document, ...] = ()
    packaged: bool = False

    @property
    def version(self) -> str:
        """Version string of decisions made under it: ``<number>-<hash>``.

        The hash is over the texts of all languages and has 12 hexadecimal digits; any edit changes
        it, so no two wordings share a version.
        """
        digest = sha256("\0".join(self.texts[each] for each in sorted(self.texts)).encode())
        return f"{self.number}-{digest.hexdigest()[:12]}"


@dataclass(frozen=True, slots=True)
class Text:
    """A document's text in one language and version; `note` is the reason of the change."""

    kind: str
    task: str
    version: str
    number: int
    language: str
    text: str
    note: str


def held_versions(session: Session, project_id: int, task: str = TASK) -> dict[str, Any]:
    """Return the current versions of guideline and codebook, by column of submission or decision.

    Each is ``<number>-<hash>``. Call it in the transaction that saves the decision. Raises
    UserError for an unknown task.
    """
    rows = _newest_rows(session, project_id, task)
    where = session, project_id
    return {f"{kind}_version": _current(*where, kind, task, rows).version for kind in KINDS}


def version_in(session: Session, project_id: int, kind: str = "guideline", task: str = TASK) -> str:
    """Return the current version of one document, as `held_versions` does."""
    return current(session, project_id, kind, task).version


def text_of(
    ws: Workspace,
    person_id: int,
    kind: str,
    task: str,
    language: str,
    number: int | None = None,
) -> Text:
    """Return the document's text in that language, current or of the version of that number.

    A codebook has every language in one text. Raises UserError for an unknown person, document or
    number.
    """
    with ws.reading() as session:
        who = require(session, person_id, Act.READ_LAW)
        found = version_at(session, who.project_id, kind, task, number)
        return text_in(found, kind, task, language)


def text_under(
    ws: Workspace, person_id: int, kind: str, task: str, language: str, version: str
) -> Text:
    """Return the document's text in that version, or the current one if it is unknown.

    Raises UserError as `text_of`.
    """
    with ws.reading() as session:
        who = require(session, person_id, Act.READ_LAW)
        now = current(session, who.project_id, kind, task)
        if not version or now.version == version:
            return text_in(now, kind, task, language)
        known = versions_in(session, who.project_id, kind, task)
        found = next((each for each in known if each.version == version), now)
        return text_in(found, kind, task, language)


def read_document(
    ws: Workspace,
    project_slug: str,
    kind: str,
    task: str,
    language: str,
    number: int | None = None,
    by: int | None = None,
) -> Text:
    """`text_of` in a named project, for the operator too."""
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        return text_in(version_at(session, project.id, kind, task, number), kind, task, language)


def text_in(edition: Edition, kind: str, task: str, language: str) -> Text:
    """Return a version's text in a language, without the line of its number."""
    own = language if language in edition.texts else languages_of(kind)[0]
    note = next((row.note for row in edition.rows), "")
    text = without_number(edition.texts[own])
    return Text(kind, task, edition.version, edition.number, own, text, note)


def current(session: Session, project_id: int, kind: str, task: str) -> Edition:
    """Return the current version. Raises UserError for an unknown document."""
    return _current(session, project_id, kind, task, _newest_rows(session, project_id, task))


def _current(
    session: Session, project_id: int, kind: str, task: str, newest: Sequence[Document]
) -> Edition:
    """Return the current version, given the rows of the `newest` versions of any kind."""
    rows = [row for row in newest if row.kind == kind]
    base = base_document(session, project_id, kind, task)
    if not rows:
        return Edition(base.number, base.texts, packaged=True)
    if {row.language for row in rows} >= set(languages_of(kind)):
        own = _texts(rows)
        return Edition(rows[0].number, own, tuple(rows), is_packaged(kind, task, own))
    return versions_in(session, project_id, kind, task)[-1]


def versions_in(session: Session, project_id: int, kind: str, task: str) -> list[Edition]:
    """Return every version with a known text, oldest first. Raises UserError as `current`."""
    base = base_document(session, project_id, kind, task)
    asked = {"project_id": project_id, "kind": kind, "task": task}
    rows_of_kind = session.execute(_versions(), asked).scalars()
    by_number = grouped((row.number, row) for row in rows_of_kind)
    found: list[Edition] = []
    if not by_number or base.number < min(by_number):
        found.append(Edition(base.number, base.texts, packaged=True))
    texts: dict[str, str] = dict(base.texts)
    for number, rows in sorted(by_number.items()):
        texts |= _texts(rows)
        own = dict(texts)
        found.append(Edition(number, own, tuple(rows), is_packaged(kind, task, own)))
    return found


def version_at(
    session: Session, project_id: int, kind: str, task: str, number: int | None
) -> Edition:
    """Return the version of that number, or the current one. Raises UserError if it is unknown."""
    if number is None:
        return current(session, project_id, kind, task)
    for each in versions_in(session, project_id, kind, task):
        if each.number == number:
            return each
    raise UserError("document_number", Where(field="version"), kind=kind, number=number)


def _texts(rows: Sequence[Document]) -> dict[str, str]:
    """Return the texts of a document version by language."""
    return {row.language: row.text for row in rows}


def _newest_rows(session: Session, project_id: int, task: str) -> list[Document]:
    """Return the rows of the newest version of each kind of document of a task."""
    asked = {"project_id": project_id, "task": task}
    return list(session.execute(_newest_query(), asked).scalars())


@cache  # building the statement takes longer than running it, and every act asks for versions
def _newest_query() -> Any:
    """Return the query of the newest version of a task's documents, in every language."""
    other = aliased(Document)
    same = (col(getattr(other, name)) == getattr(Document, name) for name in _NAMED)
    newest = sqlalchemy.select(sqlalchemy.func.max(col(other.number))).where(*same)
    here = [col(getattr(Document, name)) == bindparam(name) for name in ("project_id", "task")]
    query = sqlalchemy.select(Document).where(*here)
    return query.where(col(Document.number) == newest.scalar_subquery()).order_by(
        col(Document.number), col(Document.language)
    )


@cache
def _versions() -> Any:
    """Query of a document's versions in order."""
    here = [col(getattr(Document, name)) == bindparam(name) for name in _NAMED]
    query = sqlalchemy.select(Document).where(*here)
    return query.order_by(col(Document.number), col(Document.language))
