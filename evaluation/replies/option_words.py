"""Options said in their own words: alone, after "the answer is", or in a clause."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from evaluation.replies.clauses import Clause
from evaluation.replies.option_labels import plain
from evaluation.replies.rules import first

_SHORTEST = 2  # characters of an option that is looked for within other words
_COPULA = re.compile(r"\s?(?:입니다|이다|임|이에요|예요|です)$")
_AROUND = " .。!\"'“”‘’()[]{}"
_OPENING = re.compile(r"[\s\"'“‘「『(\[]*")


def spoken(options: Sequence[str]) -> tuple[str, ...]:
    """Return each option's words made comparable: folded, without what surrounds them."""
    return _spoken(tuple(options))


def said_whole(said: str, words: Sequence[str]) -> set[int]:
    """Return which options, counted from 1, a part of a plain reply is the very words of."""
    said = _bare(said)
    forms = {said, _COPULA.sub("", said)}
    return {number for number, each in enumerate(words, 1) if each and each in forms}


def begins_with(said: str, at: int, words: Sequence[str]) -> int | None:
    """Return the option, the longest of several, whose words stand at a place of the reply."""
    opening = _OPENING.match(said, at)
    rest = said[opening.end() if opening else at :][:1_000].casefold()
    fitting = [n for n, each in enumerate(words, 1) if each and _starts(rest, each)]
    return max(fitting, key=lambda number: len(words[number - 1]), default=None)


def chosen_in(clause: Clause, words: Sequence[str], abstention: int | None) -> int | None:
    """Return the option that a clause says in its own words, if it is one and not denied.

    That it cannot be told is no option here: whoever says that in a sentence abstains in words.
    """
    text = clause.text.casefold()
    named: set[int] = set()
    for number in sorted(range(1, len(words) + 1), key=lambda n: -len(words[n - 1])):
        if number != abstention and (places := list(_places(text, words[number - 1]))):
            named.add(number)
            for start, end in reversed(places):
                text = f"{text[:start]}\x00{text[end:]}"
    if len(named) != 1 or any(first(kind, text) for kind in ("negated", "abstain", "condition")):
        return None
    return named.pop()


@lru_cache(maxsize=4_096)
def _spoken(options: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_bare(plain(option)) for option in options)


def _bare(said: str) -> str:
    return " ".join(said.casefold().split()).strip(_AROUND)


def _starts(rest: str, words: str) -> bool:
    return rest.startswith(words) and not _joined(words[-1:], rest[len(words) :][:1])


def _places(text: str, words: str) -> Iterator[tuple[int, int]]:
    """Yield where the words stand, not as a part of a longer word or number."""
    if len(words) < _SHORTEST or words.isdecimal():
        return
    start = text.find(words)
    while start >= 0:
        end = start + len(words)
        if not _joined(text[max(0, start - 1) : start], words[:1]) and not _joined(
            words[-1:], text[end : end + 1]
        ):
            yield start, end
        start = text.find(words, end)


def _joined(left: str, right: str) -> bool:
    """Whether two characters belong to one word; endings may follow Hangul and Han."""
    both_digits = left.isdecimal() and right.isdecimal()
    both_latin = left.isalnum() and right.isalnum() and left.isascii() and right.isascii()
    return both_digits or both_latin
