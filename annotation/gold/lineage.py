"""Lineage of gold: each decision on an item, with the versions it was made under."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from functools import partial
from typing import Any

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import Settled
from annotation.work.discussions import Discussion, earlier
from annotation.work.origins import Origin, origins_in
from annotation.work.submissions import Decision, Submission, named
from storage.tables.core import (
    Adjudication,
    AdjudicationLabel,
    Annotation,
    AnnotationLabel,
    CandidateRow,
    CandidateSet,
    Item,
    Snapshot,
)

CURATED, CURATION_DECISION = "curation", "curation_decision"
SUBMITTED = ("annotation", CURATED)
"""Kinds of entries that are current submissions."""
DECIDED = ("adjudication", CURATION_DECISION)
"""Kinds of entries that are adjudicators' decisions."""

_CHUNK = 10_000  # ids that one query names; PostgreSQL takes 65,535
_Key = tuple[str, int, int]  # "annotation" or "adjudication", its id, a unit's id


@dataclass(frozen=True, slots=True)
class LineageLabel:
    """A decision's label of a unit, and the citations of the answer that named the unit."""

    unit: str
    label: str
    citations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LineageEntry:
    """One decision: a submission (kind annotation) or an adjudication (kind adjudication).

    A superseded submission that was sent back for discussion is of kind earlier; its `reason` says
    why it was sent back. `conflict`: the adjudicator had labelled the item themselves. For a
    question admitted from curation the kinds are curation and curation_decision
    (`annotation.gold.curated`).

    `id` is its row's. `snapshot` is the content hash of the law that it was made on, `effective`
    the date of that law, `candidate_set_id` the suggestions shown, `seconds` the active time, None
    if not measured; `imported` is the origin of one made in another tool.
    """

    kind: str
    id: int
    person: str
    role: str
    at: datetime
    seconds: float | None
    no_provision: bool
    labels: tuple[LineageLabel, ...]
    comment: str
    flag: str
    reason: str
    snapshot_id: int
    snapshot: str
    effective: date | None
    candidate_set_id: int
    guideline_version: str
    codebook_version: str
    conflict: bool = False
    imported: Origin | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the entry as JSON values; times and dates in ISO 8601."""
        plain = asdict(self)
        plain["at"] = self.at.isoformat()
        plain["effective"] = None if self.effective is None else self.effective.isoformat()
        del plain["imported"]
        return plain if self.imported is None else plain | {"imported": self.imported.as_dict()}


def lineage_of(
    session: Session,
    project_id: int,
    submitted: Mapping[int, Sequence[Submission]],
    decided: Mapping[int, Settled],
    talks: Mapping[int, Discussion],
) -> dict[int, tuple[LineageEntry, ...]]:
    """Return the lineage of each complete item: its submissions by time, then the decision.

    Submissions from before a discussion come first.
    """
    known = session.exec(select(Snapshot).where(Snapshot.project_id == project_id))
    snapshots = {row.id or 0: row for row in known}
    cited = _citations_by_label(session, project_id)
    origins = origins_in(session, project_id)

    def told(each: Submission) -> LineageEntry:
        entry = _submission(each, snapshots[each.snapshot_id], cited)
        return replace(entry, imported=origins.get(each.annotation_id))

    found: dict[int, tuple[LineageEntry, ...]] = {}
    past = earlier(talks, submitted, partial(named, session, project_id))
    for item_id, submissions in submitted.items():
        in_time = sorted(submissions, key=lambda each: (each.at, each.annotation_id))
        entries = [
            replace(
                told(each),
                kind="earlier",
                reason=talks[item_id].why(each.annotation_id),
            )
            for each in past.get(item_id, ())
        ]
        entries += [told(each) for each in in_time]
        if item_id in decided:
            decision = decided[item_id]
            entries.append(_decision(decision, snapshots[decision.row.snapshot_id], cited))
        found[item_id] = tuple(entries)
    return found


def _submission(
    made: Submission, snapshot: Snapshot, cited: Mapping[_Key, tuple[str, ...]]
) -> LineageEntry:
    labels = tuple(
        LineageLabel(
            unit=said.semantic_id,
            label=said.label,
            citations=cited.get(("annotation", made.annotation_id, said.unit_id), ()),
        )
        for said in made.labels
    )
    return LineageEntry(
        kind="annotation",
        id=made.annotation_id,
        person=made.person,
        role="annotator",
        at=made.at,
        seconds=made.seconds,
        no_provision=made.no_provision,
        labels=labels,
        comment=made.comment,
        flag=made.flag,
        reason="",
        **made_under(made, snapshot),
    )


def _decision(
    made: Settled, snapshot: Snapshot, cited: Mapping[_Key, tuple[str, ...]]
) -> LineageEntry:
    row = made.row
    labels = tuple(
        LineageLabel(
            unit=unit.semantic_id,
            label=Decision.ACCEPT,
            citations=cited.get(("adjudication", row.id or 0, unit.unit_id), ()),
        )
        for unit in made.units
    )
    return LineageEntry(
        kind="adjudication",
        id=row.id or 0,
        person=made.person,
        role="adjudicator",
        at=row.at,
        seconds=row.seconds,
        no_provision=row.no_provision,
        labels=labels,
        comment="",
        flag="",
        reason=row.reason,
        conflict=made.conflict,
        **made_under(row, snapshot),
    )


def made_under(row: Annotation | Adjudication | Submission, snapshot: Snapshot) -> dict[str, Any]:
    """Return the fields of a `LineageEntry` about law, candidates and versions of a row."""
    names = "snapshot_id", "candidate_set_id", "guideline_version", "codebook_version"
    law = {"snapshot": snapshot.content_hash, "effective": snapshot.effective}
    return law | {name: getattr(row, name) for name in names}


def _citations_by_label(session: Session, project_id: int) -> dict[_Key, tuple[str, ...]]:
    """Return the citations behind each labelled unit in the candidates that were shown."""
    shown = (CandidateRow.candidate_set_id, CandidateRow.unit_id, CandidateRow.why)
    of_annotations = (
        select(AnnotationLabel.annotation_id, *shown)
        .join(Annotation, col(Annotation.id) == AnnotationLabel.annotation_id)
        .join(Item, col(Item.id) == Annotation.item_id)
        .where(Item.project_id == project_id)
        .where(CandidateRow.candidate_set_id == Annotation.candidate_set_id)
        .where(CandidateRow.unit_id == AnnotationLabel.unit_id)
    )
    of_adjudications = (
        select(AdjudicationLabel.adjudication_id, *shown)
        .join(Adjudication, col(Adjudication.id) == AdjudicationLabel.adjudication_id)
        .join(Item, col(Item.id) == Adjudication.item_id)
        .where(Item.project_id == project_id)
        .where(CandidateRow.candidate_set_id == Adjudication.candidate_set_id)
        .where(CandidateRow.unit_id == AdjudicationLabel.unit_id)
    )
    behind = {
        (kind, number, unit_id): (set_id, cited)
        for kind, query in (("annotation", of_annotations), ("adjudication", of_adjudications))
        for number, set_id, unit_id, why in session.exec(query)
        if (cited := [each["citation"] for each in why if each["source"] == "citation"])
    }
    texts = _citations(session, {set_id for set_id, _ in behind.values()})
    return {
        key: tuple(dict.fromkeys(texts[set_id][index] for index in cited))
        for key, (set_id, cited) in behind.items()
    }


def _citations(session: Session, set_ids: Collection[int]) -> dict[int, list[str]]:
    """Return the texts of the citations of each candidate set."""
    ids, found = sorted(set_ids), dict[int, list[str]]()
    for start in range(0, len(ids), _CHUNK):
        these = col(CandidateSet.id).in_(ids[start : start + _CHUNK])
        for number, cited in session.exec(
            select(CandidateSet.id, CandidateSet.citations).where(these)
        ):
            found[number or 0] = [each["text"] for each in cited]
    return found


def rejected_by_all(lineage: Sequence[LineageEntry], gold: Collection[str]) -> tuple[str, ...]:
    """Return the units, ascending, that a settled question's lineage explicitly rejects."""
    submissions = [_labels(each) for each in lineage if each.kind in SUBMITTED]
    rejects = [{u for u, label in said.items() if label == Decision.REJECT} for said in submissions]
    found = set.intersection(*rejects) if rejects else set[str]()
    for decision in (each for each in lineage if each.kind in DECIDED):
        before = (each for each in lineage if each.kind in SUBMITTED and each.at <= decision.at)
        found |= {
            unit
            for each in before
            for unit, label in _labels(each).items()
            if label != Decision.REJECT
        }
        found |= {u for u, label in _labels(decision).items() if label == Decision.REJECT}
    return tuple(sorted(found.difference(gold)))


def _labels(entry: LineageEntry) -> dict[str, str]:
    return {each.unit: each.label for each in entry.labels}
