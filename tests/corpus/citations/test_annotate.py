"""Marked-up text is the text."""

from __future__ import annotations

from hypothesis import given

from corpus.citations.annotate import annotate
from corpus.citations.model import Status
from tests.corpus.citations.law import ACT, resolved
from tests.corpus.citations.test_find import LEGAL_NOISE


@given(LEGAL_NOISE)
def test_segments_join_to_the_text(text: str) -> None:
    resolutions = resolved(text)
    segments = annotate(text, resolutions)
    assert "".join(s.text for s in segments) == text
    marked = [s for s in segments if s.citation_index is not None]
    assert [s.citation_index for s in marked] == list(range(len(resolutions)))
    assert [s.text for s in marked] == [r.citation.text for r in resolutions]


def test_a_segment_carries_the_status_of_its_citation() -> None:
    text = f"먼저 「{ACT}」 제5조, 다음 「국제항로법」 제2조."
    segments = annotate(text, resolved(text))
    assert [(s.text, s.status) for s in segments] == [
        ("먼저 ", None),
        (f"「{ACT}」 제5조", Status.RESOLVED),
        (", 다음 ", None),
        ("「국제항로법」 제2조", Status.UNRESOLVED),
        (".", None),
    ]
