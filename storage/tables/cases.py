"""Court cases, their grouping, and models' suggestions on them. Rows are only ever added."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, CheckConstraint, Column, Index, UniqueConstraint
from sqlmodel import Field

from storage.db.columns import Authored, Dated, Version, one_of
from storage.tables import core as _tables
from storage.tables import models as _models

_OTHERS = (_tables.Project, _models.LlmCall)  # what these tables refer to


class CaseImport(Dated, table=True):
    """One import of court cases: the file, and the mapping of its columns.

    `person_id` is None for the operator.
    """

    project_id: int = Field(foreign_key="project.id", index=True)
    name: str
    content_hash: str
    mapping: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    person_id: int | None = Field(default=None, foreign_key="person.id")


class CourtCase(Dated, table=True):
    """An imported judgment.

    `date` is ISO 8601 or empty; `sections` is a list of [section, start, end] into `text`, in code
    points. `charges` and `provisions` are as written. `source` is its place in the file.
    """

    __table_args__ = (UniqueConstraint("project_id", "external_id"),)
    project_id: int = Field(foreign_key="project.id")
    case_import_id: int = Field(foreign_key="case_import.id", index=True)
    external_id: str
    court: str = ""
    date: str = ""
    title: str = ""
    charges: list[str] = Field(sa_column=Column(JSON, nullable=False))
    provisions: list[str] = Field(sa_column=Column(JSON, nullable=False))
    language: str
    sections: list[list[Any]] = Field(sa_column=Column(JSON, nullable=False))
    source: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    content_hash: str
    text: str  # last, so that SQLite reads the others without walking over it


class TypologyRow(Version, table=True):
    """A version of the project's typology; the newest is in force, else the packaged one."""


class CaseSetting(Authored, table=True):
    """When taggers see models' suggestions; a project's newest row counts."""

    __table_args__ = (one_of("suggestions", "shown", "hidden", "after"),)
    project_id: int = Field(foreign_key="project.id", index=True)
    suggestions: str


class QueryChoice(Authored, table=True):
    """The court case chosen as the query of its standard group; a group's newest row counts."""

    __table_args__ = (Index("ix_query_choice_project_id_group_key", "project_id", "group_key"),)
    project_id: int = Field(foreign_key="project.id")
    group_key: str
    court_case_id: int = Field(foreign_key="court_case.id")


class FactorSuggestion(Dated, table=True):
    """A model's suggestion for one sub-factor of a court case; the newest row per key counts.

    `quote` is what it quotes; `state` is ``quoted`` if that is in the text from `start` to `stop`
    (code points), ``unquoted`` if it is not, ``not_stated`` where the model finds nothing,
    ``unknown`` for an option that the codebook lacks, ``unparsed`` and ``refused`` where there is
    no answer; `detail` gives particulars.
    """

    __table_args__ = (
        one_of("state", "quoted", "unquoted", "not_stated", "unknown", "unparsed", "refused"),
        CheckConstraint("(state = 'quoted') = (start IS NOT NULL)", name="quoted_has_its_start"),
        CheckConstraint("(start IS NULL) = (stop IS NULL)", name="start_has_its_stop"),
        Index("ix_factor_suggestion_court_case_id_sub_factor", "court_case_id", "sub_factor"),
    )
    court_case_id: int = Field(foreign_key="court_case.id")
    sub_factor: str
    options: list[str] = Field(sa_column=Column(JSON, nullable=False))
    quote: str
    start: int | None = None
    stop: int | None = None
    state: str
    detail: str = ""
    server: str
    model: str
    codebook_version: str
    prompt_version: str
    llm_call_id: int | None = Field(default=None, foreign_key="llm_call.id", index=True)
