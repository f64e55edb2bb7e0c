"""Search for rule terms in texts of any script.

Texts and terms are compared composed (NFC). A term in Latin letters matches whole words in any
case; a term in another script, whose words take endings (과태료를), matches anywhere. A space in a
term matches any white space, and in scripts other than Latin also none: ``사전 승인`` matches
사전승인.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from normalization import composed

_LATIN = "0-9A-Za-z\u00c0-\u024f"
_IS_LATIN = re.compile(f"[{_LATIN}]")


@dataclass(frozen=True, slots=True)
class Found:
    """A matched term: ``text[start:end]`` of the composed text; `term` as in the rule.

    Offsets are in characters, end exclusive.
    """

    term: str
    start: int
    end: int


def first_of(terms: Sequence[str], text: str) -> Found | None:
    """Return the first term in `text`, of two at one place the longer; None if there is none."""
    if not terms or not text:
        return None
    ordered = _ordered(tuple(terms))
    match = _pattern(ordered).search(composed(text))
    if match is None or match.lastindex is None:
        return None
    return Found(ordered[match.lastindex - 1], match.start(), match.end())


@lru_cache(maxsize=512)
def _ordered(terms: tuple[str, ...]) -> tuple[str, ...]:
    """Sort the terms, longest first: a pattern takes the first alternative that fits."""
    return tuple(sorted({composed(each) for each in terms}, key=lambda each: (-len(each), each)))


@lru_cache(maxsize=512)
def _pattern(terms: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"({_written(each)})" for each in terms), re.IGNORECASE)


def _written(term: str) -> str:
    latin = bool(_IS_LATIN.match(term[0])) and bool(_IS_LATIN.match(term[-1]))
    space = r"\s+" if latin else r"\s*"
    body = space.join(re.escape(word) for word in term.split())
    before = f"(?<![{_LATIN}])" if _IS_LATIN.match(term[0]) else ""
    after = f"(?![{_LATIN}])" if _IS_LATIN.match(term[-1]) else ""
    return before + body + after
