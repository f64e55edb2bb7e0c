"""Blind audits of a source's labels: which questions of a batch were drawn, and from how many.

An audit is an event of its batch, so what was drawn is known as it was then: labels may be imported
later, and law may change. Its labels are the source's, and are shown to no annotator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlmodel import Session, col, select

from storage.tables.people import Batch, BatchEvent, BatchItem

AUDIT = "audit"


@dataclass(frozen=True, slots=True)
class AuditSample:
    """A stratified random sample of the questions with labels of their source.

    `strata` maps each stratum to the questions that it was drawn from, `stratum` each item drawn to
    its stratum, and `labels` to the units that the source labels. `left_out` counts the questions
    with labels that could not be drawn, by reason.
    """

    by: str
    seed: int
    strata: Mapping[str, int]
    stratum: Mapping[int, str]
    labels: Mapping[int, tuple[str, ...]]
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def drawn(self) -> Counter[str]:
        """Number of questions drawn from each stratum; over `strata` it is their probability."""
        return Counter(self.stratum.values())

    def payload(self) -> dict[str, Any]:
        """Return the sample as the payload of an event."""
        public = {"by": self.by, "seed": self.seed, "strata": dict(self.strata)}
        items = {str(item): [name, *self.labels[item]] for item, name in self.stratum.items()}
        return public | {"drawn": dict(self.drawn), "left_out": dict(self.left_out), "items": items}


def public_payload(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the payload of an audit without the source's labels, as histories show it."""
    return {name: value for name, value in payload.items() if name != "items"}


def read_sample(payload: Mapping[str, Any]) -> AuditSample:
    """Return the sample of an event."""
    items = {int(item): said for item, said in payload["items"].items()}
    return AuditSample(
        by=payload["by"],
        seed=payload["seed"],
        strata=payload["strata"],
        stratum={item: said[0] for item, said in items.items()},
        labels={item: tuple(said[1:]) for item, said in items.items()},
        left_out=payload["left_out"],
    )


def audits(session: Session, project_id: int) -> dict[str, AuditSample]:
    """Return the audits of a project by the names of their batches, the first made first."""
    query = (
        select(Batch.name, BatchEvent.payload)
        .join(Batch)
        .where(Batch.project_id == project_id, BatchEvent.kind == AUDIT)
        .order_by(col(BatchEvent.id))
    )
    return {name: read_sample(payload) for name, payload in session.exec(query)}


def audited_labels(session: Session, project_id: int) -> dict[int, frozenset[str]]:
    """Return the source's labels of each item that is in an audit; not of those moved out of it."""
    found = audits(session, project_id)
    if not found:
        return {}
    query = select(BatchItem.item_id, Batch.name).join(Batch)
    here = session.exec(query.where(Batch.project_id == project_id, col(Batch.name).in_(found)))
    drawn = {item: found[name].labels.get(item) for item, name in here}
    return {item: frozenset(units) for item, units in drawn.items() if units is not None}
