"""What people write: made fit to be stored, and bounded."""

from __future__ import annotations

from corpus.limits import COMMENT, length
from errors import UserError, Where

TEXT_LIMIT = COMMENT
LISTED = 500  # characters of a question in a list; no real one has more


def checked_text(text: str, field: str, limit: int = TEXT_LIMIT, where: Where | None = None) -> str:
    """Return the text fit to be stored; raise UserError if it is longer than the limit.

    Half characters become question marks, since no database holds them; NUL is left out. `where`
    is the line of a file that the text comes from.
    """
    text = fit_text(text)
    if length(text) > limit:
        at = Where(field=field) if where is None else Where(where.file, where.line, field)
        raise UserError("text_too_long", at, limit=limit, length=length(text))
    return text


def fit_text(text: object) -> str:
    """Return the text as `checked_text` keeps it, of any length; "" for what is no text."""
    if not isinstance(text, str):
        return ""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "").strip()


def says_something(text: str) -> bool:
    """Return whether a text shows anything: blanks and marks without width alone do not."""
    return any(each.isprintable() and not each.isspace() for each in text)


def beginning(text: str, most: int = LISTED) -> str:
    """Return a text as a list shows it: whole, or its beginning with an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
