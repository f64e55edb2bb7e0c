"""Why a call brought no answer, in words: the server's own, or what is known where it says none."""

from __future__ import annotations

from llm.reply import Problem
from messages import say

_PROBLEMS = frozenset(each.value for each in Problem)


def reason_words(reason: str, language: str = "en") -> str:
    """Return a reason to be read: of a `Problem` its words, anything else as it is."""
    return say(f"llm.problem.{reason}", language) if reason in _PROBLEMS else reason
