"""Steps below a section: (a)(1)(ii)(A), (1)3, lists and ranges of them.

A step has the form of a unit's parts: ``(a)``, or ``3`` without brackets.
"""

from __future__ import annotations

import re

from corpus.section_numbers import DASH

Steps = tuple[str, ...]

_CHAIN = re.compile(
    r"(?:\s?\((?:[a-z]|([a-z])\1|[ivxl]{2,7}|[A-Z]|([A-Z])\2|[IVXL]{2,7}"
    r"|(?!as|at|an|am|be|by|do)[a-h][a-d]|\d{1,3}(?:[A-Z]{1,2}|-\d{1,2})?)\)"
    r"|(?<=\))\d{1,3}(?![\d.]\d|\d))+"
)
_BARE = re.compile(r"\d{1,3}(?:-\d{1,2})?(?![\w%]|[.,]\d|-\d)")
_STEP = re.compile(r"\([^()]+\)|\d+(?:-\d+)?")
AND = re.compile(r",?\s++(?:and/or|and|or|&|as\s+well\s+as)\s++|,\s++|,(?=[\d(])")
TO = re.compile(rf"\s++(?:to|through|thru|until|up\s+to(?:\s+and\s+including)?)\s++|\s?{DASH}\s?")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_MOST = 50  # the most steps of a range


def read_steps(
    text: str, at: int, *, bare: bool = False, several: bool = True
) -> tuple[list[Steps], int]:
    """Return the chains of steps written at `at`, and their end; ``([], at)`` for none.

    (a)(1) and (2) are two chains: the second keeps the steps above its own kind from the first.
    `bare` allows numbers without brackets (paragraph 3), `several` a list of those.
    """
    first, end = _chain(text, at, bare=bare)
    if not first:
        return [], at
    found = [first]
    while True:
        joined = _next(text, end, found[-1], bare=bare and several)
        if joined is None:
            return found, end
        more, end = joined
        found += more


def _next(text: str, end: int, last: Steps, *, bare: bool) -> tuple[list[Steps], int] | None:
    """Return the further chains of a list or range that continues at `end`."""
    for gap in (AND.match(text, end), TO.match(text, end)):
        if gap is None:
            continue
        new, after = _chain(text, gap.end(), bare=bare)
        whole = _under(last, new) if new else None
        if whole is None:
            continue
        if gap.re is AND:
            return [whole], after
        return [*_between(last, whole), whole], after
    return None


def _chain(text: str, at: int, *, bare: bool) -> tuple[Steps, int]:
    """Return the steps that begin at `at`, such as (1)(a), and where they end."""
    found = _CHAIN.match(text, at)
    if bare and (number := _BARE.match(text, at)):
        below, end = _chain(text, number.end(), bare=False)
        return (number[0], *below), end
    if not found or text[at : at + 2].lstrip()[:1] != "(":
        return (), at
    return tuple(_STEP.findall(found[0])), found.end()


def _under(last: Steps, new: Steps) -> Steps | None:
    """Return `new` below the steps it shares with `last`: (a)(1) and (2) → (a)(2)."""
    for depth in range(len(last) - 1, -1, -1):
        if _alike(last[depth], new[0]):
            return (*last[:depth], *new)
    return None


def _alike(one: str, other: str) -> bool:
    """Return whether two steps can be of one sequence: (a) and (b), (ii) and (iv), 3 and 4."""
    if one.startswith("(") is not other.startswith("("):
        return False
    a, b = one.strip("()"), other.strip("()")
    if a[:1].isdigit() or b[:1].isdigit():
        return a[:1].isdigit() and b[:1].isdigit()
    if a.islower() is not b.islower():
        return False
    return (_value(a) > 0 and _value(b) > 0) or len(a) == len(b) == 1 or a[0] == a[-1] == b[-1]


def _value(letters: str) -> int:
    """Return a Roman numeral's value, 0 if invalid."""
    values = [_ROMAN.get(letter, 0) for letter in letters.lower()]
    if not all(values) or letters.lower() in ("c", "l"):
        return 0
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-one if one < after else one for one, after in pairs)


def _between(first: Steps, last: Steps) -> list[Steps]:
    """Return the chains strictly between two that differ in their last step, else []."""
    above, low, high = last[:-1], first[len(last) - 1], last[-1]
    a, b = low.strip("()"), high.strip("()")
    wrap = "({})" if high.startswith("(") else "{}"
    if a.isdigit() and b.isdigit():
        names = [str(n) for n in range(int(a) + 1, min(int(b), int(a) + _MOST))]
    elif _value(a) and _value(b) and (len(a) > 1 or len(b) > 1):
        names = [_roman(n) for n in range(_value(a) + 1, min(_value(b), _value(a) + _MOST))]
        names = [name.upper() for name in names] if a.isupper() else names
    elif len(a) == len(b) == 1:
        names = [chr(n) for n in range(ord(a) + 1, ord(b))]
    else:
        names = []
    return [(*above, wrap.format(name)) for name in names]


def _roman(number: int) -> str:
    written = ""
    for value, letters in ((50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv")):
        while number >= value:
            written, number = written + letters, number - value
    return written + "i" * number
