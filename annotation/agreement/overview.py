"""Agreement between annotators, and their progress.

Figures are over complete items; answers to other items are not read. For a discussed item, they are
over the answers from before the discussion. Annotators get figures over the items they submitted
themselves and their own progress, and are not told which items differ.

An answer is the set of accepted units, by semantic id; "no provision" is the empty set, and two of
them agree fully. Unsure is not accepting, and a submission that is unsure throughout, neither
accepting anything nor "no provision", gives no set: it is missing, and an item with fewer than two
sets is in no figure. Intervals are percentile bootstraps over items.

The details of somebody's progress list their questions with the status of each; of their labels
only whether any is unsure is read, on complete questions alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import median

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import causes
from annotation.adjudication.tasks import disputes_of
from annotation.agreement.views import ItemLine, load_lines
from annotation.people.roles import MAY, Act, ProjectMember, reading_as
from annotation.work.belonging import lines
from annotation.work.discussions import independent
from annotation.work.draft import Status
from annotation.work.slots import act_of, hidden_items
from annotation.work.submissions import (
    Submission,
    complete,
    imported_by_person,
    is_current,
    plausible_seconds,
)
from annotation.work.visibility import answered, is_blind
from errors import UserError
from evaluation.agreement.kappa import KrippendorffAlpha
from evaluation.agreement.likeness import Answer, exact_match, mean_jaccard
from evaluation.agreement.ratings import Ratings, Scale, measure
from evaluation.figure import Figure, mean_figure, share_of
from normalization.grouping import grouped
from storage.db.columns import usable_id
from storage.db.workspace import Workspace
from storage.law.corpus import load_items
from storage.projects import ProjectView
from storage.tables.core import Annotation, Item, Person
from storage.tasks import Task, of_task


@dataclass(frozen=True, slots=True)
class Progress:
    """One annotator's progress, in items of their queue.

    `left` are those not begun. `unsure_share` is the share of their submissions with an unsure
    decision, over complete items only. `median_seconds` is the measured active time per submission,
    None before the first. `imported` counts submissions made in another tool.
    """

    person_id: int
    person: str
    submitted: int
    drafts: int
    skipped: int
    left: int
    unsure_share: Figure
    median_seconds: float | None
    imported: int = 0


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """A project's agreement, as far as its reader may see it.

    `items` counts all items, `complete` those with all submissions, `differing` those of them on
    which people differ, and `open` those of these that wait for an adjudicator. `disagreements`
    lists those that differ, empty for readers who may not know them.
    `figures` are exact match, mean Jaccard (``jaccard``) and alpha with MASI distance (``alpha``),
    over complete items.
    """

    progress: list[Progress]
    figures: list[Figure]
    items: int
    complete: int
    differing: int
    open: int
    disagreements: list[ItemLine]


def report(ws: Workspace, project_slug: str, by: int | None = None) -> AgreementReport:
    """Return progress and agreement in citation mapping, as `by` may see them (None: operator).

    Raises UserError for an unknown project or person.
    """
    with reading_as(ws, project_slug, by, Act.SEE_AGREEMENT) as (session, project, who):
        own = answered(session, who)
        submitted = {
            number: item
            for number, item in independent(session, project.id).items()
            if own is None or number in own
        }
        items = load_items(session, project.id)
        only = by if is_blind(who) else None
        progress = _progress(session, project, submitted, ws.clock(), only)
        differing = {number for number, item in submitted.items() if "differ" in causes(item)}
        states = disputes_of(Task.CITATION_MAPPING).states(session, project.id)
    return AgreementReport(
        progress=progress,
        figures=figures([[each.answer for each in item] for item in submitted.values()]),
        items=len(items),
        complete=len(submitted),
        differing=len(differing),
        open=sum(states.get(number) == "open" for number in differing),
        disagreements=[
            ItemLine(each.item_id, each.question.external_id, each.question.text, None, case=True)
            for each in items
            if each.item_id in differing and not is_blind(who)
        ],
    )


def progress_of(
    ws: Workspace, project_slug: str, task: str, by: int | None = None
) -> list[Progress]:
    """Return the progress of everybody who has begun a form task; for annotators, their own.

    Raises UserError for an unknown project or person.
    """
    with reading_as(ws, project_slug, by, Act.SEE_AGREEMENT) as (session, project, who):
        found = _progress(session, project, {}, ws.clock(), by if is_blind(who) else None, task)
    return [each for each in found if each.submitted or each.drafts or each.skipped]


def figures(answers: Sequence[Sequence[Answer | None]]) -> list[Figure]:
    """Return exact match, mean Jaccard and alpha over items, each with its n and interval.

    A value is None if undefined: no item with two answers, or, for alpha, no variation in the
    answers at all. The interval is None if resampling gives none: a single item, or equal
    resamples.
    """
    return [
        share_of("exact_match", [exact_match(item) for item in answers]),
        mean_figure("jaccard", [mean_jaccard(item) for item in answers]),
        _alpha(answers),
    ]


def _alpha(answers: Sequence[Sequence[Answer | None]]) -> Figure:
    """Return Krippendorff's alpha of sets (MASI) over the answers, a row per item."""
    triples = [
        (item, person, answer)
        for item, given in enumerate(answers)
        for person, answer in enumerate(given)
    ]
    found = measure(Ratings.of(triples, Scale.SETS), KrippendorffAlpha("masi")).figure
    return replace(found, name="alpha")


