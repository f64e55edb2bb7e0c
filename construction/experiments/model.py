"""An experiment as its file says it, every line of it spelled out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from evaluation.ranking.compare import USUAL, Inference
from evaluation.ranking.scoring import Measure

CURRENT = "current"
MOST_LINES = 200

Kind = Literal["method", "grid", "ablation", "noise"]


@dataclass(frozen=True, slots=True)
class ExperimentMethod:
    """One line of an experiment: a method to be run.

    `label` is its own among the lines, `entry` the name of the method in the file that it comes
    from. `spec` is complete. `changes` says what differs from that method as written, by path.
    `seed` is what its noise is drawn with, `at` where it stands in the file (counted from 1).
    """

    label: str
    entry: str
    spec: Mapping[str, Any]
    kind: Kind = "method"
    changes: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None
    at: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Experiment:
    """What to run, on what, and how to score it.

    `corpus` is CURRENT, or a snapshot's number or the beginning of its hash; `gold` names the gold
    set that it is read on, "" the widest. `depth` units are kept of each question. `strata` are
    columns of questions. `baseline` is the label of the line that the others are tested against,
    `inference` how intervals and corrected p-values are made. `places` says on which line of the
    file corpus, gold and each of the strata stand.
    """

    name: str
    lines: tuple[ExperimentMethod, ...]
    baseline: str
    measures: tuple[Measure, ...]
    corpus: str = CURRENT
    gold: str = ""
    depth: int = 100
    strata: tuple[str, ...] = ()
    note: str = ""
    inference: Inference = USUAL
    places: Mapping[str, int] = field(default_factory=dict, compare=False)

    def as_json(self) -> dict[str, Any]:
        """Return all that its figures depend on but corpus and judgements, for its hash."""
        return {
            "resamples": self.inference.resamples,
            "holm_over": self.inference.family.value,
            "gold": self.gold,
            "lines": [[line.label, dict(line.spec)] for line in self.lines],
            "baseline": self.baseline,
            "measures": [repr(measure) for measure in self.measures],
            "strata": list(self.strata),
            "depth": self.depth,
        }
