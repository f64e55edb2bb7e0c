"""How long somebody worked on an answer, in words."""

from __future__ import annotations

from annotation.work.submissions import known_seconds
from pages.shell.context import Context


def spent(context: Context, seconds: float) -> str:
    """Return how long an answer took; that nobody knows is said, and is no zero."""
    if known_seconds(seconds) is None:
        return context.say("adjudication.time_unknown")
    minutes, rest = divmod(round(seconds), 60)
    return context.say("adjudication.spent", minutes=minutes, seconds=rest)
