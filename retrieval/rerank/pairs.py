"""Rerankers' common part: pairs of question and text, and the cross-encoder that scores them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from retrieval.dense.model_files import shown
from retrieval.dense.sentence_model import LOCK, precision, quiet, unreadable

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder


FORMS = ("auto", "pair", "yes_no")
INSTRUCTION = "Given a web search query, retrieve relevant passages that answer the query"
"""What Qwen3-Reranker is told where nothing else is said, as its makers have it."""

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Reader:
    """A model that reads pairs.

    `form` is ``pair`` for a classifier with one output, ``yes_no`` for a language model that is
    asked for yes or no. `max_length` 0 leaves the number of tokens to the model, `instruction` is
    said to language models only.
    """

    folder: Path
    fingerprint: str
    form: str
    max_length: int = 0
    instruction: str = INSTRUCTION


def form_of(folder: Path, said: str) -> str:
    """Return the form that `said` is, or for ``auto`` the one of the model in `folder`.

    Raises UserError for a folder whose config cannot be read.
    """
    if said != "auto":
        return said
    return "yes_no" if architecture(folder).endswith(("ForCausalLM", "LMHeadModel")) else "pair"


def architecture(folder: Path) -> str:
    """Return what kind of model the folder holds. Raises UserError for a config that is none."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        return str((config.get("architectures") or [""])[0])
    except (OSError, ValueError, AttributeError, TypeError, KeyError) as error:
        reason = type(error).__name__
        raise UserError("model_unreadable", model=shown(folder), reason=reason) from error


def scores(reader: Reader, pairs: Sequence[Pair], batch: int) -> NDArray[np.float64]:
    """Return the output for each pair, before any squashing: there equal ones would pile up at 1.

    Raises UserError for a model that is no cross-encoder with one output.
    """
    import torch

    with LOCK:
        made = _loaded(reader).predict(
            list(pairs),
            batch_size=batch,
            show_progress_bar=False,
            activation_fn=torch.nn.Identity(),
        )
    return np.asarray(made, dtype=np.float64).reshape(len(pairs))


@lru_cache(maxsize=1)
def _loaded(reader: Reader) -> CrossEncoder:
    quiet()
    from sentence_transformers import CrossEncoder

    with unreadable(reader.folder):
        if not architecture(reader.folder).endswith("ForSequenceClassification"):
            # The library would put an output with random weights on top.
            raise ValueError("it is no classifier of pairs")
        model = CrossEncoder(
            str(reader.folder),
            local_files_only=True,
            max_length=reader.max_length or None,
            model_kwargs=precision(),
        )
        if model.num_labels != 1:
            raise ValueError(f"it has {model.num_labels} outputs, not one")
    return model
