"""Cross-encoders of the sentence-transformers package: one output for a pair read together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from retrieval.dense.sentence_model import LOCK, precision, quiet, unreadable
from retrieval.rerank.pairs import Pair, Reader, architecture

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder


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
