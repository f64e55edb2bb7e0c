"""The codebook of factors of a project: reading a version, what another would change, saving one.

Saving is `annotation.guidelines.editing`; what an option is used for is told only to whoever reads
others' labels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.guidelines.codebook_text import refuse_unsound, text_limit
from annotation.guidelines.documents import Text, told, version_at
from annotation.guidelines.editing import new_version
from annotation.people.roles import Act, may, reading_as
from annotation.tagging.codebook import uses
from annotation.work.versioned_texts import TYPOLOGY
from construction.tagging.codebook import Codebook, Labels, parts, unknown_parts
from construction.tagging.editing import OUTDATING, Change, ChangeKind, differences, write
from construction.tagging.reading import parse
from errors import UserError, Where
from storage.db.workspace import Workspace
from storage.tasks import Task

_TASK = str(Task.FACTOR_TAGGING)


@dataclass(frozen=True, slots=True)
class Held:
    """A version of the codebook: what it says, as it is written, and what its scopes may name.

    `current` is the number of the version that holds now.
    """

    book: Codebook
    text: Text
    labels: Labels
    current: int


@dataclass(frozen=True, slots=True)
class Touched:
    """A change after which answers name what is no more, and how many submissions gave them."""

    change: Change
    submissions: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a codebook would change: `book` beside `before`, which the version `against` says.

    `touched` is None for somebody who may not read what others said. `unknown` are scopes that
    the project's typology does not have.
    """

    book: Codebook
    before: Codebook
    against: int
    changes: tuple[Change, ...]
    touched: tuple[Touched, ...] | None
    unknown: tuple[tuple[str, str], ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the outlook as JSON values."""
        touched = [
            each.change.as_dict() | {"submissions": each.submissions} for each in self.touched or ()
        ]
        return {
            "against": self.against,
            "changes": [change.as_dict() for change in self.changes],
            "touched": None if self.touched is None else touched,
            "unknown_scopes": [{"factor": factor, "scope": part} for factor, part in self.unknown],
        }


def held(ws: Workspace, slug: str, number: int | None = None, by: int | None = None) -> Held:
    """Return the codebook that holds, or that of a number.

    Raises UserError for an unknown project or number.
    """
    with reading_as(ws, slug, by, Act.READ_LAW) as (session, project, _):
        now = version_at(session, project.id, "codebook", _TASK, None)
        found = version_at(session, project.id, "codebook", _TASK, number)
        text = told(found, "codebook", _TASK, "")
        _, typology = TYPOLOGY.current(session, project.id)
        return Held(parse(text.text), text, parts(typology), now.number)


def outlook(
    ws: Workspace, slug: str, text: str, against: int | None = None, by: int | None = None
) -> Outlook:
    """Return what a codebook of that text would change in the version that holds, or another.

    Raises UserError, with its place, for a text that is none.
    """
    refuse_too_long(text)
    with reading_as(ws, slug, by, Act.READ_LAW) as (session, project, who):
        before = version_at(session, project.id, "codebook", _TASK, against)
        new = parse(text)
        old = parse(told(before, "codebook", _TASK, "").text)
        changes = differences(old, new)
        sighted = who is None or may(who.role, Act.READ_OTHERS_LABELS)
        touched = _touched(changes, uses(session, project.id)) if sighted else None
        _, typology = TYPOLOGY.current(session, project.id)
        unknown = unknown_parts(new, parts(typology))
    return Outlook(new, old, before.number, changes, touched, unknown)


def save_codebook(
    ws: Workspace,
    slug: str,
    text: str,
    note: str,
    expected: int | None = None,
    by: int | None = None,
) -> str:
    """Save a codebook as a new version; return ``<number>-<hash>``.

    `expected` is the number of the version that was edited, the one that holds if None. Raises
    UserError as :func:`annotation.guidelines.editing.new_version` does.
    """
    if expected is None:
        expected = held(ws, slug, by=by).current
    return new_version(ws, slug, "codebook", _TASK, {"mul": text}, note, expected, by)


def written(book: Codebook) -> str:
    """Return an edited codebook as text. Raises UserError where it does not hold together."""
    text = write(book)
    refuse_unsound(text, _TASK)
    return text


def refuse_too_long(text: str) -> None:
    """Raise UserError for a text that no codebook may have, before it is read."""
    limit = text_limit("codebook", _TASK)
    if len(text) > limit:
        raise UserError("text_too_long", Where(field="text"), limit=limit, length=len(text))


def _touched(
    changes: tuple[Change, ...], used: Mapping[tuple[str, str], int]
) -> tuple[Touched, ...]:
    found = []
    for change in changes:
        if change.kind in OUTDATING:
            whole = change.kind in (ChangeKind.REMOVED, ChangeKind.RENAMED)
            count = used.get((change.sub_factor, "" if whole else change.option), 0)
            if count:
                found.append(Touched(change, count))
    return tuple(found)
