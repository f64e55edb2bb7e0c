"""Headings of plain text, shown by an example that the user writes: ``제{number}조({heading})``.

The example is not a regular expression: `{number}` stands for the number of the unit, `{heading}`
for its title, everything else for itself. Matching takes time in proportion to the text.
A heading in brackets may be left out (``제3조 삭제``).
"""

from __future__ import annotations

import re

from errors import UserError, Where

KNOWN = (
    "제{number}조({heading})",
    "Article {number} ({heading})",
    "Article {number}. {heading}",
    "§ {number}. {heading}",
    "Section {number}. {heading}",
    "{number}. {heading}",
    "## {heading}",
    "# {heading}",
)
"""The patterns that are tried when the user gives none, best first."""

_LONGEST = 200
_NUMBER = r"(?P<number>[0-9]{1,5}(?:(?:의|[.-])[0-9]{1,5}){0,4}[A-Za-z]?)"
_PIECE = re.compile(r"(\{number\}|\{heading\}|\s+)")
_BRACKETS = {"(": ")", "[": "]", "<": ">", "「": "」", "【": "】"}


def compiled(pattern: str, where: Where | None = None) -> re.Pattern[str]:
    """Return the pattern that matches a heading at the beginning of a line.

    Raises UserError for a pattern that is too long, names neither number nor heading, or names
    one of them twice.
    """
    pattern = pattern.strip()
    counts = [pattern.count(name) for name in ("{number}", "{heading}")]
    if len(pattern) > _LONGEST or max(counts) != 1 or "\n" in pattern:
        raise UserError("heading_pattern", where, pattern=pattern[:80])
    body, optional = _bracketed(pattern)
    return re.compile(_expression(body) + optional)


def _bracketed(pattern: str) -> tuple[str, str]:
    """Split off a heading in brackets at the end; return the rest and its expression."""
    for opening, closing in _BRACKETS.items():
        tail = f"{opening}{{heading}}{closing}"
        if pattern.endswith(tail) and "{number}" in pattern:
            inside = rf"[^{re.escape(opening + closing)}\n]{{0,300}}"
            shape = rf"\s{{0,3}}{re.escape(opening)}(?P<heading>{inside}){re.escape(closing)}"
            return pattern.removesuffix(tail).rstrip(), rf"(?:{shape}|(?=\s|$))"
    return pattern, ""


def _expression(pattern: str) -> str:
    pieces = [piece for piece in _PIECE.split(pattern) if piece]
    out = []
    for index, piece in enumerate(pieces):
        if piece == "{number}":
            out.append(_NUMBER)
        elif piece == "{heading}":
            following = next((p for p in pieces[index + 1 :] if not p.isspace()), "")
            out.append(_heading(following[:1]))
        else:
            out.append(r"\s{1,8}" if piece.isspace() else re.escape(piece))
    return "".join(out)


def _heading(following: str) -> str:
    if not following or following == "{":
        return r"(?P<heading>\S[^\n]{0,300})$"
    return rf"(?P<heading>[^{re.escape(following)}\n]{{1,300}})"


def best_known(lines: list[str]) -> str:
    """Return the known pattern that matches most lines, the earlier one of equals; "" if none."""
    scored = [
        (sum(shape.match(line) is not None for line in lines), -rank, pattern)
        for rank, (pattern, shape) in enumerate((each, compiled(each)) for each in KNOWN)
    ]
    count, _, pattern = max(scored)
    return pattern if count else ""