def _progress(
    session: Session,
    project: ProjectView,
    submitted: dict[int, list[Submission]],
    now: datetime,
    only_person: int | None = None,
    task: str = Task.CITATION_MAPPING,
) -> list[Progress]:
    """Return each person's progress: submissions, working times, unsure answers."""
    times = _durations_by_person(session, project, task)
    imported = imported_by_person(session, project.id, task)
    unsure = grouped(
        (each.person_id, float(each.unsure)) for item in submitted.values() for each in item
    )
    query = select(Person).where(
        Person.project_id == project.id, col(Person.role).in_(MAY[act_of(task)])
    )
    if only_person is not None:
        query = query.where(Person.id == only_person)
    found = []
    for person in session.exec(query.order_by(col(Person.id))):
        number = person.id or 0
        who = ProjectMember(number, person.name, person.role, project.id, project.overlap)
        hidden = hidden_items(session, who, task)
        queue = lines(session, who, now, task=task, hidden=hidden)
        at = Counter(line.status for line in queue)
        spent = times.get(number, [])
        found.append(
            Progress(
                person_id=number,
                person=person.name,
                submitted=at["submitted"],
                drafts=at["draft"],
                skipped=at["skipped"],
                left=at["todo"],
                unsure_share=share_of("unsure_share", unsure.get(number, [])),
                median_seconds=median(spent) if spent else None,
                imported=imported.get(number, 0),
            )
        )
    return found


def _durations_by_person(
    session: Session, project: ProjectView, task: str
) -> dict[int, list[float]]:
    """Return the plausible durations of a task's current submissions, by person."""
    query = (
        select(Annotation.person_id, Annotation.seconds)
        .join(Item)
        .where(of_task(project.id, task), is_current())
    )
    return grouped(
        (person_id, known)
        for person_id, seconds in session.exec(query)
        if (known := plausible_seconds(seconds)) is not None
    )


@dataclass(frozen=True, slots=True)
class WorkRow:
    """A question of an annotator: `seconds` if submitted and known, `unsure` if complete."""

    item: ItemLine
    status: Status
    seconds: float | None
    unsure: bool | None


def work_of(
    ws: Workspace, project_slug: str, person_id: int, by: int | None = None
) -> tuple[WorkRow, ...]:
    """Return an annotator's questions with their status, in order.

    Raises UserError for an unknown person, and without permission to read others' labels.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        query = select(Person).where(
            Person.id == usable_id(person_id), Person.project_id == project.id
        )
        person = session.exec(query).first()
        if person is None:
            raise UserError("person_unknown", person=person_id)
        submitted = complete(session, project.id)
        unsure = {
            item_id: each.unsure
            for item_id, made in submitted.items()
            for each in made
            if each.person_id == person_id
        }
        spent = dict(
            session.exec(
                select(Annotation.item_id, Annotation.seconds).where(
                    Annotation.person_id == person_id, is_current()
                )
            ).all()
        )
        known = load_lines(session, project)
        who = ProjectMember(person_id, person.name, person.role, project.id, project.overlap)
        return tuple(
            WorkRow(
                known[line.item_id],
                line.status,
                plausible_seconds(spent.get(line.item_id, 0.0)),
                unsure.get(line.item_id),
            )
            for line in lines(session, who, ws.clock())
        )
