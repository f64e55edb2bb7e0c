"""Assembly of statutes from flat records, one record for each unit.

Every tabular source (SearchFireSafety documents, articles.jsonl, BEIR, CSV) is first read into
records; this module alone decides ids, places, tiers and order, so that all of them agree. Records
of one statute may be scattered; statutes and units keep the order of the source. Their plain text
is segmented by the markers of :mod:`segments`, which are unmarked at the beginning of a line or
follow one another inside a line (… ① … ② …).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date

from corpus.files.rows import printable
from corpus.importers.statutes.segments import segment
from corpus.importers.statutes.tiers import (
    check_unit,
    kind_name,
    stated_tier,
    statute_name,
    tier_by_title,
)
from corpus.importers.statutes.units import is_deleted
from corpus.importers.statutes.written_places import (
    WrittenPlace,
    free_place,
    level_of_place,
    read_place,
    spreadsheet_places,
)
from corpus.long_work import Progress
from corpus.model import (
    COLLECTION,
    FIELD,
    Level,
    Link,
    Part,
    Statute,
    Tier,
    Unit,
    jurisdiction_of,
    language_of,
    slug,
)
from errors import UserError, Where
from messages import say


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on a source that can be imported but needs attention.

    `code` names an entry ``note.<code>`` of the word catalogue; `params` fill it.
    """

    code: str
    where: Where = field(default_factory=Where)
    params: tuple[tuple[str, object], ...] = ()

    @property
    def left_out(self) -> bool:
        """True if it is about a part of the source that is not imported."""
        return self.code.removeprefix("more.") in _LEFT_OUT

    def render(self, language: str = "en") -> str:
        """Return the note with its place, on one line."""
        place = self.where.render(language)
        words = say(f"note.{self.code}", language, **dict(self.params))
        return f"{place}: {words}" if place else words


@dataclass(frozen=True, slots=True)
class Reading:
    """The statutes of a source in order, and the notes on them."""

    statutes: tuple[Statute, ...]
    notes: tuple[Note, ...] = ()


_LEFT_OUT = frozenset({"spreadsheet_place"})
_LISTED = 200  # the most notes on omissions


class Notes:
    """Collects notes and keeps the first few of each sort, so that a long file stays readable.

    Of notes on omissions it keeps many more.
    """

    def __init__(self, per_code: int = 5) -> None:
        self._kept: list[Note] = []
        self._counts: Counter[str] = Counter()
        self._per_code = per_code

    def add(self, code: str, where: Where, **params: object) -> None:
        """Keep a note, or only count it if there are enough of its sort."""
        self._counts[code] += 1
        if self._counts[code] <= self._limit(code):
            self._kept.append(Note(code, where, tuple(params.items())))

    def _limit(self, code: str) -> int:
        """Return how many notes of a code are kept."""
        return _LISTED if code in _LEFT_OUT else self._per_code

    def all(self) -> tuple[Note, ...]:
        """Return the kept notes, then the number of further ones of each sort."""
        more = [
            Note(f"more.{code}", params=(("count", count - self._limit(code)),))
            for code, count in sorted(self._counts.items())
            if count > self._limit(code)
        ]
        return (*self._kept, *more)


_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳㉑㉒㉓㉔㉕㉖㉗㉘㉙㉚㉛㉜㉝㉞㉟㊱㊲㊳㊴㊵㊶㊷㊸㊹㊺㊻㊼㊽㊾㊿"
_NUMBER = re.compile(r"[0-9]{1,3}")
_PARAGRAPH = re.compile(rf"([{_CIRCLED}])")
_OUTLINE = re.compile(
    r"(?:[0-9]{1,3}(?:의[0-9]{1,3}|-[0-9]{1,3})?|[가-하](?:의[0-9]{1,3})?|[a-z])\.(?!\S)"
    r"|(?:[0-9]{1,3}|[가-하])\)(?:의[0-9]{1,3})?"
    r"|\((?:[0-9]{1,3}|[가-하])\)"
)
_SPECIAL = re.compile(r"[\\*]")


def segment_plain(text: str, language: str) -> tuple[str, tuple[Part, ...]]:
    """Return the reading text of a unit given as plain text, and its parts.

    White space at both ends of lines and blank lines are removed; items are indented by depth;
    every other character stays.
    """
    return segment(map(_as_markdown, _own_lines(text).splitlines()), language)


