"""Read XML into a small tree, refusing what a document has no business to hold.

The parser is the standard library's expat. Document type declarations are refused as a whole, and
with them every entity a file could declare: nothing is expanded and nothing outside is fetched.
Depth, number of elements and size are bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from errors import UserError, Where

XML_FILE_BYTES = 32 * 1024 * 1024
MAX_DEPTH = 32
MAX_ELEMENTS = 500_000


@dataclass(slots=True)
class Element:
    """An element with its line in the file (from 1), its children and its own text.

    CDATA sections that follow one another directly are lines of the text.
    """

    tag: str
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def first(self, *tags: str) -> Element | None:
        """Return the first child named by one of `tags`, earlier tags preferred."""
        return next((c for tag in tags for c in self.children if c.tag == tag), None)

    def all(self, *tags: str) -> list[Element]:
        """Return the children named by one of `tags`, in document order."""
        return [child for child in self.children if child.tag in tags]

    def content(self, tag: str) -> str:
        """Return the text of the first child `tag` as it stands, "" if there is none."""
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
    """Return the root element of an XML document; `file` stands for it in messages.

    Raises UserError for XML that is not well formed, declares a document type, nests deeper than
    32 elements or holds more than 500,000.
    """
    return _Builder(file).run(text)


class _Builder:
    def __init__(self, file: str) -> None:
        self._file = file
        self._open: list[Element] = []
        self._pieces: list[list[str]] = []
        self._root: Element | None = None
        self._count = 0
        self._after_cdata: int | None = None  # pieces there were when a CDATA section ended
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartCdataSectionHandler = self._cdata
        parser.EndCdataSectionHandler = self._cdata_end

    def run(self, text: str) -> Element:
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
        raise UserError(code, Where(self._file, self._parser.CurrentLineNumber), **params)

    def _doctype(self, *_: object) -> None:
        self._refuse("xml_doctype")

    def _start(self, tag: str, _: dict[str, str]) -> None:
        self._count += 1
        if len(self._open) >= MAX_DEPTH:
            self._refuse("xml_deep", limit=MAX_DEPTH)
        if self._count > MAX_ELEMENTS:
            self._refuse("xml_many", limit=f"{MAX_ELEMENTS:,}")
        element = Element(tag, self._parser.CurrentLineNumber)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)
        self._pieces.append([])
        self._after_cdata = None

    def _end(self, _: str) -> None:
        self._open.pop().text = "".join(self._pieces.pop())
        self._after_cdata = None

    def _characters(self, text: str) -> None:
        self._pieces[-1].append(text)

    def _cdata(self) -> None:
        pieces = self._pieces[-1]
        if self._after_cdata is None or (pieces and pieces[-1].endswith("]]")):
            return  # "]]" ends a section only to write "]]>" in two halves
        between = "".join(pieces[self._after_cdata :])
        if not between.strip() and "\n" not in between:
            pieces.append("\n")

    def _cdata_end(self) -> None:
        self._after_cdata = len(self._pieces[-1])
