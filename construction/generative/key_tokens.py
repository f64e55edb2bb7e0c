"""Identifiers that begin with a key token: spans of a text from its most informative word on.

A generated identifier is constrained to the continuations of its first token in the corpus, so the
first token decides where it can go (LegalSearchLM, section 3.2). A language model may rewrite a
fact so that it begins with what matters. Without one, the text stays unchanged and the identifier
begins within it: at the word of the highest weight that enough words follow. So it occurs in the
corpus verbatim, as decoding requires.

The weight of a word is the mean over its terms (pairs of characters in Hangul, Han and Kana, whole
words elsewhere) of log((N + 1) / (n + 0.5)), N texts of which n have the term. Korean attaches
particles to words, so the word itself would be rare for its ending. A term of a single text counts
as if two had it, and half of that: names and typing errors lead to no other text. Function words,
numbers and single characters have weight 0.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from retrieval.text.morphemes import FUNCTION_WORDS, normal_form
from retrieval.text.tokenise import bigrams

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_HAN}]{{2}}|[^\W_{_HAN}]+")
_LETTER = re.compile(r"[^\W\d_]")
ALONE = 0.5
"""The factor on the weight of a term in a single text."""
WORDS = 10
"""The most words of an identifier; a trainer cuts by its own tokens besides."""
FOLLOWING = 3
"""The fewest words after the first one; in a short text half of the others."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class KeyTokens:
    """Weights of words among `texts` texts; `having` counts the texts with each term.

    With `naive` an identifier is the beginning of a text, whatever its words weigh: the baseline
    for identifiers that begin with a key token.
    """

    having: Counter[str]
    texts: int
    naive: bool = False

    @classmethod
    def of(cls, texts: Iterable[str], *, naive: bool = False) -> KeyTokens:
        """Learn the weights from `texts`."""
        having, count = Counter[str](), 0
        for text in texts:
            having.update(set(bigrams(text)))
            count += 1
        return cls(having, count, naive)

    def weight(self, word: str) -> float:
        """Return the weight of a word; 0 for one without information."""
        plain = normal_form(word)
        if len(plain) < 2 or plain in FUNCTION_WORDS or not _LETTER.search(plain):
            return 0.0
        terms = bigrams(plain)
        return sum(map(self._rarity, terms)) / max(len(terms), 1)

    def _rarity(self, term: str) -> float:
        having = self.having.get(term, 0)
        rarity = math.log((self.texts + 1) / (max(having, 2) + 0.5))
        return max(rarity, 0.0) * (1.0 if having > 1 else ALONE)

    def identifiers(
        self, text: str, most: int = 1, holes: Sequence[Span] = (), words: int = WORDS
    ) -> list[Span]:
        """Return up to `most` identifiers of `text` as spans, the most informative first.

        None begins within a hole or another, and each ends before the next hole. A text without
        weighted words has none.
        """
        found = [match.span() for match in _WORD.finditer(text)]
        if self.naive:
            words_at = (at for at, span in enumerate(found) if _has_letter(text[slice(*span)]))
            first = next(words_at, None)
            return [] if first is None else [_from(found, first, words, ())]
        open_ = [at for at, span in enumerate(found) if not _overlaps(span, holes)]
        weights = {at: self.weight(text[slice(*found[at])]) for at in open_}
        last = len(found) - 1 - min(FOLLOWING, (len(found) - 1) // 2)
        starts = sorted(open_, key=lambda at: (at > last, -weights[at], at))
        chosen: list[Span] = []
        for at in starts:
            if len(chosen) == most:
                break
            span = _from(found, at, words, holes)
            if weights[at] > 0 and not any(a <= span[0] < b for a, b in chosen):
                chosen.append(span)
        return chosen


def _has_letter(word: str) -> bool:
    return any(character.isalpha() for character in word)


def _overlaps(span: Span, holes: Sequence[Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in holes)


def _from(found: Sequence[Span], at: int, words: int, holes: Sequence[Span]) -> Span:
    """Return the span of up to `words` key tokens from index `at`, ending before a hole."""
    start, end = found[at]
    for span in found[at + 1 : at + words]:
        if _overlaps(span, holes):
            break
        end = span[1]
    return start, end
