"""Importer of saved pages of laws and rules of the National Law Information Center.

One page in each file, saved when the text was on the screen. The site's hyperlinks in the text are
removed and kept as the links of the units. Annexes are not on these pages.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path

from corpus.files.given_paths import statute_texts
from corpus.files.rows import as_text
from corpus.importers.law_center.articles import (
    Chapters,
    bare_line,
    escaped,
    labelled_article,
    set_tails,
    split_dated_addenda,
)
from corpus.importers.law_center.html_page import (
    HTML_FILE_BYTES,
    LINK_END,
    LINK_START,
    HtmlLine,
    Page,
    link_number,
    read_page,
)
from corpus.importers.statutes.blocks import Block, Body
from corpus.importers.statutes.merge import lengthen_ids
from corpus.importers.statutes.tiers import statute_name, tier_of
from corpus.importers.statutes.units import with_units
from corpus.long_work import Progress
from corpus.model import Link, Part, Statute, Unit, language_of
from errors import UserError, Where

_MARK = re.compile(f"{LINK_START.pattern}|{LINK_END}")


def without_marks(text: str) -> str:
    """Return a text without hyperlink marks."""
    return _MARK.sub("", text)


def with_links(unit: Unit, destinations: list[str]) -> Unit:
    """Return the unit with clean text, its parts moved to match, and its hyperlinks.

    A hyperlink spans its words without surrounding blanks; one without words is dropped.
    """
    marks = list(_MARK.finditer(unit.text))
    if not marks:
        return unit
    places = [mark.start() for mark in marks]
    text = without_marks(unit.text)

    def moved(offset: int) -> int:
        """Return an offset after the removal of link marks."""
        return offset - bisect_left(places, offset)

    links: list[Link] = []
    for mark, following in pairwise(marks):
        if LINK_START.match(mark[0]) and following[0] == LINK_END:
            start, end = moved(mark.end()), moved(following.start())
            link = _trimmed_link(text, start, end, destinations[link_number(mark[0])])
            links += [link] if link.start < link.end else []
    parts = tuple(Part(part.path, moved(part.start), moved(part.end)) for part in unit.parts)
    missing = not text.strip()
    return replace(unit, text=text, parts=parts, links=tuple(links), text_missing=missing)


def _trimmed_link(text: str, start: int, end: int, href: str) -> Link:
    """Return a link on text[start:end] without the white space at its ends."""
    words = text[start:end]
    start += len(words) - len(words.lstrip())
    return Link(start, max(start, end - (len(words) - len(words.rstrip()))), href)


_DAY = r"(?P<year>[0-9]{4})\.\s?(?P<month>[0-9]{1,2})\.\s?(?P<day>[0-9]{1,2})"
_EFFECTIVE = re.compile(rf"\[시행\s?{_DAY}")
_PROMULGATED = re.compile(
    rf"\[(?P<kind>[가-힣ㆍ·]{{2,30}})\s?제\s?(?P<number>[0-9]{{1,7}}(?:-[0-9]{{1,5}})?)호,\s?{_DAY}"
)
_LABEL = re.compile(
    r"제\s?(?P<base>[0-9]{1,4}(?:-[0-9]{1,4})?)\s?조(?:의\s?(?P<branch>[0-9]{1,3}))?\s?(?P<rest>.*)"
)
_SHORT = re.compile(r"\s?\(\s?약칭\s?:[^()]*(?:\([^()]*\)[^()]*)*\)\s*$")
_COMES = re.compile(rf"\[시행일\s?:\s?{_DAY}")
_ISSUER = re.compile(r"<\s?[가-힣ㆍ·]{2,30}\s?(?=제[0-9])")


def read_tree(path: Path, progress: Progress | None = None) -> list[Statute]:
    """Read the statutes of every ``.html`` and ``.htm`` file under `path`, sorted by file path.

    `path` may be a single file. `progress` is called with (files read, total). The frames and
    helper files that a browser saves with a page (in a folder ``…_files``, or a page that only
    frames others) are skipped if they contain no law. Raises UserError for anything that the user
    must fix, and if there is no law at all.
    """
    read, names = list[tuple[Statute, None]](), list[str]()
    for text, name in statute_texts(path, (".html", ".htm"), progress, HTML_FILE_BYTES):
        names.append(name)
        page = read_page(text, name)
        if _holds_law(page) or not (page.framed or "_files/" in name):
            read.append((_statute(page, name), None))
    if not read:
        raise UserError("html_no_law", Where(names[0]))
    return lengthen_ids(read)


def parse(content: str | bytes, file: str) -> Statute:
    """Parse the statute on one page; `file` is its name in messages. Raises UserError."""
    raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return _statute(read_page(as_text(raw, file), file), file)


def _holds_law(page: Page) -> bool:
    """Return True if a page has lines of law."""
    return any(line.kind in ("label", "law") for line in page.lines)


def _statute(page: Page, file: str) -> Statute:
    """Parse the statute of a page. Raises UserError if title, number or law is missing."""
    title = _SHORT.sub("", _texts(page, "title")) or " ".join(page.fields.get("lsNm", "").split())
    if not title or not _holds_law(page):
        raise UserError("html_no_law", Where(file))
    semantic_id = statute_name(title, Where(file))
    about = _texts(page, "about")
    found, since = _PROMULGATED.search(about), _EFFECTIVE.search(about)
    if found is None:
        raise UserError("html_no_number", Where(file), title=title)
    effective = _day(since, file) if since else None
    body = _body(page.lines, effective, file)
    if not body.articles and not body.loose:
        raise UserError("html_no_law", Where(file))
    statute = Statute(
        semantic_id=semantic_id,
        title=title,
        kind=found["kind"],
        tier=tier_of(found["kind"], Where(file)),
        language=language_of(title),
        units=(),
        promulgated=_day(found, file),
        number=found["number"].lstrip("0"),
        effective=effective,
        source=f"https://www.law.go.kr/법령/{title.replace(' ', '')}",
        file=file,
    )
    units = with_units(statute, body, []).units
    return replace(statute, units=tuple(with_links(unit, page.links) for unit in units))


def _texts(page: Page, kind: str) -> str:
    """Return the lines of a kind as one text."""
    return " ".join(line.text for line in page.lines if line.kind == kind)


def _day(match: re.Match[str], file: str) -> date:
    """Return the date in a match. Raises UserError if there is no such day."""
    try:
        return date(int(match["year"]), int(match["month"]), int(match["day"]))
    except ValueError as problem:
        value = f"{match['year']}. {match['month']}. {match['day']}."
        raise UserError("html_not_date", Where(file), value=value) from problem


def _body(lines: list[HtmlLine], effective: date | None, file: str) -> Body:
    """Sort the lines of a page into chapters, articles and addenda."""
    body, chapters = Body(vouched=True), Chapters()
    end = next((at for at, line in enumerate(lines) if _is_addendum(line)), len(lines))
    for line in lines[:end]:
        text = without_marks(line.text)
        if line.kind == "chapter":
            chapters.enter(text)
        elif line.kind == "label" and (found := _LABEL.fullmatch(text)):
            body.articles.append(labelled_article(found, line.number, chapters.path))
        elif line.kind in ("label", "law", "row"):
            marked = bare_line(line.text) if line.kind != "row" else "\t" + escaped(line.text)
            (body.articles[-1].lines if body.articles else body.loose).append(marked)
    _date_versions(body.articles, file)
    body.articles = set_tails(body.articles, effective)
    body.addenda = _addenda(lines[end:])
    return body


def _is_addendum(line: HtmlLine) -> bool:
    """Return whether a line is the first one of the addenda, or among them."""
    named = line.kind == "chapter" and without_marks(line.text).startswith("부칙")
    return line.tail or line.kind == "addendum" or named


def _addenda(lines: list[HtmlLine]) -> list[Block]:
    """Split the lines of the addenda; an article's label goes before its first line."""
    found, label = list[str](), ""
    for line in lines:
        text = without_marks(line.text)
        if line.kind == "label":
            label = text
        elif line.kind in ("addendum", "chapter"):
            found.append(escaped(_ISSUER.sub("<", text)))
        elif line.kind in ("law", "row"):
            found.append(escaped(f"{label} {line.text}".strip()))
            label = ""
    return split_dated_addenda(found, lines[0].number if lines else 1)


def _date_versions(blocks: list[Block], file: str) -> None:
    """Set the effective dates of articles with the same number, if their texts have them.

    The page shows an article that will change twice: its current version, then the future one, with
    the mark [시행일: 2026. 6. 3.] in its text.
    """
    counts = Counter(block.number for block in blocks)
    for block in blocks:
        if counts[block.number] > 1:
            found = [_COMES.search(without_marks(line)) for line in block.lines]
            days = [_day(each, file) for each in found if each]
            block.effective = days[-1] if days else None
