"""Display texts of why a call brought no answer."""

from __future__ import annotations

from llm.reply import Problem
from messages import say

_PROBLEMS = frozenset(each.value for each in Problem)


def reason_words(reason: str, language: str = "en") -> str:
    """Return the display text of a `Problem`; other reasons are unchanged."""
    return say(f"llm.problem.{reason}", language) if reason in _PROBLEMS else reason
