"""Import of answers to judge, verdicts and ratings; each file all or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sqlmodel import select

from annotation.forms import form as form_commands
from annotation.judging.forms import RATING, Rating
from annotation.people.members import PersonView, list_people
from annotation.people.roles import Act, allow, may
from annotation.work import commands
from annotation.work.open_item import opened
from annotation.work.submissions import checked_text
from corpus.files.rows import refuse_repeated
from corpus.model import language_of
from errors import UserError, Where
from normalization.hashing import file_hash
from services.judging.items import keep_cases, provisions_of_gold, show_verdicts
from services.judging.reading import (
    CaseLine,
    RatingLine,
    VerdictLine,
    read_cases,
    read_ratings,
    read_verdicts,
)
from storage.db.columns import add_rows
from storage.db.workspace import Workspace, together
from storage.imported_files import BroughtFile, keep_file
from storage.judging import (
    CaseView,
    VerdictView,
    case_view,
    cases,
    standing_verdicts,
    verdict_key,
)
from storage.projects import find_project
from storage.subjects import item_of
from storage.tables.answers import JudgeCase, Verdict
from storage.tables.core import QuestionRow
from storage.tasks import Task

_Key = tuple[str, str]
_SAID = ("judge", "kind", "swapped", "verdict", "state", "raw")  # fields of a verdict


@dataclass(frozen=True, slots=True)
class Brought:
    """Numbers of new rows of a file and of those already present."""

    new: int
    already: int


def import_cases(ws: Workspace, project_slug: str, file: Path, by: int | None = None) -> Brought:
    """Import answers to judge, with items for rating and review; existing answers are skipped.

    A line without a question takes question and official answer from the project's question of that
    id, and its gold provisions where the line has none. Existing answers with the same content are
    skipped. Raises UserError, with the place, for `by` without permission, for a line that cannot
    be read, and for an existing answer with other content.
    """
    allow(ws, project_slug, by, Act.MAKE_ITEMS)
    lines = read_cases(file)
    gold = provisions_of_gold(ws, project_slug) if any(not e.question for e in lines) else {}
    with ws.writing() as session:
        project = find_project(session, project_slug)
        there = {(row.external_id, row.system): row for row in cases(session, project.id)}
        query = select(QuestionRow).where(QuestionRow.project_id == project.id)
        asked_for = {row.external_id: row for row in session.exec(query)}
        rows = [_case_row(ws, project.id, line, asked_for, gold) for line in lines]
        new = _new_rows(lines, rows, there)
        keep_cases(session, project.id, new, ws.clock())
    return Brought(len(new), len(rows) - len(new))


def import_verdicts(ws: Workspace, project_slug: str, file: Path, by: int | None = None) -> Brought:
    """Import verdicts on existing answers, skipping those equal to the latest.

    Raises UserError, with the place, for `by` without permission, for a line that cannot be read,
    for a verdict on an unknown answer, and for one repeated in the file.
    """
    allow(ws, project_slug, by, Act.MAKE_ITEMS)
    lines, hashed = read_verdicts(file), file_hash(file)
    with ws.writing() as session:
        project = find_project(session, project_slug)
        known = {(row.external_id, row.system): row.id for row in cases(session, project.id)}
        rows = [_verdict(ws, line, known, hashed) for line in lines]
        places, names = [each.where for each in lines], [{"judge": e.judge} for e in lines]
        refuse_repeated("judging_verdict_repeated", map(verdict_key, rows), places, names)
        standing = standing_verdicts(session, project.id, imported=True)
        new = [row for row in rows if not _equals_latest(row, standing.get(verdict_key(row)))]
        add_rows(session, new)
        brought = BroughtFile("verdicts", file.name, hashed, by)
        keep_file(session, project.id, brought, len(new), ws.clock())
        show_verdicts(session, project.id, ws.clock())
    return Brought(len(new), len(rows) - len(new))


def required_case(known: Mapping[_Key, int], where: Where, external_id: str, system: str) -> int:
    """Return the id of an answer. Raises UserError, with the place, for an unknown one.

    Unless the place names its field, the field is the question where it has no answer at all.
    """
    number = known.get((external_id, system))
    if number is None:
        if where.field is None:
            answered = any(each == external_id for each, _ in known)
            where = replace(where, field="system" if answered else "id")
        raise UserError("judging_answer_unknown", where, id=external_id, system=system)
    return number


def _case_row(
    ws: Workspace,
    project_id: int,
    line: CaseLine,
    questions: Mapping[str, QuestionRow],
    gold: Mapping[str, list[dict[str, str]]],
) -> JudgeCase:
    """Return an answer as a row, completed from the project's question of its id.

    Raises UserError for an unknown question, and without an official answer.
    """
    known = questions.get(line.external_id)
    if not line.question and known is None:
        raise UserError("judging_question_unknown", line.where, id=line.external_id)
    question = line.question or (known.text if known else "")
    same = known is not None and question == known.text
    reference = line.reference or (known.answer if known and same else "")
    if not reference:
        where = Where(line.where.file, line.where.line, "reference")
        raise UserError("judging_reference_missing", where)
    taken = gold.get(line.external_id, []) if not line.question else []
    return JudgeCase(
        project_id=project_id,
        external_id=line.external_id,
        system=line.system,
        question=question,
        reference=reference,
        provisions=list(line.provisions) or taken,
        kind=line.kind,
        language=line.language or (known.language if known and same else language_of(question)),
        answer=line.answer,
        question_id=known.id if known and same else None,
        source={"file": line.where.file, "line": line.where.line},
        at=ws.clock(),
    )


def _new_rows(
    lines: Sequence[CaseLine], rows: Sequence[JudgeCase], there: Mapping[_Key, CaseView]
) -> list[JudgeCase]:
    """Return the rows not stored yet. Raises UserError for repeated or contradicting ones."""
    names = [{"id": row.external_id, "system": row.system} for row in rows]
    keys = [(row.external_id, row.system) for row in rows]
    refuse_repeated("judging_case_repeated", keys, [line.where for line in lines], names)
    new = []
    for line, row, key, about in zip(lines, rows, keys, names, strict=True):
        before = there.get(key)
        if before is None:
            new.append(row)
        elif _content(before, line) != _content(case_view(row), line):
            raise UserError("judging_case_changed", line.where, **about)
    return new


def _content(case: CaseView, line: CaseLine) -> tuple[object, ...]:
    """Return the content that a repeated import may not change; provisions only if given."""
    own = case.provisions if line.provisions else ()
    return case.question, case.reference, case.kind, case.language, case.answer, own


def _verdict(ws: Workspace, line: VerdictLine, known: Mapping[_Key, int], digest: str) -> Verdict:
    """Return an imported verdict as a row. Raises UserError for an unknown or the same answer."""
    case_id = required_case(known, line.where, line.external_id, line.system)
    other_id = None
    if line.other is not None:
        at = replace(line.where, field="other")
        other_id = required_case(known, at, line.external_id, line.other)
    if other_id == case_id:
        raise UserError("judging_same_answer", replace(line.where, field="other"))
    return Verdict(
        case_id=case_id,
        other_case_id=other_id,
        imported=True,
        source={"file": line.where.file, "line": line.where.line, "sha256": digest},
        at=ws.clock(),
        **{name: getattr(line, name) for name in _SAID},
    )


def _equals_latest(row: Verdict, standing: VerdictView | None) -> bool:
    """Return True if a verdict, its state and raw text equal the latest one's."""
    if standing is None:
        return False
    return (row.verdict, row.state, row.raw) == (standing.verdict, standing.state, standing.raw)


