"""Conversion of the article rows of a law (조문단위) to the blocks that become units.

Rows are in document order, which is kept: their keys repeat. A row marked 전문 is no article but
the heading of a chapter, or the preamble.

Conversion of an article's paragraphs, items and sub-items to the lines that `segments` reads.

The source has each number twice, in an element of its own and at the head of the text; it is kept
once. Pictures leave the mark ``<그림>``; notes such as ``<개정 2020.1.1>`` stay.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import replace
from datetime import date

from corpus.importers.law_center.xml_tree import RULE, Element, compact_day, whole
from corpus.importers.statutes.blocks import Block, Body, split_addenda
from corpus.importers.statutes.units import Attachment
from corpus.model import Level
from normalization.grouping import grouped

_MARK = r"[①-⑳㉑-㉟㊱-㊿](?:의[0-9]{1,2})?|<[0-9]{1,3}>"
_PARAGRAPH = re.compile(rf"\s*(?P<mark>{_MARK})\s*")
_PARAGRAPH_NUMBER = re.compile(rf"\s*(?P<mark>{_MARK}|\([0-9]{{1,3}}\)|[0-9]{{1,3}})\s*")
_ITEM = re.compile(r"\s*(?P<base>[0-9]{1,4})(?:(?:의|-)(?P<branch>[0-9]{1,3}))?\s*(?:\.\s*|$)")
_SUB = re.compile(r"\s*(?P<base>[가-힣]|[a-z])(?:의(?P<branch>[0-9]{1,3}))?\s*(?:\.\s*|$)")
_OUTLINE = re.compile(
    r"(?P<dotted>[0-9]{1,4}(?:의[0-9]{1,3})?|[가-하](?:의[0-9]{1,3})?)\.(?![0-9])[ \t]*"
    r"|(?:[0-9]{1,3}|[가-하])\)(?:의[0-9]{1,3})?"
    r"|\((?:[0-9]{1,3}|[가-하])\)"
)
_IMAGE = re.compile(r"<img\b[^<>]{0,2000}>(?:\s{0,20}</img>)?|</img>", re.IGNORECASE)
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
_BOX = re.compile("[\u2500-\u257f]")
_SPECIAL = re.compile(r"[\\*]")


def own_lines(text: str) -> list[str]:
    """Split a text into lines, with ``<br>`` as a line break and pictures as marks."""
    text = text.strip()
    if "<" in text:
        text = _BREAK.sub("\n", _IMAGE.sub("<그림>", text))
    return text.split("\n")


def paragraph_lines(number: str, branch: int, content: str) -> list[str]:
    """Return the lines of a paragraph (항): ``①``, ``㉑`` or ``<54>`` before its text.

    `number` is the source's number, "" if there is none; `branch` makes 항의M.
    """
    own, inside = _PARAGRAPH_NUMBER.fullmatch(number), _PARAGRAPH.match(content)
    given, written = _mark(own, branch), inside["mark"] if inside else ""
    mark = written if written.startswith(given) else given
    if given.startswith(written) or written.startswith(given):
        content = content.removeprefix(written or mark).lstrip()
    first, *rest = own_lines(content)
    lines = [escaped(line) for line in rest]
    return [f"**{mark}** {escaped(first)}" if mark else escaped(first), *lines]


def _mark(own: re.Match[str] | None, branch: int) -> str:
    """Return a paragraph's mark with its branch (①의2), a number in <>; "" without a mark."""
    mark = own["mark"] if own else ""
    if mark.isascii() and mark.isdigit():
        mark = f"<{mark}>"
    return f"{mark}의{branch}" if len(mark) == 1 and branch else mark


def item_lines(number: str, branch: int, content: str) -> list[str]:
    """Return the lines of an item (호): its number, with 의M if it has a branch, and its text."""
    return _outline_lines(_ITEM, "  ", number, branch, content)


