"""Segmentation of a statute file's body into the blocks that become units.

Headings: ``#`` title and 편, ``##`` 장 (chapter), ``###`` 절, ``####`` 관, and below them the bold
lines ``**제1항 …**`` and ``**제1속 …**`` that the source uses for a fifth level; ``#####`` an
article (``제2조의3 (제목)``, ``Article 2-3 (Title)``) or a decimal section (``2.1 (제목)``); ``##
부칙`` opens the addenda, which run to the end of the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date

from corpus.model import Level
from errors import UserError, Where

_HEADING = re.compile(r"(#{1,5}) ++(.*\S)")
_BOLD_HEADING = re.compile(r"\*\*(제[0-9]+(?:항|속|목)(?:의[0-9]+)? .*)\*\*")
_CHAPTER = re.compile(r"제[0-9]+(?:편|장|절|관)(?:의[0-9]+)?\b|(?:Part|Chapter|Section) [0-9]")
_NUMBERED = re.compile(
    r"(?:제(?P<ko>[0-9]{1,4})조(?:의(?P<ko2>[0-9]{1,3}))?"
    r"|Article (?P<en>[0-9]{1,4})(?:-(?P<en2>[0-9]{1,3}))?"
    r"|(?P<decimal>[0-9]{1,3}\.[0-9]{1,3}))"
    r"(?:\s*\((?P<title>.*)\)|\s+(?P<bare>.*))?"
)
_ADDENDA = re.compile(r"(?:부칙|Addenda|Addendum|Supplementary Provisions)", re.IGNORECASE)
_ADDENDUM = re.compile(
    r"(?:부칙|Addenda|Addendum|Supplementary Provisions)\s*+(?:\((?P<title>.*)\)\s*+)?"
    r"<\s*+(?:제(?P<ko>[0-9]{1,7}(?:-[0-9]{1,5})?)호|No\. ?(?P<en>[0-9]{1,7})),"
    r"\s*+(?P<day>[^<>]*+)>\s*+",
    re.IGNORECASE,
)
_ARTICLE_DEPTH, _BOLD_DEPTH = 5, 6  # a bold heading is in no article: it closes one
_LOOKS_LIKE_ARTICLE = re.compile(r"\W*(?:제\s*[0-9]+\s*조\b|Article\s+[0-9]+)")


@dataclass(slots=True)
class Block:
    """A heading with its raw lines. `line` is that of the heading in the file, from 1.

    `day` is the date of promulgation of an addendum as written, else "". `tail` distinguishes equal
    places and is appended in the id; `effective` is the block's own date, if any.
    """

    level: Level
    number: str
    heading: str
    line: int
    path: tuple[str, ...] = ()
    day: str = ""
    lines: list[str] = field(default_factory=list)
    tail: str = ""
    effective: date | None = None


@dataclass(slots=True)
class Body:
    """The content of a file's body, each in document order.

    `loose` is the text under the title before any chapter or article: a preamble, or the whole of
    an instrument too short for articles; `vouched` is whether the source marks it as such.
    """

    articles: list[Block] = field(default_factory=list)
    addenda: list[Block] = field(default_factory=list)
    loose: list[str] = field(default_factory=list)
    vouched: bool = False


def split_body(lines: list[str], first_line: int, file: str) -> Body:
    """Split body lines, from the file's line `first_line`, into articles and addenda.

    Raises UserError for an invalid article heading and for text under a chapter but in no article.
    """
    return _Splitter(file).run(lines, first_line)


def looks_like_article(line: str) -> bool:
    """Return whether a line of loose text begins like an article without its heading mark."""
    return _LOOKS_LIKE_ARTICLE.match(line) is not None


class _Splitter:
    def __init__(self, file: str) -> None:
        self._file = file
        self._body = Body()
        self._chapters: list[tuple[int, str]] = []
        self._current: Block | None = None
        self._titled = False

    def run(self, lines: list[str], first_line: int) -> Body:
        """Split the lines of a file into articles and addenda."""
        for offset, line in enumerate(lines):
            heading = _heading(line)
            if heading is None:
                self._text(line, first_line + offset)
            elif heading[0] <= 2 and _ADDENDA.fullmatch(heading[1]):
                self._body.addenda = split_addenda(lines[offset + 1 :], first_line + offset)
                break
            else:
                self._heading(*heading, first_line + offset)
        return self._body

    def _heading(self, depth: int, words: str, line: int) -> None:
        """Open an article or chapter; the first heading of depth 1 may be the title."""
        if depth == _ARTICLE_DEPTH:
            self._current = self._article(words, line)
            self._body.articles.append(self._current)
            return
        if depth == 1 and not self._titled and not _CHAPTER.match(words):
            self._titled = True
            return
        self._current = None
        self._chapters = [c for c in self._chapters if c[0] < depth] + [(depth, words)]

    def _article(self, words: str, line: int) -> Block:
        """Return the article of a heading. Raises UserError if it is unreadable."""
        found = _NUMBERED.fullmatch(words)
        if found is None:
            raise UserError("heading_unreadable", Where(self._file, line), heading=words[:80])
        path = tuple(name for _, name in self._chapters)
        title = (found["title"] or found["bare"] or "").strip()
        if found["decimal"]:
            return Block(Level.SECTION, found["decimal"], title, line, path)
        base = int(found["ko"] or found["en"])
        branch = found["ko2"] or found["en2"]
        number = f"{base}의{int(branch)}" if branch else str(base)
        return Block(Level.ARTICLE, number, title, line, path)

    def _text(self, line: str, number: int) -> None:
        """Add a line to the open article, or before chapters to the loose text."""
        if self._current is not None:
            self._current.lines.append(line)
        elif not line.strip():
            return
        elif self._chapters:
            raise UserError("text_outside_article", Where(self._file, number))
        else:
            self._body.loose.append(line)


def split_addenda(lines: list[str], heading_line: int) -> list[Block]:
    """Split the lines below a heading of addenda, one block for each amending instrument.

    `heading_line` is the line of the heading in the file. A block without a number has the text
    before the first ``부칙 <제N호,…>``.
    """
    blocks = [Block(Level.ADDENDUM, "", "", heading_line)]
    for offset, line in enumerate(lines, 1):
        found = _ADDENDUM.fullmatch(line)
        if found:
            blocks.append(_addendum(found, heading_line + offset))
        else:
            blocks[-1].lines.append(line.lstrip("# ") if line.startswith("#") else line)
    return [b for b in blocks if b.number or any(line.strip() for line in b.lines)]


def _addendum(match: re.Match[str], line: int) -> Block:
    """Return a match as an addendum."""
    number = (match["ko"] or match["en"]).lstrip("0") or "0"
    title = (match["title"] or "").strip()
    return Block(Level.ADDENDUM, number, title, line, day=match["day"].strip())


def _heading(line: str) -> tuple[int, str] | None:
    """Return (depth, words) of a heading line, None for any other line."""
    if line.startswith("#"):
        found = _HEADING.fullmatch(line.rstrip())
        return (len(found[1]), found[2]) if found else None
    if line.startswith("**제"):
        bold = _BOLD_HEADING.fullmatch(line.rstrip())
        return (_BOLD_DEPTH, bold[1]) if bold else None
    return None
