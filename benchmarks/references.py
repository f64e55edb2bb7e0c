"""Scoring the references that were read against a sample that a person resolved by reading.

The sample is JSONL, one reference a line: ``unit_id``, ``start`` and ``end`` in the unit's text,
``text`` (exactly that stretch), and ``targets``: a list of unit ids, or of [unit id, pinpoint], or
of objects with ``unit_id`` and ``pinpoint``. Empty ``targets`` say that the corpus holds no unit
that is meant. A line whose text is not what stands there is for another version of the law and is
left out of the figures.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.citations.model import Status
from corpus.graph.build import GraphBuild
from corpus.graph.model import Reference
from corpus.model import Statute
from evaluation.figure import Figure

FIXTURE = Path(__file__).resolve().parent.parent / "tests" / "fixtures" / "references.jsonl"


@dataclass(frozen=True, slots=True)
class Sampled:
    """One reference of the sample and the units that it means."""

    unit_id: str
    start: int
    end: int
    text: str
    targets: frozenset[str]


def read_sample(path: Path) -> list[Sampled]:
    """Return the sample's references. Raises KeyError or ValueError for a line of other shape."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_sampled(json.loads(line)) for line in lines if line.strip()]


def citation_figures(
    sample: Sequence[Sampled], statutes: Sequence[Statute], built: GraphBuild
) -> list[Figure]:
    """Return precision over what was resolved of the sample, and recall over what it resolves."""
    texts = {unit.semantic_id: unit.text for one in statutes for unit in one.units}
    present = [s for s in sample if texts.get(s.unit_id, "")[s.start : s.end] == s.text]
    found: dict[str, list[Reference]] = defaultdict(list)
    for one in built.references:
        found[one.unit_id].append(one)
    pairs = [(sampled, _units_read(sampled, found[sampled.unit_id])) for sampled in present]
    resolved = [read == sampled.targets for sampled, read in pairs if read]
    meant = [read == sampled.targets for sampled, read in pairs if sampled.targets]
    return [_share("citation_precision", resolved), _share("citation_recall", meant)]


def _units_read(sampled: Sampled, references: Sequence[Reference]) -> frozenset[str]:
    """Return the units of the resolved references that lie within the sampled stretch."""
    within = [
        one
        for one in references
        if one.start < sampled.end and sampled.start < one.end and one.status is Status.RESOLVED
    ]
    return frozenset(target.unit_id for one in within for target in one.targets)


def _share(name: str, right: Sequence[bool]) -> Figure:
    return Figure(name, sum(right) / len(right) if right else None, len(right))


def _sampled(fields: dict[str, Any]) -> Sampled:
    targets = frozenset(_unit(target) for target in fields["targets"])
    return Sampled(fields["unit_id"], fields["start"], fields["end"], fields["text"], targets)


def _unit(target: str | list[str] | dict[str, str]) -> str:
    if isinstance(target, str):
        return target
    return target["unit_id"] if isinstance(target, dict) else target[0]
