"""Any sentence-transformers model as a retrieval method (Reimers and Gurevych 2019)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
from retrieval.dense.model_files import (
    POOLINGS,
    card_of,
    fingerprint,
    folder_of,
    model_display_name,
    trained_about,
)

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


LOCK = Lock()
"""Lock around model use: the library's tokenisers are not thread-safe."""
_LOADED = 2  # models held in memory: one for the queries, one for the units


@dataclass(frozen=True, slots=True)
class Loading:
    """A model to load: its folder, fingerprint, and overridden settings.

    `pooling` "" and `max_length` 0 leave them to the model's files.
    """

    folder: Path
    fingerprint: str
    pooling: str
    max_length: int


def embed(
    loading: Loading, texts: Sequence[str], side: str, prompt: str | None, batch: int
) -> NDArray[np.float32]:
    """Return one vector per text. `prompt` None uses the model's own for `side`.

    Raises UserError for a folder without such a model.
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
    """Load the model, once."""
    return load_model(loading)


def load_model(loading: Loading) -> SentenceTransformer:
    """Return a model with its overridden settings. Raises UserError as `embed` does."""
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
            model.max_seq_length = _possible_length(model, loading.max_length)
    return model


@contextmanager
def unreadable(folder: Path) -> Iterator[None]:
    """Turn the libraries' errors about invalid model files into a UserError."""
    try:
        yield
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, AttributeError) as error:
        said = str(error).strip().replace(str(folder), model_display_name(folder))
        reason = (said.splitlines() or [type(error).__name__])[0][:200]
        raise UserError(
            "model_unreadable", model=model_display_name(folder), reason=reason
        ) from error


def precision() -> dict[str, Any]:
    """Return loading options for the weights: single precision, unless there is a GPU."""
    import torch

    return {} if torch.cuda.is_available() else {"dtype": torch.float32}


def quiet() -> None:
    """Turn off the libraries' progress bars."""
    from transformers.utils import logging

    logging.disable_progress_bar()


def _set_pooling(model: SentenceTransformer, pooling: str) -> None:
    from sentence_transformers.sentence_transformer.modules import Pooling

    for at, module in enumerate(model):
        if isinstance(module, Pooling):
            model[at] = Pooling(module.embedding_dimension, pooling)
            return
    raise ValueError("the model does not pool")


def _possible_length(model: SentenceTransformer, length: int) -> int:
    """Return `length`, limited to the model's maximum number of tokens."""
    config = getattr(getattr(model[0], "auto_model", None), "config", None)
    places = getattr(config, "max_position_embeddings", None) or length
    offset = 2 if getattr(config, "model_type", "") in ("roberta", "xlm-roberta") else 0
    return min(length, int(places) - offset)


def _refuse_dpr(model: SentenceTransformer, loading: Loading) -> None:
    # The library would load such a context encoder as a question encoder, with random weights.
    config = getattr(getattr(model[0], "auto_model", None), "config", None)
    if getattr(config, "model_type", "") == "dpr":
        raise UserError("model_dpr", model=model_display_name(loading.folder))


class SentenceTransformers(EmbeddedMethod):
    """Embeddings from a sentence-transformers model, given by its name on the hub or a folder.

    "card" (and 0 for a length) means the recommended setting of
    `retrieval.dense.model_files`, or else that of the model's own files. `query_model` embeds the
    queries, where that is another model. `dimensions` keeps only the first so many values of a
    vector, for models that are trained for it; 0 keeps all. `batch` is the number of texts embedded
    at a time. `similarity` is the cosine, or the raw dot product (``dot``).
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

    @property
    def trained_on(self) -> list[Mapping[str, Any]]:
        """The gold that its models were trained on, if they were trained here."""
        folders = {folder_of(self._model(side)) for side in ("query", "document")}
        return [
            about["gold"] for each in sorted(folders) if "gold" in (about := trained_about(each))
        ]

    def _identity(self, side: Side) -> str:
        """Return model, pooling, length, side and prompt."""
        loading = self.loading(side)
        read = (loading.fingerprint, loading.pooling, loading.max_length)
        return repr((read, side, self.prompt(side)))

    def _embed(self, side: Side, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts of a side."""
        return embed(self.loading(side), texts, side, self.prompt(side), self.spec["batch"])

    def loading(self, side: Side) -> Loading:
        """Return the settings that load the model of a side."""
        spec, card = self.spec, card_of(self._model(side))
        folder = folder_of(self._model(side))
        pooling = card.pooling if spec["pooling"] == FROM_CARD else spec["pooling"]
        max_length = spec["max_length"] or card.max_length
        return Loading(folder, fingerprint(folder), pooling, max_length)

    def _model(self, side: Side) -> str:
        """Return the model of a side."""
        model, queries = str(self.spec["model"]), str(self.spec["query_model"])
        if side == "document":
            return model
        return (card_of(model).query_model or model) if queries == FROM_CARD else queries

    def prompt(self, side: Side) -> str | None:
        """Return the prefix of a side's texts; None for the one in the model's files."""
        said = str(self.spec[f"{side}_prompt"])
        if said != FROM_CARD:
            return said
        card = card_of(self._model(side))
        return card.query_prompt if side == "query" else card.document_prompt
