"""Finding citations: strings with spans, from the text alone."""

from __future__ import annotations

from corpus.citations.korean import find_korean
from corpus.citations.model import Citation


def find(text: str) -> list[Citation]:
    """Return every citation of `text`, Korean and English, in order and without overlap.

    Never raises, and needs no corpus: a citation says what is written, not whether it exists.
    """
    return find_korean(text)
