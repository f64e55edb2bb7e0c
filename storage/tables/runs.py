"""Records of runs, experiments, searched levels and splits. Rows are only ever added.

Gold: versions of its split into train, dev and test, and of the datasheet form.

Gold itself is derived and not stored. Rows are only ever added.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Column, UniqueConstraint
from sqlmodel import Field

from storage.db.columns import AppendOnly, Authored, Version, one_of
from storage.tables import core as _tables

_OTHERS = (_tables.Project, _tables.RunRow)  # what these tables refer to


class RunRecord(Authored, table=True):
    """The origin of a run: computed here, or imported from a file.

    `label` is its display name, empty where its method's name will do. `environment` has the
    versions of Python, libraries and platform, or the file that it was imported from; `cost` the
    seconds of fitting, the milliseconds per query, the bytes of the index and the calls to language
    models of both, each under its name where it was measured (`services.runs.costs`).
    `by_person_id` is None for the operator.
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


class ExperimentRow(Authored, table=True):
    """An experiment: its file verbatim, on one snapshot and one state of the gold.

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


class ExperimentRun(AppendOnly, table=True):
    """The run of the line at `position` of an experiment's plan, named `label`."""

    __table_args__ = (UniqueConstraint("experiment_id", "position"),)
    experiment_id: int = Field(foreign_key="experiment.id")
    position: int
    label: str
    run_id: int = Field(foreign_key="run.id")


class SearchLevels(Authored, table=True):
    """The change of a project's searched levels: these from `at` on.

    `levels` are values of `corpus.model.Level` in its order, at least one. `by_person_id` is None
    for the operator.
    """

    project_id: int = Field(foreign_key="project.id", index=True)
    levels: list[str] = Field(sa_column=Column(JSON, nullable=False))


class RunMark(Authored, table=True):
    """A mark on a run: retired or restored, tagged or untagged, or noted.

    The newest of retired and restored counts, and of a tag the newest of tagged and untagged;
    `text` is the tag, the note (the newest counts, "" removes it), or the reason for retirement.
    `by_person_id` is None for the operator.
    """

    __table_args__ = (one_of("mark", "retired", "restored", "tagged", "untagged", "noted"),)
    run_id: int = Field(foreign_key="run.id", index=True)
    mark: str
    text: str = ""


class SavedView(Authored, table=True):
    """A saved view of the leaderboard (`services.runs.views.View`), by name.

    The newest row of a name counts; one whose `view` is empty deletes it. `by_person_id` is None
    for the operator.
    """

    project_id: int = Field(foreign_key="project.id", index=True)
    name: str
    view: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class SplitRow(Authored, table=True):
    """A version of a project's split of its gold; the newest is in force.

    `recipe` has the grouping, shares and seed (`construction.gold.splitting`), on the gold of
    `gold_hash` in the law of `snapshot_id`.
    """

    __table_args__ = (UniqueConstraint("project_id", "number"),)
    project_id: int = Field(foreign_key="project.id")
    number: int
    recipe: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    snapshot_id: int = Field(foreign_key="snapshot.id")
    gold_hash: str
    note: str = ""


class SplitMember(AppendOnly, table=True):
    """A question in a version of a split, with its part."""

    __table_args__ = (
        UniqueConstraint("split_id", "question_id"),
        one_of("part", "train", "dev", "test"),
    )
    split_id: int = Field(foreign_key="split.id")
    question_id: int = Field(foreign_key="question.id")
    part: str


class DatasheetAnswersRow(Version, table=True):
    """A version of the project's answers in the datasheet form; the newest is in force."""
