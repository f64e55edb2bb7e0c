"""Marking up a text with its citations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.citations.model import Resolution, Status


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of text; `citation_index` and `status` are None outside citations."""

    text: str
    citation_index: int | None = None
    status: Status | None = None


def annotate(text: str, resolutions: Sequence[Resolution]) -> list[Segment]:
    """Cut `text` into segments, one per citation and one per stretch between.

    The segments join to the text exactly. `resolutions` are in order of their citations, as
    :func:`corpus.citations.resolve.resolve` returns them.
    """
    segments: list[Segment] = []
    at = 0
    for index, one in enumerate(resolutions):
        if one.citation.start > at:
            segments.append(Segment(text[at : one.citation.start]))
        segments.append(Segment(text[one.citation.start : one.citation.end], index, one.status))
        at = one.citation.end
    if at < len(text):
        segments.append(Segment(text[at:]))
    return segments
