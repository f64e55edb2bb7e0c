"""The project overview, as the page shows it and `touchstone.py status` prints it.

All is derived in one reading, for readers of others' labels only. Agreement, which takes longest,
is computed by a separate call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlmodel import Session, col, select

from annotation.adjudication.tasks import open_disputes
from annotation.agreement.report import main_figures
from annotation.batches.views import BatchView, batches_in, item_slots
from annotation.gold.derivation import derive
from annotation.people.roles import (
    MAY,
    Act,
    ProjectMember,
    adjudicates,
    adjudicators,
    allow,
    reading_as,
)
from annotation.tagging.codebook import labels_of
from annotation.tasks.own import names_of, own_titles, titles_of
from evaluation.figure import Figure
from evaluation.ranking.scoring import ORDERING
from messages import LANGUAGES
from services.gold.gold_set import GoldSet, gold_of
from services.law.activation import ToCheckCounts, counts_to_check
from services.law.overview import ready_items
from services.overview.guide import Guide, guide_of
from services.overview.progress import (
    LastRuns,
    WorkLine,
    last_runs,
    submissions,
    work_lines,
)
from services.overview.questions import NextStep, Questions, by_state, first_of
from services.runs.rows import scored_runs
from storage.db.columns import newest_ids
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use
from storage.projects import ProjectView
from storage.tables.augmentation import Admission
from storage.tables.core import (
    Adjudication,
    Annotation,
    CandidateSet,
    Item,
    Person,
    QuestionRow,
    RunRow,
    Settlement,
    SnapshotUse,
    UndoneDecision,
)
from storage.tables.law import LawCheck
from storage.tables.people import Batch, BatchEvent, PersonEvent, Referral
from storage.tasks import Task

# Whatever changes the overview adds a row to one of these.
_MADE_OF = (
    *(Annotation, Adjudication, Settlement, UndoneDecision, Referral, Item, QuestionRow, Admission),
    *(Batch, BatchEvent, PersonEvent, CandidateSet, SnapshotUse, LawCheck, RunRow),
)


@dataclass(frozen=True, slots=True)
class AgreementLine:
    """Agreement on a task, by the most suitable statistic.

    For a form with several fields it is that of the field with the lowest agreement, `field`, among
    `fields`; `labels` has the project's own names of that field, by language. `statistic` is None
    where nothing can be compared: no item with two answers, all of them in. `title` is that of a
    project's own task.
    """

    task: Task
    field: str
    fields: int
    statistic: str | None
    figure: Figure
    labels: Mapping[str, str] | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Overview:
    """The state of a project.

    `next` is the next step, one of the `guide` while the project is new. `work` are the tasks with
    their batches, `disputes` the open ones per task with items and disputes, `in_doubt` the
    decisions in doubt by amendments, `questions` those by state, `runs` the latest ones, `scores`
    theirs by the measure that orders the leaderboard.
    """

    next: NextStep
    work: tuple[WorkLine, ...]
    disputes: Mapping[Task, int]
    in_doubt: ToCheckCounts
    questions: Questions
    runs: LastRuns
    scores: Mapping[int, Figure]
    guide: Guide | None = None

    @property
    def disputes_open(self) -> int:
        """Number of open disputes over all tasks."""
        return sum(self.disputes.values())

    @property
    def tasks(self) -> tuple[Task, ...]:
        """Tasks with items."""
        return tuple(each.task for each in self.work if not each.batch)


@dataclass(frozen=True, slots=True)
class _StepInputs:
    """Inputs of the next step."""

    law: bool
    who: ProjectMember | None
    decides: bool
    work: Sequence[WorkLine]
    disputes: Mapping[Task, int]
    workers: Sequence[str]
    adjudicators: Sequence[str]
    batches: Sequence[BatchView]
    gold: GoldSet


def overview(ws: Workspace, project_slug: str, by: int | None = None) -> Overview:
    """Return the overview of a project.

    Raises UserError for an unknown project, and for `by` (None: the operator) who does not read
    others' labels.
    """
    allow(ws, project_slug, by, Act.READ_OTHERS_LABELS)
    now = ws.clock()
    items = derive(ws, project_slug, by=by)
    doubt = counts_to_check(ws, project_slug, by)
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, who):
        slots = item_slots(session, project.id)
        batches = batches_in(session, project.id, now, slots)
        used = id_in_use(session, project.id)
        gold = gold_of(items, used)
        titles = own_titles(session, project.id)
        lines = work_lines(slots, submissions(session, project.id), batches, now)
        work = [replace(each, title=titles.get(each.task, "")) for each in lines]
        ready = ready_items(session, project.id, used)
        questions = by_state(items, slots, ready)
        tasks = {each.task for each in work}
        disputes = open_disputes(session, project.id, tasks)
        runs = last_runs(session, project)
        people = (
            _people_allowed(session, project, Act.ANNOTATE),
            adjudicators(session, project.id),
        )
        decides = who is not None and adjudicates(session, who)
        guide = guide_of(
            *(ws, session, project, used, slots, len(ready), batches, len(people[0])),
        )
    found = _StepInputs(used is not None, who, decides, work, disputes, *people, batches, gold)
    steps = _steps(found, doubt, questions, runs)
    scores = _scores(ws, project_slug, [each.run.id for each in runs.runs])
    step = first_of(steps) if guide is None else guide.next.todo
    return Overview(step, tuple(work), disputes, doubt, questions, runs, scores, guide)


def agreement_lines(
    ws: Workspace, project_slug: str, tasks: Sequence[Task], by: int | None = None
) -> list[AgreementLine]:
    """Return the agreement on each of the tasks. Raises UserError as `overview` does."""
    allow(ws, project_slug, by, Act.READ_OTHERS_LABELS)
    titles = titles_of(ws, project_slug, by)
    found = (_agreement(ws, project_slug, task, by) for task in tasks)
    return [replace(each, title=titles.get(each.task, "")) for each in found]


def revision(ws: Workspace, project_slug: str, by: int | None = None) -> str:
    """Return a token that changes when the overview may. Raises UserError as `overview` does."""
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, _project, _):
        return f"{ws.clock():%Y-%m-%dT%H}-{newest_ids(session, _MADE_OF)}"


def _scores(ws: Workspace, project_slug: str, run_ids: Sequence[int]) -> dict[int, Figure]:
    """Return the score of each run by the measure that orders the leaderboard."""
    if not run_ids:
        return {}
    found = scored_runs(ws, project_slug, [ORDERING], run_ids).runs
    return {line.run_id: scored.figures[0] for line, scored in found}


def _agreement(ws: Workspace, project_slug: str, task: Task, by: int | None) -> AgreementLine:
    """Return the agreement on a task's worst field; without a value if no field has one."""
    rows = main_figures(ws, project_slug, task, by)
    scored = [row for row in rows if row.finding.figure.value is not None]
    if not scored:
        return AgreementLine(task, "", len(rows), None, Figure("agreement", None, 0))
    least = min(scored, key=_badness)
    name = least.names[0] if least.names else ""
    labels = _field_names(ws, project_slug, task, name)
    of = least.finding
    return AgreementLine(task, name, len(scored), of.statistic, of.figure, labels)


