"""Reader of answers of the National Law Information Center's Open API (lawService.do, type=XML).

Laws (target=law, eflaw) and administrative rules (target=admrul), one answer in each file. The
service sends its errors as successes, and they are refused here: refusals, web pages, search
results, laws without any article. Equal law gives the same units as :mod:`legalize_kr`.

The plain text of an administrative rule (target=admrul) is in 조문내용 elements under the root: one
for each article and chapter heading, or one for the whole. A rule without articles is read by its
decimal sections (technical standards); one without either is a single unit.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NoReturn

from corpus.files.given_paths import statute_files
from corpus.files.rows import as_text, read_text
from corpus.importers.law_center.articles import (
    Chapters,
    bare_line,
    bracketed,
    is_chapter,
    own_lines,
    read_addenda,
    read_attachments,
    read_rows,
    set_tails,
)
from corpus.importers.law_center.xml_tree import (
    LAW,
    RULE,
    XML_FILE_BYTES,
    Element,
    Instrument,
    read_instrument,
    read_xml,
)
from corpus.importers.statutes.blocks import Block, Body
from corpus.importers.statutes.merge import lengthen_ids
from corpus.importers.statutes.units import read_units
from corpus.importers.xml_roots import source_of
from corpus.long_work import Progress
from corpus.model import Level, Statute, language_of
from errors import UserError, Where

_ARTICLE = re.compile(
    r"\s*제\s?(?P<base>[0-9]{1,4}(?:-[0-9]{1,4})?)\s?조(?:의\s?(?P<branch>[0-9]{1,3}))?"
    r"(?P<rest>\s*(?:\(|삭\s?제).*)"
)
_CHAPTER_LINE = re.compile(r"\s*제[0-9]{1,4}(?:의[0-9]{1,3})?[편장절관](?:의[0-9]{1,3})?(?:\s.*)?")
_SECTION = re.compile(r"\s*(?P<number>[0-9]{1,3}\.[0-9]{1,3})\.?\s+(?P<rest>[^0-9\s].*)")
_TOP = re.compile(r"\s*[0-9]{1,3}\.\s+[^0-9\s].{0,60}")
_SENTENCE = re.compile(r"[다음함]\.|:$")
_HEADING_CHARACTERS = 80


def read_texts(elements: list[Element]) -> Body:
    """Parse the 조문내용 elements; the body is empty if they are blank."""
    lines = [(line, e.line) for e in elements for line in own_lines(e.text) if line.strip()]
    if any(_ARTICLE.match(line) for line, _ in lines):
        body = _Articles().run(lines)
    elif any(_SECTION.match(line) for line, _ in lines):
        body = _Sections().run(lines)
    else:
        body = Body(loose=[bare_line(line) for line, _ in lines])
    body.vouched = True
    body.articles = set_tails(body.articles, None)
    return body


class _Reader:
    """Assigns lines to articles, chapters and the text before the first article."""

    def __init__(self) -> None:
        self._body = Body()
        self._chapters = Chapters()

    def run(self, lines: list[tuple[str, int]]) -> Body:
        """Read the lines into articles and headings."""
        for line, number in lines:
            block = self.opening(line, number)
            if block is not None:
                self._body.articles.append(block)
            elif self.is_heading(line):
                self._chapters.enter(line)
            elif self._body.articles:
                self._body.articles[-1].lines.append(bare_line(line))
            else:
                self._body.loose.append(bare_line(line))
        return self._body

    def opening(self, line: str, number: int) -> Block | None:
        """Return the block that a line opens, None if it opens none."""
        raise NotImplementedError

    def is_heading(self, line: str) -> bool:
        """Return whether a line is the heading of a chapter."""
        raise NotImplementedError


class _Articles(_Reader):
    def opening(self, line: str, number: int) -> Block | None:
        """Return the article that a line opens, None if it opens none."""
        found = _ARTICLE.match(line)
        if found is None:
            return None
        name = found["base"] + (f"의{int(found['branch'])}" if found["branch"] else "")
        rest = found["rest"].strip()
        title = bracketed(rest)
        rest = rest[len(title) + 2 :].strip() if title else rest
        block = Block(Level.ARTICLE, name, title.strip(), number, self._chapters.path)
        if rest:
            block.lines.append(bare_line(rest))
        return block

    def is_heading(self, line: str) -> bool:
        """Return True for the line of a chapter."""
        plain = _CHAPTER_LINE.fullmatch(line) is not None and is_chapter(line)
        return plain and len(line) < _HEADING_CHARACTERS and not _SENTENCE.search(line)


class _Sections(_Reader):
    def opening(self, line: str, number: int) -> Block | None:
        """Return the section that a line opens, None if it opens none."""
        found = _SECTION.match(line)
        if found is None:
            return None
        rest, heading = found["rest"].strip(), ""
        if len(rest) < _HEADING_CHARACTERS and not _SENTENCE.search(rest):
            rest, heading = "", rest
        path = self._chapters.path
        block = Block(Level.SECTION, found["number"], heading, number, path)
        if rest:
            block.lines.append(bare_line(rest))
        return block

    def is_heading(self, line: str) -> bool:
        """Return True for the heading of a top section."""
        return _TOP.fullmatch(line) is not None and not _SENTENCE.search(line)


_EXCERPT = 160


def read_tree(path: Path, progress: Progress | None = None) -> list[Statute]:
    """Read the statutes of every ``.xml`` file under `path`, sorted by file path.

    `path` may be a single file. `progress` is called with (files read, total). Hidden and linked
    folders and links out of the tree are skipped. Raises UserError for anything that the user must
    fix.
    """
    files = statute_files(Path(path), (".xml",))
    statutes: list[Statute] = []
    title_lines: dict[str, int] = {}
    for done, (file, name) in enumerate(files, 1):
        statute, title_lines[name] = _read(read_text(file, name, XML_FILE_BYTES), name)
        statutes.append(statute)
        if progress:
            progress(done, len(files))
    return lengthen_ids(statutes, title_lines)


def parse(content: str | bytes, file: str) -> Statute:
    """Parse the statute in one answer; `file` is its name in messages. Raises UserError."""
    raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return _read(as_text(raw, file), file)[0]


def _read(text: str, file: str) -> tuple[Statute, int]:
    """Return the statute and the line of its title."""
    root = _answer(text, file)
    known = read_instrument(root, file)
    body = _body(root, known, file)
    if not body.articles and not body.loose:
        raise UserError("drf_no_article", Where(file), title=known.title)
    body.addenda = read_addenda(root)
    language = language_of(known.title)
    attachments = read_attachments(root, file)
    units = read_units(body, attachments, known.semantic_id, known.kind, language, file)
    statute = Statute(
        semantic_id=known.semantic_id,
        title=known.title,
        kind=known.kind,
        tier=known.tier,
        language=language,
        units=units,
        promulgated=known.promulgated,
        number=known.number,
        effective=known.effective,
        source=known.source,
        file=file,
    )
    return statute, known.line


def _body(root: Element, known: Instrument, file: str) -> Body:
    """Return the body from article rows, else from plain texts."""
    rows = list(root.below("조문단위"))
    if rows:
        return read_rows(rows, known.effective, file)
    return read_texts(list(root.below("조문내용")))


def _answer(text: str, file: str) -> Element:
    """Return the root of an answer with a law or a rule. Raises UserError for any other."""
    head = text[:2000].lower()
    if "<html" in head or "<!doctype html" in head:
        raise UserError("drf_page", Where(file))
    if text.lstrip()[:1] in ("{", "["):
        raise UserError("drf_json", Where(file))
    root = read_xml(text, file)
    result = root.value("result")
    if "실패" in result or (result and root.tag not in (LAW, RULE)):
        said = " ".join(filter(None, (result, root.value("msg"))))
        raise UserError("drf_refused", Where(file), said=said[:_EXCERPT])
    if root.tag not in (LAW, RULE):
        _refuse(root, file)
    return root


def _refuse(root: Element, file: str) -> NoReturn:
    """Raise UserError for an answer without law, by what it is instead."""
    if root.tag.endswith("Search"):
        raise UserError("drf_search", Where(file))
    if source := source_of(root.tag):
        raise UserError("xml_of_others", Where(file), tag=root.tag[:40], source=source)
    said = " ".join((root.text or root.value("message", "msg")).split())
    raise UserError("drf_other", Where(file), tag=root.tag[:40], said=said[:_EXCERPT] or "-")
