"""Nothing is lost or moved: the units of a real file hold every character that its reader sees.

The source is read here in a second, cruder way: front matter off, headings apart, marks of
Markdown off, white space off.
"""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from corpus.model import Level, Statute
from tests.corpus.importers.fixtures import parse_statute
from tests.corpus.importers.layout import STATUTE

_MARK = re.compile(r"\*\*(.+?)\*\*")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_CHAPTER = re.compile(r"\*\*(제[0-9]+(?:항|속|목)(?:의[0-9]+)? .*)\*\*")


def visible(text: str) -> str:
    """Return a line's characters as they are seen, without white space."""
    plain = html.unescape(_ESCAPED.sub(r"\1", _MARK.sub(r"\1", text)))
    return re.sub(r"<제0+", "<제", "".join(plain.split()))  # 제00452호 is 제452호


def source(text: str) -> tuple[list[str], list[str]]:
    """Return the visible text lines of a file's body, and its headings, in order."""
    body = text.split("\n---\n", 1)[1].split("\n")
    lines: list[str] = []
    headings: list[str] = []
    in_addenda = False
    for line in body:
        chapter = _CHAPTER.fullmatch(line.rstrip())
        if in_addenda and line.strip():
            lines.append(visible(line.lstrip("# ") if line.startswith("#") else line))
        elif line.startswith("#"):
            headings.append("".join(line.lstrip("#").split()))
            in_addenda = headings[-1] == "부칙"
        elif chapter:
            headings.append("".join(chapter[1].split()))
        elif line.strip():
            lines.append(visible(line))
    return lines, headings


def held(statute: Statute) -> str:
    """Return what the units with text show, in order, an addendum's title line included."""
    shown = []
    for unit in statute.units:
        if unit.level in (Level.ANNEX, Level.FORM):
            continue
        if unit.level is Level.ADDENDUM and unit.label != "부칙":
            shown.append(f"부칙{f'({unit.heading})' if unit.heading else ''}{unit.label[2:]}")
        shown.append(unit.text)
    return "".join("".join(shown).split())


def named(statute: Statute) -> set[str]:
    """Return every way in which units, their chapters and the statute itself are headed."""
    ways = [statute.title, "부칙"]
    for unit in statute.units:
        ways += [*unit.path, unit.label + unit.heading, f"{unit.label}({unit.heading})"]
    return {"".join(way.split()) for way in ways}


@pytest.mark.real_data
@pytest.mark.parametrize(
    "tree",
    [
        "fire-safety",
        *(
            pytest.param(each, marks=pytest.mark.long)
            for each in ("criminal", "research-and-development")
        ),
    ],
)
def test_real_files_are_held_whole_and_in_order(shared_data: Path, tree: str) -> None:
    for file in sorted((shared_data / "korean-law" / tree / "kr").rglob("*.md")):
        text = file.read_text(encoding="utf-8")
        statute = parse_statute(text, file.name)
        lines, headings = source(text)
        assert held(statute) == "".join(lines), file
        lost = [heading for heading in headings if heading not in named(statute)]
        assert not lost, (file, lost)


def test_the_crude_reading_misses_a_line_that_is_lost() -> None:
    statute = parse_statute(STATUTE, "f.md")
    lines, headings = source(STATUTE)
    assert held(statute) == "".join(lines)
    for at in range(len(lines)):
        assert held(statute) != "".join(lines[:at] + lines[at + 1 :])
    assert set(headings) <= named(statute)


# Damage to real files
