"""Integrity check of a project: nothing lost, nothing changed, gold replayable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import MetaData
from sqlmodel import Session, col, select

from annotation.adjudication.decisions import current_decisions
from annotation.check.batches import (
    unsound_accounts,
    unsound_batches,
    unsound_leases,
    unsound_people,
)
from annotation.check.gold_replay import Done, acts, differing_gold
from annotation.check.text import (
    acts_of_outsiders,
    unsound_chains,
    unsound_comments,
    unsound_confidence,
    unsound_documents,
    unsound_referrals,
    unsound_undone,
)
from annotation.forms.submissions import answers_in
from annotation.gold.derivation import GoldItem, derived, read_evidence
from annotation.gold.lineage import SUBMITTED
from annotation.people.roles import Act, reading_as
from annotation.work.draft import MIGRATE, Draft, Event, fold
from annotation.work.submissions import complete
from messages import say
from normalization.grouping import grouped, nested
from storage.db.integrity import damage, missing_guards, orphans
from storage.db.workspace import Workspace, at_one_moment
from storage.law.corpus import id_in_use
from storage.projects import ProjectView
from storage.tables.append_only import GUARDED
from storage.tables.core import (
    Annotation,
    AnnotationLabel,
    CandidateRow,
    CandidateSet,
    Item,
    UnitRow,
)
from storage.tasks import rows_on_items


@dataclass(frozen=True, slots=True)
class Problem:
    """A violation; `code` names an entry ``check.<code>`` of the catalogue."""

    code: str
    where: str

    def say(self, language: str = "en") -> str:
        """Return the description of the violation, with its place."""
        return say(f"check.{self.code}", language, where=self.where)

    def remedy(self, language: str = "en") -> str:
        """Return the remedy."""
        return say(f"check_remedy.{self.code}", language)

    def as_dict(self) -> dict[str, str]:
        """Return code, place, and both texts in English, as JSON values."""
        said = {"problem": self.say(), "remedy": self.remedy()}
        return {"code": self.code, "where": self.where} | said

    def __str__(self) -> str:
        return self.say()


def check(ws: Workspace, project_slug: str, by: int | None = None) -> list[Problem]:
    """Return all violations in the project; empty if there are none.

    Checked are the file itself, foreign keys and the guards against changing rows (of the whole
    database), that every labelled or suggested unit is of the snapshot that its row names, that
    each chain of annotations follows its person's log, that a replay of the log gives exactly what
    was submitted, that people, accounts and batches equal the replay of their events, and that all
    other references are valid. If all that holds, that the derived gold equals a full replay
    (`annotation.check.gold_replay`), and that it has the judged wording in the snapshot in use.
    Everything is read at one moment, whatever others write meanwhile. Raises UserError for an
    unknown project, and for `by` without permission to export the history; None is the operator.
    """
    with at_one_moment(ws) as now:
        return _check(now, project_slug, by)


def _check(ws: Workspace, project_slug: str, by: int | None) -> list[Problem]:
    """Return all problems; gold is compared only if the rows are consistent."""
    with reading_as(ws, project_slug, by, Act.EXPORT_HISTORY) as (session, project, _):
        problems = list(_database(session))
        done = list(acts(session, project))
        problems += problems_in(session, project, done)
    if problems:  # gold can only be derived from consistent rows
        return problems
    with ws.reading() as session:
        evidence = read_evidence(session, project)
        held = derived(session, evidence, id_in_use(session, project.id))
        differing = differing_gold(session, project, evidence.items, done)
        problems = [Problem("derived", question) for question in differing]
        return [
            *problems,
            *_changed_gold(session, project, [item for item in held if item.settled]),
        ]


def problems_in(session: Session, project: ProjectView, done: Iterable[Done]) -> Iterator[Problem]:
    """Yield the inconsistencies in the project's own rows, in an open session.

    `done` is its log in order.
    """
    yield from _foreign_units(session, project)
    yield from _outdated_decisions(session, project)
    yield from (Problem("referral", row) for row in unsound_referrals(session, project))
    yield from _replay_problems(session, project, done)
    yield from (Problem("person", said) for said in unsound_people(session, project))
    yield from (Problem("batch", said) for said in unsound_batches(session, project))
    yield from (Problem("lease", row) for row in unsound_leases(session, project))
    yield from (Problem("outsider", row) for row in acts_of_outsiders(session, project))
    yield from (Problem(code, row) for code, row in unsound_chains(session, project))
    yield from (Problem("undone", row) for row in unsound_undone(session, project))
    yield from (Problem("comment", row) for row in unsound_comments(session, project))
    yield from (Problem("confidence", row) for row in unsound_confidence(session, project))
    yield from (Problem("document", row) for row in unsound_documents(session, project))


def _database(session: Session) -> Iterator[Problem]:
    """Yield damage of the database file: broken pages, orphaned rows, missing triggers."""
    yield from (Problem("file", said) for said in damage(session))
    yield from (Problem("foreign_key", row) for row in orphans(session, _every_table))
    yield from (Problem("guard", name) for name in missing_guards(session, GUARDED))
    yield from (Problem("account", said) for said in unsound_accounts(session))


def _every_table() -> MetaData:
    from storage.tables.every import TABLES

    return TABLES


def _foreign_units(session: Session, project: ProjectView) -> Iterator[Problem]:
    """Yield rows that name a unit outside their snapshot."""
    labels = (
        select(Annotation.id)
        .join(AnnotationLabel)
        .join(UnitRow)
        .join(Item)
        .where(Item.project_id == project.id, UnitRow.snapshot_id != Annotation.snapshot_id)
    )
    shown = (
        select(CandidateSet.id)
        .join(CandidateRow)
        .join(UnitRow)
        .join(Item)
        .where(Item.project_id == project.id, UnitRow.snapshot_id != CandidateSet.snapshot_id)
    )
    for kind, query in (("annotation", labels), ("candidate_set", shown)):
        for number in sorted({number or 0 for number in session.exec(query)}):
            yield Problem("stranger", f"{kind} {number}")


def _outdated_decisions(session: Session, project: ProjectView) -> Iterator[Problem]:
    """Yield current decisions that were made between other submissions than the current ones."""
    decided = current_decisions(session, project.id)
    submitted = complete(session, project.id) if decided else {}
    for item_id, decision in decided.items():
        standing = sorted(each.annotation_id for each in submitted.get(item_id, ()))
        if standing != sorted(decision.annotation_ids):
            yield Problem("settled", f"adjudication {decision.number}")


def _changed_gold(
    session: Session, project: ProjectView, gold: list[GoldItem]
) -> Iterator[Problem]:
    """Yield gold whose wording in the snapshot in use differs from what was judged."""
    in_use = id_in_use(session, project.id) or 0
    wanted = {unit for item in gold for unit in item.units}
    worlds = {in_use}.union(*map(_snapshots_of_gold, gold))
    words = {number: _words(session, number, wanted) for number in sorted(worlds)}
    for item in gold:
        for unit in item.units:
            now = words[in_use].get(unit)
            if now is None or any(
                words[each].get(unit) != now for each in _snapshots_of_gold(item)
            ):
                yield Problem("gold", f"{item.external_id} → {unit}")


def _snapshots_of_gold(item: GoldItem) -> set[int]:
    """Return the ids of the snapshots on which the units of the gold were accepted."""
    if item.outcome == "adjudicated":
        return {item.snapshot_id or 0}
    return {entry.snapshot_id for entry in item.lineage if entry.kind in SUBMITTED}


def _words(session: Session, snapshot_id: int, unit_names: set[str]) -> dict[str, tuple[str, ...]]:
    """Return (label, heading, text) of the units, by semantic id."""
    query = select(UnitRow.semantic_id, UnitRow.label, UnitRow.heading, UnitRow.text)
    rows = session.exec(
        query.where(
            UnitRow.snapshot_id == snapshot_id, col(UnitRow.semantic_id).in_(sorted(unit_names))
        )
    )
    return {semantic_id: tuple(said) for semantic_id, *said in rows}


def _replay_problems(
    session: Session, project: ProjectView, done: Iterable[Done]
) -> Iterator[Problem]:
    """Yield submissions that do not follow from a replay of their person's log, `done`."""
    logs = grouped(((person_id, item_id), event) for person_id, item_id, event in done)
    rows = rows_on_items(Annotation, Item.project_id == project.id)
    chains = grouped(((made.person_id, made.item_id), made) for made in session.exec(rows))
    labels, answers = (
        _labels(session, project),
        answers_in(session, col(Item.project_id) == project.id),
    )
    for key in sorted(logs.keys() | chains.keys()):
        log, chain = logs.get(key, []), chains.get(key, [])
        yield from _chain_problems(log, chain)
        for made in chain:
            number = made.id or 0
            yield from _draft_problems(made, log, labels.get(number, {}), answers.get(number, {}))


