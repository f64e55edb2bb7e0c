"""Find the articles and sections in the plain text of an administrative rule (target=admrul).

The text stands in 조문내용 elements under the root: one for each article and chapter heading, or
one for the whole. A rule without articles is read by its decimal sections (technical standards);
one without either is a single unit.
"""

from __future__ import annotations

import re

from corpus.importers.law_center.articles import Chapters, bracketed, is_chapter
from corpus.importers.law_center.lines import bare_line, own_lines
from corpus.importers.law_center.same_place import tell_places_apart
from corpus.importers.law_center.xml_tree import Element
from corpus.importers.statutes.blocks import Block, Body
from corpus.model import Level

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
    """Return what the 조문내용 elements hold; nothing in it if they are blank."""
    lines = [(line, e.line) for e in elements for line in own_lines(e.text) if line.strip()]
    if any(_ARTICLE.match(line) for line, _ in lines):
        body = _Articles().run(lines)
    elif any(_SECTION.match(line) for line, _ in lines):
        body = _Sections().run(lines)
    else:
        body = Body(loose=[bare_line(line) for line, _ in lines])
    body.vouched = True
    body.articles = tell_places_apart(body.articles, None)
    return body


class _Reader:
    """Deals lines out to articles, chapters and the text before the first article."""

    def __init__(self) -> None:
        self._body = Body()
        self._chapters = Chapters()

    def run(self, lines: list[tuple[str, int]]) -> Body:
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
        """Tell whether a line is the heading of a chapter."""
        raise NotImplementedError


class _Articles(_Reader):
    def opening(self, line: str, number: int) -> Block | None:
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
        plain = _CHAPTER_LINE.fullmatch(line) is not None and is_chapter(line)
        return plain and len(line) < _HEADING_CHARACTERS and not _SENTENCE.search(line)


class _Sections(_Reader):
    def opening(self, line: str, number: int) -> Block | None:
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
        return _TOP.fullmatch(line) is not None and not _SENTENCE.search(line)
