"""LegalSearchLM: a language model writes passages of the relevant law (paper LegalSearchLM, §3).

Every unit is tokenised with the model's tokeniser, title and body apart, and indexed
(`retrieval.generative.suffix_array`). For a question the model writes n-grams of the
corpus, by beams whose first token is free (`retrieval.generative.constrained_beam`); units are
ranked by the n-grams that they contain (`retrieval.generative.ngram_scores`). These n-grams are
the identifiers of a hit: `LegalSearchLM.identifiers` returns them with their positions.

The paper fine-tunes mT5-base for it; a model that was not trained for it writes arbitrary
text. The number of beams, the length of n-grams and their weighting are left open: the
defaults are those of SEAL (Bevilacqua et al. 2022), 15 beams of 10 tokens among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from normalization.hashing import text_hash
from retrieval.core.method import QUERY_CHARACTERS, Scoring, with_progress
from retrieval.core.model import Corpus, Document, Hit, Parameter, Query
from retrieval.dense.model_files import fingerprint, folder_of, model_display_name
from retrieval.generative.constrained_beam import search_beams
from retrieval.generative.language_model import (
    PLACE,
    ModelWriter,
    Place,
    Reading,
    Tokeniser,
    is_encoder_decoder,
    vocabulary_size,
)
from retrieval.generative.ngram_scores import Matches, NGram, Weighting, weighed
from retrieval.generative.suffix_array import TokenIndex, joined, kept_ids, tokeniser_identity

_PIECES = 2  # indexed per unit: its title and its body
_REMEMBERED = 64  # questions whose n-grams are cached in memory


@dataclass(frozen=True, slots=True)
class Identifier:
    """An n-gram that the model wrote for a question and that a unit contains.

    `text` is the n-gram as the unit has it. `added` is its share of the unit's score, `weight` its
    own weight, `logprob` the model's log-probability, `times` its frequency in the
    corpus. `start` and `end` are its half-open character span
    in the unit's body, or with `in_title` in its title; None where the tokeniser has no
    offsets.
    """

    text: str
    added: float
    weight: float
    logprob: float
    times: int
    in_title: bool
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class _Answer:
    """The n-grams written for a question, their matches, and the counts for the run's notes."""

    ngrams: Sequence[NGram]
    matches: Matches
    counts: Mapping[str, int]