def _labels(session: Session, project: ProjectView) -> dict[int, dict[int, tuple[str, Any]]]:
    """Return the label and evidence per unit of each submission, by its id."""
    query = select(AnnotationLabel).join(Annotation).join(Item).where(Item.project_id == project.id)
    rows = session.exec(query)
    return nested((row.annotation_id, row.unit_id, (row.label, row.evidence)) for row in rows)


def _chain_problems(log: list[Event], chain: list[Annotation]) -> Iterator[Problem]:
    """Check that each turn of the log has its row, and each row supersedes the one before it."""
    if _required_rows(log) != [(made.event_id, made.kind, made.at) for made in chain]:
        yield Problem("chain", ", ".join(f"annotation {made.id}" for made in chain) or "–")
    previous: int | None = None
    for made in chain:
        if made.supersedes_id != previous:
            yield Problem("chain", f"annotation {made.id}")
        previous = made.id


def _required_rows(log: list[Event]) -> list[tuple[int, str, datetime | None]]:
    """Return (event, kind, time) of the rows that the log requires.

    A migration that submits keeps the time of the submission that it migrates.
    """
    found: list[tuple[int, str, datetime | None]] = []
    for event in log:
        if event.turn:
            takes_over = event.kind == MIGRATE and event.turn == "submit"
            before = found[-1][2] if found else None
            found.append((event.id, event.turn, before if takes_over else event.at))
    return found


def _draft_problems(
    submission: Annotation,
    log: list[Event],
    labels: dict[int, tuple[str, Any]],
    answers: dict[str, Any],
) -> Iterator[Problem]:
    """Yield a problem if a stored submission differs from the draft at its event."""
    draft = fold(event for event in log if event.id <= submission.event_id)
    made = submission.kind == "submit"
    stored = Draft(
        candidate_set_id=submission.candidate_set_id,
        decisions={unit: said for unit, (said, _) in labels.items()} if made else draft.decisions,
        evidence={unit: e for unit, (_, e) in labels.items() if e} if made else draft.evidence,
        answers=answers if made else draft.answers,
        no_provision=submission.no_provision,
        comment=submission.comment,
        flag=submission.flag,
    )
    if _draft_content(draft) != _draft_content(stored):
        yield Problem("replay", f"annotation {submission.id}")


def _draft_content(draft: Draft) -> tuple[object, ...]:
    """Return what a submission must repeat of its draft, for comparison."""
    return (
        draft.candidate_set_id,
        draft.decisions,
        {unit: e for unit, e in draft.evidence.items() if draft.decisions.get(unit) == "accept"},
        draft.answers,
        draft.no_provision,
        draft.comment,
        draft.flag,
    )
