"""BERTScore of answers against official answers, with any local encoder.

T. Zhang, V. Kishore, F. Wu, K. Weinberger & Y. Artzi, BERTScore: Evaluating Text Generation with
BERT, ICLR 2020, section 3. Both texts are encoded; each token takes its highest cosine
with a token of the other text. Precision is the weighted mean over the answer's tokens, recall that
over the reference's, F1 their harmonic mean. The layer of the vectors is a parameter,
and so is the weight of a token: 1, or its rarity among the references,

  idf(w) = log((M + 1) ÷ (M(w) + 1))   of M references, M(w) of which have w.

As in the package bert-score, whose numbers these are: special tokens at the beginning and end have
no weight but may be the closest to a token, long texts are truncated to the encoder's maximum, and
scores are not rescaled by a baseline (there is none for other encoders).

Without anything to compare: two texts without tokens score 1, one of both 0 (bert-score has 0
in both cases); where no token of a text has weight, all have equal weight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_BATCH = 32  # texts encoded at a time
_PAIRS_AT_ONCE = 64  # pairs whose vectors are in memory together
_LONGEST = 100_000  # tokens: tokenisers without a limit report more
_PLACES_KEPT = {"roberta": 2, "xlm-roberta": 2, "camembert": 2}  # by kinds of models, for padding

Pair = tuple[str, str]
"""An answer and its reference."""
Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class BertScore:
    """Precision, recall and F1 of a pair: means of cosines, in practice between 0 and 1."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Encoded:
    """An encoded text: token ids, unit-length vectors, and whether each token counts."""

    ids: tuple[int, ...]
    vectors: Array
    counts: NDArray[np.bool_]


class NoSuchLayerError(ValueError):
    """Raised for a layer that the model lacks; `layers` is the number of its layers."""

    def __init__(self, layers: int) -> None:
        super().__init__(f"the model has {layers} layers")
        self.layers = layers


class Encoder:
    """A local Hugging Face encoder, read at one of its layers.

    `layer` 0 is the last one; 1 to `layers` count from the input. Nothing is downloaded. Raises
    NoSuchLayerError, and whatever the libraries raise for invalid files.
    """

    def __init__(self, folder: Path, layer: int = 0) -> None:
        import torch
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging

        logging.disable_progress_bar()
        self._tokeniser: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model: Any = AutoModel.from_pretrained(folder, local_files_only=True, dtype=torch.float32)
        encodes = hasattr(model, "decoder") and hasattr(model, "encoder")
        self._model = (model.encoder if encodes else model).eval()
        self._model.to("cuda" if torch.cuda.is_available() else "cpu")
        self.layers = int(self._model.config.num_hidden_layers)
        if not 0 <= layer <= self.layers:
            raise NoSuchLayerError(self.layers)
        self._layer = layer or self.layers
        self._limit = self._max_tokens()

    def ids(self, text: str) -> tuple[int, ...]:
        """Return a text's token ids, with special tokens."""
        made = self._tokeniser(text.strip(), truncation=True, max_length=self._limit)
        return tuple(made["input_ids"])

    def encoded(self, texts: Sequence[str]) -> list[Encoded]:
        """Return each text with its tokens' ids and vectors, and which of them count."""
        found: dict[int, Encoded] = {}
        every = [self.ids(text) for text in texts]
        order = sorted(range(len(every)), key=lambda at: len(every[at]))
        for start in range(0, len(order), _BATCH):
            part = order[start : start + _BATCH]
            batch = [every[at] for at in part]
            for at, vectors in zip(part, self._vectors(batch), strict=True):
                found[at] = Encoded(every[at], vectors, self._has_weight(every[at]))
        return [found[at] for at in range(len(every))]

    def _vectors(self, batch: Sequence[Sequence[int]]) -> Iterator[Array]:
        """Yield the token vectors of a batch."""
        import torch

        longest = max(map(len, batch))
        pad = self._tokeniser.pad_token_id or 0
        ids = [[*each, *[pad] * (longest - len(each))] for each in batch]
        mask = [[1] * len(each) + [0] * (longest - len(each)) for each in batch]
        device = self._model.device
        with torch.no_grad():
            states = self._model(
                torch.tensor(ids, device=device),
                attention_mask=torch.tensor(mask, device=device),
                output_hidden_states=True,
            ).hidden_states[self._layer]
            units = torch.nn.functional.normalize(states.float(), dim=-1).cpu().numpy()
        for each, rows in zip(batch, units, strict=True):
            yield np.array(rows[: len(each)], dtype=np.float32)

    def _has_weight(self, ids: Sequence[int]) -> NDArray[np.bool_]:
        """Return a mask of the tokens that are not special."""
        marks = {self._tokeniser.cls_token_id, self._tokeniser.sep_token_id}
        return np.array([each not in marks for each in ids], dtype=np.bool_)

    def _max_tokens(self) -> int:
        """Return the most tokens that the model reads at once."""
        config = self._model.config
        said = min(int(self._tokeniser.model_max_length), _LONGEST)
        places = getattr(config, "max_position_embeddings", None)
        if not isinstance(places, int) or places <= 0:
            return said
        return min(said, places - _PLACES_KEPT.get(config.model_type, 0))


