"""Turn annexes and forms into units: those a front matter lists, or those a source writes out.

The Markdown source names annexes (별표) and forms (별지 서식) but does not hold their text.
Attachments of other sorts (도식, 별도, 부록 …) are annexes under their own name.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from corpus.files.yaml_fields import Fields
from corpus.model import Level, Unit
from corpus.place import place_id, slug
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
    """One annex or form: its sort as the source names it (별표, 서식, 도식 …), its canonical
    number ("" for the only one of its sort), its title, its text ("" if the source lacks it),
    its line in the file, and what tells its place from an equal one (`tail`, usually "").
    """

    sort: str
    number: str
    title: str
    text: str = ""
    line: int = 1
    tail: str = ""


def listed(fields: Fields) -> list[Attachment]:
    """Return the attachments that a front matter lists, in its order.

    Raises UserError for an entry whose sort or number is absent or cannot be read.
    """
    return [_listed(entry) for entry in fields.rows(LIST)]


def is_deleted(title: str) -> bool:
    """Tell whether a title or a whole text says that the place was deleted."""
    return _DELETED.fullmatch(title) is not None


def attachment_unit(found: Attachment, statute_id: str, language: str, order: int) -> Unit:
    """Return the unit of an annex or form."""
    level = _SORTS.get(found.sort.lower())
    return Unit(
        semantic_id=f"{statute_id}_{_place(level, found.sort, found.number, language)}{found.tail}",
        statute_id=statute_id,
        level=level or Level.ANNEX,
        label=_label(level, found.sort, found.number, language),
        heading=found.title,
        text=found.text,
        order=order,
        deleted=is_deleted(found.title),
        text_missing=not found.text,
    )


def _listed(entry: Fields) -> Attachment:
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
    if not re.fullmatch(r"[0-9]{1,6}", text):
        at = Where(entry.file, entry.values[field].line, field)
        raise UserError("field_not_number", at, value=text[:40])
    return int(text)


def _place(level: Level | None, sort: str, number: str, language: str) -> str:
    if level is None:
        return slug(sort) + number
    if number:
        return place_id(level, number, language)
    if language == "en":
        return level.value
    return "별표" if level is Level.ANNEX else "별지서식"


def _label(level: Level | None, sort: str, number: str, language: str) -> str:
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
