"""The axes of a project: versions, the one that holds, saving another.

The ones that the product comes with are version 1 and hold until somebody saves some. Versions
stay, and every question keeps the number of the version that it was written under.
"""

from __future__ import annotations

from sqlmodel import Session

from annotation.work.editions import Edition, VersionedText
from construction.augmentation.axes import Axes, parse, starter
from storage.db.workspace import Workspace
from storage.tables.augmentation import AxesRow

_KIND = VersionedText(AxesRow, parse, starter)
text_in = _KIND.text_in


def axes_of(session: Session, project_id: int) -> tuple[Axes, int]:
    """Return the axes that hold in the project now, and the number of their version."""
    number, text = text_in(session, project_id)
    return parse(text), number


def editions(ws: Workspace, slug: str, by: int | None = None) -> list[Edition]:
    """Return every version with its text, newest first.

    Raises UserError for an unknown project or person.
    """
    return _KIND.editions(ws, slug, by)


def edition(ws: Workspace, slug: str, number: int | None = None, by: int | None = None) -> Edition:
    """Return the version of that number, else the one that holds.

    Raises UserError for a number that no version has.
    """
    return _KIND.edition(ws, slug, number, by)


def save(
    ws: Workspace, slug: str, text: str, note: str, expected: int, by: int | None = None
) -> int:
    """Save a version of the axes; return its number.

    `note` says why, `expected` is the number of the version that the edit started from. Raises
    UserError as `annotation.work.editions.VersionedText.save` does.
    """
    return _KIND.save(ws, slug, text, note, expected, by)
