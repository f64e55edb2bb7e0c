"""Read plain text, one statute in each file, cut at headings that look like a pattern.

The first line is the title, unless one is set. Text before the first heading is a preamble.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from corpus.files.statute_files import statute_files
from corpus.files.textfile import read_text
from corpus.importers.column_mapping import ReadingRules
from corpus.importers.heading_pattern import best_known, compiled
from corpus.importers.statutes.reading_result import Notes, Progress, Reading
from corpus.importers.statutes.records import Record, assemble
from errors import UserError, Where

SUFFIXES = (".txt", ".text", ".md")


def read_plain(
    path: Path, rules: ReadingRules | None = None, progress: Progress | None = None
) -> Reading:
    """Return the statutes of a text file, or of every text file under a folder.

    Raises UserError for a pattern that is none, and for a file in which no line is a heading.
    """
    rules = rules or ReadingRules()
    files = statute_files(path, SUFFIXES)
    notes = Notes()
    records: list[Record] = []
    for done, (file, name) in enumerate(files, 1):
        fixed = rules.title if len(files) == 1 else ""
        records += parse_plain(read_text(file, name), name, rules, fixed)
        if progress is not None:
            progress(done, len(files))
    return assemble(records, notes)


def parse_plain(text: str, file: str, rules: ReadingRules, fixed_title: str = "") -> list[Record]:
    """Return the units of one text as records. Raises UserError if no line is a heading."""
    lines = [line.strip() for line in text.split("\n")]
    title_line = next(index for index, line in enumerate(lines) if line)
    title = fixed_title or lines[title_line].lstrip("# ")
    body = lines if fixed_title else [""] * (title_line + 1) + lines[title_line + 1 :]
    pattern = rules.pattern or best_known(body)
    if not pattern:
        raise UserError("no_heading", Where(file))
    records = list(_records(body, file, title, rules, pattern))
    if not any(record.place for record in records):
        raise UserError("pattern_no_match", Where(file), pattern=pattern)
    return records


def _records(
    lines: list[str], file: str, title: str, rules: ReadingRules, pattern: str
) -> Iterator[Record]:
    shape = compiled(pattern, Where(file))
    place, heading, kept, start = "", "", list[str](), 1
    for number, line in enumerate(lines, 1):
        found = shape.match(line)
        if found is None:
            kept.append(line)
            continue
        if place or any(kept):
            yield _record(Where(file, start), title, rules, place, heading, kept)
        groups = found.groupdict()
        heading = (groups.get("heading") or "").strip()
        place = _place(groups.get("number") or "", heading, pattern)
        kept, start = [line[found.end() :].strip()], number
    if place or any(kept):
        yield _record(Where(file, start), title, rules, place, heading, kept)


def _place(number: str, heading: str, pattern: str) -> str:
    """Return the place as a lawyer writes it: the pattern's own words around the number."""
    if not number:
        return heading or "–"
    return pattern.partition("{heading}")[0].replace("{number}", number).strip(" .:([<「【")


def _record(
    where: Where, title: str, rules: ReadingRules, place: str, heading: str, kept: list[str]
) -> Record:
    return Record(
        where=where,
        statute=title,
        text="\n".join(kept),
        place=place,
        label="" if place else "–",
        heading="" if heading == place else heading,
        standing=rules.kind,
    )