def idf_of(encoder: Encoder, references: Iterable[str]) -> dict[int, float]:
    """Return the idf of each token of the references; see `_weighted_mean` for unseen tokens.

    References are counted with repetition.
    """
    count, seen = 0, Counter[int]()
    for text in references:
        count += 1
        seen.update(set(encoder.ids(text)))
    found = {token: log((count + 1) / (times + 1)) for token, times in sorted(seen.items())}
    return found | {_UNSEEN: log(count + 1)}


_UNSEEN = -1  # key of the idf of tokens that no reference has
Weights = Mapping[int, float] | None
"""Token weights; None for equal weights."""


def bert_scores(
    encoder: Encoder, pairs: Sequence[Pair], weights: Weights = None
) -> list[BertScore]:
    """Return the score of each (answer, reference) pair."""
    found: dict[int, BertScore] = {}
    # Sorted by reference, so that each is encoded once.
    order = sorted(range(len(pairs)), key=lambda at: (pairs[at][1], pairs[at][0]))
    for start in range(0, len(order), _PAIRS_AT_ONCE):
        part = order[start : start + _PAIRS_AT_ONCE]
        texts = list(dict.fromkeys(text for at in part for text in pairs[at]))
        encoded = dict(zip(texts, encoder.encoded(texts), strict=True))
        for at in part:
            answer, reference = pairs[at]
            found[at] = _score(encoded[answer], encoded[reference], weights)
    return [found[at] for at in range(len(pairs))]


def _score(answer: Encoded, reference: Encoded, weights: Weights) -> BertScore:
    """Return BERTScore of an answer: weighted means of the greatest cosines of its tokens."""
    if not answer.counts.any() or not reference.counts.any():
        same = float(not answer.counts.any() and not reference.counts.any())
        return BertScore(same, same, same)
    cosines = answer.vectors @ reference.vectors.T
    precision = _weighted_mean(cosines.max(axis=1), answer, weights)
    recall = _weighted_mean(cosines.max(axis=0), reference, weights)
    both = precision + recall
    return BertScore(precision, recall, 2 * precision * recall / both if both else 0.0)


def _weighted_mean(closest: Array, text: Encoded, weights: Weights) -> float:
    """Return the mean of closest similarities, weighted by token rarity if weights are given."""
    counts = text.counts.astype(np.float64)
    if weights is None:
        return float(np.average(closest, weights=counts))
    unseen = weights.get(_UNSEEN, 1.0)
    rare = counts * np.array([weights.get(token, unseen) for token in text.ids])
    return float(np.average(closest, weights=rare if rare.sum() > 0 else counts))
