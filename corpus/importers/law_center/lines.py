"""Conversion of an article's paragraphs, items and sub-items to the lines that `segments` reads.

The source has each number twice, in an element of its own and at the head of the text; it is kept
once. Pictures leave the mark ``<그림>``; notes such as ``<개정 2020.1.1>`` stay.
"""

from __future__ import annotations

import re
from datetime import date

from corpus.importers.statutes.blocks import Block

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
    mark = own["mark"] if own else ""
    if mark.isascii() and mark.isdigit():
        mark = f"<{mark}>"
    return f"{mark}의{branch}" if len(mark) == 1 and branch else mark


def item_lines(number: str, branch: int, content: str) -> list[str]:
    """Return the lines of an item (호): its number, with 의M if it has a branch, and its text."""
    return _outlined(_ITEM, "  ", number, branch, content)


def sub_lines(number: str, branch: int, content: str) -> list[str]:
    """Return the lines of a sub-item (목)."""
    return _outlined(_SUB, "    ", number, branch, content)


def _outlined(
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
    """Reduce each run of blanks to one, except in lines that draw a box."""
    if not _BOX.search(line):
        lead = " " if line[:1].isspace() else ""
        line = lead + " ".join(line.split())
    return escaped(line)


def escaped(line: str) -> str:
    """Escape the characters of a line that Markdown would interpret."""
    return _SPECIAL.sub(r"\\\g<0>", line)


def tell_places_apart(blocks: list[Block], effective: date | None) -> list[Block]:
    """Set `tail` of blocks with repeated numbers; return them in order.

    An exact copy is dropped. Of the others the one in force on `effective` (the statute's own date)
    keeps the plain place, or the first if no date decides; a version with a date of its own gets
    ``-시행YYYYMMDD``, any other ``-2``, ``-3`` ….
    """
    groups: dict[tuple[str, str], list[Block]] = {}
    kept: list[Block] = []
    seen: set[tuple[object, ...]] = set()
    for block in blocks:
        copy = (block.level, block.number, block.heading, block.effective, tuple(block.lines))
        if copy not in seen:
            seen.add(copy)
            kept.append(block)
            groups.setdefault((block.level, block.number), []).append(block)
    for group in groups.values():
        if len(group) > 1:
            _name(group, effective)
    return kept


def _name(group: list[Block], effective: date | None) -> None:
    """Give each block of an article that is not in force an ending of its own for its id."""
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