def import_ratings(ws: Workspace, project_slug: str, file: Path, by: int | None = None) -> Brought:
    """Import ratings; answers the person has already submitted here are skipped.

    On any failure nothing is stored. Raises UserError, with the place, for `by` without permission,
    for a line that cannot be read, for an unknown answer or person, and for a rating repeated in
    the file.
    """
    allow(ws, project_slug, by, Act.IMPORT_LABELS)
    lines = read_ratings(file)
    people = {each.name: each for each in list_people(ws, project_slug)}
    with ws.reading() as session:
        answers = cases(session, find_project(session, project_slug).id)
        items = {
            (row.external_id, row.system): item_of(session, Task.ANSWER_RATING, row.id) or 0
            for row in answers
        }
    rated = [_rating_place(line, people, items) for line in lines]
    places, names = [line.where for line in lines], [{"person": line.person} for line in lines]
    refuse_repeated("judging_rating_repeated", rated, places, names)
    with together(ws) as inside:
        new = sum(_submit(inside, *at, line) for at, line in zip(rated, lines, strict=True))
    return Brought(new, len(lines) - new)


def _rating_place(
    line: RatingLine, people: Mapping[str, PersonView], items: Mapping[_Key, int]
) -> tuple[int, int]:
    """Return the ids of a rating's person and item. Raises UserError for one unknown or unfit."""
    item = required_case(items, line.where, line.external_id, line.system)
    person = people.get(line.person)
    if person is None or not person.active or not may(person.role, Act.ANNOTATE):
        raise UserError("judging_person", line.where, person=line.person)
    checked_text(line.comment, "comment", where=line.where)
    return person.id, item


def _submit(ws: Workspace, person_id: int, item_id: int, line: RatingLine) -> bool:
    """Submit a rating as that person; return False if they had done so already."""
    at = ws, person_id, item_id
    with opened(*at, (Task.ANSWER_RATING,)) as there:  # as `open_item`, without the queue around it
        if there.draft.status == "submitted":
            return False
    form_commands.answer(*at, RATING, Rating.CORRECT if line.correct else Rating.INCORRECT)
    if line.comment:
        commands.set_comment(*at, line.comment)
    commands.submit(*at)
    return True
