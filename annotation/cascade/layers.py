"""The layers of a project's cascade: versions of one text, the packaged one being the first."""

from __future__ import annotations

from sqlmodel import Session

from annotation.work.editions import Edition, VersionedText
from construction.cascade.layers import Layers, parse, starter
from storage.db.workspace import Workspace
from storage.tables.cascade import CascadeLayersRow

KIND = VersionedText(CascadeLayersRow, parse, starter)
text_in = KIND.text_in


def editions(ws: Workspace, slug: str, by: int | None = None) -> list[Edition]:
    """Return every version with its text, newest first.

    Raises UserError for an unknown project or person.
    """
    return KIND.editions(ws, slug, by)


def edition(ws: Workspace, slug: str, number: int | None = None, by: int | None = None) -> Edition:
    """Return the version of that number, else the one that holds.

    Raises UserError for a number that no version has.
    """
    return KIND.edition(ws, slug, number, by)


def save(
    ws: Workspace, slug: str, text: str, note: str, expected: int, by: int | None = None
) -> int:
    """Save a version of the layers; return its number.

    `note` says why, `expected` is the number of the version that the edit started from. Raises
    UserError as `annotation.work.editions.VersionedText.save` does.
    """
    return KIND.save(ws, slug, text, note, expected, by)


def layers_in(session: Session, project_id: int) -> tuple[int, Layers]:
    """Return the number of the version that holds in the project now, and what it says."""
    number, text = text_in(session, project_id)
    return number, parse(text)
