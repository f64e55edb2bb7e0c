"""Runs, with their marks and saved views: a method's rankings per question, never changed.

Marks on runs (retirement, tags, notes): stored as rows, read as the current state.

Saved views of the leaderboard.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from datetime import datetime
from typing import Any, Literal

from sqlmodel import Session, col, func, insert, select

from errors import UserError
from normalization.grouping import grouped
from normalization.hashing import json_hash
from storage.db.columns import usable_id, view_of
from storage.db.rows import add_row
from storage.projects import authored
from storage.tables.core import Person, Project, QuestionRow, RunHits, RunRow
from storage.tables.runs import RunMark, RunRecord, SavedView

Ranking = Sequence[tuple[str, float]]
"""Units with their scores, best first."""

_NAMED_AT_ONCE = 200  # questions in one query; for more, all are read


@dataclass(frozen=True, slots=True)
class RunKey:
    """The inputs of a run: runs of an equal key rank a question alike.

    `gold_hash` is "" but for methods that learn from gold.
    """

    project_id: int
    snapshot_id: int
    method: str
    params: Mapping[str, Any]
    gold_hash: str


@dataclass(frozen=True, slots=True)
class RunView:
    """A stored run without its hits; `questions` counts the questions it ranks."""

    id: int
    key: RunKey
    created_at: datetime
    questions: int = 0

    @property
    def identity(self) -> str:
        """The run's cache key, unique even after a restored backup reuses ids.

        It is a hash of id, key, time of creation and number of questions.
        """
        said = [self.id, *astuple(self.key), self.created_at.isoformat(), self.questions]
        return json_hash(said)


def find_runs(session: Session, key: RunKey, but: str = "") -> list[RunView]:
    """Return the runs of that key, the oldest first; parameter `but` may differ."""
    query = select(RunRow).where(
        RunRow.project_id == key.project_id,
        RunRow.snapshot_id == key.snapshot_id,
        RunRow.method == key.method,
        RunRow.gold_hash == key.gold_hash,
    )
    wanted = {**key.params, but: None}
    rows = session.exec(query.order_by(col(RunRow.id)))
    return _views(session, [row for row in rows if {**row.params, but: None} == wanted])


def find_run(session: Session, key: RunKey) -> int | None:
    """Return the id of the oldest run of that key, None when there is none."""
    return next((run.id for run in find_runs(session, key)), None)


def keep_run(session: Session, key: RunKey, answers: Mapping[str, Ranking], at: datetime) -> int:
    """Store a run: the ranking of each question, by external id. Returns the run's id.

    An empty ranking is stored as such, so it differs from a question never asked. Raises KeyError
    for an external id that the project lacks.
    """
    row = RunRow(**asdict(key), created_at=at)
    run_id = add_row(session, row)
    _store_hits(session, row, answers)
    return run_id


def extend_run(
    session: Session, run_id: int, answers: Mapping[str, Ranking], params: Mapping[str, Any]
) -> None:
    """Add the rankings of questions missing from a stored run; the others stay as they are.

    `params` are its parameters from now on. Raises KeyError as `keep_run` does.
    """
    row = session.get_one(RunRow, run_id)
    row.params = dict(params)
    there = questions_asked(session, run_id)
    _store_hits(session, row, {name: answers[name] for name in answers.keys() - there})


def _store_hits(session: Session, run: RunRow, answers: Mapping[str, Ranking]) -> None:
    """Store the ranking of each question, by external id, under a run."""
    query = select(QuestionRow.external_id, QuestionRow.id)
    numbers = dict(session.exec(query.where(QuestionRow.project_id == run.project_id)).all())
    rows = [
        {
            "run_id": run.id,
            "question_id": numbers[external_id],
            "hits": [[unit_id, score] for unit_id, score in answers[external_id]],
        }
        for external_id in sorted(answers)
    ]
    if rows:
        session.execute(insert(RunHits), rows)


def questions_asked(session: Session, run_id: int) -> frozenset[str]:
    """Return the external ids of the questions in a run."""
    query = select(QuestionRow.external_id).join(RunHits)
    return frozenset(session.exec(query.where(RunHits.run_id == run_id)))


def run_by_id(session: Session, run_id: int) -> RunView:
    """Return a stored run. Raises UserError for an unknown id."""
    row = session.get(RunRow, usable_id(run_id))
    if row is None:
        raise UserError("run_unknown", run=run_id)
    return _views(session, [row])[0]


def list_runs(session: Session, project_id: int) -> list[RunView]:
    """Return the project's runs, newest first."""
    query = select(RunRow).where(RunRow.project_id == project_id)
    return _views(session, session.exec(query.order_by(col(RunRow.id).desc())).all())


def runs_asked(session: Session, run_ids: Iterable[int], external_id: str) -> frozenset[int]:
    """Return the ids of those of the runs that were asked the question of that external id."""
    query = (
        select(RunHits.run_id)
        .join(QuestionRow)
        .where(
            QuestionRow.external_id == external_id,
            col(RunHits.run_id).in_([usable_id(run_id) for run_id in run_ids]),
        )
    )
    return frozenset(session.exec(query))


