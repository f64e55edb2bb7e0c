"""Facts of a court case by sentence, without dates and regions.

A language model that splits the facts leaves out irrelevant parts itself. Here rules replace it:
dates, times and names of regions are no part of an identifier, and a fact with little else is
dropped with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from construction.generative.key_tokens import KeyTokens, Span
from retrieval.text.passages import sentences

FEWEST = 8
"""The fewest letters of a fact besides dates and regions; Han characters count double."""
_PROVINCE = (
    "서울|부산|대구|인천|광주|대전|울산|세종|경기|강원|충청[남북]|충[남북]|전라[남북]|전[남북]|"
    "경상[남북]|경[남북]|제주"
)
# ~ is a few spaces at most: each of a long run would start a search to its end.
_DATE = re.compile(
    r"""
    \d{4}~[.년]~\d{1,2}~[.월](?:~\d{1,2}~[.일]?)?   # 2020. 3. 5.  2020년 3월 5일
    | \d{4}~年(?:~\d{1,2}~月)?(?:~\d{1,2}~日)?      # 2020年3月5日
    | \d{4}-\d{2}-\d{2}
    | (?:\d{1,2}\s{1,3})?(?:January|February|March|April|May|June|July|August|September|October
      |November|December)\s{1,3}\d{1,2}?,?~\d{4}
    | (?:오전|오후)?~\d{1,2}~(?:[:：]~\d{2}|시(?:~\d{1,2}~분)?|[时時](?:\d{1,2}分)?)
      ~(?:경|许|許)?
    """.replace("~", r"\s{0,3}"),
    re.VERBOSE,
)
_REGION = re.compile(
    rf"(?:{_PROVINCE})(?:특별자치[시도]|특별시|광역시|도|시)?"
    r"(?:\s+[가-힣\d]{1,8}(?:시|군|구|읍|면|동|리|로|길|가)(?=[\s\d에의,.]|$)(?:\s*\d+(?:-\d+)?)?)+"
    rf"|(?:{_PROVINCE})(?:특별자치[시도]|특별시|광역시|도|시)(?=[\s에의,.]|$)"
    r"|[一-鿿]{2,7}?(?:省|自治区)[一-鿿]{1,6}?(?:市|州|县|区)(?:[一-鿿]{1,6}?(?:县|区|镇|乡|村))?"
    r"|[一-鿿]{2,5}?(?:市)[一-鿿]{1,5}?(?:县|区|镇|乡|村)"
)
_POINT = "\N{ONE DOT LEADER}"  # replaces the points of dates while sentences are split
_PIECE = re.compile(r"[;；]\s*|(?<=[。！？])")  # Chinese has no space behind a sentence
_LETTERS = re.compile(r"[^\W\d_]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of a case: as written, and rewritten with key tokens first.

    `number` counts the facts of the case from 1, including dropped ones.
    """

    number: int
    text: str
    core: str


@dataclass(frozen=True, slots=True)
class Facts:
    """The usable facts of a case, and the number dropped per reason."""

    kept: tuple[Fact, ...]
    dropped: dict[str, int]


def holes(text: str) -> list[Span]:
    """Return the spans of dates, times and regions in `text`."""
    found = [match.span() for pattern in (_DATE, _REGION) for match in pattern.finditer(text)]
    return sorted(found)


def facts_by_sentence(text: str, keys: KeyTokens) -> Facts:
    """Return the sentences of `text` as facts, with the reasons for dropping others.

    Reasons are ``date`` and ``region`` (it has little besides), ``short``, ``repeated``, and
    ``no_key`` if no word has a weight.
    """
    kept: list[Fact] = []
    dropped: dict[str, int] = {}
    seen: set[str] = set()
    pieces = [piece for each in _sentences(text) for piece in _PIECE.split(each) if piece.strip()]
    for number, piece in enumerate(pieces, 1):
        reason, core = _read(piece, keys)
        reason = "repeated" if core in seen else reason
        if reason:
            dropped[reason] = dropped.get(reason, 0) + 1
            continue
        seen.add(core)
        kept.append(Fact(number, piece, core))
    return Facts(tuple(kept), dropped)


def _sentences(text: str) -> list[str]:
    """Return the sentences of `text`; the points in a date end none."""
    whole = _DATE.sub(lambda date: date[0].replace(".", _POINT), text)
    return [each.replace(_POINT, ".") for each in sentences(whole)]


def _read(piece: str, keys: KeyTokens) -> tuple[str, str]:
    """Return why a sentence is not a fact ("" if it is), and its core."""
    gaps = holes(piece)
    if reason := _too_short_reason(piece, gaps):
        return reason, ""
    spans = keys.identifiers(piece, 1, gaps)
    return ("", piece[slice(*spans[0])]) if spans else ("no_key", "")


def _too_short_reason(piece: str, gaps: Sequence[Span]) -> str:
    rest = piece
    for start, end in reversed(gaps):
        rest = rest[:start] + rest[end:]
    if len(_LETTERS.findall(rest)) + len(_HAN.findall(rest)) >= FEWEST:
        return ""
    if not gaps:
        return "short"
    return "date" if _DATE.search(piece) else "region"
