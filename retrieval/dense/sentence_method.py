"""Any sentence-transformers model as a retrieval method (Reimers and Gurevych 2019)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.core.model import Parameter
from retrieval.dense import sentence_model
from retrieval.dense.embedding_method import FROM_CARD, EmbeddedMethod, Side
from retrieval.dense.model_files import POOLINGS, card_of, fingerprint, folder_of
from retrieval.dense.sentence_model import Loading


class SentenceTransformers(EmbeddedMethod):
    """Embeds with a model given by its name on the hub or by a folder.

    What is "card" (and 0 for a length) is as the model's makers say, see
    `retrieval.dense.model_files`, and where these say nothing as the model's own files say.
    `query_model` embeds the queries, where that is another model. `dimensions` keeps only the first
    so many values of a vector, for models that are trained for it; 0 keeps all. `batch` is how many
    texts are embedded at a time.
    """

    NAME = "dense"
    PARAMETERS = (
        Parameter("model", "text"),
        Parameter("query_model", "text", FROM_CARD),
        Parameter("query_prompt", "text", FROM_CARD),
        Parameter("document_prompt", "text", FROM_CARD),
        Parameter("pooling", "choice", FROM_CARD, choices=(FROM_CARD, *POOLINGS)),
        Parameter("max_length", "int", 0, 0, 131_072),
        Parameter("dimensions", "int", 0, 0, 65_536),
        Parameter("batch", "int", 32, 1, 4096),
    )

    def _identity(self, side: Side) -> str:
        loading = self._loading(side)
        read = (loading.fingerprint, loading.pooling, loading.max_length)
        return repr((read, side, self._prompt(side)))

    def _embed(self, side: Side, texts: Sequence[str]) -> NDArray[np.float32]:
        return sentence_model.embed(
            self._loading(side), texts, side, self._prompt(side), self.spec["batch"]
        )

    def _loading(self, side: Side) -> Loading:
        spec, card = self.spec, card_of(self._model(side))
        folder = folder_of(self._model(side))
        pooling = card.pooling if spec["pooling"] == FROM_CARD else spec["pooling"]
        max_length = spec["max_length"] or card.max_length
        return Loading(folder, fingerprint(folder), pooling, max_length)

    def _model(self, side: Side) -> str:
        model, queries = str(self.spec["model"]), str(self.spec["query_model"])
        if side == "document":
            return model
        return (card_of(model).query_model or model) if queries == FROM_CARD else queries

    def _prompt(self, side: Side) -> str | None:
        said = str(self.spec[f"{side}_prompt"])
        if said != FROM_CARD:
            return said
        card = card_of(self._model(side))
        return card.query_prompt if side == "query" else card.document_prompt
