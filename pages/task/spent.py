"""How long somebody worked on an answer, in words."""

from __future__ import annotations

from annotation.work.submissions import known_seconds
from pages.shell.context import Context


def spent(context: Context, seconds: float | None) -> str:
    """Return how long an answer took; that nobody knows is said, and is no zero."""
    if seconds is None:  # nobody worked on it here
        return context.say("adjudication.not_timed")
    known = known_seconds(seconds)
    if known is None:
        return context.say("adjudication.time_unknown")
    minutes, rest = divmod(round(known), 60)
    return context.say("adjudication.spent", minutes=minutes, seconds=rest)
