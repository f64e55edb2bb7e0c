"""How runs were made, their experiments, and the levels searched. Rows are only ever added."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, UniqueConstraint
from sqlmodel import Field

from storage.db.columns import AppendOnly, UtcDateTime, one_of
from storage.tables import core as _tables

_OTHERS = (_tables.Project, _tables.RunRow)  # what these tables refer to


class RunRecord(AppendOnly, table=True):
    """How a run came about: computed here, or imported from a file.

    `label` is what it is called on screen, empty where its method's name will do. `environment`
    holds what it was computed with (versions of Python and libraries, platform), or the file that
    it was imported from; `cost` the seconds of fitting, the milliseconds per query, the bytes of
    the index and the calls to language models of both, each under its name where it was measured
    (`services.runs.costs`). `by_person_id` is None for the
    operator.
    """

    __table_args__ = (
        UniqueConstraint("run_id"),
        one_of("origin", "computed", "imported"),
    )
    run_id: int = Field(foreign_key="run.id")
    label: str = ""
    origin: str = "computed"
    environment: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    cost: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    by_person_id: int | None = Field(default=None, foreign_key="person.id")
    at: datetime = Field(sa_type=UtcDateTime)


class ExperimentRow(AppendOnly, table=True):
    """An experiment: the file as it was written, on one snapshot and one state of the gold.

    `content_hash` is over all that its figures depend on, so an equal experiment is the same row;
    the same file on other gold is another.
    """

    __table_args__ = (
        UniqueConstraint("project_id", "number"),
        UniqueConstraint("project_id", "content_hash"),
    )
    project_id: int = Field(foreign_key="project.id")
    number: int
    name: str
    text: str
    snapshot_id: int = Field(foreign_key="snapshot.id")
    gold_hash: str
    content_hash: str
    by_person_id: int | None = Field(default=None, foreign_key="person.id")
    at: datetime = Field(sa_type=UtcDateTime)


class ExperimentRun(AppendOnly, table=True):
    """That the line at `position` of an experiment's plan, called `label`, is that run."""

    __table_args__ = (UniqueConstraint("experiment_id", "position"),)
    experiment_id: int = Field(foreign_key="experiment.id")
    position: int
    label: str
    run_id: int = Field(foreign_key="run.id")


class SearchLevels(AppendOnly, table=True):
    """From `at` on, retrieval in the project searched units of these levels.

    `levels` are values of `corpus.model.Level` in its order, at least one. `by_person_id` is None
    for the operator.
    """

    project_id: int = Field(foreign_key="project.id", index=True)
    levels: list[str] = Field(sa_column=Column(JSON, nullable=False))
    by_person_id: int | None = Field(default=None, foreign_key="person.id")
    at: datetime = Field(sa_type=UtcDateTime)


class RunMark(AppendOnly, table=True):
    """What somebody said of a run: retired or restored, tagged or untagged, or noted.

    The newest of retired and restored counts, and of a tag the newest of tagged and untagged;
    `text` is the tag, the note (the newest counts, "" takes it away), or why it was retired.
    `by_person_id` is None for the operator.
    """

    __table_args__ = (one_of("mark", "retired", "restored", "tagged", "untagged", "noted"),)
    run_id: int = Field(foreign_key="run.id", index=True)
    mark: str
    text: str = ""
    by_person_id: int | None = Field(default=None, foreign_key="person.id")
    at: datetime = Field(sa_type=UtcDateTime)


class SavedView(AppendOnly, table=True):
    """How the leaderboard is read (`services.runs.views.View`), kept by somebody under a name.

    The newest row of a name counts; one whose `view` is empty takes it away. `by_person_id` is None
    for the operator.
    """

    project_id: int = Field(foreign_key="project.id", index=True)
    name: str
    view: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    by_person_id: int | None = Field(default=None, foreign_key="person.id")
    at: datetime = Field(sa_type=UtcDateTime)
