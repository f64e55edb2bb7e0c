"""Bounded XML parsing into a small tree, and an instrument's fields in it.

The parser is the standard library's expat. Document type declarations are refused as a whole, and
with them every entity a file could declare: nothing is expanded and nothing outside is fetched.
Depth, number of elements and size are bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import NoReturn
from xml.parsers import expat

from corpus.importers.statutes.tiers import KIND_CHARACTERS, statute_name, tier_of
from corpus.model import Statute, Tier, language_of
from errors import UserError, Where
from normalization import composed

XML_FILE_BYTES = 32 * 1024 * 1024
MAX_DEPTH = 32
MAX_ELEMENTS = 500_000


@dataclass(slots=True)
class Element:
    """An element with its line in the file (from 1), its children and its own text.

    CDATA sections that directly follow one another are lines of the text.
    """

    tag: str
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""
    attributes: dict[str, str] = field(default_factory=dict)

    def first(self, *tags: str) -> Element | None:
        """Return the first child named by one of `tags`, earlier tags preferred."""
        return next((c for tag in tags for c in self.children if c.tag == tag), None)

    def all(self, *tags: str) -> list[Element]:
        """Return the children named by one of `tags`, in document order."""
        return [child for child in self.children if child.tag in tags]

    def content(self, tag: str) -> str:
        """Return the text of the first child `tag` verbatim, "" if there is none."""
        child = self.first(tag)
        return child.text if child else ""

    def value(self, *tags: str) -> str:
        """Return the text of the first child named by one of `tags` on one line, or ""."""
        child = self.first(*tags)
        return " ".join(child.text.split()) if child else ""

    def below(self, tag: str) -> Iterator[Element]:
        """Yield every element `tag` under this one, in document order."""
        for child in self.children:
            if child.tag == tag:
                yield child
            else:
                yield from child.below(tag)


def read_xml(text: str, file: str) -> Element:
    """Parse an XML document and return its root; `file` is its name in messages.

    Raises UserError for XML that is not well formed, declares a document type, nests deeper than 32
    elements or has more than 500,000.
    """
    return _Builder(file).run(text)


class _Builder:
    """Builds the elements of an XML document with their lines; document types are refused."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._open: list[Element] = []
        self._pieces: list[list[str]] = []
        self._root: Element | None = None
        self._count = 0
        self._after_cdata: int | None = None  # number of pieces when a CDATA section ended
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartCdataSectionHandler = self._cdata
        parser.EndCdataSectionHandler = self._cdata_end

    def run(self, text: str) -> Element:
        """Parse a document."""
        try:
            self._parser.Parse(text.lstrip().encode(), True)
        except expat.ExpatError as problem:
            skipped = text[: len(text) - len(text.lstrip())].count("\n")
            at = Where(self._file, problem.lineno + skipped)
            reason = expat.ErrorString(problem.code)
            raise UserError("xml_broken", at, reason=reason) from problem
        if self._root is None:  # expat has refused a document without elements before
            self._refuse("xml_broken", reason="no element found")
        return self._root

    def _refuse(self, code: str, **params: object) -> NoReturn:
        """Raise an error at the current line."""
        raise UserError(code, Where(self._file, self._parser.CurrentLineNumber), **params)

    def _doctype(self, *_: object) -> None:
        """Refuse a document type, which may define entities."""
        self._refuse("xml_doctype")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        """Open an element, within the limits of depth and number."""
        self._count += 1
        if len(self._open) >= MAX_DEPTH:
            self._refuse("xml_deep", limit=MAX_DEPTH)
        if self._count > MAX_ELEMENTS:
            self._refuse("xml_many", limit=f"{MAX_ELEMENTS:,}")
        element = Element(tag, self._parser.CurrentLineNumber, attributes=attributes)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)
        self._pieces.append([])
        self._after_cdata = None

    def _end(self, _: str) -> None:
        """Close an element."""
        self._open.pop().text = composed("".join(self._pieces.pop()))
        self._after_cdata = None

    def _characters(self, text: str) -> None:
        """Collect text."""
        self._pieces[-1].append(text)

    def _cdata(self) -> None:
        """Separate CDATA sections by a line end where the source has blanks."""
        pieces = self._pieces[-1]
        if self._after_cdata is None or (pieces and pieces[-1].endswith("]]")):
            return  # "]]" only ends a section to write "]]>" in two halves
        between = "".join(pieces[self._after_cdata :])
        if not between.strip() and "\n" not in between:
            pieces.append("\n")

    def _cdata_end(self) -> None:
        """Note the end of a CDATA section."""
        self._after_cdata = len(self._pieces[-1])


LAW, RULE = "법령", "AdmRulService"
"""The roots of the answers for laws (target=law, eflaw) and administrative rules (admrul)."""

_INFO = ("기본정보", "행정규칙기본정보")
_TITLE = ("법령명_한글", "법령명한글", "행정규칙명")
_KIND = ("법종구분", "법령구분", "행정규칙종류")
_MINISTRY = ("소관부처", "소관부처명")
_PROMULGATED = ("공포일자", "발령일자")
_NUMBER = ("공포번호", "발령번호")


def read_instrument(root: Element, file: str) -> tuple[Statute, int]:
    """Return the statute in the answer `root` without its units, and the line of its title.

    Raises UserError for missing or invalid metadata.
    """
    info = root.first(*_INFO) or root
    title_element, title = info.first(*_TITLE), info.value(*_TITLE)
    if title_element is None or not title:
        line = (title_element or info).line
        raise UserError("field_missing", Where(file, line, _TITLE[root.tag == RULE]))
    semantic_id = statute_name(title, Where(file, title_element.line, title_element.tag))
    kind, tier = _kind(root, info, file)
    folder = "행정규칙" if root.tag == RULE else "법령"
    statute = Statute(
        semantic_id=semantic_id,
        title=title,
        kind=kind,
        tier=tier,
        language=language_of(title),
        units=(),
        promulgated=_day(info, _PROMULGATED, file),
        number=info.value(*_NUMBER).lstrip("0"),
        effective=_day(info, ("시행일자",), file),
        source=f"https://www.law.go.kr/{folder}/{title.replace(' ', '')}",
        file=file,
    )
    return statute, title_element.line


def compact_day(text: str) -> date | None:
    """Parse a date written YYYYMMDD, with or without dots, hyphens and blanks; else None."""
    digits = "".join(text.split()).replace(".", "").replace("-", "")
    if len(digits) != 8 or not (digits.isascii() and digits.isdigit()):
        return None
    try:
        return date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    except ValueError:
        return None


def whole(element: Element, field: str, file: str) -> int:
    """Parse a number such as ``0003``, 0 if the field is absent or blank. Raises UserError."""
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
    """Parse the first of these fields as a date, None if absent; UserError if it is none."""
    element, text = info.first(*fields), info.value(*fields)
    if element is None or not text:
        return None
    found = compact_day(text)
    if found is None:
        at = Where(file, element.line, element.tag)
        raise UserError("field_not_compact_day", at, value=text[:40])
    return found
