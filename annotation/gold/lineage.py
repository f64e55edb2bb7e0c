"""Lineage of gold: each decision on an item, with the versions it was made under.

Outcomes of a question's gold, and reasons why it is pending.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from typing import Any, Literal

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import Accepted, Settled
from annotation.work.discussions import Discussion, earlier
from annotation.work.submissions import Decision, Origin, Submission, UnitDecision, origins_in
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

VERSIONS = ("snapshot_id", "candidate_set_id", "guideline_version", "codebook_version")
"""What a decision was made under."""
_SHARED = ("person", "at", "seconds", "no_provision")  # of submissions and decisions
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

    def labelled(self, rejected: bool) -> set[str]:
        """Return the semantic ids of the units that it rejects, or of those that it does not."""
        return {e.unit for e in self.labels if (e.label == Decision.REJECT) is rejected}

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
    past = earlier(session, project_id, talks, submitted) if talks else {}
    found = {}
    for item_id, submissions in submitted.items():
        entries = [
            _mapping_entry(
                each, laws, cited, kind="earlier", reason=talks[item_id].why(each.annotation_id)
            )
            for each in past.get(item_id, ())
        ]
        entries += [_mapping_entry(each, laws, cited) for each in by_time(submissions)]
        entries = [replace(each, imported=origins.get(each.id)) for each in entries]
        if item_id in decided:
            entries.append(_mapping_entry(decided[item_id], laws, cited, kind="adjudication"))
        found[item_id] = tuple(entries)
    return found


def by_time(submissions: Iterable[Submission]) -> list[Submission]:
    """Return submissions in the order in which they were made."""
    return sorted(submissions, key=lambda each: (each.at, each.annotation_id))


def _mapping_entry(
    row: Submission | Settled,
    laws: Mapping[int, SnapshotView],
    cited: Mapping[_Key, tuple[str, ...]],
    kind: str = "annotation",
    **more: Any,
) -> LineageEntry:
    """Return an entry of citation mapping, with citations and evidence per label."""
    said: list[tuple[Accepted | UnitDecision, str]]
    if isinstance(row, Settled):
        key, said = ("adjudication", row.settlement_id), [(e, Decision.ACCEPT) for e in row.units]
    else:
        key, said = ("annotation", row.annotation_id), [(e, e.label) for e in row.labels]
    labels = (
        LineageLabel(unit.semantic_id, label, cited.get((*key, unit.unit_id), ()), unit.evidence)
        for unit, label in said
    )
    return entry_of(row, kind, laws[row.snapshot_id], labels, **more)


def entry_of(
    row: Submission | Settled,
    kind: str,
    law: SnapshotView,
    labels: Iterable[LineageLabel],
    **more: Any,
) -> LineageEntry:
    """Return a submission or an adjudicator's decision as an entry of the lineage.

    `more` are fields that the row itself does not have.
    """
    fields = {name: getattr(row, name) for name in (*_SHARED, *VERSIONS)}
    if isinstance(row, Settled):
        role = "administrator" if row.administrator else "adjudicator"
        fields |= {"id": row.settlement_id, "role": role, "comment": "", "flag": ""}
        fields |= {"reason": row.reason, "conflict": row.conflict}
    else:
        fields |= {"id": row.annotation_id, "role": "annotator", "reason": ""}
        fields |= {"comment": row.comment, "flag": row.flag}
    fields |= {"snapshot": law.content_hash, "effective": law.effective}
    return LineageEntry(kind=kind, labels=tuple(labels), **fields | more)


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
            .join(Item)
            .where(Item.project_id == project_id)
            .where(CandidateRow.candidate_set_id == made.candidate_set_id)
            .where(CandidateRow.unit_id == label.unit_id)
        )
        for decision, set_id, unit_id, why in session.exec(query):
            if cited := [each["citation"] for each in why if each["source"] == "citation"]:
                behind[kind, decision, unit_id] = set_id, cited
    sets = {set_id for set_id, _ in behind.values()}
    rows = rows_with(
        session, select(CandidateSet.id, CandidateSet.citations), CandidateSet.id, sets
    )
    texts = {number: [each["text"] for each in named] for number, named in rows}
    return {
        key: tuple(dict.fromkeys(texts[set_id][index] for index in cited))
        for key, (set_id, cited) in behind.items()
    }


def rejected_by_all(lineage: Sequence[LineageEntry], gold: Collection[str]) -> tuple[str, ...]:
    """Return units not in `gold` that all submissions rejected or an adjudicator did not accept."""
    submissions = [each for each in lineage if each.kind in SUBMITTED]
    rejects = [each.labelled(True) for each in submissions]
    found = set.intersection(*rejects) if rejects else set[str]()
    for decision in (each for each in lineage if each.kind in DECIDED):
        found |= decision.labelled(True)
        found.update(*(e.labelled(False) for e in submissions if e.at <= decision.at))
    return tuple(sorted(found.difference(gold)))


Outcome = Literal["agreed", "single", "consensus", "adjudicated", "pending", "source"]
"""``source``: taken from the question's file, without a decision, in gold sets that have it."""
WhyCurated = Literal[
    "differ", "flagged", "recalled", "waiting", "sent_back", "given_back", "recurated"
]
