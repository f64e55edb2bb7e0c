"""Reader of English law in text files: sections or articles with nested markers.

Each file is one statute. It may begin with ``Title:``, ``Kind:``, ``Number:`` and ``Effective:``
lines; without them its first line is the title, which determines the tier. See `parts` for headings
and (a)(1)(ii)(A).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from corpus.files.rows import RowReader, read_text
from corpus.files.statute_files import statute_files
from corpus.importers.english.parts import (
    UnitHeading,
    division_rank,
    is_gone,
    segment_english,
    unit_heading,
)
from corpus.importers.statutes.records import Notes, Reading
from corpus.importers.statutes.tiers import (
    check_unit,
    kind_name,
    stated_tier,
    statute_name,
    tier_by_title,
)
from corpus.jurisdiction import jurisdiction_of
from corpus.model import Level, Statute, Tier, Unit, place_id
from corpus.progress import Progress
from errors import UserError, Where

SUFFIXES = (".txt", ".text", ".md")
_FIELD = re.compile(r"(Title|Kind|Number|Effective|Jurisdiction):\s*(\S.{0,500})")
_MARKS = re.compile(r"^(?:#{1,6}\s+|\*\*)|\*\*$")


@dataclass(slots=True)
class _Block:
    heading: UnitHeading | None
    line: int
    path: tuple[str, ...]
    lines: list[str] = field(default_factory=list)


def read_english(path: Path, progress: Progress | None = None) -> Reading:
    """Read the statutes of a text file, or of every text file under a folder.

    Raises UserError naming file and line of the first error.
    """
    files = statute_files(path, SUFFIXES)
    notes = Notes()
    statutes: dict[str, Statute] = {}
    for done, (file, name) in enumerate(files, 1):
        statute = parse_english(read_text(file, name), name, notes)
        if other := statutes.get(statute.semantic_id):
            raise UserError("title_repeated", Where(name), other=other.file)
        statutes[statute.semantic_id] = statute
        if progress is not None:
            progress(done, len(files))
    return Reading(tuple(statutes.values()), notes.all())


def looks_english(text: str) -> bool:
    """Return whether some line of a text is a heading of English law."""
    return any(unit_heading(_MARKS.sub("", line.strip())) for line in text.split("\n"))


def parse_english(text: str, file: str, notes: Notes) -> Statute:
    """Parse `text` as a statute.

    Raises UserError for a text without sections, a repeated section, a title without letters, and
    an invalid kind or date.
    """
    lines = [_MARKS.sub("", line.strip()) for line in text.split("\n")]
    row, first = _fields(lines, file)
    title = row.line_text("Title")
    semantic_id = statute_name(title, row.at("Title"))
    kind, tier = _standing(row, title, notes)
    return Statute(
        semantic_id=semantic_id,
        title=title,
        kind=kind,
        tier=tier,
        language="en",
        units=_units(_blocks(lines, first), semantic_id, file, notes),
        number=row.line_text("Number"),
        effective=row.day("Effective"),
        file=file,
        jurisdiction=jurisdiction_of(row.line_text("Jurisdiction"), row.at("Jurisdiction")),
    )


def _fields(lines: list[str], file: str) -> tuple[RowReader, int]:
    """Return the fields at the head of a file, and the index of the line after them."""
    at = next(index for index, line in enumerate(lines) if line)
    if _FIELD.fullmatch(lines[at]) is None:
        return RowReader(file, at + 1, {"Title": lines[at]}), at + 1
    begin, fields = at, dict[str, str]()
    while at < len(lines) and (found := _FIELD.fullmatch(lines[at])):
        fields[found[1]] = found[2]
        at += 1
    row = RowReader(file, begin + 1, dict(fields))
    row.required("Title")
    return row, at


def _standing(row: RowReader, title: str, notes: Notes) -> tuple[str, Tier]:
    """Return kind and tier, as written or from the title, else those of an Act with a note."""
    if kind := row.line_text("Kind"):
        return kind, stated_tier(kind, row.at("Kind"))
    tier = tier_by_title(title)
    if tier is None:
        tier = Tier.ACT
        notes.add("tier_assumed", row.at(), title=title, tier=int(tier))
    return kind_name(tier, "en"), tier


def _blocks(lines: list[str], first: int) -> list[_Block]:
    """Split the lines at headings; block 0 is the preamble."""
    blocks = [_Block(None, first + 1, ())]
    path: list[tuple[int, str]] = []
    for index in range(first, len(lines)):
        line = lines[index]
        rank = division_rank(line)
        if rank is not None:
            path = [entry for entry in path if entry[0] < rank] + [(rank, line)]
            continue
        if heading := unit_heading(line):
            blocks.append(_Block(heading, index + 1, tuple(words for _, words in path)))
            line = heading.rest
        if line:
            blocks[-1].lines.append(line)
    return blocks


def _units(blocks: list[_Block], statute_id: str, file: str, notes: Notes) -> tuple[Unit, ...]:
    """Return the units of the blocks. Raises UserError for a repeated place, or no section."""
    if len(blocks) == 1:
        raise UserError("no_section", Where(file))
    kept = blocks if blocks[0].lines else blocks[1:]
    units = [_unit(block, statute_id, order) for order, block in enumerate(kept)]
    lines: dict[str, int] = {}
    for unit, block in zip(units, kept, strict=True):
        if unit.semantic_id in lines:
            first = str(lines[unit.semantic_id])
            at = Where(file, block.line)
            raise UserError("place_repeated", at, label=unit.label, first=first)
        lines[unit.semantic_id] = block.line
        check_unit(unit, Where(file, block.line))
        if unit.text_missing and not unit.deleted:
            notes.add("text_missing", Where(file, block.line), label=unit.label)
    return tuple(units)


def _unit(block: _Block, statute_id: str, order: int) -> Unit:
    text, parts = segment_english(block.lines)
    if block.heading is None:
        place = f"{statute_id}_preamble"
        return Unit(place, statute_id, Level.ARTICLE, "Preamble", "", text, order, parts=parts)
    heading = block.heading
    return Unit(
        semantic_id=f"{statute_id}_{place_id(heading.level, heading.number, 'en')}",
        statute_id=statute_id,
        level=heading.level,
        label=heading.label,
        heading=heading.heading,
        text=text,
        order=order,
        path=block.path,
        parts=parts,
        deleted=is_gone(heading.heading) or (not heading.heading and is_gone(text)),
        text_missing=not text,
    )
