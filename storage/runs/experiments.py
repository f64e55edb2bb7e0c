"""Experiments and the records of runs: storage and reading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlmodel import Session, col, func, select

from errors import UserError
from storage.db.columns import usable_id, view_of
from storage.db.rows import add_row
from storage.tables.runs import ExperimentRow, ExperimentRun, RunRecord

Origin = Literal["computed", "imported"]


@dataclass(frozen=True, slots=True)
class RecordView:
    """The origin of a run; see `storage.tables.runs.RunRecord`."""

    label: str = ""
    origin: Origin = "computed"
    environment: Mapping[str, Any] = field(default_factory=dict)
    cost: Mapping[str, Any] = field(default_factory=dict)
    by_person_id: int | None = None


@dataclass(frozen=True, slots=True)
class ExperimentView:
    """A stored experiment without its runs."""

    id: int
    project_id: int
    number: int
    name: str
    text: str
    snapshot_id: int
    gold_hash: str
    content_hash: str
    by_person_id: int | None
    at: datetime


@dataclass(frozen=True, slots=True)
class ExperimentLine:
    """A line of an experiment's plan with its run."""

    position: int
    label: str
    run_id: int


def keep_record(session: Session, run_id: int, record: RecordView, at: datetime) -> None:
    """Store a run's record, unless it has one."""
    if session.exec(select(RunRecord.id).where(RunRecord.run_id == run_id)).first() is not None:
        return
    add_row(session, RunRecord(run_id=run_id, at=at, **asdict(record)))


def records_of(session: Session, run_ids: Iterable[int]) -> dict[int, RecordView]:
    """Return the records of the runs that have one."""
    wanted = col(RunRecord.run_id).in_([usable_id(run_id) for run_id in run_ids])
    rows = session.exec(select(RunRecord).where(wanted).order_by(col(RunRecord.run_id)))
    return {row.run_id: view_of(RecordView, row) for row in rows}


def keep_experiment(session: Session, row: ExperimentRow) -> ExperimentView:
    """Return the project's experiment of the content of `row`, stored as the next if it is new."""
    own = ExperimentRow.project_id == row.project_id
    same = select(ExperimentRow).where(own, ExperimentRow.content_hash == row.content_hash)
    known = session.exec(same).first()
    if known is None:
        newest = session.exec(select(func.max(ExperimentRow.number)).where(own)).one()
        row.number = (newest or 0) + 1
        add_row(session, row)
    return view_of(ExperimentView, known or row)


def keep_line(session: Session, experiment_id: int, line: ExperimentLine) -> None:
    """Store the run of an experiment's line, unless it has one."""
    there = select(ExperimentRun.id).where(
        ExperimentRun.experiment_id == experiment_id, ExperimentRun.position == line.position
    )
    if session.exec(there).first() is None:
        add_row(session, ExperimentRun(experiment_id=experiment_id, **asdict(line)))


def experiment_by_number(session: Session, project_id: int, number: int) -> ExperimentView:
    """Return an experiment. Raises UserError if the project has none of that number."""
    row = session.exec(
        select(ExperimentRow).where(
            ExperimentRow.project_id == project_id, ExperimentRow.number == usable_id(number)
        )
    ).first()
    if row is None:
        raise UserError("experiment_unknown", number=number)
    return view_of(ExperimentView, row)


def list_experiments(session: Session, project_id: int) -> list[ExperimentView]:
    """Return the project's experiments, newest first."""
    query = select(ExperimentRow).where(ExperimentRow.project_id == project_id)
    rows = session.exec(query.order_by(col(ExperimentRow.number).desc()))
    return [view_of(ExperimentView, row) for row in rows]


def experiment_lines(session: Session, experiment_id: int) -> list[ExperimentLine]:
    """Return the lines of an experiment that have their run, in the plan's order."""
    query = select(ExperimentRun).where(ExperimentRun.experiment_id == experiment_id)
    rows = session.exec(query.order_by(col(ExperimentRun.position)))
    return [view_of(ExperimentLine, row) for row in rows]
