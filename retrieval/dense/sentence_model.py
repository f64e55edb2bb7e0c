"""Models of the sentence-transformers package: loaded once, asked one batch at a time."""

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
from retrieval.dense.model_files import shown

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