def sub_lines(number: str, branch: int, content: str) -> list[str]:
    """Return the lines of a sub-item (목)."""
    return _outline_lines(_SUB, "    ", number, branch, content)


def _outline_lines(
    pattern: re.Pattern[str], indent: str, number: str, branch: int, content: str
) -> list[str]:
    """Return the lines of a part with its number in front, as in text."""
    own = pattern.fullmatch(number)
    inside = pattern.match(content)
    if own and inside and inside["base"] != own["base"]:
        inside = None  # the text begins with another number
    found = own or inside
    if found is None:
        return [narrow(line) for line in own_lines(content)]
    tail = (inside and inside["branch"]) or found["branch"] or (str(branch) if branch else "")
    name = found["base"] + (f"의{int(tail)}" if tail else "")
    first, *rest = own_lines(content[inside.end() :] if inside else content)
    return [f"{indent}{name}\\. {narrow(first)}".rstrip(), *map(narrow, rest)]


def bare_line(line: str) -> str:
    """Return a line of plain text with the mark at its beginning in Markdown."""
    line = line.strip()
    if found := _PARAGRAPH.match(line):
        return f"**{found['mark']}** {escaped(line[found.end() :])}"
    if found := _OUTLINE.match(line):
        if found["dotted"]:
            return f" {found['dotted']}\\. {escaped(line[found.end() :])}".rstrip()
        return " " + escaped(line)
    return escaped(line)


def narrow(line: str) -> str:
    """Escape a line, each run of blanks reduced to one unless it draws a box."""
    if not _BOX.search(line):
        lead = " " if line[:1].isspace() else ""
        line = lead + " ".join(line.split())
    return escaped(line)


def escaped(line: str) -> str:
    """Escape the characters of a line that Markdown would interpret."""
    return _SPECIAL.sub(r"\\\g<0>", line)


def set_tails(blocks: list[Block], effective: date | None) -> list[Block]:
    """Set `tail` of blocks with repeated numbers; return them in order without exact copies.

    An exact copy is dropped. Of the others the one in force on `effective` (the statute's own date)
    keeps the plain place, or the first if no date decides; a version with a date of its own gets
    ``-시행YYYYMMDD``, any other ``-2``, ``-3`` ….
    """
    kept: list[Block] = []
    seen: set[tuple[object, ...]] = set()
    for block in blocks:
        copy = (block.level, block.number, block.heading, block.effective, tuple(block.lines))
        if copy not in seen:
            seen.add(copy)
            kept.append(block)
    for group in grouped(((block.level, block.number), block) for block in kept).values():
        if len(group) > 1:
            _set_group_tails(group, effective)
    return kept


def _set_group_tails(group: list[Block], effective: date | None) -> None:
    """Set `tail` of each block of an article but the one in force, no two alike."""
    main, taken, count = _in_force(group, effective), {""}, 1
    for block in group:
        if block is main:
            continue
        tail = f"-시행{block.effective:%Y%m%d}" if block.effective else ""
        if tail in taken:
            count += 1
            tail = f"-{count}"
        taken.add(tail)
        block.tail = tail


def _in_force(group: list[Block], effective: date | None) -> Block:
    """Return the version with the latest past date; a block without one has the statute's."""
    came = [b for b in group if effective and (b.effective or effective) <= effective]
    return max(came, key=lambda b: b.effective or effective or date.min) if came else group[0]


_CHAPTER = re.compile(r"제[0-9]{1,4}(?:의[0-9]{1,3})?(?P<sort>[편장절관속항목])")

_DEPTHS = {"편": 1, "장": 2, "절": 3, "관": 4}
_DEEPEST = 6
_LABEL = re.compile(
    r"\s*제(?P<base>[0-9]{1,4}(?:-[0-9]{1,4})?)조(?:의(?P<branch>[0-9]{1,3}))?(?=[\s(]|삭제|$)"
)
_TITLE_CHARACTERS = 400


