"""An experiment as its file declares it, with every line spelled out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator

from corpus.files.declarations import (
    ONCE_EACH,
    Declared,
    Listed,
    Reading,
    Text,
    Texts,
    fault,
    faults,
    longest,
    number,
    one_of,
    text_of,
)
from evaluation.figure import FEWEST_RESAMPLES, MOST_RESAMPLES, RESAMPLES
from evaluation.ranking.compare import Family, Inference
from evaluation.ranking.scoring import Measure, parse_measure, too_deep
from retrieval.core.model import MAX_DEPTH

CURRENT = "current"
MOST_LINES = 200
MOST_SEEDS = 50
NAME_LIMIT = 200
DEFAULT_DEPTH = 100
DEFAULT_MEASURES = tuple(map(parse_measure, ("Recall@10", "nDCG@10", "MRR@10")))
_SNAPSHOT = re.compile(r"current|[1-9][0-9]{0,6}|[0-9a-f]{8,64}")

Kind = Literal["method", "grid", "ablation", "noise"]


@dataclass(frozen=True, slots=True)
class ExperimentMethod:
    """One line of an experiment: a method to be run.

    `label` is unique among the lines, `entry` the name of its method in the file. `spec` is
    complete. `changes` are the differences from that method as written, by path. `seed` is that of
    its noise, `at` its line in the file (counted from 1).
    """

    label: str
    entry: str
    spec: Mapping[str, Any]
    kind: Kind = "method"
    changes: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None
    at: int | None = field(default=None, compare=False)


def _measure(value: Any, info: Reading) -> Measure:
    """Parse a measure. Raises the fault of one that looks deeper than the experiment's depth."""
    with faults():
        measure = value if isinstance(value, Measure) else parse_measure(text_of(value))
    depth = info.data.get("depth", MAX_DEPTH)
    if too_deep([repr(measure)], depth):
        raise fault("experiment_depth", measure=repr(measure), depth=depth)
    return measure


def _some_seeds(value: Any) -> Any:
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_SEEDS:
        raise fault("experiment_list")
    return value


def _snapshot(value: str) -> str:
    if not _SNAPSHOT.fullmatch(value):
        raise fault("experiment_corpus", value=value)
    return value


Name = Annotated[Text, longest(NAME_LIMIT)]
Seed = Annotated[int, number("experiment_number", 0, 2**31 - 1, "[0-9]{1,12}")]
Seeds = Annotated[tuple[Seed, ...], BeforeValidator(_some_seeds), ONCE_EACH]
Depth = Annotated[int, number("experiment_number", 1, MAX_DEPTH)]
Measures = Annotated[
    Listed[Annotated[Measure, PlainValidator(_measure)]], ONCE_EACH, Field(validate_default=True)
]
Snapshot = Annotated[Text, AfterValidator(_snapshot)]
Resamples = Annotated[int, number("experiment_number", FEWEST_RESAMPLES, MOST_RESAMPLES)]
HolmOver = Annotated[Family, one_of(Family, "holm_unknown", "said")]


@dataclass(frozen=True, slots=True)
class Settings(Declared):
    """The settings of an experiment besides its methods.

    `corpus` is CURRENT, or a snapshot's number or the beginning of its hash; `gold` names the gold
    set to evaluate on, "" the widest. `depth` is the number of units kept per question. `strata`
    are columns of questions. `baseline` is the label of the line that the others are tested
    against.
    """

    name: Name
    seeds: Seeds = (0,)
    depth: Depth = DEFAULT_DEPTH
    measures: Measures = DEFAULT_MEASURES
    corpus: Snapshot = CURRENT
    gold: Text = ""
    strata: Annotated[Texts, ONCE_EACH] = ()
    note: Text = ""
    resamples: Resamples = RESAMPLES
    holm_over: HolmOver = Family.MEASURE
    baseline: Text = ""

    @property
    def inference(self) -> Inference:
        """The settings of intervals and corrected p-values."""
        return Inference(self.resamples, self.holm_over)


@dataclass(frozen=True, slots=True)
class Experiment(Settings):
    """An experiment: methods to run, the data, and measures.

    `places` has the line in the file of corpus, gold and each of the strata.
    """

    lines: tuple[ExperimentMethod, ...] = ()
    places: Mapping[str, int] = field(default_factory=dict, compare=False)

    def as_json(self) -> dict[str, Any]:
        """Return the fields to hash: all that figures depend on, but corpus and judgements."""
        return {
            "resamples": self.resamples,
            "holm_over": self.holm_over.value,
            "gold": self.gold,
            "lines": [[line.label, dict(line.spec)] for line in self.lines],
            "baseline": self.baseline,
            "measures": [repr(measure) for measure in self.measures],
            "strata": list(self.strata),
            "depth": self.depth,
        }
