"""Sources of a history: one query per kind of record, and who may see its rows.

Blindness of histories is defined here only. Acts on an item (drafts, submissions, decisions,
messages) are shown to their author; to others only with permission to read others' labels, and only
once the item is complete, as in `annotation.work.submissions`. An item that goes to everybody of
its batch (calibration, practice) counts as complete at once. The operator, who can read the
database, sees all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    String,
    case,
    cast,
    false,
    literal,
    or_,
    true,
)
from sqlalchemy import select as rows_of
from sqlmodel import col, select

from annotation.history.entry import TABLES, Filter, migrated_by
from annotation.people.members import CASE_DRAFT
from annotation.people.roles import Act, ProjectMember, may
from annotation.work.discussions import is_resubmitted_unchanged
from annotation.work.submissions import full_items
from storage.mcq.votes import first_from_files
from storage.overlap import EVERYBODY, total_submissions
from storage.tables.core import (
    Annotation,
    DraftEvent,
    Item,
    Person,
    RunRow,
)
from storage.tables.exchange import ImportedFile
from storage.tables.mcq import Mcq, McqVote
from storage.tables.people import (
    AccountEvent,
    Batch,
    BatchEvent,
    Comment,
    DocumentMigration,
    PersonEvent,
    Referral,
)
from storage.tables.runs import (
    RunMark,
    SavedView,
)


@dataclass(frozen=True, slots=True)
class _Source:
    """A family of rows: its table, its columns, and the condition for the viewer to see a row."""

    family: str
    table: Any
    kind: Any
    at: Any
    person: Any  # the actor
    about: Any  # the person concerned, or the other of the two
    item: Any
    project: Any  # if the row itself names its project
    shown: ColumnElement[bool]


def visible_rows(project_id: int, who: ProjectMember | None, wanted_part: Filter) -> Select[Any]:
    """Return the unordered query of (family, id, kind, at) of all that `who` may see."""
    parts = [
        part
        for source in _sources(project_id, who)
        if (part := _filtered_query(source, project_id, wanted_part)) is not None
    ]
    every = parts[0].union_all(*parts[1:]).subquery() if len(parts) > 1 else parts[0].subquery()
    return rows_of(every.c.family, every.c.id, every.c.kind, every.c.at)


def _filtered_query(source: _Source, project_id: int, part: Filter) -> Select[Any] | None:
    """Return the query of a source under the filter; None if the filter excludes its kind."""
    conditions = [source.shown]
    if part.kinds:
        named = [kind for kind in part.kinds if kind.startswith(f"{source.family}.")]
        if source.family not in part.kinds:
            if not named:
                return None
            conditions.append((literal(f"{source.family}.") + source.kind).in_(named))
    if part.item_id is not None:
        if source.item is None:
            return None
        conditions.append(source.item == part.item_id)
    if part.person_id is not None:
        people = [each for each in (source.person, source.about) if each is not None]
        if not people:
            return None
        conditions.append(or_(*(each == part.person_id for each in people)))
    if part.since is not None:
        conditions.append(source.at >= part.since)
    if part.until is not None:
        conditions.append(source.at < part.until)
    query: Any = rows_of(
        literal(source.family).label("family"),
        cast(source.table.id, Integer).label("id"),
        source.kind.label("kind"),
        col(source.at).label("at"),
    )
    return _in_project(query, source, project_id).where(*conditions)


def _in_project(query: Select[Any], source: _Source, project_id: int) -> Select[Any]:
    """Restrict the query of a source to a project."""
    if source.project is not None:
        return query.where(source.project == project_id)
    if source.item is not None:
        return query.join(Item).where(col(Item.project_id) == project_id)
    if source.table is BatchEvent:
        return query.join(Batch).where(col(Batch.project_id) == project_id)
    joined = (
        col(Person.account_id) == AccountEvent.account_id
        if source.table is AccountEvent
        else col(Person.id) == PersonEvent.person_id
    )
    return query.join(Person, joined).where(col(Person.project_id) == project_id)


def _sources(project_id: int, who: ProjectMember | None) -> Iterator[_Source]:
    """Yield every table that history is read from, with the rows that the person may see."""
    reads = true() if who is None or may(who.role, Act.READ_OTHERS_LABELS) else false()
    yield _source(
        "draft",
        col(DraftEvent.kind),
        about=migrated_by(DraftEvent),
        # The submission or withdrawal is shown by its own row, with its content.
        shown=_on_items(DraftEvent, project_id, who)
        & col(DraftEvent.kind).not_in(("submit", "withdraw")),
    )
    made = case((is_resubmitted_unchanged(), "kept"), else_=col(Annotation.kind))
    shown = _on_items(Annotation, project_id, who)
    yield _source("submission", made, about=migrated_by(Annotation), shown=shown)
    # A referral without submissions recalls the one before it.
    recalls = cast(Referral.annotation_ids, String) == "[]"
    of_items: dict[str, Any] = {
        "adjudication": "decided",
        "settlement": "decided",
        "undone": "decision",
        "referral": case((recalls, "recalled"), else_="sent_back"),
        "comment": case((col(Comment.kind) == "", "written"), else_=col(Comment.kind)),
    }
    for family, kind in of_items.items():
        yield _source(family, kind, shown=_on_items(TABLES[family], project_id, who))
    yield _source("known_answer", "set", shown=reads)
    yield _source("batch", col(BatchEvent.kind), shown=reads)
    removed = cast(SavedView.view, String) == "{}"
    open_to_all: dict[str, Any] = {
        "candidates": "built",
        "guideline": "version",
        "migration": col(DocumentMigration.kind),
        "snapshot": "imported",
        "run": "kept",
        "saved_view": case((removed, "removed"), else_="saved"),
        "experiment": "begun",
        "court_cases": "imported",
        "typology": "version",
        "case_query": "chosen",
        "suggestions": "set",
        "levels": "set",
        "split": "version",
        "datasheet": "version",
    }
    for family, kind in open_to_all.items():
        yield _source(family, kind)
    of_run = select(RunRow.project_id).where(col(RunRow.id) == RunMark.run_id)
    yield _source("run_mark", col(RunMark.mark), project=of_run.scalar_subquery())
    yield from _people_sources(who)
    yield from _file_sources(project_id, reads)


def _file_sources(project_id: int, reads: ColumnElement[bool]) -> Iterator[_Source]:
    """Yield the sources of imported files.

    Files of other tools name people and models, so they require reading others' labels. Imported
    questions, and who imported them, are visible to everybody.
    """
    file: Any = ImportedFile
    yield _source("labels", "imported", shown=reads)
    yield _source("questions", "imported", shown=file.kind == "questions")
    yield _source("verdicts", "imported", shown=reads & (file.kind == "verdicts"))
    importer = (
        select(file.by_person_id)
        .join(Mcq, col(Mcq.project_id) == file.project_id)
        .where(Mcq.id == McqVote.mcq_id, file.kind == "votes", file.at == McqVote.at)
        .correlate(McqVote)
        .limit(1)
        .scalar_subquery()
    )
    yield _source(  # a file of votes is represented by its first vote
        "votes",
        "imported",
        person=importer,
        project=select(Mcq.project_id).where(col(Mcq.id) == McqVote.mcq_id).scalar_subquery(),
        shown=reads & col(McqVote.id).in_(first_from_files(project_id)),
    )


def _people_sources(who: ProjectMember | None) -> Iterator[_Source]:
    """Yield the sources of acts on people and accounts."""
    shown: ColumnElement[bool] = col(PersonEvent.kind) != CASE_DRAFT
    if who is not None and not may(who.role, Act.MANAGE_PEOPLE):
        shown &= col(PersonEvent.person_id) == who.person_id
    yield _source("person", col(PersonEvent.kind), about=PersonEvent.person_id, shown=shown)
    # An account is of several projects: its events are visible to its owner and the operator.
    mine = true() if who is None else col(Person.id) == who.person_id
    yield _source("account", col(AccountEvent.kind), about=Person.id, shown=mine)


def _source(
    family: str,
    kind: Any,
    *,
    person: Any = None,
    about: Any = None,
    project: Any = None,
    shown: ColumnElement[bool] | None = None,
) -> _Source:
    """Return a source whose columns are its table's, where not given; by default all may see it."""
    table = TABLES[family]

    def column(*names: str) -> Any:
        """Return the table's first column of these names, None if it has none."""
        return next((getattr(table, name) for name in names if hasattr(table, name)), None)

    return _Source(
        family,
        table,
        kind=literal(kind) if isinstance(kind, str) else kind,
        at=column("at", "created_at"),
        person=column("by_person_id", "person_id") if person is None else person,
        about=about,
        item=column("item_id"),
        project=column("project_id") if project is None else project,
        shown=true() if shown is None else shown,
    )


def _on_items(table: Any, project_id: int, who: ProjectMember | None) -> ColumnElement[bool]:
    """Return the SQL condition that the person may see a row: own, or on readable items."""
    if who is None:
        return true()
    own: ColumnElement[bool] = col(table.person_id) == who.person_id
    if not may(who.role, Act.READ_OTHERS_LABELS):
        return own
    everybody = select(Item.id).where(
        Item.project_id == project_id, total_submissions() >= EVERYBODY
    )
    complete = full_items(col(Item.project_id) == project_id)
    return own | col(table.item_id).in_(complete) | col(table.item_id).in_(everybody)
