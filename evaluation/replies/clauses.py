"""Sentences of a reply, cut where they turn: "it is not stated, but the decree says 14 days"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluation.replies.rules import every, first

LONGEST = 1_200
"""Characters of a clause that are looked at: its first and last halves where it is longer."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|(?<=[。！？])")
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause; `concludes` says that it turns from the ones before it or follows from them."""

    text: str
    concludes: bool = False


def clauses(said: str) -> list[Clause]:
    """Return the clauses of a reply in order; those without a letter or digit are left out."""
    sentences = (part for part in _SENTENCE.split(said) if _WORD.search(part))
    return [clause for sentence in sentences for clause in _clauses(_bounded(sentence.strip()))]


def _bounded(sentence: str) -> str:
    half = LONGEST // 2
    return sentence if len(sentence) <= LONGEST else f"{sentence[:half]} … {sentence[-half:]}"


def _clauses(sentence: str) -> list[Clause]:
    cuts = sorted({_cut(found.match) for found in every("contrast", sentence)} - {0})
    parts = [sentence[a:b] for a, b in zip([0, *cuts], [*cuts, len(sentence)], strict=True)]
    return [
        Clause(part.strip(), at > 0 or first("conclude", part) is not None)
        for at, part in enumerate(parts)
        if _WORD.search(part)
    ]


def _cut(match: re.Match[str]) -> int:
    """Return where a clause ends: before a word that turns, after an ending that does."""
    return match.end() if "가" <= match[0][:1] <= "힣" else match.start()
