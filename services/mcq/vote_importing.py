"""Import of models' answers given elsewhere, as votes counted apart from our own.

Each line is an object: ``id`` of the question, ``setting`` (zero, a, b, ab), ``model``, and the
answer, as ``raw`` text to be parsed like replies, or as ``choice``, counted from 1. ``tool`` is the
source (default: the file's name) and ``repeat`` the number of the repetition, from 0. `mcq export`
writes votes in this format. A vote is on the current wording of the question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from annotation.people.roles import Act, allow
from construction.mcq.model import wording_of
from corpus.files.rows import RowReader, printable, read_rows
from corpus.limits import ANSWER, within
from errors import UserError
from evaluation.mcq.votes import Setting
from evaluation.replies.choices import Parse
from evaluation.replies.outcomes import read_reply
from normalization.hashing import file_hash
from services.mcq.views import QuestionState, standing_questions
from storage.db.workspace import Workspace
from storage.imported_files import BroughtFile, keep_file
from storage.mcq.votes import REFUSED, keep_votes, votes
from storage.projects import find_project
from storage.tables.mcq import McqVote
from storage.tables.models import FROM_FILE

MOST_REPEATS = 1_000
NAME_CHARACTERS = 200
_Place = tuple[int, str, str, str, int]


@dataclass(frozen=True, slots=True)
class VotesBrought:
    """Result of an import: votes read, those already present, and new ones by state."""

    read: int
    already: int
    states: dict[str, int]


def import_votes(
    ws: Workspace, project_slug: str, file: Path, by: int | None = None
) -> VotesBrought:
    """Import the votes of a file, all or none, skipping existing ones.

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
        _refuse_repeated(rows, made)
        there = {_vote_key(each): each for each in votes(session, project.id)}
        new = [each for each in made if not _is_equal(each, there.get(_vote_key(each)))]
        keep_votes(session, new)
        keep_file(session, project.id, BroughtFile("votes", file.name, hashed, by), len(new), at)
        states = Counter(each.state for each in new)
    return VotesBrought(len(made), len(made) - len(new), dict(sorted(states.items())))


def _vote_row(
    at: datetime, row: RowReader, known: Mapping[str, QuestionState], stem: str, said: str
) -> McqVote:
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
        prompt_version=said,
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
    value: Any = row.fields.get(field, other)
    if type(value) is not int or not least <= value <= most:
        raise UserError("mcq_vote_number", row.at(field), least=least, most=most)
    return value


def _refuse_repeated(rows: Sequence[RowReader], made: Sequence[McqVote]) -> None:
    first: dict[_Place, int] = {}
    for row, each in zip(rows, made, strict=True):
        if _vote_key(each) in first:
            raise UserError("mcq_vote_twice", row.at(), first=first[_vote_key(each)])
        first[_vote_key(each)] = row.line


def _vote_key(vote: Any) -> _Place:
    return vote.mcq_id, vote.setting, vote.server, vote.model, vote.repeat


def _is_equal(vote: McqVote, there: Any) -> bool:
    return there is not None and (vote.choice, vote.state, vote.raw, vote.wording) == (
        there.choice,
        there.state,
        there.raw,
        there.wording,
    )
