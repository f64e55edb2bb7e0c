"""Pairs as token ids, and the batches of each step: they depend on seed and step alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from construction.generative.pairs import Pair

Ids = NDArray[np.int32]
_WINDOW = 32  # batches within which pairs of one length come together
NO_LABEL = -100


@dataclass(frozen=True, slots=True)
class Encoded:
    """Pairs as token ids: a source with its end, a target without one where it was cut."""

    sources: tuple[Ids, ...]
    targets: tuple[Ids, ...]

    def __len__(self) -> int:
        return len(self.sources)


def encoded(pairs: Sequence[Pair], tokeniser: Any, source: int, target: int) -> Encoded:
    """Return `pairs` cut to `source` and `target` tokens.

    The end stands behind a target that is whole, so that a cut one teaches no end.
    """
    end = tokeniser.eos_token_id

    def ids(texts: list[str], most: int) -> tuple[Ids, ...]:
        if not texts:
            return ()
        found = tokeniser(texts, add_special_tokens=False, truncation=False)["input_ids"]
        return tuple(np.array([*each[:most], end][:most], dtype=np.int32) for each in found)

    return Encoded(
        ids([pair.source for pair in pairs], source), ids([pair.target for pair in pairs], target)
    )


def order_of(data: Encoded, batch: int, epoch: int, seed: int) -> list[NDArray[np.int64]]:
    """Return the batches of an epoch as positions in `data`; each pair comes once.

    Within a window of batches pairs are put together by the length of their source, then the
    batches of the window shuffled: less padding, and no order by length.
    """
    draw = np.random.default_rng([seed, epoch])
    shuffled = draw.permutation(len(data))
    lengths = np.array([len(each) for each in data.sources], dtype=np.int64)
    found: list[NDArray[np.int64]] = []
    for start in range(0, len(shuffled), batch * _WINDOW):
        window = shuffled[start : start + batch * _WINDOW]
        window = window[np.argsort(lengths[window], kind="stable")]
        pieces = [window[at : at + batch] for at in range(0, len(window), batch)]
        found += [pieces[at] for at in draw.permutation(len(pieces))]
    return found


def tensors(data: Encoded, at: Sequence[int] | NDArray[np.int64], pad: int) -> dict[str, Any]:
    """Return a batch as a model takes it: ids, attention, labels."""
    import torch

    sources = _padded([data.sources[int(each)] for each in at], pad)
    labels = _padded([data.targets[int(each)] for each in at], NO_LABEL)
    lengths = np.array([len(data.sources[int(each)]) for each in at])
    mask = np.arange(sources.shape[1])[None, :] < lengths[:, None]
    return {
        "input_ids": torch.from_numpy(sources),
        "attention_mask": torch.from_numpy(mask.astype(np.int64)),
        "labels": torch.from_numpy(labels),
    }


def _padded(rows: Sequence[Ids], fill: int) -> NDArray[np.int64]:
    width = max(map(len, rows))
    found = np.full((len(rows), width), fill, dtype=np.int64)
    for at, row in enumerate(rows):
        found[at, : len(row)] = row
    return found
