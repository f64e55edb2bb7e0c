"""Read what follows the articles of an answer: addenda of the whole history, annexes and forms."""

from __future__ import annotations

import html
from collections import Counter
from dataclasses import replace

from corpus.importers.law_center.fields import RULE, compact_day, whole
from corpus.importers.law_center.lines import escaped, own_lines
from corpus.importers.law_center.xml_tree import Element
from corpus.importers.statutes.annexes import Attachment
from corpus.importers.statutes.blocks import Block, split_addenda

_ADDENDUM = ("부칙공포일자", "부칙공포번호", "부칙내용")
_ANNEX = (
    "별표번호",
    "별표가지번호",
    "별표구분",
    "별표제목",
    "별표내용",
)


def read_addenda(root: Element) -> list[Block]:
    """Return the addenda in document order, each with its number and day."""
    blocks: list[Block] = []
    for entry in _entries(root, "부칙", "부칙단위", _ADDENDUM):
        lines = [escaped(line) for line in own_lines(entry.content("부칙내용"))]
        found = split_dated_addenda(lines, entry.line)
        for block in found:
            block.line = entry.line
        if found and not found[0].number:
            _name(found[0], entry)
        blocks += found
    return blocks


def split_dated_addenda(lines: list[str], line: int) -> list[Block]:
    """Split the lines of addenda; days are written 2024.2.3 however the source spaces them."""
    blocks = split_addenda(lines, line)
    for block in blocks:
        block.day = "".join(block.day.split()).rstrip(".")
    return blocks


def _name(block: Block, entry: Element) -> None:
    """Take number and day from their own elements where the text does not begin with them."""
    block.number = entry.value("부칙공포번호").lstrip("0")
    day = compact_day(entry.value("부칙공포일자"))
    block.day = f"{day.year}.{day.month}.{day.day}" if day else ""


def read_attachments(root: Element, file: str) -> list[Attachment]:
    """Return annexes and forms in document order, their texts as drawn. Raises UserError."""
    found: list[Attachment] = []
    counts: Counter[tuple[str, str]] = Counter()
    for entry in _entries(root, "별표", "별표단위", _ANNEX):
        attachment = _attachment(entry, root.tag == RULE, file)
        counts[mark := (attachment.sort, attachment.number)] += 1
        tail = f"-{counts[mark]}" if counts[mark] > 1 else ""
        found.append(replace(attachment, tail=tail))
    return found


def _attachment(entry: Element, of_rule: bool, file: str) -> Attachment:
    base, branch = whole(entry, "별표번호", file), whole(entry, "별표가지번호", file)
    number = f"{base}의{branch}" if base and branch else str(base or "")
    sort = entry.value("별표구분") or "별표"
    if of_rule and sort == "별지":  # what laws call 서식
        sort = "서식"
    title = html.unescape(entry.value("별표제목"))
    return Attachment(sort, number, title, _drawn(entry.content("별표내용")), entry.line)


def _drawn(text: str) -> str:
    """Return a text with its drawing: only blank lines and blanks at the ends of lines go."""
    lines = (html.unescape(line).rstrip() for line in own_lines("\n" + text))
    return "\n".join(line for line in lines if line)


def _entries(root: Element, group: str, unit: str, fields: tuple[str, ...]) -> list[Element]:
    """Return the elements `unit`; where the source lays their fields flat, one for each run."""
    units = list(root.below(unit))
    if units:
        return units
    entries: list[Element] = []
    for holder in [*root.all(group), root]:
        current: Element | None = None
        for child in holder.all(*fields):
            if current is None or current.first(child.tag) is not None:
                current = Element(unit, child.line)
                entries.append(current)
            current.children.append(child)
    return entries
