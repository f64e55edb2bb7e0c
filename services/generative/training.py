"""Training of a model to write identifiers: any Hugging Face encoder–decoder, or a new one.

The input is a pair's source, the output its target; the loss is the cross-entropy of the target's
tokens. The resulting folder is in Hugging Face format, with ``training.json`` (provenance) and
``curve.jsonl`` beside the weights. An interrupted run resumes from its last checkpoint with the
same final weights: the pairs of a step, and its dropout, depend on the seed and the step alone.
That holds on one machine with one number of threads, and where steps are limited and not minutes.

Open in the paper (LegalSearchLM, appendix B: mT5-base, one epoch) and chosen here: AdamW, warm-up
and linear decay of the learning rate, clipping at norm 1.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from errors import UserError, Where
from llm.batch import End, Progress, Stop
from normalization.hashing import json_hash
from retrieval.dense.model_files import TRAINING
from services.generative.batches import NO_LABEL, Encoded, encoded, order_of, tensors
from services.generative.learning_curve import (
    CHECKPOINT,
    CURVE,
    Checkpoint,
    Point,
    add_point,
    cut_curve,
    forget_checkpoint,
    keep_checkpoint,
    last_checkpoint,
)
from services.generative.pair_files import PairFolder
from services.generative.small_model import (
    Size,
    begin_by_copying,
    initialise_embeddings,
    latent_vectors,
    new_model,
    trained_tokeniser,
)
from services.generative.training_loop import check_options, chosen_device
from storage.db.atomic_files import published_file

_HELD_OUT = 512  # held-out pairs used for the learning curve
_ROOM = 32 * 1_024**2  # pairs per forward pass, times the square of the longest source
_MOST = 10**9
_BOUNDS: Mapping[str, tuple[float, float]] = {
    "epochs": (1, _MOST),
    "steps": (0, _MOST),
    "minutes": (0, _MOST),
    "batch": (1, _MOST),
    "source": (0, 100_000),
    "target": (2, 1_000),
    "seed": (0, _MOST),
    "threads": (0, _MOST),
    "every": (1, _MOST),
    "rate": (1e-9, 10),
    "warmup": (0, 1),
    "dropout": (0, 0.9),
}


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """Options of training.

    `start` is a Hugging Face folder to start from; None is a new model of `size`, with embeddings
    initialised by latent semantic analysis if `latent`. Training ends after `epochs`, or after
    `steps` or `minutes` if not 0, whichever is first. `source` and `target` are lengths in tokens
    (`source` 0: covers nearly all sources), `batch` is in pairs, `rate` the peak learning rate,
    reached after the share `warmup` and falling to 0 at the end. Every `every` steps a curve point
    and a checkpoint are stored. `device` is auto, cpu or cuda; `threads` 0 is torch's default.
    """

    start: Path | None = None
    size: Size = field(default_factory=Size)
    latent: bool = True
    epochs: int = 1
    steps: int = 0
    minutes: float = 0.0
    batch: int = 32
    source: int = 0
    target: int = 12
    rate: float = 1e-3
    warmup: float = 0.05
    dropout: float = 0.0
    seed: int = 0
    threads: int = 0
    every: int = 100
    device: str = "auto"

    def check(self) -> None:
        """Raise UserError for an invalid option."""
        check_options(self, _BOUNDS)
        self.size.check()

    def as_json(self) -> dict[str, Any]:
        """Return the options as JSON values; of a folder only its name."""
        return {**asdict(self), "start": None if self.start is None else self.start.name}


@dataclass(frozen=True, slots=True)
class Trained:
    """Result of training: `end` says whether it is complete, or stopped and resumable.

    `source` is the source length in tokens, `cut` the share of truncated sources per kind,
    `standing` the share of identifiers that are token runs of the indexed texts.
    """

    folder: Path
    steps: int
    pairs: int
    seconds: float
    parameters: int
    device: str
    end: End
    last: Point | None
    source: int
    cut: Mapping[str, float]
    standing: float


async def train(
    prepared: PairFolder,
    folder: Path,
    options: TrainingOptions,
    progress: Progress,
    stop: Stop,
) -> Trained:
    """Train on prepared pairs and write the model to `folder`.

    Resumes a run of equal pairs and options. Once `stop` is set it stores a checkpoint and ends.
    Raises UserError for invalid options, a folder with a complete model or another run, an
    unreadable model, and invalid pairs.
    """
    options.check()
    run = _Run(prepared, folder, options)
    return run.go(progress, stop)


class _Run:
    def __init__(self, prepared: PairFolder, folder: Path, options: TrainingOptions) -> None:
        self.prepared, self.folder, self.options = prepared, folder, options
        if (folder / TRAINING).exists() and not (folder / CHECKPOINT).exists():
            raise UserError("generative_trained", Where(file=str(folder)))
        # Torch first: what comes with it reads the number of threads once.
        import torch
        from transformers.utils import logging

        logging.disable_progress_bar()
        self.device = chosen_device(options.device, options.threads)
        torch.manual_seed(options.seed)
        self.tokeniser, self.model = self._initial_model()
        if options.dropout and options.start is not None:
            _set_dropout(self.model, options.dropout)
        self.model.to(self.device)
        self.data = self._encoded(prepared.pairs(), options.source)
        if not len(self.data):
            raise UserError("generative_no_pairs")
        self.aside = self._encoded(prepared.held_out()[:_HELD_OUT], self.data.source)
        self.per_epoch = math.ceil(len(self.data) / options.batch)
        whole = self.per_epoch * options.epochs
        self.steps = min(whole, options.steps) if options.steps else whole
        self.optimiser = torch.optim.AdamW(
            self.model.parameters(), lr=options.rate, weight_decay=0.01
        )
        self.step, self.seconds = 0, 0.0
        self.lost: list[float] = []
        self._epoch: tuple[int, list[Any]] = (-1, [])

    def _initial_model(self) -> tuple[Any, Any]:
        """Return the tokeniser and model to start from: a stored one, or a new one."""
        options = self.options
        if options.start is not None:
            return _read_model(options.start)
        texts = [text for _, text in self.prepared.texts()]
        tokeniser = trained_tokeniser(texts, options.size.vocabulary)
        model = new_model(options.size, len(tokeniser), options.dropout)
        if options.latent and texts:
            ids = tokeniser(texts, add_special_tokens=False)["input_ids"]
            vectors = latent_vectors(ids, len(tokeniser), options.size.width, options.seed)
            initialise_embeddings(model, vectors)
            begin_by_copying(model, options.seed)
        return tokeniser, model

    def _encoded(self, pairs: Any, source: int) -> Encoded:
        """Return pairs as token ids."""
        return encoded(pairs, self.tokeniser, source, self.options.target, self.prepared.texts())

    @property
    def _data_figures(self) -> tuple[int, dict[str, float], float]:
        """Source length, shares truncated per kind, and share of targets in the texts."""
        data = self.data
        cut = {kind: data.cut[kind] / count for kind, count in data.kinds.items() if data.cut[kind]}
        return data.source, cut, data.standing / len(data)

    @property
    def identity(self) -> str:
        """Hash of what the weights depend on, without the limits of training."""
        said = self.options.as_json() | {"pairs": self.prepared.identity}
        for name in ("minutes", "threads", "device", "every"):
            said.pop(name)
        return json_hash(said)

    def go(self, progress: Progress, stop: Stop) -> Trained:
        """Train to the last step or time limit, then save the model; a stop saves a checkpoint."""
        import torch

        self.folder.mkdir(parents=True, exist_ok=True)
        self._resume()
        progress.total, progress.done = self._expected, self.step
        last: Point | None = None
        while self.step < self.steps and not self._time_is_up and not stop.is_set():
            began = time.perf_counter()
            torch.manual_seed(self.options.seed * 1_000_003 + self.step)  # dropout of this step
            self.lost.append(self._train_step())
            self.step += 1
            self.seconds += time.perf_counter() - began
            progress.done, progress.total = self.step, self._expected
            if self.step % self.options.every == 0:
                last = self._add_curve_point()
                self._store_checkpoint()
        if stop.is_set() and self.step < self.steps:
            self._store_checkpoint()
            return self._result(End.STOPPED, last)
        if self.lost:
            last = self._add_curve_point()
        self._finish(last)
        progress.total = self.step
        return self._result(End.DONE, last)

    def _resume(self) -> None:
        """Load this training's checkpoint and cut the curve to it; without one, drop the old curve.

        Raises UserError for a checkpoint of another training.
        """
        found = last_checkpoint(self.folder, self.identity, self.device)
        if found is None:
            (self.folder / CURVE).unlink(missing_ok=True)
            return
        self.model.load_state_dict(found.model)
        self.optimiser.load_state_dict(found.optimiser)
        self.step, self.seconds = found.step, found.seconds
        cut_curve(self.folder, self.step)

    @property
    def _time_is_up(self) -> bool:
        """Whether the time limit is reached."""
        return bool(self.options.minutes) and self.seconds >= 60 * self.options.minutes

    @property
    def _share(self) -> float:
        """Completed share of the run, by steps or by the clock, whichever is further."""
        clock = self.seconds / (60 * self.options.minutes) if self.options.minutes else 0.0
        return max(self.step / self.steps, min(clock, 1.0))

    @property
    def _expected(self) -> int:
        """Expected number of steps, extrapolated from the clock."""
        return round(self.step / self._share) if self.step else self.steps

    @property
    def rate(self) -> float:
        """Learning rate of this step."""
        share, warmup = self._share, self.options.warmup
        if share < warmup:
            return self.options.rate * (share + 1 / self.steps) / warmup
        return self.options.rate * max(1 - share, 0.0) / max(1 - warmup, 1e-9)

    def _train_step(self) -> float:
        """Take one optimiser step; return its loss."""
        import torch

        epoch, at = divmod(self.step, self.per_epoch)
        if self._epoch[0] != epoch:
            self._epoch = epoch, order_of(self.data, self.options.batch, epoch, self.options.seed)
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate
        self.model.train()
        self.optimiser.zero_grad(set_to_none=True)
        lost = 0.0
        for batch, share in self._parts(self._epoch[1][at]):
            loss = self.model(**batch).loss * share
            loss.backward()
            lost += float(loss.item())
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        return lost

    def _parts(self, rows: Any) -> Iterator[tuple[dict[str, Any], float]]:
        """Yield the pairs of a step in parts that fit in memory, with their share of its tokens.

        Attention takes the square of the longest source. The loss is the mean over all target
        tokens, so the parts add up to the whole.
        """
        width = max(len(self.data.sources[int(at)]) for at in rows)
        written = sum(len(self.data.targets[int(at)]) for at in rows)
        together = max(1, _ROOM // width**2)
        for start in range(0, len(rows), together):
            some = rows[start : start + together]
            count = sum(len(self.data.targets[int(at)]) for at in some)
            yield self._batch(self.data, some), count / written

    def _batch(self, data: Encoded, at: Any) -> dict[str, Any]:
        """Return a batch as tensors on the device."""
        made = tensors(data, at, self.tokeniser.pad_token_id or 0)
        return {name: each.to(self.device) for name, each in made.items()}

    def _add_curve_point(self) -> Point:
        """Add a point to the curve file; its loss is the mean since the last point."""
        loss, first = self._held_out()
        point = Point(
            self.step,
            min(self.step * self.options.batch, len(self.data) * self.options.epochs),
            round(self.seconds, 1),
            self.rate,
            float(np.mean(self.lost)),
            loss,
            first,
        )
        self.lost = []
        add_point(self.folder, point)
        return point

    def _held_out(self) -> tuple[float | None, float | None]:
        """Return the held-out loss per token, and the share of correct first tokens."""
        import torch

        if not len(self.aside):
            return None, None
        self.model.eval()
        lost, tokens, right = 0.0, 0, 0
        with torch.no_grad():
            for start in range(0, len(self.aside), self.options.batch):
                at = range(start, min(start + self.options.batch, len(self.aside)))
                batch = self._batch(self.aside, at)
                said = self.model(**batch)
                count = int((batch["labels"] != NO_LABEL).sum())
                lost += float(said.loss) * count
                tokens += count
                right += int((said.logits[:, 0].argmax(-1) == batch["labels"][:, 0]).sum())
        return lost / max(tokens, 1), right / len(self.aside)

    def _store_checkpoint(self) -> None:
        model, optimiser = self.model.state_dict(), self.optimiser.state_dict()
        keep_checkpoint(
            self.folder, Checkpoint(self.identity, self.step, self.seconds, model, optimiser)
        )

    def _finish(self, last: Point | None) -> None:
        """Save model, tokeniser and the record of the training."""
        self.model.eval()
        self.model.to("cpu")
        self.model.save_pretrained(self.folder)
        self.tokeniser.save_pretrained(self.folder)
        about = {
            "options": self.options.as_json(),
            "steps": self.step,
            "seconds": round(self.seconds, 1),
            "parameters": self._parameters,
            "device": self.device,
            **dict(zip(("source", "cut", "standing"), self._data_figures, strict=True)),
            "pairs": dict(self.prepared.about),
            "last": None if last is None else asdict(last),
        }
        with published_file(self.folder / TRAINING) as part:
            part.write_text(json.dumps(about, ensure_ascii=False, indent=2) + "\n", "utf-8")
        forget_checkpoint(self.folder)

    @property
    def _parameters(self) -> int:
        """Number of parameters of the model."""
        return sum(each.numel() for each in self.model.parameters())

    def _result(self, end: End, last: Point | None) -> Trained:
        """Return the result of the training."""
        pairs = self.step * self.options.batch
        parts = self.step, pairs, self.seconds, self._parameters, self.device
        return Trained(self.folder, *parts, end, last, *self._data_figures)


def _read_model(folder: Path) -> tuple[Any, Any]:
    """Load a sequence-to-sequence model and its tokeniser. Raises UserError if it is none."""
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    if not (folder / "config.json").is_file():
        raise UserError("model_folder", model=str(folder))
    try:
        tokeniser = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model = AutoModelForSeq2SeqLM.from_pretrained(folder, local_files_only=True)
    except (OSError, ValueError, RuntimeError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
        raise UserError("generative_unreadable", Where(file=str(folder)), reason=reason) from None
    return tokeniser, model


def _set_dropout(model: Any, share: float) -> None:
    """Set every dropout probability of a model to `share`."""
    import torch

    for each in model.modules():
        if isinstance(each, torch.nn.Dropout):
            each.p = share
