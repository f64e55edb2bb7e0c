"""Import of multiple-choice questions and of models' answers, and the filters of drafts.

Filtering of draft questions against each other and existing ones, and storing the rest.

Import of models' answers given elsewhere, as votes counted apart from our own.

Each line is an object: ``id`` of the question, ``setting`` (zero, a, b, ab), ``model``, and the
answer, as ``raw`` text to be parsed like replies, or as ``choice``, counted from 1. ``tool`` is the
source (default: the file's name) and ``repeat`` the number of the repetition, from 0. `mcq export`
writes votes in this format. A vote is on the current wording of the question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlmodel import Session

from annotation.people.roles import Act, allow
from construction.mcq.filters import Dropped, FilterChoice, Limits, filtered
from construction.mcq.model import (
    Draft,
    Mcq,
    Pair,
    Passage,
    Written,
    item_of,
    read_written,
    wording_of,
)
from corpus.files.rows import RowReader, printable, read_rows, refuse_repeated
from corpus.limits import ANSWER, within
from errors import UserError, Where
from evaluation.mcq.votes import Setting
from evaluation.replies.choices import Parse
from evaluation.replies.outcomes import read_reply
from normalization.hashing import file_hash
from services.law.graph.citation_graph import near_units
from services.mcq.views import QuestionState, standing_questions
from storage.db.workspace import Workspace
from storage.imported_files import BroughtFile, keep_file
from storage.law.corpus import required_snapshot, unit_ids
from storage.mcq.questions import (
    Attempt,
    attempt_drafts,
    attempt_names,
    attempt_row,
    keep_making,
    passages_of,
    questions,
)
from storage.mcq.votes import REFUSED, keep_votes, votes
from storage.projects import find_project
from storage.subjects import Subject, add_items
from storage.tables.mcq import McqMaking, McqVote
from storage.tables.models import FROM_FILE
from storage.tasks import Task

KEPT = "kept"
_TITLE = 200  # characters of a question shown in a queue


@dataclass(frozen=True, slots=True)
class Made:
    """Result of generating questions: numbers of attempts by outcome, in filter order."""

    kept: int
    outcomes: dict[str, int]


def keep_filtered(
    ws: Workspace,
    making: Callable[[], McqMaking],
    attempts: Sequence[Attempt],
    seed: int,
    limits: Limits | None = None,
) -> Made:
    """Store the new attempts with outcomes, and make items of those whose drafts pass the filters.

    Questions that pass become items for people to check. All is written in one transaction. If
    others added questions meanwhile, filtering is repeated against those too.
    """
    project_id = making().project_id
    while True:
        with ws.reading() as session:
            before = attempt_names(session, project_id)
            known = [question.question for question in questions(session, project_id)]
        named = [attempt for attempt in attempts if attempt.row.name not in before]
        drafts = [each.question for each in named if each.question is not None]
        out = {each.item.id: each for each in filtered(drafts, seed, limits, known).dropped}
        with ws.writing() as session:
            if attempt_names(session, project_id) == before:
                return _store(session, making(), named, out)


def _store(
    session: Session, making: McqMaking, attempts: Sequence[Attempt], out: Mapping[str, Dropped]
) -> Made:
    """Store attempts, those that a filter took out with the reason; make items of the others."""
    decided = []
    for each in attempts:
        if (dropped := out.get(each.row.name)) is not None:
            each.row.outcome, each.row.detail = dropped.reason.value, dropped.detail
            each = replace(each, question=None)
        decided.append(each)
    kept = keep_making(session, making, decided)
    subjects = [
        Subject(number, question.id, question.query[:_TITLE], {"mcq": number})
        for number, question in kept
    ]
    add_items(session, making.project_id, Task.MCQ_SOLVABILITY, subjects, making.at)
    counted = Counter(each.row.outcome for each in attempts)
    return Made(counted[KEPT], dict(sorted(counted.items())))


@dataclass(frozen=True, slots=True)
class Imported:
    """Result of an import: `already` existed before; `outcomes` of the filters."""

    read: int
    already: int
    kept: int
    outcomes: dict[str, int]


@dataclass(frozen=True, slots=True)
class _Context:
    """What lines may refer to: the project, its snapshot, units by id, and earlier attempts."""

    project_id: int
    snapshot_id: int
    numbers: Mapping[str, int]
    passages: Mapping[int, Passage]
    drafts: Mapping[str, object]


def import_mcqs(
    ws: Workspace,
    project_slug: str,
    file: Path,
    seed: int = 0,
    by: int | None = None,
    filters: FilterChoice | None = None,
) -> Imported:
    """Import a file of questions (`construction.mcq.model`) that pass the filters.

    A question with a known id and the same words is skipped; an explanation may be absent. Raises
    UserError for `by` without permission, for unknown filters, and, with the line, for an invalid
    question, a provision that the snapshot in use lacks, and a known id with other words; then
    nothing is stored.
    """
    choice = filters or FilterChoice()
    limits = replace(choice.limits(), explained=False)
    allow(ws, project_slug, by, Act.MAKE_ITEMS)
    written = read_written(file)
    with ws.reading() as session:
        project = find_project(session, project_slug)
        context = _context(session, project.id, required_snapshot(session, project).id, written)
    attempts = _attempts(written, context, seed)
    fresh = [attempt for attempt in attempts if attempt.row.name not in context.drafts]
    already = len(attempts) - len(fresh)
    if not fresh:
        return Imported(len(written), already, 0, {})

    def making() -> McqMaking:
        """Return the row of the import."""
        return McqMaking(
            project_id=project.id,
            kind="import",
            snapshot_id=context.snapshot_id,
            wanted={
                "file": printable(file.name),
                "sha256": file_hash(file),
                "filters": choice.record(),
            },
            seed=seed,
            person_id=by,
            at=ws.clock(),
        )

    made = keep_filtered(ws, making, fresh, seed, limits)
    return Imported(len(written), already, made.kept, made.outcomes)


def _context(
    session: Session, project_id: int, snapshot_id: int, written: Sequence[Written]
) -> _Context:
    """Return what the questions of a file refer to. Raises UserError for an unknown unit."""
    numbers = unit_ids(session, snapshot_id)
    for each in written:
        for field in ("a", "b"):
            unit = getattr(each, field)
            if unit not in numbers:
                near = ", ".join(near_units(session, snapshot_id, unit)) or "–"
                where = Where(each.where.file, each.where.line, each.named(field))
                raise UserError("mcq_unit", where, unit=unit, near=near)
    named = {numbers[unit] for each in written for unit in (each.a, each.b)}
    drafts = attempt_drafts(session, project_id)
    return _Context(project_id, snapshot_id, numbers, passages_of(session, named), drafts)


def _attempts(written: Sequence[Written], context: _Context, seed: int) -> list[Attempt]:
    """Return imported questions as attempts. Raises UserError for a known id with other words."""
    taken: dict[str, int] = {}
    found = []
    for each in written:
        a, b = context.numbers[each.a], context.numbers[each.b]
        pair = Pair(context.passages[a], context.passages[b], ())
        number = taken.get(pair.id, 0)
        taken[pair.id] = number + 1
        name = each.id or f"{pair.id} / {number}"
        if name in context.drafts and context.drafts[name] != each.draft():
            where = Where(each.where.file, each.where.line, "id")
            raise UserError("mcq_id_taken", where, id=name)
        row = attempt_row(name, (a, b), (), outcome=KEPT, draft=each.draft())
        found.append(Attempt(row, _question(each, pair, seed, name), each.source))
    return found


def _question(each: Written, pair: Pair, seed: int, name: str) -> Mcq:
    """Return an imported question, its options shuffled unless it is finished."""
    said = (each.query, each.options, each.answer, each.explanation)
    if each.finished:
        return Mcq(name, pair, *said)
    made = item_of(Draft(*said), pair, seed, name=name)
    if made is None:
        raise AssertionError("the reader lets four options and one of them pass, nothing else")
    return made


MOST_REPEATS = 1_000
NAME_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class VotesBrought:
    """Result of an import: votes read, those already present, and new ones by state."""

    read: int
    already: int
    states: dict[str, int]


def import_votes(
    ws: Workspace, project_slug: str, file: Path, by: int | None = None
) -> VotesBrought:
    """Import the votes of a file, all or none, skipping those stored with the same answer.

    Raises UserError for `by` without permission and, with line and field, for an invalid vote, an
    unknown question, and a vote repeated in the file.
    """
    allow(ws, project_slug, by, Act.MAKE_ITEMS)
    rows = list(read_rows(file))
    name, hashed = printable(file.name), file_hash(file)
    said = f"{name} {hashed[:12]}"
    with ws.writing() as session:
        project = find_project(session, project_slug)
        known = {each.item.id: each for each in standing_questions(session, project.id)}
        at = ws.clock()  # one time for all: it identifies the import
        made = [_vote_row(at, row, known, printable(file.stem), said) for row in rows]
        refuse_repeated("mcq_vote_twice", map(_vote_key, made), [row.at() for row in rows])
        there = {_vote_key(each): each for each in votes(session, project.id)}
        new = [each for each in made if not _is_equal(each, there.get(_vote_key(each)))]
        keep_votes(session, new)
        keep_file(session, project.id, BroughtFile("votes", file.name, hashed, by), len(new), at)
        states = Counter(each.state for each in new)
    return VotesBrought(len(made), len(made) - len(new), dict(sorted(states.items())))


def _vote_row(
    at: datetime, row: RowReader, known: Mapping[str, QuestionState], stem: str, file_id: str
) -> McqVote:
    """Return the row of an imported vote. Raises UserError for an invalid one.

    `file_id` is stored as its prompt version, `stem` names its tool if the line does not.
    """
    name = row.required("id")
    if name not in known:
        raise UserError("mcq_vote_question", row.at("id"), id=name[:200])
    setting = row.required("setting")
    if setting not in list(Setting):
        raise UserError("mcq_vote_setting", row.at("setting"), known=", ".join(Setting))
    question = known[name]
    choice, state, raw = _answer(row, question)
    tool = within(row.line_text("tool") or stem, NAME_CHARACTERS, row.at("tool"))
    return McqVote(
        mcq_id=question.id,
        setting=setting,
        server=f"{FROM_FILE}{tool.removeprefix(FROM_FILE)}",
        model=within(row.required("model"), NAME_CHARACTERS, row.at("model")),
        repeat=_whole_number(row, "repeat", 0, MOST_REPEATS, 0),
        choice=choice,
        state=state,
        raw=raw,
        logprobs=None,
        wording=wording_of(question.item),
        prompt_version=file_id,
        at=at,
    )


def _answer(row: RowReader, question: QuestionState) -> tuple[int | None, str, str]:
    """Return choice (from 0), state and text of an answer, given in one or both of two fields."""
    options = len(question.item.options)
    raw = row.text("raw", limit=ANSWER)
    if row.has("choice"):
        return _whole_number(row, "choice", 1, options, 1) - 1, Parse.CHOSEN.value, raw
    if row.text("state") == REFUSED:
        return None, REFUSED, raw
    if not row.has("raw"):
        raise UserError("mcq_vote_answer", row.at("raw"))
    read = read_reply(raw, question.item.options, question.item.abstention)
    if read.option is not None:
        return read.option - 1, Parse.CHOSEN.value, raw
    return None, read.rule if read.rule in tuple(Parse) else Parse.UNPARSED.value, raw


def _whole_number(row: RowReader, field: str, least: int, most: int, other: int) -> int:
    """Return a whole number of a vote, `other` if absent. Raises UserError out of range."""
    value: Any = row.fields.get(field, other)
    if type(value) is not int or not least <= value <= most:
        raise UserError("mcq_vote_number", row.at(field), least=least, most=most)
    return value


def _vote_key(vote: Any) -> tuple[int, str, str, str, int]:
    return vote.mcq_id, vote.setting, vote.server, vote.model, vote.repeat


def _is_equal(vote: McqVote, there: Any) -> bool:
    """Return True if an imported vote equals the stored one."""
    return there is not None and (vote.choice, vote.state, vote.raw, vote.wording) == (
        there.choice,
        there.state,
        there.raw,
        there.wording,
    )
