"""Conversion of one unit's Markdown lines to clean text with addressable parts.

The text keeps one line per paragraph, item and sub-item, indented by depth; blank lines, bold marks
and escapes are removed. A marker opens a part; lines without a marker continue the innermost part.
Lines that the source sets with tabs (tables, formulas, old statutes) have no markers. A part with a
repeated path is not addressable, and neither are its parts: the first of two equal addresses wins.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from corpus.model import Part

_CIRCLED = {
    chr(base + i): first + i
    for base, first, count in ((0x2460, 1, 20), (0x3251, 21, 15), (0x32B1, 36, 15))
    for i in range(count)
}
_MARKER = re.compile(
    r"\*\*(?P<circled>[①-⑳㉑-㉟㊱-㊿](?:의[0-9]{1,2})?)\*\*"
    r"|\*\*(?P<angle><[0-9]{1,3}>)\*\*"  # Unicode circles end at 50
    r"|\*\*(?P<round>\([0-9]{1,3}(?:-[0-9]{1,2})?\))\*\*"
    r"|[ \u3000]+(?:"
    r"(?P<item>[0-9]{1,4}(?:의[0-9]{1,3}|-[0-9]{1,3})?)\\?\.(?!\S)"
    r"|(?P<sub>[가-힣](?:의[0-9]{1,3})?|[a-z])\\?\.(?!\S)"
    r"|(?P<paren>(?:[0-9]{1,3}|[가-힣])\)(?:의[0-9]{1,3})?)"
    r"|(?P<both>\((?:[0-9]{1,3}|[가-힣])\))"
    r")"
)
_DECIMAL = re.compile(r"(?:\*\*)?(?P<decimal>[0-9]{1,3}(?:\.[0-9]{1,3}){2,5})(?:\*\*)?(?!\S)")
# Depths; a decimal number is as deep as its dots. From items on, each step indents by two.
_STEP = 10
PARAGRAPH, _ITEM, _SUB, _PAREN, _BOTH = 10, 20, 30, 40, 60
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!<>|~])")
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot);")


def clean(line: str) -> str:
    """Return a line without Markdown bold, escapes and HTML entities."""
    if "**" in line:
        line = _BOLD.sub(_inner, line)
    if "\\" in line:
        line = _ESCAPE.sub(_inner, line)
    if "&" in line:
        line = _ENTITY.sub(lambda found: html.unescape(found[0]), line)
    return line


def _inner(match: re.Match[str]) -> str:
    """Return the first group of a match."""
    return match[1]  # a template would be parsed anew for each match


def prose(lines: Iterable[str]) -> str:
    """Return the clean text of lines without parts."""
    kept = (clean(line.lstrip("\t")).rstrip() for line in lines)
    return "\n".join(line for line in kept if line.strip())


def segment(lines: Iterable[str], language: str, section: str = "") -> tuple[str, tuple[Part, ...]]:
    """Return the clean text of a unit's lines and its parts in document order.

    `section` is the number of a decimal section ("2.1"), "" for an article: only there do lines
    that begin with a longer decimal number of that section open parts.
    """
    text = GrowingText()
    for line in lines:
        if line.strip():
            _add(text, line, language, section)
    return text.finish()


def _add(text: GrowingText, line: str, language: str, section: str) -> None:
    """Add a line to the text: a numbered part, a note or plain text."""
    if line.startswith("\t"):
        text.line(clean(line.lstrip("\t")).rstrip())
        return
    found = _MARKER.match(line) or _decimal(line, section)
    if found is None:
        if line[0] == "[":  # [전문개정 …], [본조신설 …]: about the whole unit
            text.close(0)
        text.line(clean(line).rstrip())
        return
    level, name = _rank(found, language)
    indent = (level // _STEP - 1) * 2 if level >= _ITEM else 0
    text.part([(level, name, 0)], clean(line).strip(), indent)


def _decimal(line: str, section: str) -> re.Match[str] | None:
    """Match the marker of a place below the decimal section `section`."""
    found = _DECIMAL.match(line) if section else None
    return found if found and found["decimal"].startswith(section + ".") else None


def _rank(match: re.Match[str], language: str) -> tuple[int, str]:
    """Return the depth of a marker and its name in a part's path."""
    kind = str(match.lastgroup)
    value = match[kind]
    if kind == "decimal":
        return value.count("."), value
    if kind == "circled":
        count = _CIRCLED[value[0]]
        return PARAGRAPH, f"{count}항{value[1:]}" if language == "ko" else f"({count})"
    if kind in ("round", "angle"):
        return PARAGRAPH, f"{value[1:-1]}항" if language == "ko" else f"({value[1:-1]})"
    if kind in ("item", "sub"):
        return (_ITEM if kind == "item" else _SUB), _outline_name(kind, value, language)
    letters = 0 if any(c.isdigit() for c in value.partition("의")[0]) else _STEP
    return (_PAREN if kind == "paren" else _BOTH) + letters, value


def _outline_name(kind: str, value: str, language: str) -> str:
    """Return 8호의2 for item ``8의2``, 가목 for sub-item ``가``; in English ``8-2`` and ``(a)``."""
    if language == "en":
        return value if kind == "item" else f"({value})"
    base, branch, number = value.replace("-", "의").partition("의")
    return base + ("호" if kind == "item" else "목") + branch + number


class GrowingText:
    """A text that grows line by line, with its open parts. Levels grow with the depth."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._length = 0
        self._parts: list[tuple[str, int, int]] = []
        self._open: list[tuple[int, str, int]] = []  # level, path ("" if unaddressable), index
        self._paths: set[str] = set()

    def line(self, line: str) -> None:
        """Append a line that continues the open part."""
        self._length += len(line) + (1 if self._lines else 0)
        self._lines.append(line)

    def part(self, opened: Iterable[tuple[int, str, int]], line: str, indent: int) -> None:
        """Append a line that opens parts, given as (level, name, offset in the line).

        Each closes the open parts as deep as its level or deeper.
        """
        start = self._length + (1 if self._lines else 0) + indent
        for level, name, at in opened:
            self.close(level, start + at if at else self._length)
            path = self._path(level, name)
            self._open.append((level, path, len(self._parts)))
            if path:
                self._paths.add(path)
                self._parts.append((path, start + at, start + at))
        self.line(" " * indent + line)

    def close(self, level: int, end: int | None = None) -> None:
        """Close every open part at `level` or deeper at `end`, by default the end of the text."""
        while self._open and self._open[-1][0] >= level:
            _, path, index = self._open.pop()
            if path:
                start = self._parts[index][1]
                self._parts[index] = (path, start, self._length if end is None else end)

    def finish(self) -> tuple[str, tuple[Part, ...]]:
        """Close all parts and return the text and its parts."""
        self.close(0)
        return "\n".join(self._lines), tuple(Part(*part) for part in self._parts)

    def _path(self, level: int, name: str) -> str:
        """Return the path of a part about to open, "" if it or its parent has no address."""
        parent = self._open[-1][1] if self._open else None
        if parent == "":
            return ""
        # A decimal number is an address of its own: 2.1.1.1, not 2.1.1/2.1.1.1.
        path = name if parent is None or level < PARAGRAPH else f"{parent}/{name}"
        return "" if path in self._paths else path
