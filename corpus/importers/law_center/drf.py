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

from corpus.files.given_paths import statute_texts
from corpus.files.rows import as_text
from corpus.importers.law_center.articles import (
    Chapters,
    bare_line,
    is_chapter,
    labelled_article,
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
    read_instrument,
    read_xml,
)
from corpus.importers.statutes.blocks import Block, Body
from corpus.importers.statutes.merge import lengthen_ids
from corpus.importers.statutes.units import with_units
from corpus.importers.xml_roots import source_of
from corpus.long_work import Progress
from corpus.model import Level, Statute
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
    """Parse the 조문내용 elements by articles, else by sections, else as loose lines."""
    lines = [(line, e.line) for e in elements for line in own_lines(e.text) if line.strip()]
    sorts = [sort for sort in _SORTS if any(sort[0].match(line) for line, _ in lines)]
    if not sorts:
        return Body(vouched=True, loose=[bare_line(line) for line, _ in lines])
    begins, block, is_heading = sorts[0]
    body, chapters = Body(vouched=True), Chapters()
    for line, number in lines:
        if found := begins.match(line):
            body.articles.append(block(found, number, chapters.path))
        elif is_heading(line):
            chapters.enter(line)
        else:
            (body.articles[-1].lines if body.articles else body.loose).append(bare_line(line))
    body.articles = set_tails(body.articles, None)
    return body


def _section(found: re.Match[str], line: int, path: tuple[str, ...]) -> Block:
    """Return the section that a line opens; short words without a sentence are its heading."""
    rest = found["rest"].strip()
    titled = len(rest) < _HEADING_CHARACTERS and not _SENTENCE.search(rest)
    lines = [] if titled else [bare_line(rest)]
    return Block(Level.SECTION, found["number"], rest if titled else "", line, path, lines=lines)


def _is_chapter_line(line: str) -> bool:
    """Return True for the line of a chapter."""
    plain = _CHAPTER_LINE.fullmatch(line) is not None and is_chapter(line)
    return plain and len(line) < _HEADING_CHARACTERS and not _SENTENCE.search(line)


def _is_top_section(line: str) -> bool:
    """Return True for the heading of a top section."""
    return _TOP.fullmatch(line) is not None and not _SENTENCE.search(line)


_SORTS = (  # of plain text: how a block begins, its reader, and whether a line is a chapter's
    (_ARTICLE, labelled_article, _is_chapter_line),
    (_SECTION, _section, _is_top_section),
)
_EXCERPT = 160


def read_tree(path: Path, progress: Progress | None = None) -> list[Statute]:
    """Read the statutes of every ``.xml`` file under `path`, sorted by file path.

    `path` may be a single file. `progress` is called with (files read, total). Hidden and linked
    folders and links out of the tree are skipped. Raises UserError for anything that the user must
    fix.
    """
    texts = statute_texts(path, (".xml",), progress, XML_FILE_BYTES)
    return lengthen_ids(_read(*each) for each in texts)


def parse(content: str | bytes, file: str) -> Statute:
    """Parse the statute in one answer; `file` is its name in messages. Raises UserError."""
    raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return _read(as_text(raw, file), file)[0]


def _read(text: str, file: str) -> tuple[Statute, int]:
    """Return the statute and the line of its title."""
    root = _answer(text, file)
    statute, line = read_instrument(root, file)
    if rows := list(root.below("조문단위")):
        body = read_rows(rows, statute.effective, file)
    else:
        body = read_texts(list(root.below("조문내용")))
    if not body.articles and not body.loose:
        raise UserError("drf_no_article", Where(file), title=statute.title)
    body.addenda = read_addenda(root)
    return with_units(statute, body, read_attachments(root, file)), line


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
