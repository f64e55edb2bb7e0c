"""Reader of English law in text files: sections or articles with nested markers.

Each file is one statute. It may begin with ``Title:``, ``Kind:``, ``Number:`` and ``Effective:``
lines; without them its first line is the title, which determines the tier. See `parts` for headings
and (a)(1)(ii)(A).

Segmentation of English sections into text and parts: headings, nested markers, levels.

Headings are § 164.504, Sec. 5., Section 5, Article 5, and those of the divisions above them.

(i) may be a letter or a numeral, and (1) may occur at two depths (CFR: (a)(1)(i)(A)(1)(i); U.S.
Code: (a)(1)(A)(i)(I)). A marker that continues an open count belongs to it, the innermost first; a
first marker of a count opens a level below; if a marker could be a letter and a numeral, the next
marker decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from pathlib import Path

from corpus.files.given_paths import statute_texts
from corpus.files.rows import RowReader
from corpus.importers.statutes.records import Notes, Reading
from corpus.importers.statutes.segments import PARAGRAPH, GrowingText
from corpus.importers.statutes.tiers import (
    check_units,
    kind_name,
    stated_tier,
    statute_name,
    tier_by_title,
)
from corpus.long_work import Progress
from corpus.model import Level, Part, Statute, Tier, Unit, jurisdiction_of, place_id
from corpus.section_numbers import NUMBER, roman_value, section_number
from errors import UserError, Where

_NUMBER = rf"(?P<number>{NUMBER})"
# Text that may follow the number of a heading; a sentence that begins "Section 5 of …" is none.
_AFTER = r"(?:\s{0,3}(?:[.:—–]+(?:\s+|$)|[—–](?=[A-Z]))|\s+(?=[\[(A-Z\"“])|\s*$)"
_UNIT = re.compile(
    rf"(?P<word>§|[Ss][Ee][Cc](?:\.|[Tt][Ii][Oo][Nn])|[Aa][Rr][Tt](?:\.|[Ii][Cc][Ll][Ee]))"
    rf"\s{{0,3}}{_NUMBER}{_AFTER}"
)
_DIVISION = re.compile(
    r"(?P<word>(?i:TITLE|SUBTITLE|DIVISION|CHAPTER|SUBCHAPTER|PART|SUBPART))"
    r"\s+(?:[0-9]{1,5}[A-Z]?|[IVXLC]{1,7}|[A-Z])(?:\s*[.:—–-]+|\s*$|\s+(?=[A-Z]))"
)
_RANKS = ("title", "subtitle", "division", "chapter", "subchapter", "part", "subpart")
_LONGEST_HEADING = 250
_SENTENCE = re.compile(r"[.—](?:\s+|$)")
_GONE = re.compile(r"\[?(?:reserved|repealed|removed|deleted)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class UnitHeading:
    """The heading of a section or article; `rest` is text on the same line."""

    level: Level
    number: str
    label: str
    heading: str
    rest: str


def unit_heading(line: str) -> UnitHeading | None:
    """Parse a line as a heading, None for any other line."""
    found = _UNIT.match(line)
    if found is None:
        return None
    article = found["word"][:1].lower() == "a"
    heading, rest = _split(line[found.end() :].strip())
    word = "Article" if article else "§" if found["word"] == "§" else "Section"
    return UnitHeading(
        level=Level.ARTICLE if article else Level.SECTION,
        number=(number := section_number(found["number"])),
        label=f"{word} {number}",
        heading=heading,
        rest=rest,
    )


def division_rank(line: str) -> int | None:
    """Return the depth of a part or chapter heading (title 0 … subpart 6), None for other lines."""
    if len(line) > _LONGEST_HEADING or line.endswith((".", ";", ",")):
        return None
    found = _DIVISION.match(line)
    return _RANKS.index(found["word"].lower()) if found else None


def is_gone(heading: str) -> bool:
    """Return whether a heading marks the place as reserved or repealed."""
    return _GONE.match(heading) is not None


def _split(words: str) -> tuple[str, str]:
    """Split the text after the number into heading and text: the heading is its first sentence."""
    if words.startswith("(") and not re.match(r"\((?:[a-z]{1,2}|[0-9]{1,2})\)", words):
        heading, closing, rest = words[1:].partition(")")
        return (heading, rest.strip()) if closing else (words, "")
    if words.startswith("("):
        return "", words
    found = _SENTENCE.search(words)
    if found and found.end() < len(words):
        return words[: found.start()].strip(), words[found.end() :]
    return (words.rstrip("."), "") if len(words) <= _LONGEST_HEADING else ("", words)


_ROMAN_SHAPE = re.compile(r"(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
MARKER = re.compile(r"\(([0-9]{1,3}|[a-z]{1,2}|[A-Z]{1,2}|[ivxlc]{1,8}|[IVXLC]{1,8})\)")


class Count(Enum):
    """A numbering style."""

    LOWER = "a"
    NUMBER = "1"
    ROMAN = "i"
    UPPER = "A"
    UPPER_ROMAN = "I"


@dataclass(frozen=True, slots=True)
class Step:
    """A marker read as the `value`-th of a count, from 1."""

    count: Count
    value: int


def readings(token: str) -> tuple[Step, ...]:
    """Return the possible counts of a marker's text; letters first."""
    if token.isdecimal():
        return (Step(Count.NUMBER, int(token)),)
    small = token.lower()
    upper = token.isupper()
    found: list[Step] = []
    if len(set(small)) == 1 and len(small) <= 2:  # a … z, aa … zz
        letter = ord(small[0]) - ord("a") + 1 + 26 * (len(small) - 1)
        found.append(Step(Count.UPPER if upper else Count.LOWER, letter))
    if _ROMAN_SHAPE.fullmatch(small):
        found.append(Step(Count.UPPER_ROMAN if upper else Count.ROMAN, roman_value(small)))
    return tuple(found)


