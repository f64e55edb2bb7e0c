"""Lines of units that look like headings which the format's reader did not recognize.

In any format, a heading in an unknown form ends up in the unit before it. Each such line is
reported with its place, so that nobody mistakes a long unit for a short statute.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from corpus.importers.statutes.records import Note, Notes
from corpus.model import Level, Statute, Unit
from corpus.section_numbers import NUMBER
from errors import Where

_SHOWN = 60  # characters shown of a line
_NOTES = 20
# A sentence can begin so too: Section 5 of the Act applies; 제5조 및 제6조; 제5조(정의)에 따른.
_HEADING = re.compile(
    rf"^[ \t#*>|]*(?P<place>§§?\s?(?:{NUMBER}|[IVXLC]+\b)(?!\s(?:of|and|or|to)\s)"
    r"|(?:(?:Sec(?:tion|\.)|SEC(?:TION|\.)|Art(?:icle|\.)|ARTICLE|Rule|RULE|Reg(?:ulation|\.)|REGULATION)"
    rf"\s{{0,3}}{NUMBER})(?=\s{{0,3}}[.:—–]|\s+[A-Z“\"\[]|\s\([A-Z]|\*|\s*$)"
    r"|(?:제\s*[0-9０-９]+\s*조|(?:제\s*)?[0-9０-９]+\s*조(?=\s*[(（\[【]))(?:\s*의\s*[0-9０-９]+)?"
    r"(?=\s*[(（\[【][^)）\]】\n]{1,80}[)）\]】](?![가-힣])|\s*[.:]|\s*$"
    r"|\s+(?!제\s*[0-9]|및|또는|와|과|이나|내지|부터|에|의|각|본문|단서|[전후]단)[^\s(（\[【]))",
    re.MULTILINE,
)


def missed_headings(statutes: Iterable[Statute], source: Path) -> tuple[Note, ...]:
    """Return a note on each line of an article or section that begins like a heading of its own.

    `source` is the file or folder of the statutes, in which the lines are looked up.
    """
    notes = Notes(_NOTES)
    for statute in statutes:
        at = 0
        for unit in statute.units:
            for line in _lines(unit):
                at = _line_number(source, statute.file, line, at)
                shown = line[:_SHOWN]
                notes.add(
                    "heading_as_text", Where(statute.file, at or None), label=unit.label, line=shown
                )
    return notes.all()


def _lines(unit: Unit) -> Iterator[str]:
    """Yield lines of a unit's text that look like the heading of another unit."""
    if unit.level not in (Level.ARTICLE, Level.SECTION):
        return
    for found in _HEADING.finditer(unit.text):
        own = found.start() == 0 and _digits(found["place"]) == _digits(unit.label)
        if not own:
            yield unit.text[found.start() :].partition("\n")[0].strip()


def _digits(place: str) -> list[str]:
    """Return the numbers in a place, each with the letters after it."""
    return re.findall(r"[0-9]+[A-Za-z]*", place)


def _line_number(source: Path, file: str, line: str, after: int) -> int:
    """Return the line number in the source of the next line with that text; 0 if none."""
    path = source / file if source.is_dir() else source
    try:
        with path.open(encoding="utf-8", errors="replace") as lines:
            return next((n for n, each in enumerate(lines, 1) if n > after and line in each), 0)
    except OSError:
        return 0
