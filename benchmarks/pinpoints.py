"""How often the paragraph or item that a sampled reference names is read right.

Counted are the sampled references (see benchmarks/references.py) whose units were resolved right
and whose every target gives a ``pinpoint``: a part path (``1항/3호/가목``), empty where the whole
unit is named. A reference is right when exactly those parts were read.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.citations.model import Status, Target
from corpus.graph.build import GraphBuild
from corpus.graph.model import Reference
from corpus.model import Statute
from evaluation.figure import Figure


@dataclass(frozen=True, slots=True)
class Mark:
    """One reference as a reader marked it. ``targets`` have no pinpoint where none was written."""

    unit_id: str
    start: int
    end: int
    text: str
    form: str
    targets: tuple[tuple[str, str | None], ...]

    @property
    def units(self) -> set[str]:
        """Return the units meant; none where the corpus holds none."""
        return {unit for unit, _ in self.targets}


def mark_of(fields: Mapping[str, Any]) -> Mark:
    """Return the mark of a line of the sample. Raises KeyError for a line without its fields."""
    targets = tuple((one["unit_id"], one.get("pinpoint")) for one in fields["targets"])
    place = fields["unit_id"], fields["start"], fields["end"]
    return Mark(*place, fields["text"], fields["form"], targets)


def read_marks(path: Path) -> list[Mark]:
    """Return the sample's marks. Raises KeyError or ValueError for a line of another shape."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [mark_of(json.loads(line)) for line in lines if line.strip()]


def pinpoint_accuracy(
    marks: Iterable[Mark], statutes: Sequence[Statute], built: GraphBuild
) -> Figure:
    """Return the share of references whose parts were read right, among those of right units."""
    texts = texts_of(statutes)
    found = resolved_by_unit(built.references)
    right = [
        read == set(mark.targets)
        for mark in marks
        if stands(mark, texts) and all(pinpoint is not None for _, pinpoint in mark.targets)
        for read in [{(one.unit_id, one.pinpoint) for one in targets_within(mark, found)}]
        if mark.targets and {unit for unit, _ in read} == mark.units
    ]
    return Figure("pinpoint_accuracy", sum(right) / len(right) if right else None, len(right))


def texts_of(statutes: Sequence[Statute]) -> dict[str, str]:
    """Return the text of every unit by its id."""
    return {unit.semantic_id: unit.text for one in statutes for unit in one.units}


def stands(mark: Mark, texts: Mapping[str, str]) -> bool:
    """Return whether the marked words stand where they were read: else it is another version."""
    return texts.get(mark.unit_id, "")[mark.start : mark.end] == mark.text


def resolved_by_unit(references: Iterable[Reference]) -> dict[str, list[Reference]]:
    """Return the resolved references by the unit that they stand in."""
    found: dict[str, list[Reference]] = defaultdict(list)
    for one in references:
        if one.status is Status.RESOLVED:
            found[one.unit_id].append(one)
    return found


def targets_within(mark: Mark, found: Mapping[str, Sequence[Reference]]) -> list[Target]:
    """Return the targets of the resolved references that share a character with the mark."""
    return [
        target
        for one in found.get(mark.unit_id, ())
        if one.start < mark.end and mark.start < one.end
        for target in one.targets
    ]
