"""What people say for the datasheets of a project, in versions: read, compared, saved.

Every export's datasheet holds what the newest version says. Nothing is overwritten.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlmodel import Session

from annotation.people.roles import Act, writing_as
from annotation.work.editions import Edition, VersionedText
from construction.gold.datasheet_form import as_yaml, parse, starter
from storage.db.workspace import Workspace
from storage.tables.gold import DatasheetAnswersRow

KIND = VersionedText(DatasheetAnswersRow, parse, starter)


def form_in(session: Session, project_id: int) -> tuple[int, dict[str, str]]:
    """Return the number of the version that holds, and what it says."""
    number, text = KIND.text_in(session, project_id)
    return number, parse(text)


def editions(ws: Workspace, slug: str, by: int | None = None) -> list[Edition]:
    """Return every version with its text, newest first; the first of all is an empty form.

    Raises UserError for an unknown project or person.
    """
    return KIND.editions(ws, slug, by)


def edition(ws: Workspace, slug: str, number: int | None = None, by: int | None = None) -> Edition:
    """Return the version of that number, else the one that holds.

    Raises UserError for a number that no version has.
    """
    return KIND.edition(ws, slug, number, by)


def save(
    ws: Workspace,
    slug: str,
    said: Mapping[str, str],
    note: str,
    expected: int,
    by: int | None = None,
) -> int:
    """Save a version that says these answers, and leaves all others open; return its number.

    `note` says why, `expected` is the number of the version that the edit started from. Raises
    UserError for who may not, an answer that is too long, where nothing is new, and where another
    version was saved meanwhile.
    """
    text = as_yaml(said)
    with writing_as(ws, slug, by, Act.EDIT_DATASHEET) as (session, project, who):
        return KIND.save_in(session, ws, project, who, text, note, expected)
