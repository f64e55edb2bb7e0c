"""Importer of plain text: one statute in each file, split at headings like an example.

The first line is the title, unless one is set. Text before the first heading is a preamble.

The example, ``제{number}조({heading})``, is not a regular expression: `{number}` stands for the
number of the unit, `{heading}` for its title, everything else for itself. Matching takes time in
proportion to the text. A heading in brackets may be left out (``제3조 삭제``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from corpus.files.given_paths import statute_files, statute_texts
from corpus.importers.statutes.records import Notes, Reading, Record, assemble
from corpus.importers.table import ReadingRules
from corpus.long_work import Progress
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
"""The patterns to try if the user gives none, best first."""

_LONGEST = 200
_NUMBER = r"(?P<number>[0-9]{1,5}(?:(?:의|[.-])[0-9]{1,5}){0,4}[A-Za-z]?)"
_PIECE = re.compile(r"(\{number\}|\{heading\}|\s+)")
_BRACKETS = {"(": ")", "[": "]", "<": ">", "「": "」", "【": "】"}


def compiled(pattern: str, where: Where | None = None) -> re.Pattern[str]:
    """Compile the pattern of a heading at the beginning of a line.

    Raises UserError for a pattern that is too long, names neither number nor heading, or names one
    of them twice.
    """
    pattern = pattern.strip()
    counts = [pattern.count(name) for name in ("{number}", "{heading}")]
    if len(pattern) > _LONGEST or max(counts) != 1 or "\n" in pattern:
        raise UserError("heading_pattern", where, pattern=pattern[:80])
    body, optional = _bracketed(pattern)
    return re.compile(_as_regex(body) + optional)


def _bracketed(pattern: str) -> tuple[str, str]:
    """Split off a heading in brackets at the end; return the rest and its expression."""
    for opening, closing in _BRACKETS.items():
        tail = f"{opening}{{heading}}{closing}"
        if pattern.endswith(tail) and "{number}" in pattern:
            inside = rf"[^{re.escape(opening + closing)}\n]{{0,300}}"
            shape = rf"\s{{0,3}}{re.escape(opening)}(?P<heading>{inside}){re.escape(closing)}"
            return pattern.removesuffix(tail).rstrip(), rf"(?:{shape}|(?=\s|$))"
    return pattern, ""


def _as_regex(pattern: str) -> str:
    """Return a heading pattern as a regular expression: {number} and {heading} become groups."""
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
    """Return the pattern of a heading, up to what follows it."""
    if not following or following == "{":
        return r"(?P<heading>\S[^\n]{0,300})$"
    return rf"(?P<heading>[^{re.escape(following)}\n]{{1,300}})"


def best_known(lines: list[str]) -> str:
    """Return the known pattern that matches most lines, the first of equals; "" if none."""
    scored = [
        (sum(shape.match(line) is not None for line in lines), -rank, pattern)
        for rank, (pattern, shape) in enumerate((each, compiled(each)) for each in KNOWN)
    ]
    count, _, pattern = max(scored)
    return pattern if count else ""


SUFFIXES = (".txt", ".text", ".md")


def read_plain(
    path: Path, rules: ReadingRules | None = None, progress: Progress | None = None
) -> Reading:
    """Read the statutes of a text file, or of every text file under a folder.

    Raises UserError for an invalid pattern, and for a file without headings.
    """
    rules = rules or ReadingRules()
    fixed = rules.title if len(statute_files(path, SUFFIXES)) == 1 else ""
    read = statute_texts(path, SUFFIXES, progress)
    return assemble(chain.from_iterable(parse_plain(*each, rules, fixed) for each in read), Notes())


def parse_plain(text: str, file: str, rules: ReadingRules, fixed_title: str = "") -> list[Record]:
    """Split one text into units as records. Raises UserError if no line is a heading."""
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
    """Yield a record for each part of a text between the headings that match `pattern`."""
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
    where: Where, title: str, rules: ReadingRules, place: str, heading: str, lines: list[str]
) -> Record:
    """Return a block as a record."""
    return Record(
        where=where,
        statute=title,
        text="\n".join(lines),
        place=place,
        label="" if place else "–",
        heading="" if heading == place else heading,
        standing=rules.kind,
    )