DEEPEST = 8
"""The most levels of markers; the Code of Federal Regulations has six, (a)(1)(i)(A)(1)(i)."""


class _Fit(IntEnum):
    """How a reading of a marker fits the open levels, the best fit first."""

    CONTINUES = 0
    BEGINS = 1
    GAP = 2


@dataclass(frozen=True, slots=True)
class _Option:
    """A reading of a marker with its depth."""

    fit: _Fit
    depth: int
    step: Step


class Ladder:
    """The open levels while the markers of a unit are read in order."""

    def __init__(self) -> None:
        self._open: list[Step] = []

    def place(self, token: str, coming: Sequence[str]) -> int | None:
        """Open a marker's level and return its depth (from 0); None if it is no marker.

        `coming` holds the next markers of the unit. The levels below the depth are closed.
        """
        options = [self._option(step) for step in readings(token)]
        known = sorted((o for o in options if o is not None), key=lambda option: option.fit)
        if not known:
            return None
        sound = [option for option in known if option.fit is not _Fit.GAP] or known[:1]
        chosen = sound[0] if len(sound) == 1 else _disambiguated(sound, coming)
        self._open[chosen.depth :] = [chosen.step]
        return chosen.depth

    def _option(self, step: Step) -> _Option | None:
        """Return how a numbered step fits the open levels; None if it does not."""
        same = [d for d, level in enumerate(self._open) if level.count is step.count]
        for depth in reversed(same):
            if step.value == self._open[depth].value + 1:
                return _Option(_Fit.CONTINUES, depth, step)
        if step.value == 1 and len(self._open) < DEEPEST:
            return _Option(_Fit.BEGINS, len(self._open), step)
        for depth in reversed(same):
            if step.value > self._open[depth].value:
                return _Option(_Fit.GAP, depth, step)  # the numbers between were repealed
        return None


def _disambiguated(options: list[_Option], coming: Sequence[str]) -> _Option:
    """Return the option that the next markers continue, else the first.

    (1) right below continues a letter, never a numeral.
    """
    if coming and coming[0] == "1":
        return next((o for o in options if o.step.count is Count.LOWER), options[0])
    for token in coming:
        later = readings(token)
        for option in options:
            if Step(option.step.count, option.step.value + 1) in later:
                return option
    return options[0]


_AHEAD = 50  # markers examined to distinguish a letter from a numeral
# "(a) Standard. (1) …": a caption between two markers, ended by a full stop or a dash.
_CAPTION = re.compile(r"\s{0,3}[A-Z][^().;]{1,100}(?:\.|—)\s{0,3}(?=\((?:1|i|A|a)\)\s)")


def segment_english(lines: Iterable[str]) -> tuple[str, tuple[Part, ...]]:
    """Return the text, each marked line indented by its depth, and its parts in document order.

    A part whose address occurred before in the unit has none, and neither have its parts.
    """
    kept = [line for line in lines if line]
    runs = [_leading(line) for line in kept]
    flat = [token for run in runs for token, _ in run]
    text, ladder, read = GrowingText(), Ladder(), 0
    for line, run in zip(kept, runs, strict=True):
        opened: list[tuple[int, str, int]] = []
        for index, (token, at) in enumerate(run, read + 1):
            depth = ladder.place(token, flat[index : index + _AHEAD])
            if depth is None:
                break
            opened.append((PARAGRAPH + depth, f"({token})", at))
        read += len(run)
        text.part(opened, line, 2 * (opened[0][0] - PARAGRAPH) if opened else 0)
    return text.finish()


def _leading(line: str) -> list[tuple[str, int]]:
    """Return the markers at the beginning of a line with their offsets."""
    found: list[tuple[str, int]] = []
    at = 0
    while marker := MARKER.match(line, at):
        found.append((marker[1], at))
        at = marker.end()
        if line[at : at + 1] == "(":
            continue
        gap = _CAPTION.match(line, at)
        if gap is None:
            break
        at = gap.end()
    return found


SUFFIXES = (".txt", ".text", ".md")
_FIELD = re.compile(r"(Title|Kind|Number|Effective|Jurisdiction):\s*(\S.{0,500})")
_MARKS = re.compile(r"^(?:#{1,6}\s+|\*\*)|\*\*$")


@dataclass(slots=True)
class _Block:
    """A heading with its lines in the file; the first block, without a heading, is the preamble."""

    heading: UnitHeading | None
    line: int
    path: tuple[str, ...]
    lines: list[str] = field(default_factory=list)


def read_english(path: Path, progress: Progress | None = None) -> Reading:
    """Read the statutes of a text file, or of every text file under a folder.

    Raises UserError naming file and line of the first error.
    """
    notes, statutes = Notes(), dict[str, Statute]()
    for text, name in statute_texts(path, SUFFIXES, progress):
        statute = parse_english(text, name, notes)
        if other := statutes.get(statute.semantic_id):
            raise UserError("title_repeated", Where(name), other=other.file)
        statutes[statute.semantic_id] = statute
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
    kind, tier = _kind_and_tier(row, title, notes)
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


def _kind_and_tier(row: RowReader, title: str, notes: Notes) -> tuple[str, Tier]:
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
    units = [(_unit(block, statute_id, order), block.line) for order, block in enumerate(kept)]
    check_units(units, file)
    for unit, line in units:
        if unit.text_missing and not unit.deleted:
            notes.add("text_missing", Where(file, line), label=unit.label)
    return tuple(unit for unit, _ in units)


def _unit(block: _Block, statute_id: str, order: int) -> Unit:
    """Return a block as a unit."""
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
