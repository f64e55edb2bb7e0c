"""Evidence: the words of an accepted provision that answer the question.

It is kept as ``{"spans": [[start, end], ...], "sha256": hash}``: character offsets, end exclusive,
ascending and apart, in the unit's text with that hash.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from errors import UserError, Where
from normalization.hashing import text_hash

Evidence = Mapping[str, Any]
_LONGEST = 5_000_000  # characters of a text; no unit has nearly as many


def evidence_in(text: str, spans: Any) -> dict[str, Any] | None:
    """Return the evidence of these spans of a text, None for no span.

    Overlapping ones become one. Raises UserError for what is no span of visible words.
    """
    if not _are_spans(spans) or any(not text[start:end].strip() for start, end in spans):
        raise UserError("evidence_span", Where(field="evidence"))
    if max((end for _, end in spans), default=0) > len(text):
        raise UserError("evidence_span", Where(field="evidence"))
    return _evidence_at(_positions(spans), text_hash(text))


def is_evidence(value: object) -> bool:
    """Return True if a value read from a file has the stored shape."""
    if not isinstance(value, dict) or value.keys() != {"spans", "sha256"}:
        return False
    return isinstance(value["sha256"], str) and bool(value["spans"]) and _are_spans(value["spans"])


def words_in(evidence: Evidence, text: str) -> list[str]:
    """Return the words marked in the text."""
    return [text[start:end] for start, end in evidence["spans"]]


def common(marked: Sequence[Evidence]) -> dict[str, Any] | None:
    """Return the evidence of the words that all marked in the same text, None if there are none."""
    if not marked or len({each["sha256"] for each in marked}) > 1:
        return None
    shared = set.intersection(*(_positions(each["spans"]) for each in marked))
    return _evidence_at(shared, marked[0]["sha256"])


def overlap(one: Evidence, other: Evidence) -> float | None:
    """Return the F1 over characters of two people's evidence; None for different texts."""
    if one["sha256"] != other["sha256"]:
        return None
    a, b = _positions(one["spans"]), _positions(other["spans"])
    return 2 * len(a & b) / (len(a) + len(b))


def anchored(evidence: Evidence, old_text: str, new_text: str) -> dict[str, Any] | None:
    """Return the evidence in a text as amended, None unless each span's words are there once."""
    if old_text == new_text:
        return dict(evidence)
    spans = []
    for words in words_in(evidence, old_text):
        start = new_text.find(words)
        if start < 0 or new_text.find(words, start + 1) >= 0:
            return None
        spans.append([start, start + len(words)])
    return evidence_in(new_text, spans)


def _are_spans(value: object) -> bool:
    """Return True for a list of non-empty spans."""
    return isinstance(value, list) and all(
        isinstance(each, list)
        and len(each) == 2
        and all(type(at) is int for at in each)
        and 0 <= each[0] < each[1] <= _LONGEST
        for each in value
    )


def _positions(spans: Iterable[Sequence[int]]) -> set[int]:
    """Return the character positions that the spans cover."""
    return {at for start, end in spans for at in range(start, end)}


def _evidence_at(places: set[int], text_hash: str) -> dict[str, Any] | None:
    """Return the evidence of these characters, None for none."""
    runs = groupby(enumerate(sorted(places)), key=lambda each: each[1] - each[0])
    held = [[at for _, at in run] for _, run in runs]
    spans = [[run[0], run[-1] + 1] for run in held]
    return {"spans": spans, "sha256": text_hash} if spans else None
