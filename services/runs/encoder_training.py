"""Contrastive training of a sentence-transformers model on questions and their passages.

Each example is a question, a relevant passage and hard negatives. The loss is that of the library
(MultipleNegativesRankingLoss, Henderson et al. 2017; its cached form, Gao et al. 2021, for large
batches): every other passage of a batch is a negative too, so no batch holds two examples of which
one has a passage that is relevant to the other.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np

from services.generative.training_loop import BOUNDS, LoopOptions, TrainingLoop, check_options

_AT_ONCE = 32  # examples per forward pass; larger batches use the cached loss


@dataclass(frozen=True, slots=True)
class Example:
    """A question with a relevant passage and hard negatives, as unit ids.

    `excluded` are the units that must not be its negatives: its gold, and what contains that or
    lies within it.
    """

    question: str
    text: str
    positive: str
    negatives: tuple[str, ...]
    excluded: frozenset[str]

    @property
    def units(self) -> Set[str]:
        """Its passages: the relevant one and the negatives."""
        return {self.positive, *self.negatives}

    def conflicts(self, other: Example) -> bool:
        """Return True if one of the two has a passage that the other must not be trained away from.

        Two examples of one question always conflict.
        """
        return bool(self.excluded & other.units or other.excluded & self.units)


@dataclass(frozen=True, slots=True)
class EncoderOptions(LoopOptions):
    """Options of training, with the number of hard `negatives` per example."""

    negatives: int = 1

    def check(self) -> None:
        """Raise UserError for an invalid option."""
        check_options(self, {**BOUNDS, "negatives": (0, 20)})


def batches(examples: Sequence[Example], size: int, epoch: int, seed: int) -> list[list[Example]]:
    """Return the batches of an epoch, shuffled; no two examples of a batch conflict.

    Batches of a single example without negatives teach nothing and are left out.
    """
    order = np.random.default_rng([seed, epoch]).permutation(len(examples))
    waiting = [examples[at] for at in order]
    found: list[list[Example]] = []
    while waiting:
        batch: list[Example] = []
        later: list[Example] = []
        for each in waiting:
            fits = len(batch) < size and not any(each.conflicts(other) for other in batch)
            (batch if fits else later).append(each)
        found.append(batch)
        waiting = later
    return [batch for batch in found if len(batch) > 1 or batch[0].negatives]


class EncoderTraining(TrainingLoop[list[Example]]):
    """A run of a sentence-transformers model."""

    def __init__(
        self,
        model: Any,
        prompts: tuple[str, str],
        examples: Sequence[Example],
        passages: dict[str, str],
        options: EncoderOptions,
    ) -> None:
        """Take a model, its prompts (query, document), and the text of each passage by id."""
        from sentence_transformers.sentence_transformer import losses

        self.prompts, self.passages = prompts, passages
        epochs = (
            batches(examples, options.batch, at, options.seed) for at in range(options.epochs)
        )
        super().__init__(model, list(epochs), options)
        self.loss: Any = losses.MultipleNegativesRankingLoss(model)
        if options.batch > _AT_ONCE:
            self.loss = losses.CachedMultipleNegativesRankingLoss(model, mini_batch_size=_AT_ONCE)

    def loss_of(self, batch: Sequence[Example]) -> Any:
        """Return the contrastive loss of a batch."""
        import torch

        return self.loss(self._features(batch), torch.zeros(len(batch), device=self.device))

    def _features(self, batch: Sequence[Example]) -> list[dict[str, Any]]:
        """Return the batch as columns: questions, relevant passages, and one per negative."""
        query, document = self.prompts
        least = min(len(each.negatives) for each in batch)
        columns = [[query + each.text for each in batch]]
        rows = [(each.positive, *each.negatives[:least]) for each in batch]
        columns += [[document + self.passages[unit] for unit in c] for c in zip(*rows, strict=True)]
        return [
            {name: value.to(self.device) if hasattr(value, "to") else value for name, value in of}
            for of in (self.model.preprocess(column).items() for column in columns)
        ]
