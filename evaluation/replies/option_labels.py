"""How answers name an option: ``2``, ``(2)``, ``②``, ``２``, ``B``, ``(나)``."""

from __future__ import annotations

import re
import unicodedata

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_BOXED = re.compile(r"\\boxed\{(?:\\text\{)?([^{}]*)\}?\}")
_MARKS = re.compile(r"[*_`$#]+")
_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n[ \n]*")
_QUOTES = str.maketrans("’‘ʼ＇", "''''")
_CIRCLED = {ord(c): f"({unicodedata.digit(c)})" for c in "①②③④⑤⑥⑦⑧⑨⑴⑵⑶⑷⑸⑹⑺⑻⑼❶❷❸❹❺❻❼❽❾"}
_SYLLABLES = "가나다라마바사아자차카타파하"

OPEN, CLOSE = r"[(\[<{【〈《「『]", r"[)\]>}】〉》」』]"


def label(name: str) -> str:
    """Return the pattern of a label, whose groups begin with `name`.

    A label stands in brackets, or is plain and not the beginning of a number or a word. A plain
    letter has to be a capital, whatever the pattern around it ignores.
    """
    bracketed = rf"{OPEN}\s*(?P<{name}_in>\d{{1,3}}|[A-Za-z]|[{_SYLLABLES}])\s*{CLOSE}"
    bare = rf"(?P<{name}_bare>\d{{1,3}}|(?-i:[A-Z]))(?!\w?[.,]?\d)(?![A-Za-z'’])"
    return f"(?:{bracketed}|{bare})"


def plain(text: str) -> str:
    """Return the answer without thinking aloud and typesetting, its digits written 0 to 9.

    Each run of spaces is one, and no line is empty: what is read then takes time in proportion to
    its length.
    """
    text = _BOXED.sub(r" \\boxed (\1) ", _THOUGHT.sub("", text)).translate(_CIRCLED)
    text = _MARKS.sub("", unicodedata.normalize("NFKC", text)).translate(_QUOTES)
    return _LINES.sub("\n", _SPACES.sub(" ", text)).strip()


def option_of(label: str) -> int:
    """Return the number of the option that a label names, counted from 1."""
    if label.isdecimal():
        return int(label)
    if label in _SYLLABLES:
        return _SYLLABLES.index(label) + 1
    return ord(label.upper()) - ord("A") + 1
