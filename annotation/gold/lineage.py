"""Lineage of gold: each decision on an item, with the versions it was made under.

Outcomes of a question's gold, and reasons why it is pending.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any, Literal

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import Settled
from annotation.work.discussions import Discussion, earlier
from annotation.work.submissions import Decision, Origin, Submission, origins_in
from storage.db.columns import view_of
from storage.db.rows import rows_with
from storage.law.corpus import SnapshotView
from storage.tables.core import (
    Adjudication,
    AdjudicationLabel,
    Annotation,
    AnnotationLabel,
    CandidateRow,
    CandidateSet,
    Item,
)

CURATED, CURATION_DECISION = "curation", "curation_decision"
SUBMITTED = ("annotation", CURATED)
"""Kinds of entries that are current submissions."""
DECIDED = ("adjudication", CURATION_DECISION)
"""Kinds of entries that are adjudicators' decisions."""

_Key = tuple[str, int, int]  # "annotation" or "adjudication", its id, a unit's id


@dataclass(frozen=True, slots=True)
class LineageLabel:
    """A decision's label of a unit, the citations of the answer that named it, and its evidence."""

    unit: str
    label: str
    citations: tuple[str, ...]
    evidence: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class LineageEntry:
    """One decision: a submission (kind annotation) or an adjudication (kind adjudication).

    A superseded submission that was sent back for discussion is of kind earlier; its `reason` says
    why it was sent back. `conflict`: the adjudicator had labelled the item themselves. The `role`
    of a decision is administrator where one decided for want of an adjudicator. For a
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
    laws: Mapping[int, SnapshotView],
    sources: bool,
) -> dict[int, tuple[LineageEntry, ...]]:
    """Return the lineage of each complete item: its submissions by time, then the decision.

    Submissions from before a discussion come first. With `sources` it has the citations that led to
    units, and the origin of what was imported.
    """
    cited = _citations_by_label(session, project_id, bool(decided)) if sources else {}
    origins = origins_in(session, project_id) if sources else {}

    def entry(said: Submission, kind: str, reason: str = "") -> LineageEntry:
        """Return a submission as an entry, with citations and evidence per label."""
        labels = tuple(
            LineageLabel(
                unit=each.semantic_id,
                label=each.label,
                citations=cited.get(("annotation", said.annotation_id, each.unit_id), ()),
                evidence=each.evidence,
            )
            for each in said.labels
        )
        imported = origins.get(said.annotation_id)
        return submission_entry(said, kind, labels, laws, reason, imported)

    found: dict[int, tuple[LineageEntry, ...]] = {}
    past = earlier(session, project_id, talks, submitted) if talks else {}
    for item_id, submissions in submitted.items():
        entries = [
            entry(each, "earlier", talks[item_id].why(each.annotation_id))
            for each in past.get(item_id, ())
        ]
        entries += [entry(each, "annotation") for each in in_time(submissions)]
        if item_id in decided:
            decision = decided[item_id]
            labels = tuple(
                LineageLabel(
                    unit=unit.semantic_id,
                    label=Decision.ACCEPT,
                    citations=cited.get(("adjudication", decision.number, unit.unit_id), ()),
                    evidence=unit.evidence,
                )
                for unit in decision.units
            )
            entries.append(decision_entry(decision, "adjudication", labels, laws, decision))
        found[item_id] = tuple(entries)
    return found


def in_time(submissions: Iterable[Submission]) -> list[Submission]:
    """Return submissions in the order in which they were made."""
    return sorted(submissions, key=lambda each: (each.at, each.annotation_id))


def submission_entry(
    submission: Submission,
    kind: str,
    labels: tuple[LineageLabel, ...],
    laws: Mapping[int, SnapshotView],
    reason: str = "",
    imported: Origin | None = None,
) -> LineageEntry:
    """Return a submission as an entry of the lineage."""
    return view_of(
        LineageEntry,
        submission,
        kind=kind,
        id=submission.annotation_id,
        role="annotator",
        labels=labels,
        reason=reason,
        conflict=False,
        imported=imported,
        **_version_fields(submission, laws),
    )


def decision_entry(
    decision: Settled,
    kind: str,
    labels: tuple[LineageLabel, ...],
    laws: Mapping[int, SnapshotView],
    made_on: Annotation | Settled,
) -> LineageEntry:
    """Return an adjudicator's decision as an entry, with law and versions of `made_on`."""
    return view_of(
        LineageEntry,
        decision,
        kind=kind,
        id=decision.number,
        role="administrator" if decision.administrator else "adjudicator",
        labels=labels,
        comment="",
        flag="",
        imported=None,
        **_version_fields(made_on, laws),
    )


def _version_fields(
    row: Annotation | Settled | Submission, laws: Mapping[int, SnapshotView]
) -> dict[str, Any]:
    """Return the fields of a `LineageEntry` about law, candidates and versions of a row."""
    law = laws[row.snapshot_id]
    names = "snapshot_id", "candidate_set_id", "guideline_version", "codebook_version"
    of_law = {"snapshot": law.content_hash, "effective": law.effective}
    return of_law | {name: getattr(row, name) for name in names}


def _citations_by_label(
    session: Session, project_id: int, adjudicated: bool
) -> dict[_Key, tuple[str, ...]]:
    """Return the citations behind each labelled unit in the candidates that were shown."""
    tables: list[tuple[str, Any, Any]] = [("annotation", AnnotationLabel, Annotation)]
    if adjudicated:
        tables.append(("adjudication", AdjudicationLabel, Adjudication))
    behind: dict[_Key, tuple[int, list[int]]] = {}
    for kind, label, made in tables:
        number = col(getattr(label, f"{kind}_id"))
        shown = (CandidateRow.candidate_set_id, CandidateRow.unit_id, CandidateRow.why)
        query = (
            select(number, *shown)
            .join(made, made.id == number)
            .join(Item, col(Item.id) == made.item_id)
            .where(Item.project_id == project_id)
            .where(CandidateRow.candidate_set_id == made.candidate_set_id)
            .where(CandidateRow.unit_id == label.unit_id)
        )
        for decision, set_id, unit_id, why in session.exec(query):
            if cited := [each["citation"] for each in why if each["source"] == "citation"]:
                behind[kind, decision, unit_id] = set_id, cited
    texts = _citations(session, {set_id for set_id, _ in behind.values()})
    return {
        key: tuple(dict.fromkeys(texts[set_id][index] for index in cited))
        for key, (set_id, cited) in behind.items()
    }


def _citations(session: Session, set_ids: Collection[int]) -> dict[int, list[str]]:
    """Return the texts of the citations of each candidate set."""
    query = select(CandidateSet.id, CandidateSet.citations)
    rows = rows_with(session, query, CandidateSet.id, set_ids)
    return {number: [each["text"] for each in cited] for number, cited in rows}


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
    """Return the label of each unit of an entry."""
    return {each.unit: each.label for each in entry.labels}


Outcome = Literal["agreed", "single", "consensus", "adjudicated", "pending", "source"]
"""``source``: taken from the question's file, without a decision, in gold sets that have it."""
WhyCurated = Literal[
    "differ", "flagged", "recalled", "waiting", "sent_back", "given_back", "recurated"
]
