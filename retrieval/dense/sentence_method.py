"""Any sentence-transformers model as a retrieval method (Reimers and Gurevych 2019)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from retrieval.core.model import COMPARED, Parameter
from retrieval.dense.embedding_method import FROM_CARD, SIMILARITY, EmbeddedMethod, Side
from retrieval.dense.model_files import POOLINGS, card_of, fingerprint, folder_of, shown

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


LOCK = Lock()
"""Held while a model is used: tokenisers of the library must not be used by two threads at once."""
_LOADED = 2  # models kept in memory: one for the queries, one for the units


@dataclass(frozen=True, slots=True)
class Loading:
    """What is loaded: the folder, its fingerprint, and what is not left to the model's own files.

    `pooling` "" and `max_length` 0 leave it to them.
    """

    folder: Path
    fingerprint: str
    pooling: str = ""
    max_length: int = 0


def embed(
    loading: Loading, texts: Sequence[str], side: str, prompt: str | None, batch: int
) -> NDArray[np.float32]:
    """Return one vector per text. `prompt` None takes the one that the model has for `side`.

    Raises UserError for a folder that holds no such model.
    """
    with LOCK:
        model = _loaded(loading)
        encode = model.encode_query if side == "query" else model.encode_document
        made: Any = encode(
            list(texts),
            prompt=prompt,
            batch_size=batch,
            show_progress_bar=False,
            convert_to_numpy=True,
        )
    return np.asarray(made, dtype=np.float32)


@lru_cache(maxsize=_LOADED)
def _loaded(loading: Loading) -> SentenceTransformer:
    quiet()
    from sentence_transformers import SentenceTransformer

    with unreadable(loading.folder):
        model = SentenceTransformer(
            str(loading.folder), local_files_only=True, model_kwargs=precision()
        )
        _refuse_dpr(model, loading)
        if loading.pooling:
            _set_pooling(model, loading.pooling)
        if loading.max_length:
            model.max_seq_length = _bounded(model, loading.max_length)
    return model


@contextmanager
def unreadable(folder: Path) -> Iterator[None]:
    """Turn what the libraries raise over files that are no model of theirs into a UserError."""
    try:
        yield
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, AttributeError) as error:
        said = str(error).strip().replace(str(folder), shown(folder))
        reason = (said.splitlines() or [type(error).__name__])[0][:200]
        raise UserError("model_unreadable", model=shown(folder), reason=reason) from error


def precision() -> dict[str, Any]:
    """Return how weights are loaded: in single precision, unless a GPU takes them as they are."""
    import torch

    return {} if torch.cuda.is_available() else {"dtype": torch.float32}


def quiet() -> None:
    """Keep the libraries from drawing progress bars into our output."""
    from transformers.utils import logging

    logging.disable_progress_bar()


def _set_pooling(model: SentenceTransformer, pooling: str) -> None:
    from sentence_transformers.sentence_transformer.modules import Pooling

    for at, module in enumerate(model):
        if isinstance(module, Pooling):
            model[at] = Pooling(module.embedding_dimension, pooling)
            return
    raise ValueError("the model does not pool")


def _bounded(model: SentenceTransformer, wanted: int) -> int:
    """Return `wanted`, or as many tokens as the model has places for."""
    config = getattr(getattr(model[0], "auto_model", None), "config", None)
    places = getattr(config, "max_position_embeddings", None) or wanted
    offset = 2 if getattr(config, "model_type", "") in ("roberta", "xlm-roberta") else 0
    return min(wanted, int(places) - offset)


def _refuse_dpr(model: SentenceTransformer, loading: Loading) -> None:
    # The library would read such a context encoder as a question encoder, with random weights.
    config = getattr(getattr(model[0], "auto_model", None), "config", None)
    if getattr(config, "model_type", "") == "dpr":
        raise UserError("model_dpr", model=shown(loading.folder))


class SentenceTransformers(EmbeddedMethod):
    """Embeds with a model given by its name on the hub or by a folder.

    What is "card" (and 0 for a length) is as the model's makers say, see
    `retrieval.dense.model_files`, and where these say nothing as the model's own files say.
    `query_model` embeds the queries, where that is another model. `dimensions` keeps only the first
    so many values of a vector, for models that are trained for it; 0 keeps all. `batch` is how many
    texts are embedded at a time. `similarity` is the cosine, or the product as it is (``dot``).
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
        SIMILARITY,
        COMPARED,
    )

    def _identity(self, side: Side) -> str:
        loading = self._loading(side)
        read = (loading.fingerprint, loading.pooling, loading.max_length)
        return repr((read, side, self._prompt(side)))

    def _embed(self, side: Side, texts: Sequence[str]) -> NDArray[np.float32]:
        return embed(self._loading(side), texts, side, self._prompt(side), self.spec["batch"])

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
