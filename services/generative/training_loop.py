"""A training loop: seeded, stoppable and resumable, for any torch model.

AdamW, warm-up and linear decay of the learning rate, clipping at norm 1. An interrupted run resumes
from its last checkpoint with the same weights: the batches and the dropout of a step depend on the
seed and the step alone.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from errors import UserError, Where
from llm.batch import End, Progress, Stop
from retrieval.dense.model_files import TRAINING
from services.generative.learning_curve import (
    CHECKPOINT,
    Checkpoint,
    forget_checkpoint,
    keep_checkpoint,
    last_checkpoint,
)
from services.runs.retrieving import environment
from storage.db.atomic_files import published_file

T = TypeVar("T")
BOUNDS: Mapping[str, tuple[float, float]] = {
    "epochs": (1, 1_000),
    "batch": (1, 4_096),
    "rate": (1e-9, 1),
    "warmup": (0, 1),
    "max_length": (0, 131_072),
    "seed": (0, 10**9),
    "threads": (0, 10**4),
}
_EVERY = 100  # steps between checkpoints, beside those at the end of each epoch


@dataclass(frozen=True, slots=True)
class LoopOptions:
    """Options of training; `max_length` 0 is the model's own, `threads` 0 torch's default.

    `batch` is in examples, `rate` the peak learning rate, reached after the share `warmup`.
    """

    epochs: int = 3
    batch: int = 16
    rate: float = 2e-5
    warmup: float = 0.1
    max_length: int = 0
    seed: int = 0
    threads: int = 0
    device: str = "auto"

    def check(self) -> None:
        """Raise UserError for an invalid option."""
        check_options(self, BOUNDS)


def check_options(options: Any, bounds: Mapping[str, tuple[float, float]]) -> None:
    """Raise UserError for an option outside of its bounds, and for an unknown device."""
    for name, (low, high) in bounds.items():
        value = getattr(options, name)
        if not low <= value <= high:
            told = {"value": value, "low": f"{low:,.10g}", "high": f"{high:,.10g}"}
            raise UserError("generative_range", Where(field=name), **told)
    if options.device not in ("auto", "cpu", "cuda"):
        raise UserError("generative_option", Where(field="device"), value=options.device)


def require_free(folder: Path) -> None:
    """Raise UserError for a folder that holds anything but a training to continue."""
    if (folder / TRAINING).exists():
        raise UserError("generative_trained", Where(file=str(folder)))
    if folder.exists() and any(folder.iterdir()) and not (folder / CHECKPOINT).exists():
        raise UserError("training_folder", Where(file=str(folder)))


def chosen_device(device: str, threads: int) -> str:
    """Set the number of threads, 0 for torch's own, and return the device to train on.

    Raises UserError for a GPU that is not there.
    """
    import torch

    if threads:
        torch.set_num_threads(threads)
    there = torch.cuda.is_available()
    if device == "cuda" and not there:
        raise UserError("generative_no_gpu")
    return "cuda" if there and device != "cpu" else "cpu"


class TrainingLoop(ABC, Generic[T]):
    """A training run of `model` in place, over the batches of each epoch."""

    def __init__(self, model: Any, epochs: Sequence[Sequence[T]], options: LoopOptions) -> None:
        """Take the batches of every epoch. Raises UserError for a GPU that is not there."""
        import torch

        self.device = chosen_device(options.device, options.threads)
        self.model, self.epochs, self.options = model, epochs, options
        model.to(self.device)
        model.train()
        self.optimiser = torch.optim.AdamW(model.parameters(), lr=options.rate, weight_decay=0.01)
        self.steps, self.step = sum(map(len, epochs)), 0
        self.lost: list[float] = []

    @abstractmethod
    def loss_of(self, batch: T) -> Any:
        """Return the loss of a batch as a tensor."""

    @property
    def losses(self) -> tuple[float, ...]:
        """Mean loss of each epoch so far."""
        ends = np.cumsum([len(each) for each in self.epochs])[:-1]
        parts = np.split(np.array(self.lost), ends)
        return tuple(round(float(part.mean()), 6) for part in parts if len(part))

    def go(
        self,
        folder: Path,
        run: str,
        about: Mapping[str, Any],
        save: Callable[[], None],
        progress: Progress,
        stop: Stop,
    ) -> End:
        """Train to the end, `save`, and write what it is `about`; or end once `stop` is set.

        `run` is a hash of all that the weights depend on. Raises UserError where `folder` holds a
        checkpoint of another run.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._resume(folder, run)
        progress.total, progress.done = self.steps, self.step
        whole = [(batch, at == len(e)) for e in self.epochs for at, batch in enumerate(e, 1)]
        for batch, ends in whole[self.step :]:
            if stop.is_set():
                self._store(folder, run)
                return End.STOPPED
            self.lost.append(self._train_step(batch))
            self.step += 1
            progress.done = self.step
            if ends or self.step % _EVERY == 0:
                self._store(folder, run)
        self.model.eval()
        self.model.to("cpu")
        save()
        told = {"options": asdict(self.options), "steps": self.step, "losses": self.losses}
        told |= {"device": self.device, "packages": environment()["packages"]}
        with published_file(folder / TRAINING) as part:
            part.write_text(json.dumps({**about, **told}, ensure_ascii=False, indent=2), "utf-8")
        forget_checkpoint(folder)
        return End.DONE

    def _train_step(self, batch: T) -> float:
        """Take one optimiser step with warm-up and decay; return its loss."""
        import torch

        options, share = self.options, self.step / self.steps
        torch.manual_seed(options.seed * 1_000_003 + self.step)  # dropout of this step
        rising = (share + 1 / self.steps) / max(options.warmup, 1e-9)
        falling = (1 - share) / max(1 - options.warmup, 1e-9)
        for group in self.optimiser.param_groups:
            group["lr"] = options.rate * min(rising, falling, 1.0)
        self.optimiser.zero_grad(set_to_none=True)
        loss = self.loss_of(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        return float(loss.item())

    def _store(self, folder: Path, run: str) -> None:
        """Store a checkpoint."""
        state = {"weights": self.model.state_dict(), "lost": self.lost}
        found = Checkpoint(run, self.step, 0.0, state, self.optimiser.state_dict())
        keep_checkpoint(folder, found)

    def _resume(self, folder: Path, run: str) -> None:
        """Load the last checkpoint of this run, if there is one."""
        if (found := last_checkpoint(folder, run, self.device)) is not None:
            self.model.load_state_dict(found.model["weights"])
            self.optimiser.load_state_dict(found.optimiser)
            self.step, self.lost = found.step, list(found.model["lost"])
