"""Checkpoints of training: weights, optimiser and step in one file, replaced atomically.

The file takes the place of the one before at once, so that a kill while it is written leaves that.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from errors import UserError, Where

CHECKPOINT = "checkpoint.pt"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """State to resume training from; `run` is a hash that identifies the run."""

    run: str
    step: int
    seconds: float
    model: Mapping[str, Any]
    optimiser: Mapping[str, Any]


def keep_checkpoint(folder: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint, replacing the previous one."""
    import torch

    part = folder / f".{CHECKPOINT}.part"
    said = {name: getattr(checkpoint, name) for name in Checkpoint.__slots__}
    with part.open("wb") as opened:
        torch.save(said, opened)
        opened.flush()
        os.fsync(opened.fileno())
    part.replace(folder / CHECKPOINT)


def last_checkpoint(folder: Path, run: str, device: str) -> Checkpoint | None:
    """Load the checkpoint in `folder`, None if there is none.

    Raises UserError for one of another run: other pairs or options.
    """
    import torch

    file = folder / CHECKPOINT
    if not file.exists():
        return None
    found = Checkpoint(**torch.load(file, map_location=device, weights_only=True))
    if found.run != run:
        raise UserError("generative_other_run", Where(file=str(folder)))
    return found


def forget_checkpoint(folder: Path) -> None:
    """Remove the checkpoint of a completed run."""
    (folder / CHECKPOINT).unlink(missing_ok=True)
