"""ROUGE-1, ROUGE-2 and ROUGE-L of an answer against the official answer.

C.-Y. Lin, ROUGE: A Package for Automatic Evaluation of Summaries, ACL Workshop Text Summarization
Branches Out (2004), sections 2 and 3. Of the shared tokens (unigrams, bigrams, or the
longest common subsequence), precision is the share in the answer, recall the share in the official
answer, F1 their harmonic mean. ROUGE-L is that of whole texts, not of sentence by sentence
(``rougeL`` of the package rouge-score, not ``rougeLsum``).

A text is the list of its tokens: tokenisation is the caller's choice, since it decides which
tokens are equal. The package rouge-score by default keeps nothing but a–z and 0–9, so that two
identical Korean texts score 0 (`latin_words` does the same, for parity).

For every measure: two texts of the same tokens score 1,
also where both have none (the same as a bigram of a single token); else, where either has none,
0. rouge-score has 0 in both cases.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

Tokens = Sequence[str]
_LATIN = re.compile(r"[a-z0-9]+")
_SURROGATES = range(0xD800, 0xE000)  # code points of surrogates, which are no characters


@dataclass(frozen=True, slots=True)
class Overlap:
    """Precision, recall and F1 of one measure, 0 to 1."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, shared: int, answer: int, reference: int) -> Overlap:
        """Compute the measure from counts of shared items, and of items in answer and reference.

        If both are empty it is 1 throughout; the caller checks that the texts are then the same.
        """
        if not answer and not reference:
            return cls(1.0, 1.0, 1.0)
        if not shared:
            return cls(0.0, 0.0, 0.0)
        return cls(shared / answer, shared / reference, 2 * shared / (answer + reference))


@dataclass(frozen=True, slots=True)
class Rouge:
    """ROUGE-1, ROUGE-2 and ROUGE-L of one pair of texts."""

    rouge1: Overlap
    rouge2: Overlap
    rougeL: Overlap  # noqa: N815 (its name in the field)


def rouge(answer: Tokens, reference: Tokens) -> Rouge:
    """Return the ROUGE measures of two tokenised texts."""
    if list(answer) == list(reference):
        same = Overlap(1.0, 1.0, 1.0)
        return Rouge(same, same, same)
    first, second = _encoded_as_characters(answer, reference)
    both = len(first), len(second)
    pairs = max(0, both[0] - 1), max(0, both[1] - 1)
    shared_pairs = _shared_count(_pairs(first), _pairs(second))
    return Rouge(
        Overlap.of(_shared_count(first, second), *both),
        Overlap.of(shared_pairs, *pairs) if any(pairs) else Overlap(0.0, 0.0, 0.0),
        Overlap.of(LCSseq.similarity(first, second), *both),
    )


def rouges(answers: Iterable[Tokens], references: Iterable[Tokens]) -> list[Rouge]:
    """Return the ROUGE measures of each answer with its reference.

    Raises ValueError for unequal numbers.
    """
    return [rouge(*pair) for pair in zip(answers, references, strict=True)]


def characters(text: str) -> list[str]:
    """Return the characters of a text, composed (NFC) and in lower case, without white space."""
    return [each for each in unicodedata.normalize("NFC", text).lower() if not each.isspace()]


def latin_words(text: str) -> list[str]:
    """Tokenise as the package rouge-score: runs of a–z and 0–9, in lower case.

    Everything else is dropped, including all Hangul.
    """
    return _LATIN.findall(text.lower())


def _encoded_as_characters(*texts: Tokens) -> list[str]:
    """Encode each distinct token of the texts as one character.

    The common subsequence of such strings is computed bit-parallel (H. Hyyrö, Bit-parallel
    LCS-length computation revisited, AWOCA 2004) by the library.
    """
    known: dict[str, str] = {}
    for token in dict.fromkeys(token for text in texts for token in text):
        number = len(known)
        known[token] = chr(number if number < _SURROGATES.start else number + len(_SURROGATES))
    return ["".join([known[token] for token in text]) for text in texts]


def _pairs(letters: str) -> list[str]:
    """Return the overlapping pairs of letters."""
    return list(map(str.__add__, letters, letters[1:]))


def _shared_count(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the size of the multiset intersection."""
    return (Counter(one) & Counter(other)).total()
