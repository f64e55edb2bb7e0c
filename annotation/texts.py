"""What people write: made fit to be stored, and bounded."""

from __future__ import annotations

from errors import UserError, Where

TEXT_LIMIT = 5_000  # characters of a comment, a message, a flag, or the reason of an act


def checked_text(text: str, field: str, limit: int = TEXT_LIMIT) -> str:
    """Return the text fit to be stored; raise UserError if it is longer than the limit.

    Half characters become question marks, since no database holds them; NUL is left out.
    """
    text = fit_text(text)
    if len(text) > limit:
        raise UserError("text_too_long", Where(field=field), limit=limit, length=len(text))
    return text


def fit_text(text: object) -> str:
    """Return the text as `checked_text` keeps it, of any length; "" for what is no text."""
    if not isinstance(text, str):
        return ""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "").strip()


def says_something(text: str) -> bool:
    """Return whether a text shows anything: blanks and marks without width alone do not."""
    return any(each.isprintable() and not each.isspace() for each in text)
