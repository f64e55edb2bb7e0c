"""Audit of paragraph references in official answers and augmented gold.

The criteria are in `construction.closure.audit`.

Completing the gold of augmented questions by rule: the closure layer of the cascade.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlmodel import Session

from annotation.closure.gold_sets import KINDS, GoldCase, Kind, gold_cases
from annotation.closure.proposals import Completion, completion, keep, scope_of
from annotation.people.roles import Act, reading_as, writing_as
from construction.closure.audit import Audit, Cited, audit, audit_citations
from corpus.citations.catalogue import Catalogue
from corpus.citations.find import find
from corpus.citations.model import Resolution
from corpus.citations.resolve import resolve
from evaluation.figure import Figure, share_figure
from storage.closure.stored_law import StoredLaw
from storage.curation import questions as augmented_questions
from storage.db.workspace import Workspace
from storage.law.catalogues import catalogue
from storage.law.corpus import load_items, required_snapshot
from storage.projects import ProjectView


@dataclass(frozen=True, slots=True)
class AuditedSet:
    """A question with the audit of its references.

    `places` are display names of the provisions, by id.
    """

    kind: Kind
    external_id: str
    question: str
    answer: str
    language: str
    found: Audit
    places: dict[str, str]


@dataclass(frozen=True, slots=True)
class AuditReport:
    """Result of the audit in the law of a snapshot.

    `sets` are the questions with at least one pinpoint, `leaking` the share of them with a leak,
    `references` the share of leaks among the pinpoints that could be compared.
    """

    snapshot_id: int
    sets: tuple[AuditedSet, ...]
    leaking: Figure
    references: Figure
    unknown: int

    @property
    def queue(self) -> tuple[AuditedSet, ...]:
        """Questions with a leak."""
        return tuple(each for each in self.sets if each.found.leaks)


def audit_references(
    ws: Workspace,
    slug: str,
    by: int | None = None,
    *,
    question: str = "",
    kinds: Collection[Kind] = KINDS,
) -> AuditReport:
    """Audit if paragraph references of answers and augmented gold belong to their article.

    For a question, the citations of its official answer are audited; for an augmented one, its gold
    against the citations of its answer. `question` is an external id. Raises UserError for `by` who
    may not read others' labels, and for a project without law.
    """
    with reading_as(ws, slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        snapshot = required_snapshot(session, project)
        law = StoredLaw(session, snapshot.id)
        names = catalogue(ws, snapshot.id)
        found = []
        for case in _cases(session, project, kinds):
            if question not in ("", case.external_id):
                continue
            cited = _cited(case, names)
            made = audit(case.gold, cited, law) if case.gold else audit_citations(cited, law)
            if made.checked or made.unknown:
                found.append(_audited_set(case, made, law))
    return _report(snapshot.id, found)


def _cases(session: Session, project: ProjectView, kinds: Collection[Kind]) -> list[GoldCase]:
    """Return the questions, their gold left out, and the augmented questions, of these kinds."""
    found: list[GoldCase] = []
    for item in load_items(session, project.id) if "question" in kinds else ():
        asked = item.question
        about = item.item_id, asked.external_id, asked.text, asked.answer, asked.language
        found.append(GoldCase("question", *about, ()))
    if "augmented" in kinds:
        found += gold_cases(session, project, list[Kind](["augmented"]))
    return found


def _cited(case: GoldCase, law: Catalogue) -> list[Cited]:
    """Return the provisions of the answer's resolved citations."""
    earlier: list[Resolution] = resolve(find(case.question), case.question, law)
    return [
        Cited(
            target.unit_id, target.pinpoint, one.citation.text, one.citation.start, one.citation.end
        )
        for one in resolve(find(case.answer), case.answer, law, earlier)
        for target in one.targets
    ]


def _audited_set(case: GoldCase, audit: Audit, law: StoredLaw) -> AuditedSet:
    """Return a question with its audit, and display names of the provisions in its leaks."""
    units = {unit for leak in audit.leaks for unit in (leak.place.unit, *leak.of)}
    places = {unit: law.place(unit) for unit in sorted(units)}
    about = case.kind, case.external_id, case.question, case.answer, case.language
    return AuditedSet(*about, audit, places)


def _report(snapshot_id: int, audited_sets: list[AuditedSet]) -> AuditReport:
    """Return the share of gold sets with misplaced references, and the sets."""
    checked = [each for each in audited_sets if each.found.checked]
    leaks = sum(len(each.found.leaks) for each in checked)
    return AuditReport(
        snapshot_id=snapshot_id,
        sets=tuple(audited_sets),
        leaking=share_figure("leaking", sum(bool(e.found.leaks) for e in checked), len(checked)),
        references=share_figure("references", leaks, sum(e.found.checked for e in checked)),
        unknown=sum(each.found.unknown for each in audited_sets),
    )


def close_references(
    ws: Workspace,
    slug: str,
    questions: Collection[str],
    by: int | None = None,
    *,
    only: Collection[str] = (),
    store: bool = True,
) -> dict[str, Completion]:
    """Complete the gold of augmented questions by rule; return the results by external id.

    This is the closure layer of the cascade. `only` are the keys of the rules to use, by default
    all; without `store` nothing is stored. Repeating adds nothing. Raises UserError for `by`
    without permission, and for a project without law.
    """
    with writing_as(ws, slug, by, Act.CLOSE_GOLD) as (session, project, _):
        scope = scope_of(session, project)
        found, at = {}, ws.clock()
        named = set(questions)
        for each in augmented_questions(session, project.id):
            if each.external_id not in named:
                continue
            made, rows = completion(scope, each, only)
            found[each.external_id] = made
            if store:
                keep(scope, rows, at, by)
        return found
