"""Conversion of a statute file's parts to units with unique ids.

Every reader of statutes ends here, so that equal law has equal units whatever its file. Units are
in the order body, addenda, attachments. Addenda of one number (ministries begin again at 1) get
``-2``, ``-3`` … in document order; any other repeat is a UserError.

Annexes and forms are those listed in a front matter, or those with text in a source. The Markdown
source names annexes (별표) and forms (별지 서식) but does not have their text. Attachments of other
sorts (도식, 별도, 부록 …) are annexes under their own name.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from corpus.files.yaml_fields import Fields
from corpus.importers.statutes.blocks import Block, Body, looks_like_article
from corpus.importers.statutes.segments import prose, segment
from corpus.importers.statutes.tiers import check_headings, check_unit
from corpus.model import Level, Unit, place_id, slug
from errors import UserError, Where

LIST = "첨부파일"
_SORTS = {
    "별표": Level.ANNEX,
    "annex": Level.ANNEX,
    "서식": Level.FORM,
    "form": Level.FORM,
}
_DELETED = re.compile(r"(?:삭제|deleted) {0,3}(?:[<(][^<>()]*[>)])?\.?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Attachment:
    """One annex or form of a statute.

    Its sort as the source names it (별표, 서식, 도식 …), its canonical number ("" for the only one
    of its sort), its title, its text ("" if the source lacks it), its line in the file, and a
    suffix that distinguishes equal places (`tail`, usually "").
    """

    sort: str
    number: str
    title: str
    text: str = ""
    line: int = 1
    tail: str = ""


def listed(fields: Fields) -> list[Attachment]:
    """Return the attachments listed in a front matter, in order.

    Raises UserError for an entry with an absent or invalid sort or number.
    """
    return [_listed_attachment(entry) for entry in fields.rows(LIST)]


def is_deleted(title: str) -> bool:
    """Return whether a title or a whole text marks the place as deleted."""
    return _DELETED.fullmatch(title) is not None


def attachment_unit(annex: Attachment, statute_id: str, language: str, order: int) -> Unit:
    """Return the unit of an annex or form."""
    level = _SORTS.get(annex.sort.lower())
    return Unit(
        semantic_id=f"{statute_id}_{_place(level, annex.sort, annex.number, language)}{annex.tail}",
        statute_id=statute_id,
        level=level or Level.ANNEX,
        label=_attachment_label(level, annex.sort, annex.number, language),
        heading=annex.title,
        text=annex.text,
        order=order,
        deleted=is_deleted(annex.title),
        text_missing=not annex.text,
    )


def _listed_attachment(entry: Fields) -> Attachment:
    sort, number = entry.text("별표구분"), _number(entry)
    title = html.unescape(entry.optional_text("제목")).strip()
    return Attachment(sort, number, title, line=entry.line)


def _number(entry: Fields) -> str:
    """Return the canonical number, "" for an attachment that is the only one of its sort."""
    base = _whole(entry, "별표번호", entry.text("별표번호"))
    branch = _whole(entry, "별표가지번호", entry.optional_text("별표가지번호") or "0")
    if base == 0:
        return ""
    return f"{base}의{branch}" if branch else str(base)


def _whole(entry: Fields, field: str, text: str) -> int:
    """Parse a whole number."""
    if not re.fullmatch(r"[0-9]{1,6}", text):
        at = Where(entry.file, entry.values[field].line, field)
        raise UserError("field_not_number", at, value=text[:40])
    return int(text)


def _place(level: Level | None, sort: str, number: str, language: str) -> str:
    """Return the last part of a unit's id."""
    if level is None:
        return slug(sort) + number
    if number:
        return place_id(level, number, language)
    if language == "en":
        return level.value
    return "별표" if level is Level.ANNEX else "별지서식"


def _attachment_label(level: Level | None, sort: str, number: str, language: str) -> str:
    base, _, branch = number.partition("의")
    if level is None:
        return f"{sort} {number}".rstrip()
    if language == "en":
        tail = f"-{branch}" if branch else ""
        return f"{level.value.capitalize()} {base}{tail}".rstrip()
    if level is Level.ANNEX:
        return f"별표 {number}".rstrip()
    tail = f"의{branch}" if branch else ""
    return f"별지 제{base}호{tail}서식" if number else "별지 서식"


