"""What fitting a method costs: seconds, and bytes on disk. It is kept beside what was fitted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from retrieval.core.method import MANIFEST, Method

_COST = "cost.json"


@dataclass(frozen=True, slots=True)
class FitCost:
    """`fit_s` is None where nobody measured it; `index_bytes` counts what is kept on disk."""

    fit_s: float | None
    index_bytes: int

    def as_json(self) -> dict[str, Any]:
        """Return the cost under the names that a run's record has for it."""
        seconds = None if self.fit_s is None else round(self.fit_s, 4)
        return {"fit_s": seconds, "index_bytes": self.index_bytes}


@dataclass(frozen=True, slots=True)
class Timed:
    """A method that was fitted now, with the seconds that took; they are saved with it."""

    method: Method
    seconds: float

    def save(self, folder: Path) -> None:
        """Write the method into `folder`, and what it cost beside it."""
        self.method.save(folder)
        text = json.dumps({"fit_s": round(self.seconds, 4)})
        (folder / _COST).write_text(text, encoding="utf-8")


def timed(work: Callable[[], None]) -> float:
    """Return how many seconds `work` took."""
    began = perf_counter()
    work()
    return perf_counter() - began


def cost_of(folder: Path) -> FitCost:
    """Return what the method kept in `folder` has cost."""
    files = _read(folder / MANIFEST).get("files", {})
    size = sum(each["bytes"] for each in files.values())
    return FitCost(_read(folder / _COST).get("fit_s"), size)


def total(costs: Iterable[FitCost]) -> FitCost:
    """Return the sum; its seconds are unknown where those of one are."""
    every = list(costs)
    seconds = [each.fit_s for each in every if each.fit_s is not None]
    known = len(seconds) == len(every)
    return FitCost(sum(seconds) if known else None, sum(each.index_bytes for each in every))


def _read(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
