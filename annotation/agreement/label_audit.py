"""Blind audits of a source's labels: what people judged of each, and what that says of all.

People's answer to a question is its gold, or, while an adjudicator has yet to decide between them
and the source, what they all say: leaving those out would count only where the source is right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from annotation.agreement.views import ItemLine, load_lines
from annotation.gold.derivation import GoldItem, evidence_of, gold_in
from annotation.people.roles import Act, reading_as
from annotation.work.audits import AuditSample, audited_labels, audits
from annotation.work.submissions import Submission
from evaluation.agreement.stratified import Stratum, ratio
from evaluation.figure import Figure
from storage.db.workspace import Workspace

ALL = "all"
AuditState = Literal["judged", "source", "disputed", "unjudged"]
AUDIT_STATES: tuple[AuditState, ...] = ("judged", "source", "disputed", "unjudged")
_IN_DISPUTE = {"differ", "unsure", "flagged", "recalled"}


@dataclass(frozen=True, slots=True)
class AuditCase:
    """A question of an audit: the source's labels, and the units people accept, if they judged it.

    `state` is ``source`` where they differ from the source and nobody has decided yet, ``disputed``
    where they differ from each other.
    """

    item: ItemLine
    stratum: str
    state: AuditState
    labels: tuple[str, ...]
    accepted: frozenset[str] | None

    @property
    def wrong(self) -> tuple[str, ...]:
        """The labels that people did not accept; none while unjudged."""
        return () if self.accepted is None else tuple(sorted({*self.labels} - self.accepted))

    @property
    def missing(self) -> tuple[str, ...]:
        """The units that people accepted and the source does not label; none while unjudged."""
        return () if self.accepted is None else tuple(sorted(self.accepted - {*self.labels}))


@dataclass(frozen=True, slots=True)
class AuditRow:
    """The figures of an audit, or of one of its strata, with the questions drawn.

    `by` is what the strata are. `questions` could be drawn. `precision` is the share of labels that
    are right, `recall` the share of what people accept that is labelled, `missing` how much is not,
    per question.
    """

    batch: str
    by: str
    stratum: str
    questions: int
    cases: tuple[AuditCase, ...]
    precision: Figure
    recall: Figure
    missing: Figure

    def count(self, state: AuditState) -> int:
        """Return how many questions are in a state."""
        return sum(each.state == state for each in self.cases)


def label_audits(ws: Workspace, project_slug: str, by: int | None = None) -> list[AuditRow]:
    """Return the figures of a project's audits: each as a whole, then its strata if several.

    Raises UserError without permission to read others' labels.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        found = audits(session, project.id)
        if not found:
            return []
        there = audited_labels(session, project.id).keys()
        gold = {item.item_id: item for item in gold_in(session, project)}
        submitted = evidence_of(session, project).submitted
        lines = load_lines(session, project)
    rows = []
    for batch, sample in found.items():
        cases = [
            _audit_case(
                lines[item], sample, gold[item], submitted.get(item, ()) if item in there else ()
            )
            for item in sample.stratum
        ]
        of = batch, sample.by
        rows.append(_audit_row(of, ALL, sample.strata, cases))
        if len(sample.strata) > 1:
            rows += [_audit_row(of, name, {name: n}, cases) for name, n in sample.strata.items()]
    return rows


def _audit_case(
    line: ItemLine, sample: AuditSample, gold: GoldItem, submitted: Sequence[Submission]
) -> AuditCase:
    """Return a sampled item with its imported labels and the units accepted in the audit."""
    state: AuditState = "unjudged"
    accepted = None
    if submitted and gold.settled:
        state, accepted = "judged", frozenset(gold.units)
    elif submitted and gold.pending == ("source",):
        state, accepted = "source", submitted[0].accepted
    elif submitted and _IN_DISPUTE & {*gold.pending}:
        state = "disputed"
    item = line.item_id
    return AuditCase(line, sample.stratum[item], state, sample.labels[item], accepted)


def _audit_row(
    batch_and_grouping: tuple[str, str],
    stratum: str,
    sizes: Mapping[str, int],
    cases: Sequence[AuditCase],
) -> AuditRow:
    """Estimate precision, recall and missing labels from the judged cases of the strata `sizes`.

    `batch_and_grouping` is the batch's name and what its strata are.
    """
    these = tuple(each for each in cases if each.stratum in sizes)
    judged = [(each, each.accepted) for each in these if each.accepted is not None]
    pairs: dict[str, dict[str, list[tuple[float, float]]]] = {
        figure: {name: [] for name in sizes} for figure in ("precision", "recall", "missing")
    }
    for each, accepted in judged:
        right = len(accepted.intersection(each.labels))
        pairs["precision"][each.stratum].append((right, len(each.labels)))
        pairs["recall"][each.stratum].append((right, len(accepted)))
        pairs["missing"][each.stratum].append((len(each.missing), 1))
    precision, recall, missing = (
        ratio(
            figure,
            [Stratum(size, found[name]) for name, size in sizes.items()],
            share=figure != "missing",
        )
        for figure, found in pairs.items()
    )
    return AuditRow(
        *batch_and_grouping, stratum, sum(sizes.values()), these, precision, recall, missing
    )
