"""Sentences of a judgment likely to be about a sub-factor: by its own terms, without a model.

A sentence scores by the terms of the sub-factor that it contains: those of its label, of the labels
of its options, and of their explanations, which count less. Terms are pairs of characters in
Hangul, Han and Kana and stems of other words, without function words and endings. A term counts
more, the fewer sentences of the judgment contain it and the fewer sub-factors name it: words common
to all questions ("the defendant") do not discriminate. The result depends on the codebook and the
judgment alone, so it may be shown to people who must not see models' suggestions.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from construction.tagging.codebook import SubFactor
from retrieval.text.morphemes import CJK, ENDINGS, FUNCTION_WORDS, RUN_PATTERN, pairs_of, stem_of

Span = tuple[int, int]

MOST = 5
"""The most sentences offered per sub-factor."""
LANGUAGES = ("en", "ko")  # the languages of codebooks
_LABEL, _OPTION, _HELP = 1.0, 0.7, 0.5
_SHARE = 0.35  # the lowest score of an offered sentence, as a share of the best one's
_RUN = re.compile(RUN_PATTERN)
_CJK = re.compile(f"[{CJK}]")
_ENDING = re.compile(rf"(?<=..)(?:{'|'.join(ENDINGS)})$")
# As in pages/tagging/frontend/sentences.js, which a test holds it to: a number or an initial before
# a stop ends nothing ("2024. 3. 5.", "J. Doe").
_STOP = re.compile(
    r"""(?<![.!?])(?:(?<![0-9A-Z])[.!?]|[.!?]{2})[.!?]*["'”’」』)\]]*(?=\s)"""
    r"""|[。！？；]+["'”’」』）]*"""
)


def likely_sentences(
    text: str, language: str, subs: Sequence[SubFactor]
) -> dict[str, tuple[Span, ...]]:
    """Return the sentences to offer for each sub-factor, the likeliest first, as (start, end).

    Offsets are in characters of the text. Of equal ones the earlier comes first. A sub-factor
    without matching sentences is left out; so are all for a judgment in a language that codebooks
    do not have.
    """
    if language not in LANGUAGES:
        return {}
    places, holding = _term_index(text)
    asked = {sub.key: _weights(sub, language) for sub in subs}
    naming = Counter(term for weights in asked.values() for term in weights)
    found = {
        key: _best(weights, naming, len(subs), holding, len(places))
        for key, weights in asked.items()
    }
    return {key: tuple(places[at] for at in best) for key, best in found.items() if best}


def sentences(text: str) -> Iterator[Span]:
    """Yield the sentences of a text as (start, end), without white space at their ends.

    A sentence ends at closing punctuation before white space, and with its line.
    """
    at = 0
    for line in text.split("\n"):
        ends = [match.end() for match in _STOP.finditer(line)]
        for start, end in zip([0, *ends], [*ends, len(line)], strict=True):
            piece = line[start:end]
            if bare := piece.strip():
                first = at + start + piece.index(bare[0])
                yield first, first + len(bare)
        at += len(line) + 1


@lru_cache(maxsize=16)  # a case is reopened after every answer
def _term_index(text: str) -> tuple[tuple[Span, ...], Mapping[str, tuple[int, ...]]]:
    """Return the sentences of a text, and the sentence numbers of each term."""
    places = tuple(sentences(text))
    holding: dict[str, list[int]] = {}
    for number, (start, end) in enumerate(places):
        for term in sorted(_terms(text[start:end])):
            holding.setdefault(term, []).append(number)
    return places, {term: tuple(numbers) for term, numbers in holding.items()}


def _weights(sub: SubFactor, language: str) -> dict[str, float]:
    """Return the weight of each term of a sub-factor, its highest in any text."""
    said = [(sub.label[language], _LABEL), (sub.help[language], _HELP)]
    for option in sub.options:
        said += [(option.label[language], _OPTION), (option.help[language], _HELP)]
    weights: dict[str, float] = {}
    for words, weight in said:
        for term in _terms(words):
            weights[term] = max(weights.get(term, 0.0), weight)
    return weights


def _terms(text: str) -> set[str]:
    """Return the stems and character pairs of a text, without function words."""
    found: set[str] = set()
    for run in _RUN.findall(text.lower()):
        if not _CJK.match(run):
            found.update(stem_of(run) if len(run) > 1 else ())
        elif run not in FUNCTION_WORDS:
            found.update(pair for pair in pairs_of(_ENDING.sub("", run)) if len(pair) > 1)
    return found - FUNCTION_WORDS


def _best(
    weights: Mapping[str, float],
    naming: Mapping[str, int],
    subs: int,
    holding: Mapping[str, tuple[int, ...]],
    count: int,
) -> list[int]:
    """Return the numbers of the sentences to offer, the best first."""
    scores: dict[int, float] = {}
    for term in sorted(weights):
        here = holding.get(term, ())
        rarity = math.log1p(count / (len(here) + 1)) * math.log1p(subs / naming[term])
        for number in here:
            scores[number] = scores.get(number, 0.0) + weights[term] * rarity
    ranked = sorted(scores, key=lambda at: (-round(scores[at], 9), at))[:MOST]
    return [at for at in ranked if scores[at] >= _SHARE * scores[ranked[0]]]
