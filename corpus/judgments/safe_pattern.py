"""Regular expressions that users write, refused where they are broken or could run for ever."""

from __future__ import annotations

import re

from errors import UserError, Where

PATTERN_CHARACTERS = 1_000
_PIECE = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<open>\()|(?P<close>\))(?P<times>[*+]|\{\d*,\})?"
    r"|(?P<many>[*+]|\{\d*,\})|.",
    re.DOTALL,
)


def safe_pattern(text: str, where: Where) -> re.Pattern[str]:
    """Return the compiled expression, ``^`` and ``$`` being the ends of a line.

    Raises UserError for one that is too long, does not compile or
    repeats without end what repeats without end (``(a+)+``): on some text that takes years.
    """
    if len(text) > PATTERN_CHARACTERS:
        raise UserError("pattern_long", where, limit=PATTERN_CHARACTERS)
    if repeats_repeats(text):
        raise UserError("pattern_endless", where, pattern=text)
    try:
        return re.compile(text, re.MULTILINE)
    except (re.error, OverflowError, RecursionError) as problem:
        raise UserError("pattern_broken", where, pattern=text, reason=str(problem)) from problem


def repeats(text: str) -> bool:
    """Return whether anything in an expression repeats without end."""
    return any(piece["many"] or piece["times"] for piece in _PIECE.finditer(text))


def repeats_repeats(text: str) -> bool:
    """Return whether a group that repeats without end holds something that does."""
    depths = [False]  # for each open group, whether it holds an endless repetition
    for piece in _PIECE.finditer(text):
        if piece["open"]:
            depths.append(False)
        elif piece["close"] and len(depths) > 1:
            inner = depths.pop()
            if inner and piece["times"]:
                return True
            depths[-1] |= inner or bool(piece["times"])
        elif piece["many"]:
            depths[-1] = True
    return False
