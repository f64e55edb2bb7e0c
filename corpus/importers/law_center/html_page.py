"""Reader of a saved web page: lines of text, each with its part of the page.

The parser is the standard library's html.parser, which never fetches anything. Constructs that it
would read over and over (unclosed comments, endless tags) are removed or refused before, so that
the time grows with the page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser

from errors import UserError, Where
from normalization import composed

HTML_FILE_BYTES = 32 * 1024 * 1024
MAX_DEPTH = 300
_TAG_CHARACTERS = 16_384
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr")
)
_BLOCK = frozenset(
    (
        *("p", "div", "br", "hr", "ul", "ol", "li", "dl", "dt", "dd", "section", "article"),
        *("table", "thead", "tbody", "tr", "h1", "h2", "h3", "h4", "h5", "h6"),
    )
)
_INLINE = frozenset(("a", "b", "em", "font", "i", "label", "span", "strong", "sub", "sup", "u"))
_SILENT = frozenset(("select", "button", "textarea", "noscript"))
_SCRIPT = re.compile(r"<(?:script|style)\b", re.IGNORECASE)
_SCRIPT_END = re.compile(r"</(?:script|style)[^<>]{0,99}>", re.IGNORECASE)
_FIRST_LINK, _LAST_LINK, LINK_END = 0xF0000, 0xFFFFD, "\ufdd1"
LINK_START = re.compile(f"[{chr(_FIRST_LINK)}-{chr(_LAST_LINK)}]")
_RUN = re.compile(rf"[\s{chr(_FIRST_LINK)}-{chr(_LAST_LINK)}{LINK_END}]+")
_MARKS = re.compile(f"[{chr(_FIRST_LINK)}-{chr(_LAST_LINK)}\ufdd0-\ufdef]")


@dataclass(frozen=True, slots=True)
class HtmlLine:
    """A line of a page. `tail` says that it is among the addenda.

    `kind` is title, about, chapter, addendum, label (of an article), law or row (of a table).
    In `text`, a character of the private plane 15 opens a hyperlink and LINK_END closes it.
    """

    kind: str
    text: str
    number: int
    tail: bool


@dataclass(frozen=True, slots=True)
class Page:
    """The lines of a page, the destinations of its hyperlinks, and its hidden fields."""

    lines: list[HtmlLine]
    links: list[str]
    fields: dict[str, str]
    framed: bool


def read_page(text: str, file: str) -> Page:
    """Parse a page; `file` is its name in messages. Raises UserError."""
    reader = _Reader(file)
    try:
        reader.feed(_plain(_MARKS.sub("", text), file))
        reader.close()
    except AssertionError as problem:  # how html.parser refuses some declarations
        raise UserError("html_broken", Where(file)) from problem
    reader.flush()
    return Page(reader.lines, reader.links, reader.fields, reader.framed)


def link_number(mark: str) -> int:
    """Return the index of the hyperlink that a character opens."""
    return ord(mark) - _FIRST_LINK


def _plain(text: str, file: str) -> str:
    """Return the page without comments, declarations and scripts, with its line ends."""
    out: list[str] = []
    at = 0
    while (start := text.find("<", at)) >= 0:
        out.append(text[at:start])
        at = start
        if text.startswith(("<!", "<?"), start):
            close = "-->" if text.startswith("<!--", start) else ">"
            end = text.find(close, start)
            at = end + len(close) if end >= 0 else len(text)
            out.append("\n" * text.count("\n", start, at))
        elif _SCRIPT.match(text, start):
            found = _SCRIPT_END.search(text, start)
            at = found.end() if found else len(text)
            out.append("\n" * text.count("\n", start, at))
        elif text[start + 1 : start + 2].isalpha() or text.startswith("</", start):
            end = text.find(">", start, start + _TAG_CHARACTERS)
            if end < 0:
                raise UserError("html_broken", Where(file, text.count("\n", 0, start) + 1))
            at = end + 1
            out.append(text[start:at])
        else:
            out.append("&lt;")
            at += 1
    return "".join(out) + text[at:]


class _Reader(HTMLParser):
    """Collects the lines of law of a page, its hyperlinks and its hidden fields."""

    def __init__(self, file: str) -> None:
        super().__init__(convert_charrefs=True)
        self._file = file
        self._open: list[tuple[str, str, bool]] = []  # tag, kind of its text, among the addenda
        self._pieces: list[str] = []
        self._kind, self._tail = "", False  # of the line that grows
        self._linked = False
        self.lines: list[HtmlLine] = []
        self.links: list[str] = []
        self.fields: dict[str, str] = {}
        self.framed = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in _BLOCK:
            self.flush()
            if tag in ("p", "div", "table", "ul"):
                self._close("p")
        elif tag in ("td", "th") and any(piece.strip() for piece in self._pieces):
            self._pieces.append(" | ")
        self.framed |= tag in ("iframe", "frame")
        if tag == "input" and given.get("id"):
            self.fields.setdefault(given["id"], composed(given.get("value", "")))
        if tag in _VOID:
            return
        if len(self._open) >= MAX_DEPTH:
            raise UserError("html_deep", Where(self._file, self.getpos()[0]), limit=MAX_DEPTH)
        _, kind, tail = self._open[-1] if self._open else ("", "", False)
        kind = _kind_of(tag, given, kind)
        self._open.append((tag, kind, tail or given.get("id") == "arDivArea"))
        if tag == "a" and kind in ("law", "row") and not self._linked:
            self._link(given)

    def _link(self, attributes: dict[str, str]) -> None:
        """Open a hyperlink."""
        if len(self.links) > _LAST_LINK - _FIRST_LINK:
            return
        href, call = attributes.get("href", "").strip(), attributes.get("onclick", "").strip()
        scripted = href in ("", "#") or href.lower().startswith(("javascript:", "#"))
        self._turn_to(*self._open[-1][1:])
        self._pieces.append(chr(_FIRST_LINK + len(self.links)))
        self.links.append(call if scripted and call else href)
        self._linked = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "a" and self._linked:
            self._pieces.append(LINK_END)
            self._linked = False
        if tag in _BLOCK or tag == "label":
            self.flush()
        self._close(tag)

    def _close(self, tag: str) -> None:
        """Close the innermost `tag`, unless a block is between it and here."""
        for index in range(len(self._open) - 1, -1, -1):
            name = self._open[index][0]
            if name == tag:
                del self._open[index:]
                return
            walls = ("p", "div", "td", "li") if tag in _INLINE else ("div", "td")
            if tag != "div" and name in walls:
                return

    def handle_data(self, data: str) -> None:
        _, kind, tail = self._open[-1] if self._open else ("", "", False)
        if kind in ("", "silent") or not (data.strip() or self._pieces):
            return
        self._turn_to(kind, tail)
        self._pieces.append(_MARKS.sub("", data))  # a character reference could bring one in

    def _turn_to(self, kind: str, tail: bool) -> None:
        """End the line if the kind of text changes."""
        if (kind, tail) != (self._kind, self._tail):
            self.flush()
            self._kind, self._tail = kind, tail

    def flush(self) -> None:
        """End the current line, if there is one."""
        if self._linked:
            self._pieces.append(LINK_END)
            self._linked = False
        text = composed(_RUN.sub(_one_blank, "".join(self._pieces)).strip())
        self._pieces.clear()
        if self._kind and _MARKS.sub("", text).strip():
            self.lines.append(HtmlLine(self._kind, text, self.getpos()[0], self._tail))


def _one_blank(run: re.Match[str]) -> str:
    """Reduce a run of blanks and marks to one blank, outside of the hyperlinks."""
    marks = "".join(run[0].split())
    if marks == run[0]:
        return marks
    opening = LINK_START.search(marks)
    at = opening.start() if opening else len(marks)
    return f"{marks[:at]} {marks[at:]}"


_CLASSES = {
    "gtit": "chapter",
    "pty3": "addendum",
    "lawcon": "law",
    "ct_sub": "about",
    "subtit1": "about",
    "lawico01": "silent",
    "rule_area": "silent",
    "btn_rule": "silent",
    "byl_pop": "silent",
}


def _kind_of(tag: str, attributes: dict[str, str], kind: str) -> str:
    """Return the kind of an element's text, given the kind of its parent element."""
    if tag in _SILENT or kind == "silent":
        return "silent"
    for name in attributes.get("class", "").split():
        if name in _CLASSES:
            return _CLASSES[name]
        if name.startswith("pty3_dep"):  # text of an addendum, at whatever depth
            return "law"
        if name == "bl" and kind == "law":
            return "label"
    if attributes.get("id") == "conTop":
        return "head"
    if kind == "head" and tag in ("h1", "h2"):
        return "title"
    if kind == "law" and tag == "label":
        return "label"
    return "row" if tag == "tr" and kind == "law" else kind
