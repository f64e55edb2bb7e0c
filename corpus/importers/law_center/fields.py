"""The fields that the National Law Information Center gives about an instrument."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from corpus.importers.law_center.xml_tree import Element
from corpus.importers.statutes.bounds import KIND_CHARACTERS, statute_name
from corpus.importers.statutes.tiers import tier_of
from corpus.model import Tier
from errors import UserError, Where

LAW, RULE = "법령", "AdmRulService"
"""Roots of the answers for laws (target=law, eflaw) and administrative rules (admrul)."""

_INFO = ("기본정보", "행정규칙기본정보")
_TITLE = ("법령명_한글", "법령명한글", "행정규칙명")
_KIND = ("법종구분", "법령구분", "행정규칙종류")
_MINISTRY = ("소관부처", "소관부처명")
_PROMULGATED = ("공포일자", "발령일자")
_NUMBER = ("공포번호", "발령번호")


@dataclass(frozen=True, slots=True)
class Instrument:
    """What an instrument is: the fields of :class:`corpus.model.Statute` without its units.

    `line` is the line of the title.
    """

    semantic_id: str
    title: str
    kind: str
    tier: Tier
    promulgated: date | None
    number: str
    effective: date | None
    source: str
    line: int


def read_instrument(root: Element, file: str) -> Instrument:
    """Return what the answer `root` says of its instrument. Raises UserError."""
    info = root.first(*_INFO) or root
    title_element, title = info.first(*_TITLE), info.value(*_TITLE)
    if title_element is None or not title:
        line = (title_element or info).line
        raise UserError("field_missing", Where(file, line, _TITLE[root.tag == RULE]))
    semantic_id = statute_name(title, Where(file, title_element.line, title_element.tag))
    kind, tier = _kind(root, info, file)
    folder = "행정규칙" if root.tag == RULE else "법령"
    return Instrument(
        semantic_id=semantic_id,
        title=title,
        kind=kind,
        tier=tier,
        promulgated=_day(info, _PROMULGATED, file),
        number=info.value(*_NUMBER).lstrip("0"),
        effective=_day(info, ("시행일자",), file),
        source=f"https://www.law.go.kr/{folder}/{title.replace(' ', '')}",
        line=title_element.line,
    )


def compact_day(text: str) -> date | None:
    """Return a date written YYYYMMDD, with or without dots, hyphens and blanks; else None."""
    digits = "".join(text.split()).replace(".", "").replace("-", "")
    if len(digits) != 8 or not (digits.isascii() and digits.isdigit()):
        return None
    try:
        return date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    except ValueError:
        return None


def whole(element: Element, field: str, file: str) -> int:
    """Return a number such as ``0003``, 0 if the field is absent or blank. Raises UserError."""
    text = element.value(field)
    if not text:
        return 0
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        child = element.first(field)
        at = Where(file, child.line if child else element.line, field)
        raise UserError("field_not_number", at, value=text[:40])
    return int(text)


def _kind(root: Element, info: Element, file: str) -> tuple[str, Tier]:
    """Return the kind as stated, and its tier; an administrative rule is a notice or a manual."""
    kind, element = info.value(*_KIND), info.first(*_KIND)
    if root.tag == RULE:
        kind = kind or "행정규칙"
        if len(kind) > KIND_CHARACTERS:
            tier_of(kind, Where(file, (element or info).line, _KIND[-1]))
        return kind, Tier.MANUAL if kind == "매뉴얼" else Tier.NOTICE
    if kind == "부령" and info.value(*_MINISTRY):
        kind = info.value(*_MINISTRY).partition(",")[0].strip() + "령"
    at = Where(file, (element or info).line, _KIND[0])
    if not kind:
        raise UserError("field_missing", at)
    return kind, tier_of(kind, at)


def _day(info: Element, fields: tuple[str, ...], file: str) -> date | None:
    element, text = info.first(*fields), info.value(*fields)
    if element is None or not text:
        return None
    found = compact_day(text)
    if found is None:
        at = Where(file, element.line, element.tag)
        raise UserError("field_not_compact_day", at, value=text[:40])
    return found