class Chapters:
    """The chapters open at a place in a document."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def enter(self, heading: str) -> None:
        """Open the chapter of this heading, closing those as deep or deeper."""
        words = " ".join(heading.split())
        found = _CHAPTER.match(words)
        depth = _DEPTHS.get(found["sort"], _DEEPEST) if found else _DEEPEST
        self._open = [c for c in self._open if c[0] < depth] + [(depth, words)]

    @property
    def path(self) -> tuple[str, ...]:
        """The headings of the open chapters, outermost first."""
        return tuple(words for _, words in self._open)


def is_chapter(line: str) -> bool:
    """Return whether a line is the heading of a chapter (제2장 화재의 예방)."""
    line = line.strip()
    return len(line) < _TITLE_CHARACTERS and _CHAPTER.match(line) is not None


def read_rows(rows: list[Element], effective: date | None, file: str) -> Body:
    """Read the body from the rows; `effective` is the statute's own date. Raises UserError."""
    body, chapters = Body(vouched=True), Chapters()
    articles: list[Block] = []
    for row in rows:
        if row.value("조문여부") == "전문":
            _heading(row, body, chapters, started=bool(articles))
        else:
            articles.append(_article(row, chapters.path, effective, file))
    body.articles = set_tails(articles, effective)
    return body


def _heading(row: Element, body: Body, chapters: Chapters, *, started: bool) -> None:
    """Enter a row's lines as headings; before the first chapter or article, others are loose."""
    for line in own_lines(row.content("조문내용")):
        if is_chapter(line) or (line.strip() and (started or chapters.path)):
            chapters.enter(line)
        elif line.strip():
            body.loose.append(escaped(line))


def _article(row: Element, path: tuple[str, ...], effective: date | None, file: str) -> Block:
    """Return a row as an article."""
    base, branch = whole(row, "조문번호", file), whole(row, "조문가지번호", file)
    title, rest = split_label(row.content("조문내용"), base, branch, row.value("조문제목"))
    number = f"{base}의{branch}" if branch else str(base)
    own = compact_day(row.value("조문시행일자"))
    return Block(
        Level.ARTICLE,
        number,
        title,
        row.line,
        path,
        lines=_lines(row, rest, file),
        effective=own if own != effective else None,
    )


def split_label(content: str, base: int, branch: int, title: str) -> tuple[str, str]:
    """Return the title of an article and its text without the ``제N조(제목)`` before it.

    The label is only removed if it is the article's own, the title only if it equals `title`; if
    that is empty, the text in brackets after the label is the title.
    """
    found = _LABEL.match(content)
    if not found or (found["base"], int(found["branch"] or 0)) != (str(base), branch):
        return title, content
    rest = content[found.end() :]
    written = bracketed(rest.lstrip())
    if written and (not title or _without_separators(written) == _without_separators(title)):
        return title or " ".join(written.split()), rest.lstrip()[len(written) + 2 :]
    return title, rest


def labelled_article(found: re.Match[str], line: int, path: tuple[str, ...]) -> Block:
    """Return the article of a label with the groups base, branch and rest: 제3조의2(정의) 배란 …"""
    number = found["base"] + (f"의{int(found['branch'])}" if found["branch"] else "")
    rest = found["rest"].strip()
    if title := bracketed(rest):
        rest = rest[len(title) + 2 :].strip()
    lines = [bare_line(rest)] if rest else []
    return Block(Level.ARTICLE, number, title.strip(), line, path, lines=lines)


def bracketed(text: str) -> str:
    """Return the text in the round brackets at the beginning of `text`, "" if there are none."""
    depth = 0
    for index, character in enumerate(text[:_TITLE_CHARACTERS]):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return text[1:index] if index else ""
    return ""


def _without_separators(text: str) -> str:
    """Return a text without blanks and middle dots."""
    return re.sub(r"[\s·ㆍ・‧･]", "", text)


