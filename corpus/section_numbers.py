"""Section numbers in English law: 5A, 288-1, 1.1031(a)-1, 240.10b5-1, 53.303-DD-254.

A number is read to its end, however its pieces are joined, so that no section is mistaken for
another whose number begins the same. Every kind of dash counts as a hyphen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_DASHES = "-‐‑‒–—―−﹘﹣－"
DASH = f"[{_DASHES}]"
_HYPHENS = str.maketrans(_DASHES, "-" * len(_DASHES))
_UNSEEN = "[\u00ad\u200b-\u200d\u2060\ufeff]"  # soft hyphens, zero-width joiners
_NO_TITLE = r"(?![0-9]{1,2}\s{1,3}(?:U\.?\s?S\.?\s?C|C\.?\s?F\.?\s?R))"  # 12 of 12 C.F.R.
_PIECE = (  # a long dash is followed by digits alone: section 5—a lamp
    r"(?:[0-9][0-9A-Za-z]*"
    rf"|[A-Z]{{1,3}}(?={DASH}[0-9])|(?<![—―])(?:[A-Z]{{1,3}}|[a-z]{{1,2}})(?![0-9A-Za-z]))"
)
NUMBER = (
    r"(?>[0-9][0-9A-Za-z]*(?:"
    rf"(?:\s?\([0-9A-Za-z]{{1,4}}\)){{1,3}}(?={DASH}(?:\n\s{{0,8}})?[0-9])"  # (a) of 1.1031(a)-1
    rf"|{_UNSEEN}?{DASH}{_UNSEEN}?(?:\n[ \t]{{0,8}})?{_PIECE}|{DASH}[ \u00a0](?=[0-9]){_PIECE}"
    rf"|[ \u00a0]{DASH}[ \u00a0]{_NO_TITLE}(?=[0-9]){_PIECE}"
    rf"|[./:]{_PIECE}|{DASH}\.[0-9]+|{_UNSEEN}[0-9A-Za-z]+|[-‐‑−](?![0-9A-Za-z])"
    rf"|\s[a-z]{{1,3}}(?={DASH}[0-9])|(?<=[0-9])\s(?!I)[A-Z](?![0-9A-Za-z.’'])"
    r"){0,8}(?:\s(?:bis|ter|quater|quinquies)\b)?)"
)
"""The pattern of a number, to be followed by a lookahead for what may come after it."""
_ANY = re.compile(NUMBER)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def roman_value(letters: str) -> int:
    """Return the value of a Roman numeral up to CC, 0 for other letters."""
    values = [_ROMAN.get(letter, 0) for letter in letters.lower()]
    following = zip(values, [*values[1:], 0], strict=True)
    return sum(-one if one < after else one for one, after in following) if all(values) else 0


def section_number(written: str) -> str:
    """Return a number in the form of unit ids, with hyphens and without blanks."""
    return re.sub(rf"\s|{_UNSEEN}", "", written.translate(_HYPHENS))


def is_section_number(text: str) -> bool:
    """Return whether the whole of a text is the number of a section."""
    return _ANY.fullmatch(text) is not None


def range_ends(number: str) -> Iterator[tuple[str, str]]:
    """Yield the possible ranges in a number with hyphens: 5-7, 164.502-.514."""
    for hyphen in re.finditer("-", number):
        low, high = number[: hyphen.start()], number[hyphen.end() :]
        yield low, low.rpartition(".")[0] + high if high.startswith(".") else high
