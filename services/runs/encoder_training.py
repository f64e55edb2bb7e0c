"""Contrastive training of a sentence-transformers model on questions and their passages.

Each example is a question, a relevant passage and hard negatives. The loss is that of the library
(MultipleNegativesRankingLoss, Henderson et al. 2017; its cached form, Gao et al. 2021, for large
batches): every other passage of a batch is a negative too, so no batch holds two examples of which
one has a passage that is relevant to the other.

AdamW, warm-up and linear decay of the learning rate, clipping at norm 1. An interrupted run resumes
from its last checkpoint, at the end of an epoch or where it was stopped, with the same weights: the
batches and the dropout of a step depend on the seed and the step alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from errors import UserError, Where
from llm.batch import Progress, Stop
from services.generative.learning_curve import (
    Checkpoint,
    keep_checkpoint,
    last_checkpoint,
)

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
class EncoderOptions:
    """Options of training; `max_length` 0 is the model's own, `threads` 0 torch's default.

    `batch` is in examples, `rate` the peak learning rate, reached after the share `warmup`.
    `negatives` is the number of hard negatives per example.
    """

    epochs: int = 3
    batch: int = 16
    rate: float = 2e-5
    warmup: float = 0.1
    negatives: int = 1
    max_length: int = 0
    seed: int = 0
    threads: int = 0
    device: str = "auto"

    def check(self) -> None:
        """Raise UserError for an invalid option."""
        bounds: dict[str, tuple[float, float]] = {
            "epochs": (1, 1_000),
            "batch": (2, 4_096),
            "rate": (1e-9, 1),
            "warmup": (0, 1),
            "negatives": (0, 20),
            "max_length": (0, 131_072),
            "seed": (0, 10**9),
            "threads": (0, 10**4),
        }
        for name, (low, high) in bounds.items():
            if not low <= (value := getattr(self, name)) <= high:
                told = {"value": value, "low": f"{low:,.10g}", "high": f"{high:,.10g}"}
                raise UserError("generative_range", Where(field=name), **told)
        if self.device not in ("auto", "cpu", "cuda"):
            raise UserError("generative_option", Where(field="device"), value=self.device)


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


def device_of(wanted: str) -> str:
    """Return the torch device to train on. Raises UserError for a GPU that is not there."""
    import torch

    there = torch.cuda.is_available()
    if wanted == "cuda" and not there:
        raise UserError("generative_no_gpu")
    return "cuda" if there and wanted != "cpu" else "cpu"


class EncoderTraining:
    """A training run of `model` in place; `run` is a hash of all that its weights depend on."""

    def __init__(
        self,
        model: Any,
        prompts: tuple[str, str],
        examples: Sequence[Example],
        passages: dict[str, str],
        options: EncoderOptions,
    ) -> None:
        """Take a model, its prompts (query, document), and the text of each passage by id."""
        import torch
        from sentence_transformers.sentence_transformer import losses

        self.model, self.prompts, self.passages = model, prompts, passages
        self.options, self.device = options, device_of(options.device)
        if options.threads:
            torch.set_num_threads(options.threads)
        model.to(self.device)
        model.train()
        cached = options.batch > _AT_ONCE
        self.loss = (
            losses.CachedMultipleNegativesRankingLoss(model, mini_batch_size=_AT_ONCE)
            if cached
            else losses.MultipleNegativesRankingLoss(model)
        )
        self.epochs = [
            batches(examples, options.batch, epoch, options.seed) for epoch in range(options.epochs)
        ]
        self.steps = sum(map(len, self.epochs))
        self.optimiser = torch.optim.AdamW(model.parameters(), lr=options.rate, weight_decay=0.01)
        self.step = 0
        self.lost: list[float] = []

    @property
    def losses(self) -> list[float]:
        """Mean loss of each epoch so far."""
        ends = np.cumsum([len(each) for each in self.epochs])[:-1]
        return [round(float(np.mean(part)), 6) for part in np.split(self.lost, ends) if len(part)]

    def go(self, folder: Path, run: str, progress: Progress, stop: Stop) -> bool:
        """Train to the end, or until `stop`; return whether it is complete.

        Raises UserError where `folder` holds a checkpoint of another run.
        """
        self._resume(folder, run)
        progress.total, progress.done = self.steps, self.step
        for batch, ends in self._remaining():
            if stop.is_set():
                self._store(folder, run)
                return False
            self.lost.append(self._train_step(batch))
            self.step += 1
            progress.done = self.step
            if ends:
                self._store(folder, run)
        self.model.eval()
        self.model.to("cpu")
        return True

    def _remaining(self) -> Iterator[tuple[list[Example], bool]]:
        """Yield the batches from the current step on, and whether each is the last of its epoch."""
        whole = [(batch, at == len(e)) for e in self.epochs for at, batch in enumerate(e, 1)]
        yield from whole[self.step :]

    def _train_step(self, batch: Sequence[Example]) -> float:
        import torch

        options, share = self.options, self.step / self.steps
        torch.manual_seed(options.seed * 1_000_003 + self.step)  # dropout of this step
        rising = (share + 1 / self.steps) / max(options.warmup, 1e-9)
        falling = (1 - share) / max(1 - options.warmup, 1e-9)
        for group in self.optimiser.param_groups:
            group["lr"] = options.rate * min(rising, falling, 1.0)
        self.optimiser.zero_grad(set_to_none=True)
        loss = self.loss(self._features(batch), torch.zeros(len(batch), device=self.device))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        return float(loss.item())

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

    def _store(self, folder: Path, run: str) -> None:
        state = {"weights": self.model.state_dict(), "lost": self.lost}
        found = Checkpoint(run, self.step, 0.0, state, self.optimiser.state_dict())
        keep_checkpoint(folder, found)

    def _resume(self, folder: Path, run: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        if (found := last_checkpoint(folder, run, self.device)) is not None:
            self.model.load_state_dict(found.model["weights"])
            self.optimiser.load_state_dict(found.optimiser)
            self.step, self.lost = found.step, list(found.model["lost"])
