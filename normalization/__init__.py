"""Unicode normalisation: all internal text is composed (NFC, Unicode Standard Annex 15).

A Hangul syllable can be written as one code point or as its letters (NFD, as some systems name
files); patterns, indexes and offsets assume the first form. So all input is composed
by the functions below before it is parsed or counted: files (`corpus.files.rows`,
YAML, XML and HTML), exchanged labels, OCR, typed text (`annotation`) and model replies
(`llm.transport`). Offsets then count the code points of the stored text. The bytes of a source are
never changed: stored uploads (a PDF, an image) stay unchanged.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Any
from unicodedata import combining, east_asian_width, is_normalized, normalize


def composed(text: str) -> str:
    """Return the text in composed form (NFC)."""
    return text if text.isascii() or is_normalized("NFC", text) else normalize("NFC", text)


def composed_value(value: Any) -> Any:
    """Return a JSON value with every text and key in it composed.

    Where two keys become one, the last counts, as in JSON.
    """
    if isinstance(value, str):
        return composed(value)
    if isinstance(value, dict):
        return {composed(key): composed_value(each) for key, each in value.items()}
    if isinstance(value, list):
        return [composed_value(each) for each in value]
    return value


def storable(text: str) -> str:
    """Return typed text in composed form, without characters that databases reject.

    Half characters (lone surrogates) become question marks; NUL is removed.
    """
    return composed(text.encode("utf-8", "replace").decode("utf-8").replace("\0", ""))


class Spans:
    """Mapping of spans between a text and its composed form (`text`).

    A span that ends within a character (half a syllable) grows to the whole of it.
    """

    def __init__(self, source: str) -> None:
        """Compose the text, and record character boundaries in both forms."""
        self._from, self._to = [0], [0]
        pieces: list[str] = []
        for piece in _pieces(source):
            pieces.append(normalize("NFC", piece))
            self._from.append(self._from[-1] + len(piece))
            self._to.append(self._to[-1] + len(pieces[-1]))
        self.text = "".join(pieces)

    def in_composed(self, start: int, end: int) -> tuple[int, int]:
        """Map a span of the source to the composed text."""
        return _mapped(start, end, self._from, self._to)

    def in_source(self, start: int, end: int) -> tuple[int, int]:
        """Map a span of the composed text to the source."""
        return _mapped(start, end, self._to, self._from)


def _mapped(start: int, end: int, here: list[int], there: list[int]) -> tuple[int, int]:
    """Map a span between two texts by matching offsets."""
    first = max(0, bisect_right(here, start) - 1)
    last = min(len(here) - 1, bisect_left(here, max(start, end)))
    return there[first], there[last]


def _pieces(text: str) -> Iterator[str]:
    """Split a text into pieces that compose independently."""
    start = 0
    for at in range(1, len(text)):
        if combining(text[at]) or _joins(text[start:at], text[at]):
            continue
        yield text[start:at]
        start = at
    if text:
        yield text[start:]


def _joins(before: str, char: str) -> bool:
    """Return whether a non-combining character (a Jamo) composes with the text before it."""
    last = normalize("NFC", before)[-1:]
    return len(normalize("NFC", last + char)) < 2


def lowered(text: str) -> str:
    """Return `text` in lower case and of the same length."""
    plain = text.lower()
    if len(plain) == len(text):
        return plain
    # A few letters (İ) grow when lowered; offsets must stay valid.
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)


def text_width(text: str) -> int:
    """Return the display width of a text: wide characters such as Hangul count as two."""
    return sum(2 if east_asian_width(each) in "WF" else 1 for each in text)
