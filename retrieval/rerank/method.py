"""Reranking: a model reads the question together with each of the best units of another method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from retrieval.core.method import QUERY_CHARACTERS, Scoring
from retrieval.core.model import Corpus, Hit, Query, best
from retrieval.core.parameters import Parameter
from retrieval.dense.model_files import fingerprint, folder_of, shown
from retrieval.rerank.pairs import FORMS, INSTRUCTION, Pair, Reader, form_of
from retrieval.text.passages import readable


class Rerank(Scoring):
    """Reranks the best `depth` units of `base` with a model given by its name or folder.

    `form` says how the model is asked: ``pair`` any cross-encoder of sentence-transformers with
    one output, ``yes_no`` a language model in the frame of Qwen3-Reranker with `instruction`;
    ``auto`` looks at the model. `max_length` 0 leaves the tokens to the model. Units of `base`
    beyond `depth` follow in its order, each one below the one before it.
    """

    NAME = "rerank"
    PARAMETERS = (
        Parameter("base", "method", {"method": "bm25"}),
        Parameter("model", "text"),
        Parameter("depth", "int", 50, 1, 10_000),
        Parameter("form", "choice", "auto", choices=FORMS),
        Parameter("instruction", "text", INSTRUCTION),
        Parameter("max_length", "int", 0, 0, 131_072),
        Parameter("batch", "int", 16, 1, 4096),
    )

    @property
    def versions(self) -> str:
        """The versions with the identity of the model: its files and how it is asked."""
        reader = self._reader()
        said = sha256(repr((reader.fingerprint, reader.form)).encode()).hexdigest()[:16]
        return f"{super().versions}-{said}"

    def score(self, query: Query, unit_ids: Sequence[str]) -> NDArray[np.float64]:
        """Return what the model says of each unit; no unit need be found by the base."""
        documents = self.corpus.documents
        texts = [documents[self.corpus.positions[unit]].text for unit in unit_ids]
        question = readable(query.text[:QUERY_CHARACTERS])
        asked = [(question, readable(text)) for text in texts]
        return scores(self._reader(), asked, self.spec["batch"])

    def _fit(self, corpus: Corpus) -> None:
        self._reader()  # a model that is not there is said before anything is searched

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        depth = int(self.spec["depth"])
        found = self.parts[0].search(queries, max(k, depth))
        return {query.id: self._reranked(query, found[query.id], depth)[:k] for query in queries}

    def _reranked(self, query: Query, hits: Sequence[Hit], depth: int) -> list[Hit]:
        read = [hit.unit_id for hit in hits[:depth]]
        said = dict(zip(read, self.score(query, read).tolist(), strict=True))
        ranked = list(best(said, len(said)))
        lowest = ranked[-1].score if ranked else 0.0
        rest = hits[depth:]
        return ranked + [Hit(hit.unit_id, lowest - at) for at, hit in enumerate(rest, 1)]

    def _reader(self) -> Reader:
        spec, folder = self.spec, folder_of(str(self.spec["model"]))
        form = form_of(folder, spec["form"])
        instruction = spec["instruction"] if form == "yes_no" else ""
        return Reader(folder, fingerprint(folder), form, spec["max_length"], instruction)


def scores(reader: Reader, pairs: Sequence[Pair], batch: int) -> NDArray[np.float64]:
    """Return one score per (question, text): the output of a classifier, or the chance of yes.

    Raises UserError for a model of another kind, and for scores that are no numbers.
    """
    if not pairs:
        return np.zeros(0)
    if reader.form == "yes_no":
        from retrieval.rerank import yes_no

        found = yes_no.scores(reader, pairs, batch)
    else:
        from retrieval.rerank import pairs as rerank_pairs

        found = rerank_pairs.scores(reader, pairs, batch)
    if not np.isfinite(found).all():
        raise UserError("scores_not_numbers", model=shown(reader.folder))
    return found
