"""Dense methods that use an embedding model, and the one that uses a model server."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from normalization.hashing import text_hash
from retrieval.core.method import Embedder, Method, Resources
from retrieval.core.model import COMPARED, Corpus, Parameter, Query, Spec
from retrieval.dense.embedding_cache import EmbeddingCache
from retrieval.dense.model_files import card_of
from retrieval.dense.vectors import VectorMethod, as_they_are, unit_length
from retrieval.text.passages import readable

Side = Literal["query", "document"]
COSINE, DOT = "cosine", "dot"
SIMILARITY = Parameter("similarity", "choice", COSINE, choices=(COSINE, DOT))
"""Whether vectors are normalised to length one, or multiplied as the model gives them.

The length carries part of the score in models that were trained so, such as DPR and Contriever.
"""
FROM_CARD = "card"
"""Parameter value that leaves a setting to the model's card or files."""
_FOLDER = "embeddings"


class EmbeddedMethod(VectorMethod):
    """Base class: embeds whole units and queries with a model and caches the vectors."""

    def __init__(
        self, spec: Spec, parts: Sequence[Method] = (), resources: Resources | None = None
    ) -> None:
        super().__init__(spec, parts, resources)
        self._query_cache: EmbeddingCache | None = None

    @property
    def unit_length(self) -> bool:
        """Whether vectors are normalised to length one, by `similarity`."""
        return bool(self.spec.get("similarity", COSINE) == COSINE)

    @abstractmethod
    def _identity(self, side: Side) -> str:
        """Return all that the vector of a text of that side depends on beyond the text."""

    @abstractmethod
    def _embed(self, side: Side, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the model's raw vector of each text."""

    @property
    def versions(self) -> str:
        """The version with a hash of the models' identities: their files or server."""
        said = "\0".join((self._identity("query"), self._identity("document")))
        return f"{super().versions}-{text_hash(said)[:16]}"

    def encode(self, queries: Sequence[Query]) -> NDArray[np.float32]:
        """Return one row per query; zero columns if no unit has any text."""
        if not self.vectors.shape[1]:
            return np.zeros((len(queries), 0), dtype=np.float32)
        return self._vectors_of("query", [query.text for query in queries])

    def _fit(self, corpus: Corpus) -> None:
        texts = [document.compared(self.spec) for document in corpus.documents]
        filled = [at for at, text in enumerate(texts) if text.strip()]
        made = self._vectors_of("document", [texts[at] for at in filled])
        vectors = np.zeros((len(texts), made.shape[1]), dtype=np.float32)
        vectors[filled] = made  # a unit without any text has a zero vector, and is never found
        self._take(vectors, corpus)

    def _vectors_of(self, side: Side, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        progress = self.resources.progress if side == "document" else None
        texts = [readable(text) for text in texts]
        made = self._cache_of(side).get(texts, lambda some: self._embed(side, some), progress)
        made = self._truncated(made)
        return unit_length(made) if self.unit_length else as_they_are(made)

    def _truncated(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        wanted = int(self.spec["dimensions"])
        if wanted > vectors.shape[1]:
            raise UserError("vectors_short", wanted=wanted, given=vectors.shape[1])
        return vectors[:, :wanted] if wanted else vectors

    def _cache_of(self, side: Side) -> EmbeddingCache:
        if side == "document":  # used once, to fit, and large: not kept in memory
            return self._cache(side)
        self._query_cache = self._query_cache or self._cache(side)
        return self._query_cache

    def _cache(self, side: Side) -> EmbeddingCache:
        folder = self.resources.folder
        if folder is None:
            return EmbeddingCache(None)
        name = text_hash(self._identity(side))[:32]
        return EmbeddingCache(folder / _FOLDER / name)


class Endpoint(EmbeddedMethod):
    """Embeddings from a model server, by the role embed of the workspace's models.

    `model` names a model of that server, "" the one of the settings. Servers put no prompt
    before a text, so prompts are added here: those of `retrieval.dense.model_files`, or the given
    ones. A text is truncated after `characters` characters, 0 being no limit: most servers refuse a
    text that is longer than their model can read. `dimensions` keeps the first values of a vector.
    """

    NAME = "endpoint"
    PARAMETERS = (
        Parameter("model", "text", ""),
        Parameter("query_prompt", "text", FROM_CARD),
        Parameter("document_prompt", "text", FROM_CARD),
        Parameter("characters", "int", 0, 0, 1_000_000),
        Parameter("dimensions", "int", 0, 0, 65_536),
        SIMILARITY,
        COMPARED,
    )

    def __init__(
        self, spec: Spec, parts: Sequence[Method] = (), resources: Resources | None = None
    ) -> None:
        super().__init__(spec, parts, resources)
        if self.resources.embed is None:
            raise UserError("method_needs_embedder", method=self.NAME)
        self._embedder: Embedder = self.resources.embed(str(spec["model"]))

    @property
    def calls_models(self) -> bool:
        """True: it embeds every text that is not cached."""
        return True

    def _identity(self, side: Side) -> str:
        return repr((self._embedder.identity, side, self._prompt(side), self.spec["characters"]))

    def _embed(self, side: Side, texts: Sequence[str]) -> NDArray[np.float32]:
        prompt, limit = self._prompt(side), self.spec["characters"] or None
        return self._embedder([prompt + text[:limit] for text in texts])

    def _prompt(self, side: Side) -> str:
        said = str(self.spec[f"{side}_prompt"])
        if said != FROM_CARD:
            return said
        card = card_of(self._embedder.model)
        return (card.query_prompt if side == "query" else card.document_prompt) or ""