def _own_lines(text: str) -> str:
    """Put each paragraph mark that continues the count from ① on a line of its own."""
    pieces = _PARAGRAPH.split(text)
    out, expected = [pieces[0]], 0
    for mark, rest in zip(pieces[1::2], pieces[2::2], strict=True):
        inside = out[-1].strip() and not out[-1].endswith("\n")
        if _CIRCLED.index(mark) == expected:
            expected += 1
            if inside and (expected > 1 or out[-1][-1:].isspace()):
                out.append("\n")
        out += [mark, rest]
    return "".join(out)


def _as_markdown(line: str) -> str:
    """Return a plain line as Markdown: paragraph numbers bold, special characters escaped."""
    line = line.strip()
    if not line:
        return ""
    safe = _SPECIAL.sub(r"\\\g<0>", line).replace("&", "&amp;")
    if _PARAGRAPH.match(line):
        return f"**{safe[0]}**{safe[1:]}"
    if _OUTLINE.match(line):
        return " " + safe
    return safe if line.startswith("[") else "\t" + safe


UNITS = 2_000_000
"""The most units accepted in one source: ten times the law of a country."""


@dataclass(frozen=True, slots=True)
class Record:
    """One unit as given by a source; "" for missing fields.

    `statute` is the title, `statute_id` the first half of the semantic id if the source has one.
    `unit_id` is a whole semantic id; without it one is made from `place`, a place as written
    (제3조, § 5) or any name. `standing` is a kind or a tier as written. `related` has the semantic
    ids of units that the source links this one to. `keyed` is whether ids of the source are keys of
    its documents and name no place: the statute is then a collection (`COLLECTION`).
    """

    where: Where
    statute: str
    text: str
    statute_id: str = ""
    unit_id: str = ""
    place: str = ""
    level: str = ""
    label: str = ""
    heading: str = ""
    standing: str = ""
    language: str = ""
    path: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    effective: date | None = None
    deleted: bool = False
    jurisdiction: str = ""
    keyed: bool = False


def assemble(records: Iterable[Record], notes: Notes, progress: Progress | None = None) -> Reading:
    """Assemble records into statutes; `progress` gets (records, records) at the end.

    A record whose place a spreadsheet has changed is left out, with a note, unless its id has the
    place. Raises UserError for a title without letters, a repeated id or place, an unknown kind,
    more units than are accepted, and if all records would be left out.
    """
    groups: dict[str, list[Record]] = {}
    count = 0
    for count, record in enumerate(records, 1):
        if count > UNITS:
            raise UserError("too_many_units", record.where, limit=UNITS)
        name = record.statute_id or statute_name(record.statute, record.where)
        groups.setdefault(name, []).append(record)
    kept = {name: _without_changed_places(group, notes) for name, group in groups.items()}
    if kept and not any(kept.values()):
        first = next(iter(groups.values()))[0]
        raise UserError("spreadsheet_places", first.where, place=first.place[:40])
    statutes = tuple(_statute(name, group, notes) for name, group in kept.items() if group)
    if progress is not None:
        progress(count, count)
    return Reading(statutes, notes.all())


def _without_changed_places(group: list[Record], notes: Notes) -> list[Record]:
    """Leave out records whose place a spreadsheet changed; one with an id only loses the place."""
    first = group[0]
    language = first.language or language_of(first.statute)
    changed = spreadsheet_places([record.place for record in group], language)
    kept = list[Record]()
    for at, record in enumerate(group):
        if at in changed and not record.unit_id:
            notes.add("spreadsheet_place", record.where, place=record.place[:40])
        else:
            kept.append(replace(record, place="") if at in changed else record)
    return kept


def _statute(name: str, group: list[Record], notes: Notes) -> Statute:
    """Assemble the records of a statute, noting titles that differ."""
    first = group[0]
    title = first.statute or name.replace("-", " ")
    for record in group:
        if record.statute and slug(record.statute) != slug(title):
            notes.add("titles_differ", record.where, title=title, other=record.statute)
            break
    words = f"{first.heading} {first.text}" if first.keyed else title
    language = first.language or language_of(words)
    kind, tier = _kind_and_tier(title, group, language, notes)
    dates = [record.effective for record in group if record.effective]
    return Statute(
        semantic_id=name,
        title=title,
        kind=kind,
        tier=tier,
        language=language,
        units=_units(name, group, language, notes),
        effective=max(dates, default=None),
        file=printable(first.where.file or ""),
        jurisdiction=_jurisdiction(title, group),
    )


