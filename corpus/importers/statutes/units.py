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
from collections import Counter
from dataclasses import dataclass, replace

from corpus.files.yaml_fields import Fields
from corpus.importers.statutes.blocks import Block, Body, looks_like_article
from corpus.importers.statutes.segments import prose, segment
from corpus.importers.statutes.tiers import check_units
from corpus.importers.statutes.written_places import WrittenPlace
from corpus.model import Level, Statute, Unit, slug
from errors import UserError, Where

LIST = "첨부파일"
_SORTS = {"별표": Level.ANNEX, "annex": Level.ANNEX, "서식": Level.FORM, "form": Level.FORM}
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
    return [
        Attachment(
            sort=entry.text("별표구분"),
            number=_number(entry),
            title=html.unescape(entry.optional_text("제목")).strip(),
            line=entry.line,
        )
        for entry in fields.rows(LIST)
    ]


def is_deleted(title: str) -> bool:
    """Return whether a title or a whole text marks the place as deleted."""
    return _DELETED.fullmatch(title) is not None


def _attachment(annex: Attachment, statute: Statute, order: int) -> Unit:
    """Return the unit of an annex or form."""
    place, label = slug(annex.sort) + annex.number, f"{annex.sort} {annex.number}".rstrip()
    if level := _SORTS.get(annex.sort.lower()):
        written = WrittenPlace(level, annex.number)
        place, label = written.place(statute.language), written.label(statute.language)
    return Unit(
        semantic_id=f"{statute.semantic_id}_{place}{annex.tail}",
        statute_id=statute.semantic_id,
        level=level or Level.ANNEX,
        label=label,
        heading=annex.title,
        text=annex.text,
        order=order,
        deleted=is_deleted(annex.title),
        text_missing=not annex.text,
    )


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


def with_units(statute: Statute, body: Body, attachments: list[Attachment]) -> Statute:
    """Return the statute with all its units in order, their ids checked to be unique."""
    file = statute.file
    found: list[tuple[Unit, int]] = []
    if body.loose:
        found.append((_loose(body, statute), 1))
    for block in body.articles:
        found.append((_article(block, statute, len(found)), block.line))
    if not found:
        raise UserError("no_article", Where(file))
    taken: Counter[str] = Counter()
    for block in body.addenda:
        found.append((_addendum(block, statute, len(found), taken), block.line))
    for annex in attachments:
        found.append((_attachment(annex, statute, len(found)), annex.line))
    check_units(found, file)
    return replace(statute, units=tuple(unit for unit, _ in found))


def _article(block: Block, statute: Statute, order: int) -> Unit:
    """Return a block as an article."""
    section = block.number if block.level is Level.SECTION else ""
    text, parts = segment(block.lines, statute.language, section)
    place = WrittenPlace(block.level, block.number)
    return Unit(
        semantic_id=f"{statute.semantic_id}_{place.place(statute.language)}{block.tail}",
        statute_id=statute.semantic_id,
        level=block.level,
        label=section or place.label(statute.language),
        heading=block.heading,
        text=text,
        order=order,
        path=block.path,
        parts=parts,
        deleted=is_deleted(text.partition("\n")[0]),
        text_missing=not text,
        effective=block.effective,
    )


def _loose(body: Body, statute: Statute) -> Unit:
    """Return the text under the title as a unit: a preamble, or all of an article-less instrument.

    Unless the source vouches for it, an instrument without articles is only accepted if it has
    addenda, as every promulgated one does, and no line looks like an article whose heading mark was
    lost.
    """
    if not body.articles:
        broken = any(looks_like_article(line) for line in body.loose)
        if not body.vouched and (broken or not body.addenda):
            raise UserError("no_article", Where(statute.file))
    name = ("전문", "Preamble") if body.articles else ("본문", "Text")
    label = name[statute.language != "ko"]
    text, parts = segment(body.loose, statute.language)
    own = statute.semantic_id
    return Unit(f"{own}_{label.lower()}", own, Level.ARTICLE, label, "", text, 0, parts=parts)


def _addendum(block: Block, statute: Statute, order: int, taken: Counter[str]) -> Unit:
    """Return a block as an addendum, repeated places numbered."""
    korean = statute.language == "ko"
    place = ("부칙-" if korean else "addendum-") + slug(statute.kind)
    label = "부칙" if korean else "Addendum"
    if block.number:
        number = f"제{block.number}호" if korean else f"No. {block.number}"
        place += "-" + (number if korean else f"no-{block.number}")
        label += f" <{number}, {block.day}>"
    taken[place] += 1
    if taken[place] > 1:
        place += f"-{taken[place]}"
    return Unit(
        semantic_id=f"{statute.semantic_id}_{place}",
        statute_id=statute.semantic_id,
        level=Level.ADDENDUM,
        label=label,
        heading=block.heading,
        text=(text := prose(block.lines)),
        order=order,
        text_missing=not text,
    )