def read_units(
    body: Body,
    attachments: list[Attachment],
    statute_id: str,
    kind: str,
    language: str,
    file: str,
) -> tuple[Unit, ...]:
    """Return all units in order, their ids checked to be unique. `file` is for messages."""
    found: list[tuple[Unit, int]] = []
    if body.loose:
        found.append((_loose(body, file, statute_id, language), 1))
    for block in body.articles:
        check_headings(block.path, Where(file, block.line))
        found.append((_article(block, statute_id, language, len(found)), block.line))
    if not found:
        raise UserError("no_article", Where(file))
    taken: dict[str, int] = {}
    for block in body.addenda:
        found.append((_addendum(block, statute_id, kind, language, len(found), taken), block.line))
    for attachment in attachments:
        unit = attachment_unit(attachment, statute_id, language, len(found))
        found.append((unit, attachment.line))
    _refuse_unfit(found, file)
    return tuple(unit for unit, _ in found)


def _refuse_unfit(units: list[tuple[Unit, int]], file: str) -> None:
    """Raise UserError for invalid units, and for two at one place."""
    first: dict[str, int] = {}
    for unit, line in units:
        check_unit(unit, Where(file, line))
        if unit.semantic_id in first:
            earlier = first[unit.semantic_id]
            raise UserError("place_repeated", Where(file, line), label=unit.label, first=earlier)
        first[unit.semantic_id] = line


def _article(block: Block, statute_id: str, language: str, order: int) -> Unit:
    """Return a block as an article."""
    section = block.number if block.level is Level.SECTION else ""
    text, parts = segment(block.lines, language, section)
    return Unit(
        semantic_id=f"{statute_id}_{place_id(block.level, block.number, language)}{block.tail}",
        statute_id=statute_id,
        level=block.level,
        label=_label(block, language),
        heading=block.heading,
        text=text,
        order=order,
        path=block.path,
        parts=parts,
        deleted=is_deleted(text.partition("\n")[0]),
        text_missing=not text,
        effective=block.effective,
    )


def _label(block: Block, language: str) -> str:
    """Return the label of an article: 제3조의2."""
    if block.level is Level.SECTION:
        return block.number
    base, _, branch = block.number.partition("의")
    if language == "en":
        return f"Article {base}" + (f"-{branch}" if branch else "")
    return f"제{base}조" + (f"의{branch}" if branch else "")


def _loose(body: Body, file: str, statute_id: str, language: str) -> Unit:
    """Return the text under the title as a unit: a preamble, or all of an article-less instrument.

    Unless the source vouches for it, an instrument without articles is only accepted if it has
    addenda, as every promulgated one does, and no line looks like an article whose heading mark was
    lost.
    """
    if not body.articles:
        broken = any(looks_like_article(line) for line in body.loose)
        if not body.vouched and (broken or not body.addenda):
            raise UserError("no_article", Where(file))
        place, label = ("본문", "본문") if language == "ko" else ("text", "Text")
    else:
        place, label = ("전문", "전문") if language == "ko" else ("preamble", "Preamble")
    text, parts = segment(body.loose, language)
    return Unit(f"{statute_id}_{place}", statute_id, Level.ARTICLE, label, "", text, 0, parts=parts)


def _addendum(
    block: Block, statute_id: str, kind: str, language: str, order: int, taken: dict[str, int]
) -> Unit:
    """Return a block as an addendum, repeated places numbered."""
    place = ("부칙-" if language == "ko" else "addendum-") + slug(kind)
    label = "부칙" if language == "ko" else "Addendum"
    if block.number:
        number = f"제{block.number}호" if language == "ko" else f"No. {block.number}"
        place += "-" + (number if language == "ko" else f"no-{block.number}")
        label += f" <{number}, {block.day}>"
    taken[place] = taken.get(place, 0) + 1
    if taken[place] > 1:
        place += f"-{taken[place]}"
    return Unit(
        semantic_id=f"{statute_id}_{place}",
        statute_id=statute_id,
        level=Level.ADDENDUM,
        label=label,
        heading=block.heading,
        text=(text := prose(block.lines)),
        order=order,
        text_missing=not text,
    )
