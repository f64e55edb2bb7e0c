"""The gold sets of a project: of citation mapping items, and of augmented questions.

An item's is the gold that holds for the law in use (`annotation.gold.derivation`); "no provision"
is not a set, since nothing can be missing from it. An augmented question's is the gold that it was
written from, with later additions by people or the cascade (`ClosureDecision`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlmodel import Session, select

from annotation.curation.state import Fate, curation_states
from annotation.gold.derivation import gold_in
from construction.closure.audit import Cited
from construction.closure.engine import Fired, GoldSet
from storage.cascade.results import State, states
from storage.closure.completed import with_added
from storage.curation import admissions, questions
from storage.db.columns import view_of
from storage.projects import ProjectView, authored
from storage.tables.augmentation import AugmentedQuestion, ClosureDecision
from storage.tables.core import Item, QuestionRow

Kind = Literal["question", "augmented"]
KINDS: tuple[Kind, ...] = ("question", "augmented")
Verdict = Literal["added", "dismissed", "reopened"]
SetKey = tuple[Kind, int]
"""A gold set: its kind, and the id of its item or augmented question."""


@dataclass(frozen=True, slots=True)
class GoldCase:
    """A gold set with its question.

    `id` is that of the item or the augmented question, `gold` its provisions with pinpoints ("" for
    a whole provision). `declined` are provisions of a question admitted from curation that curators
    saw and did not choose. `settled` is False for an item without gold, such as one that was sent
    back; then `gold` is empty.
    """

    kind: Kind
    id: int
    external_id: str
    question: str
    answer: str
    language: str
    gold: tuple[Cited, ...]
    domain: str = ""
    settled: bool = True
    declined: frozenset[str] = frozenset()

    @property
    def key(self) -> SetKey:
        """Identity of the set: kind and id."""
        return self.kind, self.id

    @property
    def units(self) -> tuple[str, ...]:
        """Semantic ids of the gold, deduplicated."""
        return tuple(dict.fromkeys(each.unit for each in self.gold))

    def as_set(self) -> GoldSet:
        """Return the set in the form that rules read."""
        return GoldSet(self.units, self.question, self.answer, self.domain)


@dataclass(frozen=True, slots=True)
class Decision:
    """The latest decision on a proposed provision; `person` is None for the operator."""

    id: int
    verdict: Verdict
    unit: str
    rule: str
    person: str | None
    at: datetime
    reason: str
    annotation_ids: tuple[int, ...] = ()
    adjudication_id: int | None = None
    fired: tuple[Fired, ...] = ()


def gold_cases(
    session: Session, project: ProjectView, kinds: Collection[Kind] = KINDS
) -> list[GoldCase]:
    """Return the gold sets of a project: questions in queue order, then augmented ones by id."""
    found: list[GoldCase] = []
    if "question" in kinds:
        found += _question_gold(session, project)
    if "augmented" in kinds:
        found += _augmented_gold(session, project.id)
    return found


def decisions_in(session: Session, project_id: int) -> dict[SetKey, dict[str, Decision]]:
    """Return the newest decision on each provision proposed for a gold set, by set and unit."""
    found: dict[SetKey, dict[str, Decision]] = {}
    for row, name in authored(session, ClosureDecision, ClosureDecision.project_id == project_id):
        key: SetKey = ("question", row.item_id or 0)
        if row.augmented_question_id is not None:
            key = "augmented", row.augmented_question_id
        found.setdefault(key, {})[row.unit] = view_of(
            Decision,
            row,
            verdict=row.kind,
            person=name,
            annotation_ids=tuple(row.annotation_ids),
            fired=tuple(Fired(**each) for each in row.fired),
        )
    return found


def completed_gold(
    question: AugmentedQuestion, decisions: Mapping[str, Decision]
) -> list[dict[str, Any]]:
    """Return an augmented question's gold with additions; its row is unchanged.

    `decisions` are the newest ones on the question, by unit.
    """
    added = {each.unit: each.rule for each in decisions.values() if each.verdict == "added"}
    return with_added(question.gold, added)


def _question_gold(session: Session, project: ProjectView) -> list[GoldCase]:
    """Return questions' gold sets, final or not, but for “no provision” and outdated gold."""
    query = select(Item.id, QuestionRow).join(QuestionRow).where(Item.project_id == project.id)
    questions = dict(session.exec(query).all())
    declined = _declined(session, project.id)
    found = []
    for item in gold_in(session, project):
        gold = tuple(map(Cited, item.units))
        # "No provision" lacks nothing; outdated gold is handled under Amendments.
        if (item.settled and not gold) or set(item.pending) & {"amended", "no_candidates"}:
            continue
        of = questions[item.item_id]
        about = item.item_id, item.external_id, item.question, of.answer, of.language
        against = declined.get(of.id or 0, frozenset[str]())
        made = GoldCase("question", *about, gold, settled=item.settled, declined=against)
        found.append(made)
    return found


def _declined(session: Session, project_id: int) -> dict[int, frozenset[str]]:
    """Return the semantic ids that curators declined, by the id of the admitted question."""
    admitted = admissions(session, project_id)
    if not admitted:
        return {}
    said = curation_states(session, project_id)
    return {
        each.question_id: frozenset(said[number].declined)
        for number, each in admitted.items()
        if number in said
    }


def _augmented_gold(session: Session, project_id: int) -> list[GoldCase]:
    """Return the gold sets of augmented questions that are in use.

    An admitted one counts as a question of the project; rejected ones need no gold.
    """
    out = _not_in_use(session, project_id)
    rows = questions(session, project_id)
    said = decisions_in(session, project_id) if rows else {}
    return [
        augmented_case(row, said.get(("augmented", row.id or 0), {}))
        for row in rows
        if row.id not in out
    ]


def _not_in_use(session: Session, project_id: int) -> set[int]:
    """Return ids of augmented questions that were admitted, or rejected by people or layers."""
    by_people = curation_states(session, project_id).items()
    return {
        *admissions(session, project_id),
        *(each for each, state in by_people if state.fate is Fate.REJECTED),
        *(e.question.id for e in states(session, project_id) if e.state is State.REJECTED),
    }


def augmented_case(row: AugmentedQuestion, decisions: Mapping[str, Decision]) -> GoldCase:
    """Return an augmented question's gold set, with additions."""
    gold = completed_gold(row, decisions)
    about = row.id or 0, row.external_id, row.text, row.answer, row.language
    cited = tuple(Cited(each["unit"], each.get("pinpoint") or "") for each in gold)
    return GoldCase("augmented", *about, cited, str(row.axes.get("domain") or ""))