def project_slug(session: Session, project_id: int) -> str:
    """Return the slug of the project with this id."""
    return session.exec(select(Project.slug).where(Project.id == project_id)).one()


def run_hits(session: Session, run_id: int) -> dict[str, list[tuple[str, float]]]:
    """Return the ranking of each question of the run, by ascending external id."""
    return {
        external_id: [(unit_id, score) for unit_id, score in hits]
        for external_id, hits in _stored_hits(session, run_id)
    }


def run_rankings(
    session: Session, run_id: int, among: Collection[str] | None = None
) -> dict[str, tuple[str, ...]]:
    """Return the rankings of :func:`run_hits` without scores, of all questions or those `among`."""
    return {
        external_id: tuple(unit_id for unit_id, _ in hits)
        for external_id, hits in _stored_hits(session, run_id, among)
    }


def _stored_hits(
    session: Session, run_id: int, among: Collection[str] | None = None
) -> Iterator[tuple[str, Sequence[Any]]]:
    """Yield the stored hits of a run by question; `among` limits the questions."""
    query = (
        select(QuestionRow.external_id, RunHits.hits)
        .join(RunHits)
        .where(RunHits.run_id == run_id)
        .order_by(QuestionRow.external_id)
    )
    if among is not None and len(among) <= _NAMED_AT_ONCE:
        query = query.where(col(QuestionRow.external_id).in_(sorted(among)))
    # One question at a time: whole runs held as lists of lists keep the garbage collector busy.
    for external_id, hits in session.exec(query):
        if among is None or external_id in among:
            yield external_id, hits


def _views(session: Session, rows: Sequence[RunRow]) -> list[RunView]:
    """Return rows as runs, with the number of answered questions."""
    if not rows:
        return []
    query = select(RunHits.run_id, func.count()).where(
        col(RunHits.run_id).in_([row.id for row in rows])
    )
    counts = dict(session.exec(query.group_by(col(RunHits.run_id))).all())
    return [
        view_of(RunView, row, key=view_of(RunKey, row), questions=counts.get(row.id or 0, 0))
        for row in rows
    ]


Mark = Literal["retired", "restored", "tagged", "untagged", "noted"]


@dataclass(frozen=True, slots=True)
class RunMarks:
    """The current marks of a run: whether it is retired and why, its tags ascending, its note."""

    retired: bool = False
    why: str = ""
    tags: tuple[str, ...] = ()
    note: str = ""


def keep_mark(
    session: Session, run_id: int, mark: Mark, text: str, by: int | None, at: datetime
) -> None:
    """Store a mark on a run; `by` is None for the operator."""
    add_row(session, RunMark(run_id=run_id, mark=mark, text=text, by_person_id=by, at=at))


def marks_of(session: Session, run_ids: Iterable[int]) -> dict[int, RunMarks]:
    """Return the current marks of the runs that have any."""
    wanted = col(RunMark.run_id).in_([usable_id(run_id) for run_id in run_ids])
    rows = session.exec(select(RunMark).where(wanted).order_by(col(RunMark.id)))
    said = grouped((row.run_id, row) for row in rows)
    return {run_id: _current_marks(marks) for run_id, marks in said.items()}


def _current_marks(rows: Sequence[RunMark]) -> RunMarks:
    """Return the marks in force after these, which are in order of creation."""
    ends = [row for row in rows if row.mark in ("retired", "restored")][-1:]
    retired = any(row.mark == "retired" for row in ends)
    tags = {row.text: row.mark == "tagged" for row in rows if row.mark in ("tagged", "untagged")}
    notes = [row.text for row in rows if row.mark == "noted"]
    return RunMarks(
        retired=retired,
        why=ends[0].text if retired else "",
        tags=tuple(sorted(tag for tag, on in tags.items() if on)),
        note=notes[-1] if notes else "",
    )


def authors_of(session: Session, run_ids: Iterable[int]) -> dict[int, str]:
    """Return the names of the people who made or imported the runs; without the operator's."""
    query = (
        select(RunRecord.run_id, Person.name)
        .join(Person)
        .where(col(RunRecord.run_id).in_([usable_id(run_id) for run_id in run_ids]))
    )
    return dict(session.exec(query).all())


@dataclass(frozen=True, slots=True)
class StoredView:
    """The newest version of a saved view; `by` is "" for the operator."""

    name: str
    view: Mapping[str, Any]
    by: str
    at: datetime


def keep_view(
    session: Session,
    project_id: int,
    name: str,
    view: Mapping[str, Any],
    by: int | None,
    at: datetime,
) -> None:
    """Save a view, replacing the one of that name; an empty one deletes it."""
    row = SavedView(project_id=project_id, name=name, view=dict(view), by_person_id=by, at=at)
    add_row(session, row)


def stored_views(session: Session, project_id: int) -> dict[str, StoredView]:
    """Return the project's views by name, ascending, without deleted ones."""
    rows = authored(session, SavedView, SavedView.project_id == project_id)
    newest = {row.name: view_of(StoredView, row, by=by or "") for row, by in rows}
    return {name: newest[name] for name in sorted(newest) if newest[name].view}