def _lines(row: Element, rest: str, file: str) -> list[str]:
    """Return the lines of an article with its parts, as Markdown, then its references."""
    parts = row.all("항", "호", "목")
    lines = [escaped(line) if parts else bare_line(line) for line in own_lines(rest)]
    for part in parts:
        lines += _part(part, file)
    text = "\n".join(lines)
    for line in own_lines(row.content("조문참고자료")):
        if line.strip() and line.strip() not in text:
            lines.append(escaped(line.strip()))
    return lines


def _part(part: Element, file: str) -> list[str]:
    """Return the lines of a 항, 호 or 목 and of those inside it, wherever the source nests them."""
    number, content = part.value(f"{part.tag}번호"), part.content(f"{part.tag}내용").strip()
    branch = whole(part, f"{part.tag}가지번호", file)
    write = {"항": paragraph_lines, "호": item_lines, "목": sub_lines}[part.tag]
    lines = write(number, branch, content) if content or number else []
    for inner in part.all("항", "호", "목"):
        lines += _part(inner, file)
    return lines


_ADDENDUM = ("부칙공포일자", "부칙공포번호", "부칙내용")
_ANNEX = ("별표번호", "별표가지번호", "별표구분", "별표제목", "별표내용")


def read_addenda(root: Element) -> list[Block]:
    """Return the addenda in document order, each with its number and date."""
    blocks: list[Block] = []
    for entry in _entries(root, "부칙", "부칙단위", _ADDENDUM):
        lines = [escaped(line) for line in own_lines(entry.content("부칙내용"))]
        found = split_dated_addenda(lines, entry.line)
        for block in found:
            block.line = entry.line
        if found and not found[0].number:
            _add_number_and_day(found[0], entry)
        blocks += found
    return blocks


def split_dated_addenda(lines: list[str], line: int) -> list[Block]:
    """Split the lines of addenda; dates are written 2024.2.3 however the source spaces them."""
    blocks = split_addenda(lines, line)
    for block in blocks:
        block.day = "".join(block.day.split()).rstrip(".")
    return blocks


def _add_number_and_day(block: Block, entry: Element) -> None:
    """Set a block's number and date from the elements of its entry."""
    block.number = entry.value("부칙공포번호").lstrip("0")
    day = compact_day(entry.value("부칙공포일자"))
    block.day = f"{day.year}.{day.month}.{day.day}" if day else ""


def read_attachments(root: Element, file: str) -> list[Attachment]:
    """Return annexes and forms in document order, texts with line breaks. Raises UserError."""
    found: list[Attachment] = []
    counts: Counter[tuple[str, str]] = Counter()
    for entry in _entries(root, "별표", "별표단위", _ANNEX):
        attachment = _attachment(entry, root.tag == RULE, file)
        counts[mark := (attachment.sort, attachment.number)] += 1
        tail = f"-{counts[mark]}" if counts[mark] > 1 else ""
        found.append(replace(attachment, tail=tail))
    return found


def _attachment(entry: Element, of_rule: bool, file: str) -> Attachment:
    """Parse an annex or form; those of administrative rules are named as in laws."""
    base, branch = whole(entry, "별표번호", file), whole(entry, "별표가지번호", file)
    number = f"{base}의{branch}" if base and branch else str(base or "")
    sort = entry.value("별표구분") or "별표"
    if of_rule and sort == "별지":  # what laws call 서식
        sort = "서식"
    title = html.unescape(entry.value("별표제목"))
    return Attachment(sort, number, title, _drawn(entry.content("별표내용")), entry.line)


def _drawn(text: str) -> str:
    """Return a text with its layout: only blank lines and trailing blanks are removed."""
    lines = (html.unescape(line).rstrip() for line in own_lines("\n" + text))
    return "\n".join(line for line in lines if line)


def _entries(root: Element, group: str, unit: str, fields: tuple[str, ...]) -> list[Element]:
    """Return the elements `unit`; if the source has their fields flat, one for each run."""
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
