"""Short names of statutes, by rule.

The short names in use (소방시설법, 화재예방법, 초고층재난관리법, 건축물방화구조규칙) are made of
leading pieces of the title's words, in order and beginning with the first word, with the type of
the instrument at the end: 소방시설 설치 및 관리에 관한 법률 gives 소방시설|법. So a short name is
matched against titles by that rule, never by a table. A run of whole words counts before pieces,
and the resolver accepts a rank only when exactly one title is left in it.
"""

from __future__ import annotations

import re
from functools import lru_cache

_TYPES = ("특별조치법", "특별법", "기본법", "법률", "법", "규칙", "규정", "령")
_JOSA = re.compile(r"(?:에|의|로|을|를|과|와|으로)$")
_SPLIT = re.compile(r"[\s·ㆍ・･‧,()]+")
_FILLERS = {"및", "등", "관한", "위한", "인한", "대한", "따른", "의한", "둘", "두는"}
WHOLE_RUN, PIECES = 0, 1
_SHORTEST = 3  # syllables before the type: 소방법 could be anything


def type_of(name: str) -> str:
    """Return the type at the end of a name: ``법`` for every kind of act, else 규칙, 규정 or 령."""
    if name.endswith("법령"):  # "legislation", written by mistake for an act
        return "법"
    found = next((t for t in _TYPES if name.endswith(t)), "")
    return "법" if found.endswith(("법", "법률")) else found


def stem_of(name: str) -> str:
    """Return a name without its type."""
    kind = "법령" if name.endswith("법령") else ""
    return name.removesuffix(kind or next((t for t in _TYPES if name.endswith(t)), ""))


@lru_cache(maxsize=20_000)
def title_words(title: str) -> tuple[str, ...]:
    """Return the content words of a title without particles, fillers and its type."""
    kind = next((t for t in _TYPES if title.endswith(t)), "")
    words = [w for w in _SPLIT.split(title.removesuffix(kind)) if w and w not in _FILLERS]
    return tuple(_JOSA.sub("", w) if len(w) > 2 else w for w in words)


def rank(short: str, title: str) -> int | None:
    """Return how well `short` abbreviates `title` (0 best), None where it does not.

    Both come without 시행령 and 시행규칙. 0: the first words of the title, whole. 1: leading pieces
    of at least two syllables of words in order, from the first.
    """
    kind = type_of(short)
    if not kind or kind != type_of(title) or len(title) <= len(short):
        return None
    stem, words = stem_of(short), title_words(title)
    if len(stem) < _SHORTEST or not words:
        return None
    runs = range(1, len(words) + 1) if len(words) > 1 else ()
    if any(stem == "".join(words[:length]) for length in runs):
        return WHOLE_RUN
    return PIECES if _pieces(stem, words) else None


def _pieces(stem: str, words: tuple[str, ...]) -> bool:
    """Tell whether `stem` is made of leading pieces of words, in order from the first."""
    ends = _ends_after(stem, 0, words[0])
    for word in words[1:]:
        if len(stem) in ends:
            break
        ends |= {end for start in ends for end in _ends_after(stem, start, word)}
    return len(stem) in ends


def _ends_after(stem: str, start: int, word: str) -> set[int]:
    """Return where a leading piece of `word` that stands in `stem` at `start` can end."""
    longest = 0
    for written, meant in zip(stem[start:], word, strict=False):
        if written != meant:
            break
        longest += 1
    return {start + n for n in range(2, longest + 1)}