def _jurisdiction(title: str, group: list[Record]) -> str:
    """Return the one jurisdiction that a statute's records state, else ""; UserError for two."""
    found = ""
    for record in group:
        said = jurisdiction_of(record.jurisdiction, replace(record.where, field=FIELD))
        if said and found and said != found:
            at = replace(record.where, field=FIELD)
            raise UserError("jurisdictions_differ", at, title=title, first=found, other=said)
        found = found or said
    return found


def _kind_and_tier(
    title: str, group: list[Record], language: str, notes: Notes
) -> tuple[str, Tier]:
    """Return kind and tier: as stated, by the title, or assumed with a note."""
    stated = next((record for record in group if record.standing), None)
    if group[0].keyed:
        return COLLECTION, stated_tier(stated.standing, stated.where) if stated else Tier.ACT
    if stated is not None:
        tier = stated_tier(stated.standing, stated.where)
        bare = stated.standing.isdecimal()
        return (kind_name(tier, language) if bare else stated.standing), tier
    by_title = tier_by_title(title)
    if by_title is None:
        by_title = Tier.NOTICE if language == "ko" else Tier.ACT
        notes.add("tier_assumed", group[0].where, title=title, tier=int(by_title))
    return kind_name(by_title, language), by_title


def _units(statute_id: str, group: list[Record], language: str, notes: Notes) -> tuple[Unit, ...]:
    """Return the units of a statute's records. Raises UserError for a repeated place."""
    units: list[Unit] = []
    lines: dict[str, Where] = {}
    for order, record in enumerate(group):
        unit = _unit(statute_id, record, language, order)
        if unit.semantic_id in lines:
            first = lines[unit.semantic_id].render() or "?"
            raise UserError("record_repeated", record.where, id=unit.semantic_id, first=first)
        lines[unit.semantic_id] = record.where
        check_unit(unit, record.where)
        units.append(unit)
        if unit.text_missing:
            notes.add("text_missing", record.where, label=unit.label)
        if "\ufffd" in unit.text:
            notes.add("replacement_character", record.where, label=unit.label)
    return tuple(units)


def _unit(statute_id: str, record: Record, language: str, order: int) -> Unit:
    """Return a record as a unit."""
    place = record.unit_id.removeprefix(f"{statute_id}_") if record.unit_id else ""
    written = None if record.keyed else read_place(record.place or place) or read_place(place)
    text, parts = segment_plain(record.text, language)
    label = record.label or (written.label(language) if written else record.place or place)
    return Unit(
        semantic_id=record.unit_id or f"{statute_id}_{_place(record, written, language, order)}",
        statute_id=statute_id,
        level=_level(record, written, place),
        label=label or str(order + 1),
        heading=record.heading or (written.heading if written else ""),
        text=text,
        order=order,
        path=record.path,
        parts=parts,
        deleted=record.deleted or is_deleted(text.partition("\n")[0]),
        text_missing=not text,
        effective=record.effective,
        # The source gives the units linked to, not the offsets in the text.
        links=tuple(Link(0, 0, target) for target in record.related),
    )


def _place(record: Record, written: WrittenPlace | None, language: str, order: int) -> str:
    """Return the place half of a record's id: its parsed place, else its name, else its number."""
    if written is not None:
        return written.place(language)
    return free_place(record.place) or str(order + 1)


def _level(record: Record, written: WrittenPlace | None, place: str) -> Level:
    """Return a record's level: as stated, or by its place. Raises UserError if unknown."""
    if record.level:
        try:
            return Level(record.level.lower())
        except ValueError as problem:
            known = ", ".join(Level)
            at = Where(record.where.file, record.where.line, "level")
            raise UserError("level_unknown", at, value=record.level[:40], known=known) from problem
    if record.keyed:
        return Level.ARTICLE
    return written.level if written else level_of_place(place or record.place)
