"""Working time on an answer, as text."""

from __future__ import annotations

from annotation.work.submissions import known_seconds
from pages.shell.context import Context


def spent(context: Context, seconds: float | None) -> str:
    """Return the working time as text, which may be "not timed" or "unknown"."""
    if seconds is None:  # not annotated here
        return context.say("adjudication.not_timed")
    known = known_seconds(seconds)
    if known is None:
        return context.say("adjudication.time_unknown")
    minutes, rest = divmod(round(known), 60)
    return context.say("adjudication.spent", minutes=minutes, seconds=rest)
