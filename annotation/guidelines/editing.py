"""Saving new versions of a guideline or codebook; earlier versions are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.guidelines.codebook_tree import refuse_unsound, text_limit
from annotation.guidelines.documents import (
    Edition,
    base_document,
    current,
    languages_of,
    versions_in,
    without_number,
)
from annotation.people.roles import Act, reading_as, writing_as
from annotation.work.editions import clean
from annotation.work.submissions import checked_text
from corpus.limits import NOTE
from errors import UserError, Where
from storage.db.workspace import Workspace
from storage.tables.people import Document

NOTE_LIMIT = NOTE


def new_version(
    ws: Workspace,
    project_slug: str,
    kind: str,
    task: str,
    texts: Mapping[str, str],
    note: str,
    expected: int,
    by: int | None = None,
) -> str:
    """Save `texts`, by language, as a new version; return ``<number>-<hash>``.

    A language left out keeps its text. `expected` is the number of the version that was edited.
    Raises UserError without permission, for an unknown document or language, a version that another
    person saved meanwhile, a text that is empty, too long or (a codebook) invalid, and if nothing
    was changed.
    """
    note = checked_text(clean(note), "note", NOTE_LIMIT)
    with writing_as(ws, project_slug, by, Act.EDIT_GUIDELINES) as (session, project, _):
        before = current(session, project.id, kind, task)
        if before.number != expected:
            raise UserError("document_stale", kind=kind, number=before.number, expected=expected)
        changed = _checked_texts(texts, kind, task)
        after = Edition(before.number + 1, {**before.texts, **changed})
        if all(without_number(before.texts[each]) == text for each, text in changed.items()):
            raise UserError("document_same", Where(field="text"), number=before.number)
        about = {"project_id": project.id, "kind": kind, "task": task, "at": ws.clock()}
        if not before.rows:
            session.add_all(_rows(before, about))
        session.add_all(_rows(after, about | {"note": note, "by_person_id": by}))
        return after.version


@dataclass(frozen=True, slots=True)
class Offer:
    """The packaged text, offered to a project that has no version with it.

    `number` is that of the current version, `now` and `texts` are the current and the offered texts
    by language, without the line of their number.
    """

    number: int
    now: Mapping[str, str]
    texts: Mapping[str, str]

    @property
    def changed(self) -> tuple[str, ...]:
        """Languages in which they differ."""
        return tuple(each for each, text in self.texts.items() if self.now.get(each) != text)


def builtin_offer(
    ws: Workspace, project_slug: str, kind: str, task: str, by: int | None = None
) -> Offer | None:
    """Return the packaged text if no version of the project has it.

    Else None, whatever later versions say. Raises UserError without permission to edit and for an
    unknown document.
    """
    with reading_as(ws, project_slug, by, Act.EDIT_GUIDELINES) as (session, project, _):
        known = versions_in(session, project.id, kind, task)
        offered = _plain(base_document(session, project.id, kind, task).texts)
        if any(_plain(each.texts) == offered for each in known):
            return None
        return Offer(known[-1].number, _plain(known[-1].texts), offered)


def take_builtin(
    ws: Workspace,
    project_slug: str,
    kind: str,
    task: str,
    note: str,
    expected: int,
    by: int | None = None,
) -> str:
    """Save the packaged text as a new version; return ``<number>-<hash>``.

    Answers stay under the version they were made under. Raises UserError as `new_version`, and if
    the project has that text already.
    """
    offer = builtin_offer(ws, project_slug, kind, task, by)
    if offer is None:
        raise UserError("document_no_builtin")
    return new_version(ws, project_slug, kind, task, offer.texts, note, expected, by)


def _plain(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts without version numbers and outer white space, for comparison."""
    return {each: without_number(text).strip() + "\n" for each, text in sorted(texts.items())}


def _checked_texts(texts: Mapping[str, str], kind: str, task: str) -> dict[str, str]:
    """Return the texts in their stored form; raise UserError for invalid ones."""
    found = {}
    for language, text in texts.items():
        if language not in languages_of(kind):
            known = ", ".join(languages_of(kind))
            raise UserError("document_language", Where(field=language), known=known)
        text = without_number(clean(text).strip()).strip() + "\n"
        if not text.strip():
            raise UserError("document_empty", Where(field=language))
        if len(text) > (limit := text_limit(kind, task)):
            where = Where(field=language)
            raise UserError("text_too_long", where, limit=limit, length=len(text))
        if kind == "codebook":
            refuse_unsound(text, task)
        found[language] = text
    return found


def _rows(edition: Edition, about: Mapping[str, Any]) -> list[Document]:
    """Return the rows of a version of a document: one per language."""
    return [
        Document(number=edition.number, language=language, text=text, **about)
        for language, text in sorted(edition.texts.items())
    ]
