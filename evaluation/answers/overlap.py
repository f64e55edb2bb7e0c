"""How much of an official answer an answer repeats: ROUGE-1, ROUGE-2 and ROUGE-L.

C.-Y. Lin, ROUGE: A Package for Automatic Evaluation of Summaries, ACL Workshop Text Summarization
Branches Out (2004), sections 2 and 3. Of the tokens that both have (unigrams, bigrams, or the
longest common subsequence), precision is the share in the answer, recall the share in the official
answer, F1 their harmonic mean. ROUGE-L is that of whole texts, not of sentence by sentence
(``rougeL`` of the package rouge-score, not ``rougeLsum``).

A text is the list of its tokens: how it is cut is the caller's choice, since it decides what counts
as the same. The package rouge-score by default keeps nothing but a–z and 0–9, so that two identical
Korean texts score 0 (`latin_words` does the same, for parity).

Rules where there is nothing to count, of every measure alike: two texts of the same tokens score 1,
also where both have none (the same as a bigram of a single token); else, where either has none,
0. rouge-score has 0 in both cases.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

Tokens = Sequence[str]
_LATIN = re.compile(r"[a-z0-9]+")
_SURROGATES = range(0xD800, 0xE000)  # code points that are no characters


@dataclass(frozen=True, slots=True)
class Overlap:
    """Precision, recall and F1 of one measure, 0 to 1."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, shared: int, answer: int, reference: int) -> Overlap:
        """Return the shares of so many shared ones among those of answer and reference.

        Both 0 is 1 throughout, for the caller to see to that the texts are then the same.
        """
        if not answer and not reference:
            return cls(1.0, 1.0, 1.0)
        if not shared:
            return cls(0.0, 0.0, 0.0)
        return cls(shared / answer, shared / reference, 2 * shared / (answer + reference))


@dataclass(frozen=True, slots=True)
class Rouge:
    """The three measures of one pair of texts."""

    rouge1: Overlap
    rouge2: Overlap
    rougeL: Overlap  # noqa: N815 (its name in the field)


def rouge(answer: Tokens, reference: Tokens) -> Rouge:
    """Return how much two texts overlap, each a list of tokens."""
    if list(answer) == list(reference):
        same = Overlap(1.0, 1.0, 1.0)
        return Rouge(same, same, same)
    first, second = _as_letters(answer, reference)
    both = len(first), len(second)
    pairs = max(0, both[0] - 1), max(0, both[1] - 1)
    shared_pairs = _in_common(_pairs(first), _pairs(second))
    return Rouge(
        Overlap.of(_in_common(first, second), *both),
        Overlap.of(shared_pairs, *pairs) if any(pairs) else Overlap(0.0, 0.0, 0.0),
        Overlap.of(LCSseq.similarity(first, second), *both),
    )


def rouges(answers: Iterable[Tokens], references: Iterable[Tokens]) -> list[Rouge]:
    """Return how much each answer overlaps with the reference in its place.

    Raises ValueError for unequal numbers.
    """
    return [rouge(*pair) for pair in zip(answers, references, strict=True)]


def characters(text: str) -> list[str]:
    """Return the characters of a text, composed (NFC) and in lower case, without white space."""
    return [each for each in unicodedata.normalize("NFC", text).lower() if not each.isspace()]


def latin_words(text: str) -> list[str]:
    """Return the tokens of the package rouge-score: runs of a–z and 0–9, in lower case.

    Everything else is thrown away, all Hangul with it.
    """
    return _LATIN.findall(text.lower())


def _as_letters(*texts: Tokens) -> list[str]:
    """Return each text with a character for every token, the same for the same token.

    Of such strings the common subsequence is found many tokens at a time (H. Hyyrö, Bit-parallel
    LCS-length computation revisited, AWOCA 2004), which is what the library does.
    """
    known: dict[str, str] = {}
    for token in dict.fromkeys(token for text in texts for token in text):
        number = len(known)
        known[token] = chr(number if number < _SURROGATES.start else number + len(_SURROGATES))
    return ["".join([known[token] for token in text]) for text in texts]


def _pairs(letters: str) -> list[str]:
    return list(map(str.__add__, letters, letters[1:]))


def _in_common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many of one are in the other, each as often as it is in both."""
    left: dict[str, int] = {}
    for each in other:
        left[each] = left.get(each, 0) + 1
    shared = 0
    for each in one:
        count = left.get(each, 0)
        if count:
            left[each] = count - 1
            shared += 1
    return shared