def _field_names(ws: Workspace, project_slug: str, task: Task, field: str) -> dict[str, str]:
    """Return the name of a field of the codebook or of an own task, by language."""
    if task.is_own and field:
        label = names_of(ws, project_slug, task).get(field)
        return dict.fromkeys(LANGUAGES, label) if label else {}
    if task != Task.FACTOR_TAGGING or not field:
        return {}
    named = {language: labels_of(ws, project_slug, language) for language in LANGUAGES}
    return {language: called[field] for language, called in named.items() if field in called}


def _badness(row: Any) -> float:
    """Return the sort key of agreement; error rates are negated."""
    value: float = row.finding.figure.value
    return -value if row.finding.statistic == "cer" else value


def _people_allowed(session: Session, project: ProjectView, act: Act) -> tuple[str, ...]:
    """Return the names of people of the project who may do this, in order of joining."""
    query = select(Person.name).where(Person.project_id == project.id, col(Person.active))
    query = query.where(col(Person.role).in_(sorted(MAY[act])))
    return tuple(session.exec(query.order_by(col(Person.id))))


def _steps(
    found: _StepInputs, doubt: ToCheckCounts, questions: Questions, runs: LastRuns
) -> dict[str, NextStep]:
    """Return every applicable step."""
    mapped = any(each.task == Task.CITATION_MAPPING for each in found.batches)
    scored = sum(bool(item.units) for item in found.gold.items)
    steps = [
        *_to_set_up(found),
        NextStep("candidates", questions.count("no_candidates") + doubt.lacking),
        _to_settle(found),
        NextStep("in_doubt", doubt.questions + sum(doubt.items.values())),
        NextStep("assign", questions.count("not_assigned") if mapped else 0),
        *_late(found.work),
        NextStep("run", 0 if runs.current else scored),
        _to_wait(found),
    ]
    return {each.key: each for each in steps if each.count}


def _to_set_up(found: _StepInputs) -> list[NextStep]:
    """Return the steps of a project without questions, law or annotators."""
    if not found.work:
        return [NextStep("questions" if found.law else "law", 1)]
    left = sum(each.left for each in found.work if not each.batch)
    return [NextStep("people", left)] if left and not found.workers else []


def _to_settle(found: _StepInputs) -> NextStep:
    """Return the step for open disputes, depending on who may decide them."""
    count, people = sum(found.disputes.values()), tuple(found.adjudicators)
    if not people and found.who is not None and found.decides:
        people = (found.who.name,)
    if not people:
        return NextStep("adjudicators", count)
    if found.who is not None and not found.decides:
        return NextStep("disputes_wait", count, people=people)
    task = next((task for task, open_ in found.disputes.items() if open_), None)
    asked = {} if task is None else {"task": str(task)}
    return NextStep("disputes", count, people=people, asked=asked)


def _late(work: Sequence[WorkLine]) -> list[NextStep]:
    """Return the step for the batch of earliest deadline among those missing theirs, [] if none."""
    late = [each for each in work if each.batch and each.misses and each.deadline]
    if not late:
        return []
    first = min(late, key=lambda each: (each.deadline, each.batch_id))
    return [NextStep("deadline", first.left, first.batch)]


def _to_wait(found: _StepInputs) -> NextStep:
    """Return the step to wait or remind, by whether people are active or hold open items."""
    left = [each for each in found.work if each.left and not each.batch]
    busy = any(each.lately for each in left) or any(each.held for each in found.batches)
    return NextStep("wait" if busy else "remind", sum(each.left for each in left))
