"""Finding in a text what is said to be quoted from it.

White space does not count: a model breaks lines otherwise than the text. All else must be the same,
so that what is shown as evidence is the text's own words.
"""

from __future__ import annotations

from functools import lru_cache

_MARKS = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "『": "』", "«": "»", "《": "》"}
_LEAST = 2  # characters without white space: a single one stands everywhere and shows nothing


def found(text: str, quote: str) -> tuple[int, int] | None:
    """Return where the quotation stands first, as (start, end) in characters of the text.

    Quotation marks around it are left out if it does not stand there with them. None where it does
    not stand in the text, and for less than two characters.
    """
    squeezed, places = _squeezed(text)
    for wanted in _readings(quote):
        at = squeezed.find(wanted) if len(wanted) >= _LEAST else -1
        if at >= 0:
            return places[at], places[at + len(wanted) - 1] + 1
    return None


def _readings(quote: str) -> tuple[str, ...]:
    bare = "".join(each for each in quote if not each.isspace())
    if len(bare) > 2 and _MARKS.get(bare[0]) == bare[-1]:
        return bare, bare[1:-1]
    return (bare,)


@lru_cache(maxsize=4)  # a model is asked about one judgment many times in a row
def _squeezed(text: str) -> tuple[str, tuple[int, ...]]:
    """Return the text without white space, and where each of its characters stands."""
    places = tuple(at for at, character in enumerate(text) if not character.isspace())
    return "".join(text[at] for at in places), places
