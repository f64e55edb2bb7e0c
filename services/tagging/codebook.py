"""The codebook of a project's factors: reading versions, effects of changes, saving.

Saving is `annotation.guidelines.editing`; uses of an option are shown only to readers of others'
labels.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from annotation.guidelines.codebook_tree import refuse_unsound, text_limit
from annotation.guidelines.documents import Text, text_in, version_at
from annotation.guidelines.editing import new_version
from annotation.people.roles import Act, may, reading_as
from annotation.tagging.codebook import uses
from annotation.work.versioned_texts import TYPOLOGY
from construction.tagging.codebook import Codebook, Labels, parts, unknown_parts
from construction.tagging.editing import OUTDATING, Change, differences, write
from construction.tagging.reading import parse
from errors import UserError, Where
from storage.db.workspace import Workspace
from storage.tasks import Task

_TASK = str(Task.FACTOR_TAGGING)


@dataclass(frozen=True, slots=True)
class Held:
    """A version of the codebook, parsed and as text, with the labels its scopes may use.

    `current` is the number of the current version.
    """

    book: Codebook
    text: Text
    labels: Labels
    current: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """Effects of a new codebook `book` compared with `before`, version `against`.

    `touched` are the changes that make existing answers stale, each with the number of their
    submissions; None for readers who may not see others' labels. `unknown` are scopes missing in
    the project's typology.
    """

    book: Codebook
    before: Codebook
    against: int
    changes: tuple[Change, ...]
    touched: tuple[tuple[Change, int], ...] | None
    unknown: tuple[tuple[str, str], ...]

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        touched = [asdict(change) | {"submissions": count} for change, count in self.touched or ()]
        return {
            "against": self.against,
            "changes": [asdict(change) for change in self.changes],
            "touched": None if self.touched is None else touched,
            "unknown_scopes": [{"factor": factor, "scope": part} for factor, part in self.unknown],
        }


def find_codebook(
    ws: Workspace, slug: str, number: int | None = None, by: int | None = None
) -> Held:
    """Return the current codebook, or a version by number.

    Raises UserError for an unknown project or number.
    """
    with reading_as(ws, slug, by, Act.READ_LAW) as (session, project, _):
        now = version_at(session, project.id, "codebook", _TASK, None)
        found = version_at(session, project.id, "codebook", _TASK, number)
        text = text_in(found, "codebook", _TASK, "")
        _, typology = TYPOLOGY.current(session, project.id)
        return Held(parse(text.text), text, parts(typology), now.number)


def outlook(
    ws: Workspace, slug: str, text: str, against: int | None = None, by: int | None = None
) -> Outlook:
    """Return the effects of a new codebook text on the current version, or another.

    Raises UserError, with its place, for an invalid text.
    """
    refuse_too_long(text)
    with reading_as(ws, slug, by, Act.READ_LAW) as (session, project, who):
        before = version_at(session, project.id, "codebook", _TASK, against)
        new = parse(text)
        old = parse(text_in(before, "codebook", _TASK, "").text)
        changes = differences(old, new)
        sighted = who is None or may(who.role, Act.READ_OTHERS_LABELS)
        used = uses(session, project.id) if sighted else {}
        stale = (
            (change, used.get((change.sub_factor, change.option), 0))
            for change in changes
            if change.kind in OUTDATING
        )
        touched = tuple(each for each in stale if each[1]) if sighted else None
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

    `expected` is the number of the version that was edited, by default the current one. Raises
    UserError as :func:`annotation.guidelines.editing.new_version` does.
    """
    if expected is None:
        expected = find_codebook(ws, slug, by=by).current
    return new_version(ws, slug, "codebook", _TASK, {"mul": text}, note, expected, by)


def written(book: Codebook) -> str:
    """Return an edited codebook as text. Raises UserError where it is inconsistent."""
    text = write(book)
    refuse_unsound(text, _TASK)
    return text


def refuse_too_long(text: str) -> None:
    """Raise UserError for a text above the codebook limit, before parsing it."""
    limit = text_limit("codebook", _TASK)
    if len(text) > limit:
        raise UserError("text_too_long", Where(field="text"), limit=limit, length=len(text))
