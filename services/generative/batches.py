"""Training pairs as token ids, and the batches of each step, determined by seed and step."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from construction.generative.pairs import Pair

Ids = NDArray[np.int32]
_WINDOW = 32  # batches within which pairs are sorted by length
NO_LABEL = -100
COVERED, LONGEST = 0.99, 2_048
"""Default share of sources kept untruncated, and the maximum of tokens."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """Pairs as token ids: sources with an end token, targets without one if truncated.

    `source` is the source length in tokens. `cut` counts truncated sources per kind, `kinds` all
    sources per kind; `standing` the targets that are token runs of the indexed texts.
    """

    sources: tuple[Ids, ...]
    targets: tuple[Ids, ...]
    source: int
    cut: Counter[str]
    kinds: Counter[str]
    standing: int

    def __len__(self) -> int:
        return len(self.sources)


def encoded(
    pairs: Sequence[Pair],
    tokeniser: Any,
    source: int,
    target: int,
    texts: Iterable[tuple[str, str]] = (),
) -> Encoded:
    """Tokenise `pairs`, truncated to `source` and `target` tokens.

    With `source` 0 the length covers the share COVERED of the sources, LONGEST at most. A target is
    taken from the tokens of the text that contains it, of `texts` (id, text): alone it may be
    tokenised differently, and decoding is constrained to the tokens of the texts. The end token
    follows untruncated targets only, so that a truncated one teaches no end.
    """
    found = _token_ids([pair.source for pair in pairs], tokeniser)
    lengths = [len(each) + 1 for each in found]
    if not source:
        source = (
            min(int(np.quantile(lengths, COVERED, method="inverted_cdf")), LONGEST) if found else 2
        )
    kinds = Counter(str(pair.kind) for pair in pairs)
    cut = Counter(str(p.kind) for p, n in zip(pairs, lengths, strict=True) if n > source)
    within = _tokens_in_texts(pairs, tokeniser, texts)
    alone = [at for at in range(len(pairs)) if at not in within]
    own = _token_ids([pairs[at].target for at in alone], tokeniser)
    targets = within | dict(zip(alone, own, strict=True))
    end = tokeniser.eos_token_id

    def ended(ids: Sequence[int], most: int) -> Ids:
        """Cut ids to a length and end them with the end token."""
        return np.array([*ids[:most], end][:most], dtype=np.int32)

    return Encoded(
        tuple(ended(each, source) for each in found),
        tuple(ended(targets[at], target) for at in range(len(pairs))),
        *(source, cut, kinds, len(within)),
    )


def _token_ids(texts: list[str], tokeniser: Any) -> list[list[int]]:
    """Tokenise texts whole, without special tokens."""
    if not texts:
        return []
    said = tokeniser(texts, add_special_tokens=False, truncation=False)["input_ids"]
    return [list(each) for each in said]


def _tokens_in_texts(
    pairs: Sequence[Pair], tokeniser: Any, texts: Iterable[tuple[str, str]]
) -> dict[int, list[int]]:
    """Return the tokens of each target (by pair index) in one of `texts`; {} if not `is_fast`."""
    wanted: dict[str, list[int]] = {}
    for at, pair in enumerate(pairs):
        if pair.target_at >= 0:
            wanted.setdefault(pair.target_text, []).append(at)
    if not wanted or not tokeniser.is_fast:
        return {}
    found: dict[int, list[int]] = {}
    for name, text in texts:
        if name not in wanted:
            continue
        said = tokeniser(text, add_special_tokens=False, return_offsets_mapping=True)
        starts = [
            start + len(text[start:end]) - len(text[start:end].lstrip())
            for start, end in said["offset_mapping"]
        ]
        for at in wanted[name]:
            low, high = pairs[at].target_at, _target_end(text, pairs[at])
            first = bisect_left(starts, low)
            last = bisect_left(starts, high)
            if first == last:  # one token goes over all of it
                first = max(bisect_right(starts, low) - 1, 0)
            if run := said["input_ids"][first : max(last, first + 1)]:
                found[at] = list(run)
    return found


def _target_end(text: str, pair: Pair) -> int:
    """Return the offset at which a pair's target ends in its text, where blanks may be longer."""
    at = pair.target_at
    for character in pair.target:
        if character.isspace():
            while text[at : at + 1].isspace():
                at += 1
        else:
            at += 1
    return at


def order_of(data: Encoded, batch: int, epoch: int, seed: int) -> list[NDArray[np.int64]]:
    """Return the batches of an epoch as positions in `data`; each pair occurs once.

    Within a window of batches pairs are grouped by source length, then the batches of the window
    shuffled: less padding, and no order by length.
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
    """Return a batch as model input: ids, attention mask, labels."""
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
    """Return rows as a matrix, filled up on the right."""
    width = max(map(len, rows))
    found = np.full((len(rows), width), fill, dtype=np.int64)
    for at, row in enumerate(rows):
        found[at, : len(row)] = row
    return found