class LegalSearchLM(Scoring):
    """Ranks units by the n-grams of their text that a language model writes for a question.

    `model` is an encoder–decoder or a decoder. With `first` ``free`` the first token of one is
    chosen as in the paper, with ``corpus`` among those of the corpus as in SEAL. `ngrams`:
    ``every`` prefix of an n-gram counts, or the ``longest`` of each beam only. `prompt` is
    the model's input, with ``{query}`` in the question's place; "" is the question itself, for a
    decoder with a line break after it.
    """

    NAME = "legalsearchlm"
    KEEPS = True
    PARAMETERS = (
        Parameter("model", "text"),
        Parameter("beam", "int", 15, 1, 500),
        Parameter("length", "int", 10, 1, 100),
        Parameter("first", "choice", "free", choices=("free", "corpus")),
        Parameter("ngrams", "choice", "every", choices=("every", "longest")),
        Parameter("weighting", "choice", "seal", choices=("seal", "likelihood")),
        Parameter("smoothing", "float", 5, 0.001, 1e6),
        Parameter("power", "float", 2, 0, 10),
        Parameter("repetition", "float", 0.8, 0, 1),
        Parameter("most_places", "int", 10_000, 1, 100_000_000),
        Parameter("prompt", "text", ""),
        Parameter("query_tokens", "int", 512, 1, 131_072),
    )
    _index: TokenIndex

    def _set_up(self) -> None:
        if self.spec["prompt"] and PLACE not in self.spec["prompt"]:
            raise UserError("generative_prompt", method=self.NAME)

    @property
    def versions(self) -> str:
        """The version with a hash of the model's files."""
        said = text_hash(self._model().fingerprint)[:16]
        return f"{super().versions}-{said}"

    def score(self, query: Query, unit_ids: Sequence[str]) -> NDArray[np.float64]:
        """Return the scores of units: 0 for one that contains none of the n-grams."""
        positions = [self.corpus.positions[unit] for unit in unit_ids]
        if not positions or not query.text.strip():
            return np.zeros(len(positions))
        matches = self._answer(query.text).matches
        return np.array([matches.of(at).score for at in positions])

    def identifiers(
        self, query: Query, unit_ids: Sequence[str]
    ) -> dict[str, tuple[Identifier, ...]]:
        """Return the n-grams found in each unit, by contribution; KeyError for a unit of other law.

        They add up to the scores of `search`. Raises KeyError for an unknown unit.
        """
        method = self.within(query.jurisdiction)
        if not isinstance(method, LegalSearchLM) or not query.text.strip():
            return {}
        answer = method._answer(query.text)
        return {unit: tuple(method._identifiers_of(answer, unit)) for unit in unit_ids}

    def _fit(self, corpus: Corpus) -> None:
        """Index the tokens of the corpus."""
        model = self._model()

        def cut() -> NDArray[np.int32]:
            """Tokenise the corpus."""
            documents = with_progress(corpus.documents, len(corpus), self.resources.progress)
            return joined(model.tokens(text for each in documents for text in _texts(each)))

        named = (tokeniser_identity(model.folder), corpus.fingerprint)
        ids = kept_ids(self.resources.folder, named, _PIECES * len(corpus), cut)
        self._set_index(TokenIndex.of(ids), corpus)

    def _save(self, folder: Path) -> None:
        """Write the index."""
        self._index.save(folder)

    def _load(self, folder: Path, corpus: Corpus) -> None:
        """Read the index."""
        self._set_index(TokenIndex.load(folder), corpus)

    def _set_index(self, index: TokenIndex, corpus: Corpus) -> None:
        """Set the index and forget answers; raise ValueError for an index of other units."""
        if index.pieces != _PIECES * len(corpus):
            raise ValueError("the index is not of these units")
        self._index = index
        self._answers: dict[str, _Answer] = {}

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        """Rank documents by the identifiers that the model generates."""
        ids, found = self.corpus.ids, {}
        for query in queries:
            answer = self._answer(query.text)
            self._counts.update(answer.counts)
            best = answer.matches.best(k)
            found[query.id] = [Hit(ids[each.document], each.score) for each in best]
        return found

    def _answer(self, text: str) -> _Answer:
        """Return the n-grams written for a question, cached for the last questions."""
        text = text[:QUERY_CHARACTERS]
        if text not in self._answers:
            made = self._written_ngrams(text)
            while len(self._answers) >= _REMEMBERED:
                self._answers.pop(next(iter(self._answers)), None)
            self._answers[text] = made
        return self._answers[text]

    def _written_ngrams(self, text: str) -> _Answer:
        """Have the model write n-grams of the law for a text; return them with what they match."""
        spec, index, model = self.spec, self._index, self._model()
        if not len(index):
            return _Answer((), Matches(index, (), Weighting(), _PIECES), {})
        if index.vocabulary[-1] >= vocabulary_size(model):
            reason = "its tokeniser has tokens that it has no probability for"
            raise UserError(
                "model_unreadable", model=model_display_name(model.folder), reason=reason
            )
        reading = Reading(spec["prompt"], spec["query_tokens"])
        writer = ModelWriter(model, text, reading, spec["length"])
        beams = search_beams(index, writer, spec["beam"], spec["length"], spec["first"] == "free")
        written = beams.written if spec["ngrams"] == "every" else beams.longest
        weighting = Weighting(
            *(spec["weighting"], spec["smoothing"], spec["power"]),
            *(spec["repetition"], spec["most_places"]),
        )
        ngrams = weighed(index, written, weighting)
        counts = {
            "questions": 1,
            "first_token_absent": beams.absent,
            "first_token_fallback": int(beams.fallback),
            "nothing_counts": int(not ngrams),
        }
        matches = Matches(index, ngrams, weighting, _PIECES)
        return _Answer(ngrams, matches, {name: n for name, n in counts.items() if n})

    def _identifiers_of(self, answer: _Answer, unit: str) -> Iterator[Identifier]:
        """Yield the generated identifiers that a unit contains."""
        position = self.corpus.positions[unit]
        taken = answer.matches.of(position).taken
        if not taken:
            return
        model, texts = self._model(), _texts(self.corpus.documents[position])
        first = self._index.starts[_PIECES * position : _PIECES * (position + 1)].tolist()
        places = [model.places(text) for text in texts]
        for each in sorted(taken, key=lambda t: (-t.added, t.ngram)):
            ngram = answer.ngrams[each.ngram]
            written = ngram.written
            piece = int(each.place >= first[1])
            start, end = _character_span(
                places[piece], each.place - first[piece], len(written.tokens)
            )
            text = texts[piece][start:end] if end else model.text(written.tokens)
            yield Identifier(
                *(text, each.added, ngram.weight, written.logprob, written.span.times),
                *(piece == 0, start, end),
            )

    def _model(self) -> Tokeniser:
        """Return the model as its tokeniser; UserError for a folder without a readable config."""
        folder = folder_of(str(self.spec["model"]))
        is_encoder_decoder(folder)  # report a folder without a readable config at once
        return Tokeniser(folder, fingerprint(folder))


def _texts(document: Document) -> tuple[str, str]:
    """Return the indexed texts of a unit: title and body."""
    return document.title, document.body


def _character_span(
    places: Sequence[Place] | None, first: int, tokens: int
) -> Place | tuple[None, None]:
    """Return the half-open character span of consecutive tokens."""
    if places is None:
        return None, None
    return places[first][0], places[first + tokens - 1][1]
