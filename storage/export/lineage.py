"""Gold with its lineage: one JSON line per question and unit, saying who decided it and on what.

A question that no provision of the corpus answers has one line whose ``unit_id`` is null.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storage.export.beir import write_lines
from storage.law.corpus import SnapshotView


@dataclass(frozen=True, slots=True)
class GoldLine:
    """One unit that is gold for a question, or (`unit_id` None) that there is none.

    `snapshot` is the law it was decided on, `corpus_snapshot` the law of the benchmark, in which
    the unit says the same. `corpus_levels` are the levels that the corpus of the benchmark holds,
    `searched` is whether the unit is in it, None where there is no unit. `citations` are the
    strings of the official answer that led to the unit, `reason` is the adjudicator's. `decisions`
    are all decisions on the question in order of time, as JSON values, each with its own ``label``
    for this unit.
    """

    question_id: str
    unit_id: str | None
    outcome: str
    snapshot: SnapshotView
    corpus_snapshot: SnapshotView
    corpus_levels: tuple[str, ...]
    searched: bool | None
    citations: tuple[str, ...]
    reason: str
    decisions: tuple[Mapping[str, Any], ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the line as JSON values, in the order they are written."""
        return {
            "question_id": self.question_id,
            "unit_id": self.unit_id,
            "no_provision": self.unit_id is None,
            "outcome": self.outcome,
            "snapshot": snapshot_as_dict(self.snapshot),
            "corpus_snapshot": snapshot_as_dict(self.corpus_snapshot),
            "corpus_levels": [str(level) for level in self.corpus_levels],
            "searched": self.searched,
            "citations": list(self.citations),
            "reason": self.reason,
            "decisions": [dict(decision) for decision in self.decisions],
        }


def snapshot_as_dict(snapshot: SnapshotView) -> dict[str, str | None]:
    """Return a snapshot by what identifies it outside this database."""
    return {
        "name": snapshot.name,
        "content_hash": snapshot.content_hash,
        "effective": snapshot.effective.isoformat() if snapshot.effective else None,
    }


def write_lineage(path: Path, lines: Iterable[GoldLine]) -> int:
    """Write the lines by ascending question and unit id; return how many there are."""
    ordered = sorted(lines, key=lambda line: (line.question_id, line.unit_id or ""))
    write_lines(path, (line.as_dict() for line in ordered))
    return len(ordered)
