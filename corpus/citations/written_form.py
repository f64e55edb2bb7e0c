"""Reading a text in one form of its letters, and telling what was read in the text's own.

Patterns know composed letters and half width digits and brackets. A text in another form (NFD, or
제２조（정의）) is read in the form they know; the citations found say what the text itself says,
and their offsets are the text's own. Letters are folded one by one, so that only composing moves
offsets.
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
    """Tell whether a text is read in the form that it is written in."""
    if text.isascii():
        return True
    # Several times as fast as an expression, which looks at each letter: this is asked of all text.
    wide = b"\xff" in text.encode("utf-16-le", "surrogatepass")
    if wide or any(dot in text for dot in _DOTS):
        return text.translate(_FOLDED) == text == composed(text)
    return composed(text) is text


class WrittenForm:
    """A text as it is written (`source`) and as it is read (`text`)."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._spans = Spans(source)
        self.text = self._spans.text.translate(_FOLDED)

    def as_written(self, citation: Citation) -> Citation:
        """Return a citation of the text as read with its words and offsets as written."""
        start, end = self._spans.in_source(citation.start, citation.end)
        return replace(citation, text=self.source[start:end], start=start, end=end)

    def as_read(self, citation: Citation) -> Citation:
        """Return a citation of the text as written with its words and offsets as read."""
        start, end = self._spans.in_composed(citation.start, citation.end)
        return replace(citation, text=self.text[start:end], start=start, end=end)
