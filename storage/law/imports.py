"""Imports of statutes and questions: each is one transaction, all or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from sqlalchemy import insert
from sqlmodel import Session, select

from corpus.graph.build import GraphBuild
from corpus.importers.statutes.merge import Meeting
from corpus.importers.statutes.records import Note
from corpus.long_work import Progress
from corpus.model import Level, Question, Statute, Unit
from errors import UserError, Where
from storage.db.rows import add_row, insert_rows
from storage.db.workspace import Workspace
from storage.imported_files import BroughtFile, keep_file
from storage.law.corpus import GRADES, id_in_use, insert_links, set_in_use
from storage.law.fingerprint import content_hash
from storage.law.graph import insert_graph
from storage.projects import ProjectView, find_project
from storage.subjects import add_questions
from storage.tables.core import QuestionRow, Snapshot, StatuteRow, UnitRow

CHOICES = "choices"  # the key of `QuestionRow.source` with the options of a question
_LISTED = 5  # the most ids that an error names


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The result of an import of statutes.

    `new` is False if the project had a snapshot of equal content. Either way it is in use from then
    on; `before` is the snapshot in use until then, None if it was this one or none. `articles`
    counts units of level article, `units` those of every level. `meeting` compares the imported
    statutes with those in use, None if there were none; `added` is whether they were added to them.
    """

    snapshot_id: int
    new: bool
    statutes: int
    articles: int
    units: int
    effective: date | None
    before: int | None
    meeting: Meeting | None = None
    added: bool = False

    def as_dict(self) -> dict[str, object]:
        """Return the report for ``--json`` output."""
        return asdict(self) | {"effective": self.effective and self.effective.isoformat()}


