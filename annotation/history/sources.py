"""Sources of a history: one query per kind of record, and who may see its rows.

Blindness of histories is defined here only. Acts on an item (drafts, submissions, decisions,
messages) are shown to their author; to others only with permission to read others' labels, and only
once the item is complete, as in `annotation.work.submissions`. An item that goes to everybody of
its batch (calibration, practice) counts as complete at once. The operator, who can read the
database, sees all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    func,
    literal,
    or_,
    true,
)
from sqlalchemy import select as rows_of
from sqlmodel import col, select

from annotation.history.entry import Filter, taker
from annotation.people.members import CASE_DRAFT
from annotation.people.roles import Act, ProjectMember, may
from annotation.work.discussions import is_resubmitted_unchanged
from annotation.work.submissions import is_current
from storage.mcq.votes import first_from_files
from storage.overlap import EVERYBODY, for_gold, required_submissions, total_submissions
from storage.tables.cases import CaseImport, CaseSetting, QueryChoice, TypologyRow
from storage.tables.core import (
    Adjudication,
    Annotation,
    CandidateSet,
    DraftEvent,
    Item,
    Person,
    RunRow,
    Settlement,
    Snapshot,
    UndoneDecision,
)
from storage.tables.exchange import ImportedFile, LabelFile
from storage.tables.mcq import Mcq, McqVote
from storage.tables.people import (
    AccountEvent,
    Batch,
    BatchEvent,
    Comment,
    Document,
    DocumentMigration,
    KnownAnswer,
    PersonEvent,
    Referral,
)
from storage.tables.runs import (
    DatasheetAnswersRow,
    ExperimentRow,
    RunMark,
    SavedView,
    SearchLevels,
    SplitRow,
)


@dataclass(frozen=True, slots=True)
class _Source:
    """A family of rows: its table, its columns, and the condition for a viewer to see a row."""

    family: str
    table: Any
    kind: Any
    at: Any
    person: Any = None  # the actor
    about: Any = None  # the person concerned, or the other of the two
    item: Any = None
    project: Any = None  # if the row itself names its project
    shown: Callable[[ProjectMember | None, int], ColumnElement[bool]] = lambda _who, _project: (
        true()
    )


def skeleton(project_id: int, who: ProjectMember | None, wanted_part: Filter) -> Select[Any]:
    """Return the unordered query of (family, id, kind, at) of all that `who` may see."""
    parts = [
        part
        for source in _sources()
        if (part := _filtered_query(source, project_id, who, wanted_part)) is not None
    ]
    every = parts[0].union_all(*parts[1:]).subquery() if len(parts) > 1 else parts[0].subquery()
    return rows_of(every.c.family, every.c.id, every.c.kind, every.c.at)


def _filtered_query(
    source: _Source, project_id: int, who: ProjectMember | None, part: Filter
) -> Select[Any] | None:
    """Return the query of a source under the filter; None if the filter excludes its kind."""
    conditions: list[ColumnElement[bool]] = [source.shown(who, project_id)]
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
        return query.join(Item, col(Item.id) == source.item).where(
            col(Item.project_id) == project_id
        )
    if source.table is BatchEvent:
        return query.join(Batch, col(Batch.id) == BatchEvent.batch_id).where(
            col(Batch.project_id) == project_id
        )
    joined = (
        col(Person.account_id) == AccountEvent.account_id
        if source.table is AccountEvent
        else col(Person.id) == PersonEvent.person_id
    )
    return query.join(Person, joined).where(col(Person.project_id) == project_id)


def _sources() -> Iterator[_Source]:
    """Yield every table that history is read from."""
    yield _Source(
        "draft",
        DraftEvent,
        col(DraftEvent.kind),
        DraftEvent.at,
        DraftEvent.person_id,
        taker(DraftEvent),
        item=DraftEvent.item_id,
        # The submission or withdrawal is shown by its own row, with its content.
        shown=lambda who, project: (
            _visible_rows(DraftEvent)(who, project)
            & col(DraftEvent.kind).not_in(("submit", "withdraw"))
        ),
    )
    made = case((is_resubmitted_unchanged(), "kept"), else_=col(Annotation.kind))
    yield _item_source("submission", Annotation, made, taker(Annotation))
    yield _item_source("adjudication", Adjudication, literal("decided"))
    yield _item_source("settlement", Settlement, literal("decided"))
    yield _item_source("undone", UndoneDecision, literal("decision"))
    # A referral without submissions recalls the one before it.
    emptied = cast(Referral.annotation_ids, String) == "[]"
    yield _item_source("referral", Referral, case((emptied, "recalled"), else_="sent_back"))
    yield _item_source(
        "comment", Comment, case((col(Comment.kind) == "", "written"), else_=col(Comment.kind))
    )
    yield _Source(
        "known_answer",
        KnownAnswer,
        literal("set"),
        KnownAnswer.at,
        KnownAnswer.by_person_id,
        item=KnownAnswer.item_id,
        shown=_if_reads_labels,
    )
    yield _Source(
        "candidates",
        CandidateSet,
        literal("built"),
        CandidateSet.created_at,
        item=CandidateSet.item_id,
    )
    yield _Source(
        "batch",
        BatchEvent,
        col(BatchEvent.kind),
        BatchEvent.at,
        BatchEvent.by_person_id,
        shown=_if_reads_labels,
    )
    yield from _people_sources()
    yield _Source(
        "guideline",
        Document,
        literal("version"),
        Document.at,
        Document.by_person_id,
        project=Document.project_id,
    )
    yield _Source(
        "migration",
        DocumentMigration,
        col(DocumentMigration.kind),
        DocumentMigration.at,
        DocumentMigration.by_person_id,
        project=DocumentMigration.project_id,
    )
    yield _Source(
        "snapshot",
        Snapshot,
        literal("imported"),
        Snapshot.created_at,
        project=Snapshot.project_id,
    )
    yield _Source("run", RunRow, literal("kept"), RunRow.created_at, project=RunRow.project_id)
    of_project = select(RunRow.project_id).where(col(RunRow.id) == RunMark.run_id)
    yield _Source(
        "run_mark",
        RunMark,
        col(RunMark.mark),
        RunMark.at,
        RunMark.by_person_id,
        project=of_project.scalar_subquery(),
    )
    removed = cast(SavedView.view, String) == "{}"
    yield _Source(
        "saved_view",
        SavedView,
        case((removed, "removed"), else_="saved"),
        SavedView.at,
        SavedView.by_person_id,
        project=SavedView.project_id,
    )
    yield _Source(
        "experiment",
        ExperimentRow,
        literal("begun"),
        ExperimentRow.at,
        ExperimentRow.by_person_id,
        project=ExperimentRow.project_id,
    )
    imports = literal("imported"), CaseImport.at, CaseImport.person_id
    yield _Source("court_cases", CaseImport, *imports, project=CaseImport.project_id)
    for family, table, kind in (
        ("typology", TypologyRow, "version"),
        ("case_query", QueryChoice, "chosen"),
        ("suggestions", CaseSetting, "set"),
        ("levels", SearchLevels, "set"),
        ("split", SplitRow, "version"),
        ("datasheet", DatasheetAnswersRow, "version"),
    ):
        rows: Any = table
        yield _Source(
            family, rows, literal(kind), rows.at, rows.by_person_id, project=rows.project_id
        )
    yield from _file_sources()


def _file_sources() -> Iterator[_Source]:
    """Yield the sources of imported files.

    Files of other tools name people and models, so they require reading others' labels.
    """
    yield _Source(
        "labels",
        LabelFile,
        literal("imported"),
        LabelFile.at,
        LabelFile.by_person_id,
        project=LabelFile.project_id,
        shown=_if_reads_labels,
    )
    of_project = select(Mcq.project_id).where(col(Mcq.id) == McqVote.mcq_id)
    file: Any = ImportedFile
    yield _Source(  # imported questions, and who imported them, are visible to everybody
        "questions",
        file,
        literal("imported"),
        file.at,
        file.by_person_id,
        project=file.project_id,
        shown=lambda _who, _project: file.kind == "questions",
    )
    yield _Source(
        "verdicts",
        file,
        literal("imported"),
        file.at,
        file.by_person_id,
        project=file.project_id,
        shown=lambda who, project: _if_reads_labels(who, project) & (file.kind == "verdicts"),
    )
    yield _Source(  # a file of votes is represented by its first vote
        "votes",
        McqVote,
        literal("imported"),
        McqVote.at,
        select(file.by_person_id)
        .join(Mcq, col(Mcq.project_id) == file.project_id)
        .where(Mcq.id == McqVote.mcq_id, file.kind == "votes", file.at == McqVote.at)
        .correlate(McqVote)
        .limit(1)
        .scalar_subquery(),
        project=of_project.scalar_subquery(),
        shown=lambda who, project: (
            _if_reads_labels(who, project) & col(McqVote.id).in_(first_from_files(project))
        ),
    )


def _people_sources() -> Iterator[_Source]:
    """Yield the sources of acts on people and accounts."""
    yield _Source(
        "person",
        PersonEvent,
        col(PersonEvent.kind),
        PersonEvent.at,
        PersonEvent.by_person_id,
        PersonEvent.person_id,
        shown=lambda who, _project: (
            (col(PersonEvent.kind) != CASE_DRAFT)
            & (
                true()
                if who is None or may(who.role, Act.MANAGE_PEOPLE)
                else col(PersonEvent.person_id) == who.person_id
            )
        ),
    )
    # An account is of several projects: its events are visible to its owner and the operator.
    yield _Source(
        "account",
        AccountEvent,
        col(AccountEvent.kind),
        AccountEvent.at,
        about=Person.id,
        shown=lambda who, _project: true() if who is None else col(Person.id) == who.person_id,
    )


def _item_source(family: str, table: Any, kind: Any, taken_by: Any = None) -> _Source:
    """Return a source whose rows are about an item."""
    people = (table.person_id, taken_by)
    return _Source(
        family, table, kind, table.at, *people, item=table.item_id, shown=_visible_rows(table)
    )


def _visible_rows(table: Any) -> Callable[[ProjectMember | None, int], ColumnElement[bool]]:
    """Return a function that makes the SQL condition which rows of a table a person may see."""

    def shown(who: ProjectMember | None, project_id: int) -> ColumnElement[bool]:
        """SQL condition that the person may see the row: own, or on readable items."""
        if who is None:
            return true()
        own: ColumnElement[bool] = col(table.person_id) == who.person_id
        if not may(who.role, Act.READ_OTHERS_LABELS):
            return own
        return own | col(table.item_id).in_(_readable_items(project_id))

    return shown


def _if_reads_labels(who: ProjectMember | None, _project_id: int) -> ColumnElement[bool]:
    """SQL condition: the person may read others' labels."""
    sees = who is None or may(who.role, Act.READ_OTHERS_LABELS)
    return true() if sees else false()


def _readable_items(project_id: int) -> Select[Any]:
    """Return the ids of the items whose submissions may be read, given the permission."""
    complete = (
        select(Annotation.item_id)
        .join(Item, col(Item.id) == Annotation.item_id)
        .where(Item.project_id == project_id, is_current(), for_gold())
        .group_by(col(Annotation.item_id), col(Item.id))
        .having(func.count() >= required_submissions())
        .subquery()
    )
    everybody = select(Item.id).where(
        Item.project_id == project_id, total_submissions() >= EVERYBODY
    )
    return rows_of(complete.c.item_id).union_all(everybody)  # type: ignore[return-value]
