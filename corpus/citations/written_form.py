"""Normalization of letters for reading citations, with offsets in the original text.

Patterns know composed letters and half width digits and brackets. A text in another form (NFD, or
제２조（정의）) is read in normal form; the citations found have the words and offsets of the
original. Letters are folded one by one, so that only composing moves offsets.
"""

from __future__ import annotations

from dataclasses import replace

from corpus.citations.model import Citation
from normalization import Spans, composed

# Full width forms, and middle dots of other scripts and of old Korean. A bullet joins nothing.
_FOLDED = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_DOTS = "\u119e\u2024\u22c5"
_FOLDED |= dict.fromkeys(map(ord, _DOTS), ord("ㆍ"))


def is_plain(text: str) -> bool:
    """Return whether a text is already in the normal form."""
    if text.isascii():
        return True
    # Several times as fast as an expression, which looks at each letter: called for all text.
    wide = b"\xff" in text.encode("utf-16-le", "surrogatepass")
    if wide or any(dot in text for dot in _DOTS):
        return text.translate(_FOLDED) == text == composed(text)
    return composed(text) is text


class WrittenForm:
    """A text as written (`source`) and normalized (`text`)."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._spans = Spans(source)
        self.text = self._spans.text.translate(_FOLDED)

    def as_written(self, citation: Citation) -> Citation:
        """Convert a citation of the normalized text to words and offsets of the original."""
        start, end = self._spans.in_source(citation.start, citation.end)
        return replace(citation, text=self.source[start:end], start=start, end=end)

    def as_read(self, citation: Citation) -> Citation:
        """Convert a citation of the original text to words and offsets of the normalized one."""
        start, end = self._spans.in_composed(citation.start, citation.end)
        return replace(citation, text=self.text[start:end], start=start, end=end)