@dataclass(frozen=True, slots=True)
class QuestionReport:
    """The result of an import of questions: how many are new, and how many existed.

    Of the latter, `completed` gained something: a jurisdiction, choices, an answer or grades.
    `notes` are gaps of the source.
    """

    new: int
    unchanged: int
    completed: int
    notes: tuple[Note, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Return the report for ``--json`` output."""
        told = asdict(replace(self, notes=()))
        del told["notes"]
        return told | ({"notes": [note.render() for note in self.notes]} if self.notes else {})


def checked_hash(statutes: Sequence[Statute]) -> str:
    """Validate the statutes of an import; return their content hash.

    Raises UserError for an empty import and for ids that are not unique.
    """
    if not statutes:
        raise UserError("import_empty", kind="statute")
    files: dict[str, str] = {}
    seen: set[str] = set()
    for statute in statutes:
        here = Where(file=statute.file or None)
        if statute.semantic_id in files:
            other = files[statute.semantic_id]
            raise UserError("statute_repeated", here, semantic_id=statute.semantic_id, other=other)
        files[statute.semantic_id] = statute.file
        for unit in statute.units:
            if unit.semantic_id in seen:
                raise UserError("unit_repeated", here, semantic_id=unit.semantic_id)
            seen.add(unit.semantic_id)
    return content_hash(statutes)


def snapshot_of(ws: Workspace, project_slug: str, digest: str) -> int | None:
    """Return the id of the project's snapshot with this content hash, None if it has none."""
    with ws.reading() as session:
        known = _snapshot_with(session, find_project(session, project_slug), digest)
        return known.id if known else None


def keep_statutes(
    ws: Workspace,
    project_slug: str,
    statutes: Sequence[Statute],
    name: str,
    built: GraphBuild | None = None,
    digest: str = "",
    upon: int | None = None,
    progress: Progress | None = None,
    use: bool = True,
) -> ImportReport:
    """Store the statutes as a snapshot, unless the project has an equal one; put it in use.

    Without `use`, the snapshot in use stays so. `built` is their citation graph, stored in the same
    transaction; `digest` is their :func:`checked_hash`, if known. `upon` is the snapshot that they
    were derived from, if any: UserError unless it is still in use, as later imports would be lost.
    `progress` gets (edges and references stored, total).

    The snapshot's effective date is the latest one among its statutes that is not after the day of
    the import (in UTC): sources also hold versions that come into force later, some with a
    placeholder such as the year 9999. None where no statute has such a date. Raises UserError for
    an empty import and for ids that are not unique.
    """
    digest, today = digest or checked_hash(statutes), ws.clock().date()
    dates = [each.effective for each in statutes if each.effective]
    effective = max((each for each in dates if each <= today), default=None)
    with ws.writing() as session:
        project = find_project(session, project_slug)
        if upon not in (None, id_in_use(session, project.id)):
            raise UserError("import_overtaken")
        known = _snapshot_with(session, project, digest)
        snapshot_id, effective = (known.id, known.effective) if known else (None, effective)
        if snapshot_id is None:
            row = Snapshot(
                project_id=project.id,
                name=name,
                effective=effective,
                content_hash=digest,
                created_at=ws.clock(),
            )
            snapshot_id = add_row(session, row)
            _insert_statutes(session, snapshot_id, statutes)
            if built is not None:
                insert_graph(session, snapshot_id, built, ws.clock(), progress)
        before = set_in_use(session, project.id, snapshot_id, ws.clock()) if use else None
    units = [unit for statute in statutes for unit in statute.units]
    articles = sum(unit.level is Level.ARTICLE for unit in units)
    return ImportReport(
        snapshot_id, known is None, len(statutes), articles, len(units), effective, before
    )


def keep_questions(
    ws: Workspace,
    project_slug: str,
    questions: Sequence[Question],
    source: str,
    file: BroughtFile | None = None,
) -> QuestionReport:
    """Store the questions and make an item of each, at the end of the project's queue.

    `source` is the name of their source; the import of `file` is recorded if it added anything. A
    question that the project has with the same content is unchanged, but gains a jurisdiction,
    choices, an answer and grades that it lacked. Raises UserError, and stores none, for an empty
    import, a repeated id, or an id that the project has with other content.
    """
    if not questions:
        raise UserError("import_empty", Where(file=source), kind="question")
    counts = Counter(question.external_id for question in questions)
    if repeated := [name for name, count in counts.items() if count > 1]:
        listed = ", ".join(repeated[:_LISTED])
        raise UserError("questions_repeated", Where(file=source), ids=listed)
    with ws.writing() as session:
        project = find_project(session, project_slug)
        there = session.exec(select(QuestionRow).where(QuestionRow.project_id == project.id))
        stored = {row.external_id: row for row in there}
        present = [question for question in questions if question.external_id in stored]
        changed = [q.external_id for q in present if _differs(q, stored[q.external_id])]
        if changed:
            ids = ", ".join(changed[:_LISTED]) + (" …" if len(changed) > _LISTED else "")
            raise UserError("question_changed", Where(file=source), count=len(changed), ids=ids)
        fresh = [question for question in questions if question.external_id not in stored]
        more = sum(_fill_gaps(session, stored[each.external_id], each) for each in present)
        _insert_questions(session, project, fresh, source)
        if file is not None:
            keep_file(session, project.id, file, len(fresh) + more, ws.clock())
    return QuestionReport(len(fresh), len(present), more)


def _snapshot_with(session: Session, project: ProjectView, digest: str) -> Snapshot | None:
    """Return the project's snapshot with that content hash, None if it has none."""
    query = select(Snapshot).where(Snapshot.project_id == project.id)
    return session.exec(query.where(Snapshot.content_hash == digest)).first()


def _insert_statutes(session: Session, snapshot_id: int, statutes: Sequence[Statute]) -> None:
    rows = [
        {name: getattr(each, name) for name in _STATUTE}
        | {"snapshot_id": snapshot_id, "tier": int(each.tier)}
        for each in statutes
    ]
    session.execute(insert(StatuteRow), rows)
    query = select(StatuteRow.semantic_id, StatuteRow.id)
    numbers = dict(session.exec(query.where(StatuteRow.snapshot_id == snapshot_id)).all())
    units = (
        _unit_values(snapshot_id, numbers[statute.semantic_id], unit)
        for statute in statutes
        for unit in statute.units
    )
    insert_rows(session, UnitRow, _UNIT, units)
    insert_links(session, snapshot_id, statutes)


_STATUTE = (  # columns that are the statute's own fields
    *("semantic_id", "title", "kind", "language", "promulgated", "number", "effective"),
    *("source", "file", "jurisdiction"),
)
_UNIT = (
    *("snapshot_id", "statute_id", "semantic_id", "level", "label", "heading", "text", "order"),
    *("path", "parts", "deleted", "text_missing", "effective"),
)


def _unit_values(snapshot_id: int, statute_id: int | None, unit: Unit) -> tuple[object, ...]:
    """Return the values of the columns `_UNIT`."""
    called = unit.semantic_id, str(unit.level), unit.label, unit.heading
    parts = [[part.path, part.start, part.end] for part in unit.parts]
    marks = unit.deleted, unit.text_missing, unit.effective
    return (snapshot_id, statute_id, *called, unit.text, unit.order, list(unit.path), parts, *marks)


def _differs(question: Question, row: QuestionRow) -> bool:
    """Return True if an imported question contradicts the stored one, not if it fills gaps."""
    claims, more = _claims(question), _more(question)
    return (
        (question.text, question.language) != (row.text, row.language)
        or any(row.source.get(name) != said for name, said in claims.items())
        or any(row.source.get(name, said) != said for name, said in more.items())
        or (row.answer not in ("", question.answer))
        or (row.jurisdiction != "" and question.jurisdiction not in ("", row.jurisdiction))
    )


def _claims(question: Question) -> dict[str, list[str] | None]:
    """Return the JSON fields of the citations and gold that a question's file states."""
    return {
        "citation_strings": list(question.citation_strings),
        "gold_ids": list(question.gold_ids),
    }


def _fill_gaps(session: Session, row: QuestionRow, question: Question) -> bool:
    """Fill in what a stored question lacks from an import; return whether anything was added.

    Nothing present is changed.
    """
    had = row.jurisdiction, row.answer, row.source
    row.jurisdiction = row.jurisdiction or question.jurisdiction
    row.answer = row.answer or question.answer
    row.source = {**_more(question), **row.source}
    session.add(row)
    return (row.jurisdiction, row.answer, row.source) != had


def _more(question: Question) -> dict[str, Any]:
    """Return a question's choices and grades, which a later import may add."""
    choices = [asdict(each) for each in question.choices]
    more = {CHOICES: choices, GRADES: dict(question.grades)}
    return {name: said for name, said in more.items() if said}


def _insert_questions(
    session: Session, project: ProjectView, questions: Sequence[Question], source: str
) -> None:
    rows = [
        QuestionRow(
            project_id=project.id,
            external_id=question.external_id,
            text=question.text,
            answer=question.answer,
            language=question.language,
            source={
                "file": source,
                **_claims(question),
                **({"columns": dict(question.columns)} if question.columns else {}),
                **_more(question),
            },
            jurisdiction=question.jurisdiction,
        )
        for question in questions
    ]
    add_questions(session, project.id, rows)
