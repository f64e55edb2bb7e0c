"""Turn the Markdown lines of one unit into clean reading text with addressable parts.

The text keeps one line per paragraph, item and sub-item, indented by depth; blank lines, bold
marks and escapes are gone. A marker opens a part; lines without a marker continue the innermost
part. Lines that the source sets with tabs (tables, formulas, old statutes) hold no markers.

A part whose path already stands in the unit is not addressable, and neither is what it holds:
the first of two equal addresses wins.
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
    r"\*\*(?P<circled>[①-⑳㉑-㉟㊱-㊿])\*\*"
    r"|\*\*(?P<round>\([0-9]{1,3}(?:-[0-9]{1,2})?\))\*\*"
    r"|[ \u3000]+(?:"
    r"(?P<item>[0-9]{1,4}(?:의[0-9]{1,3}|-[0-9]{1,3})?)\\?\.(?!\S)"
    r"|(?P<sub>[가-힣](?:의[0-9]{1,3})?|[a-z])\\?\.(?!\S)"
    r"|(?P<paren>[0-9]{1,3}|[가-힣])\)"
    r"|\((?P<both>[0-9]{1,3}|[가-힣])\)"
    r")"
)
_DECIMAL = re.compile(r"(?:\*\*)?(?P<decimal>[0-9]{1,3}(?:\.[0-9]{1,3}){2,5})(?:\*\*)?(?!\S)")
_PARAGRAPH, _ITEM, _SUB, _PAREN = 10, 20, 30, 40
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!<>|~])")
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|#[0-9]{1,7});")


def clean(line: str) -> str:
    """Return a line without Markdown bold, escapes and HTML entities."""
    if "**" in line:
        line = _BOLD.sub(r"\1", line)
    if "\\" in line:
        line = _ESCAPE.sub(r"\1", line)
    if "&" in line:
        line = _ENTITY.sub(lambda found: html.unescape(found[0]), line)
    return line


def prose(lines: Iterable[str]) -> str:
    """Return the clean text of lines that hold no parts."""
    kept = (clean(line.lstrip("\t")).rstrip() for line in lines)
    return "\n".join(line for line in kept if line.strip())


def segment(lines: Iterable[str], language: str, section: str = "") -> tuple[str, tuple[Part, ...]]:
    """Return the clean text of a unit's lines and its parts in document order.

    `section` is the number of a decimal section ("2.1"), "" for an article: only there do
    lines that begin with a longer decimal number of that section open parts.
    """
    text = _Text()
    for line in lines:
        if line.strip():
            _add(text, line, language, section)
    return text.finish()


def _add(text: _Text, line: str, language: str, section: str) -> None:
    if line.startswith("\t"):
        text.line(clean(line.lstrip("\t")).rstrip())
        return
    found = _MARKER.match(line) if line[0] in "* \u3000" else None
    if found is None and section:
        found = _DECIMAL.match(line)
        if found and not found["decimal"].startswith(section + "."):
            found = None
    if found is None:
        if line[0] == "[":  # [전문개정 …], [본조신설 …]: about the whole unit
            text.close(0)
        text.line(clean(line).rstrip())
        return
    level, name = _rank(found, language)
    indent = " " * ((level // 10 - 1) * 2 if level >= _ITEM else 0)
    text.open(level, name)
    text.line(indent + clean(line).strip(), len(indent))


def _rank(found: re.Match[str], language: str) -> tuple[int, str]:
    """Return the depth of a marker and its name in a part's path."""
    kind, value = str(found.lastgroup), found[str(found.lastgroup)]
    korean = language == "ko"
    if kind == "decimal":
        return value.count("."), value
    if kind == "circled":
        return _PARAGRAPH, f"{_CIRCLED[value]}항" if korean else f"({_CIRCLED[value]})"
    if kind == "round":
        return _PARAGRAPH, f"{value[1:-1]}항" if korean else value
    if kind == "item":
        return _ITEM, f"{value}호" if korean else value
    if kind == "sub":
        return _SUB, f"{value}목" if korean else f"({value})"
    level = _PAREN + (0 if value.isdigit() else 10) + (20 if kind == "both" else 0)
    return level, f"({value})" if kind == "both" else f"{value})"


class _Text:
    """A text that grows line by line, with the parts that are open at its end."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._length = 0
        self._parts: list[Part] = []
        self._open: list[tuple[int, str | None, int]] = []  # level, path, index into _parts
        self._paths: set[str] = set()

    def open(self, level: int, name: str) -> None:
        """Close what stands as deep as `level` or deeper and let the next line open a part."""
        self.close(level)
        parent = self._open[-1][1] if self._open else ""
        path: str | None = name
        if level >= _PARAGRAPH and parent:
            path = f"{parent}/{name}"
        if parent is None or path in self._paths:
            path = None
        index = len(self._parts)
        if path is not None:
            self._paths.add(path)
            self._parts.append(Part(path, -1, -1))
        self._open.append((level, path, index))

    def line(self, line: str, indent: int = 0) -> None:
        """Append a line; a part opened just before begins after `indent` characters."""
        start = self._length + 1 if self._lines else 0
        if self._open and self._open[-1][1] is not None:
            _, path, index = self._open[-1]
            if self._parts[index].start < 0:
                self._parts[index] = Part(str(path), start + indent, -1)
        self._lines.append(line)
        self._length = start + len(line)

    def close(self, level: int) -> None:
        """End every open part at `level` or deeper where the text ends now."""
        while self._open and self._open[-1][0] >= level:
            _, path, index = self._open.pop()
            if path is not None:
                self._parts[index] = Part(path, self._parts[index].start, self._length)

    def finish(self) -> tuple[str, tuple[Part, ...]]:
        """Close everything and return the text and its parts."""
        self.close(0)
        return "\n".join(self._lines), tuple(self._parts)
