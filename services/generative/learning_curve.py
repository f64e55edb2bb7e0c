"""Learning curve of a training run: JSON lines, table and figure.

Checkpoints of training: weights, optimiser and step in one file, replaced atomically.

The file takes the place of the one before at once, so that a kill while it is written leaves that.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from errors import UserError, Where
from evaluation.reports.charts import pictures
from evaluation.reports.report import PICTURES, Chart, Kind, Section, Shape, Sheet, Words
from evaluation.tables import Table
from storage.db.atomic_files import published_file

CURVE = "curve.jsonl"


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the learning curve, after `step` steps, `pairs` pairs and `seconds`.

    `loss` is the mean cross-entropy per token of the training pairs since the last point,
    `held_out_loss` that of the held-out pairs, and `held_out_first` the share of these whose first
    token is the most probable of the whole vocabulary; None where none is held out. `rate` is the
    learning rate.
    """

    step: int
    pairs: int
    seconds: float
    rate: float
    loss: float
    held_out_loss: float | None
    held_out_first: float | None


def add_point(folder: Path, point: Point) -> None:
    """Add a point to the curve of a model's folder."""
    with (folder / CURVE).open("a", encoding="utf-8") as opened:
        opened.write(json.dumps(asdict(point)) + "\n")


def read_curve(folder: Path) -> list[Point]:
    """Return the points of a model's folder, in step order.

    An incomplete last line is skipped. Raises UserError where there is no curve.
    """
    try:
        lines = (folder / CURVE).read_text(encoding="utf-8").splitlines()
    except OSError:
        raise UserError("generative_curve", Where(file=str(folder))) from None
    found = []
    for line in lines:
        try:
            found.append(Point(**json.loads(line)))
        except (ValueError, TypeError):
            continue
    return found


def cut_curve(folder: Path, step: int) -> None:
    """Rewrite the curve without the points after `step`, the step of the last checkpoint."""
    if (folder / CURVE).exists():
        kept = [point for point in read_curve(folder) if point.step <= step]
        text = "".join(json.dumps(asdict(point)) + "\n" for point in kept)
        (folder / CURVE).write_text(text, encoding="utf-8")


def spread(points: Sequence[Point], most: int) -> list[Point]:
    """Return at most `most` points spread evenly over a curve, including first and last."""
    if len(points) <= most or most < 2:
        return list(points)
    places = sorted({round(at * (len(points) - 1) / (most - 1)) for at in range(most)})
    return [points[at] for at in places]


def curve_table(points: Iterable[Point]) -> Table:
    """Return the curve as a table, one row per point."""
    head = ("step", "pairs", "minutes", "rate", "loss", "held-out loss", "held-out first token")
    rows = tuple(
        (
            f"{each.step:,}",
            f"{each.pairs:,}",
            f"{each.seconds / 60:.1f}",
            f"{each.rate:.1e}",
            f"{each.loss:.3f}",
            "" if each.held_out_loss is None else f"{each.held_out_loss:.3f}",
            "" if each.held_out_first is None else f"{each.held_out_first:.3f}",
        )
        for each in points
    )
    return Table(head, rows)


def curve_sections(points: Sequence[Point], language: str) -> tuple[Section, ...]:
    """Return the curve as charts: losses, and the share of correct first tokens if any is known."""
    words = Words("generative", language)
    heads = {"pairs": words("axis_pairs"), "series": words("series")}

    def section(name: str, columns: Mapping[str, str]) -> Section:
        """Return the section of one quantity of the curve."""
        rows = (
            {"pairs": each.pairs, "series": words(series), name: getattr(each, column)}
            for column, series in columns.items()
            for each in points
            if getattr(each, column) is not None
        )
        title = words(f"axis_{name}")
        sheet = Sheet.of(rows, words, {"first": Kind.SHARE}, heads | {name: title})
        return Section(name, title, sheet, chart=Chart(Shape.LINE, ("pairs",), (name,), "series"))

    losses = {"loss": "series_training", "held_out_loss": "series_held_out"}
    both = section("loss", losses), section("first", {"held_out_first": "series_held_out"})
    return tuple(each for each in both if each.drawn)


def draw_curve(points: Sequence[Point], output: Path, language: str = "en") -> None:
    """Draw the curve as SVG or PNG, by the file's ending.

    Raises UserError for another ending, and where it cannot be written.
    """
    ending = output.suffix.lower()
    if ending not in PICTURES:
        raise UserError("generative_option", Where(field="output"), value=output.name)
    drawn = pictures(curve_sections(points, language), ending)
    with published_file(output) as part:
        part.write_bytes(drawn)


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
    """Load the checkpoint in `folder`, None if there is none; refuse that of another run.

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
