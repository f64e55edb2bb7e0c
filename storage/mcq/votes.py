"""Models' answers to questions: storage, and reading the latest by the present rules.

The choice is derived from the raw reply, never stored. So votes of any age are read by today's
rules, and no model is asked again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from hashlib import blake2b
from typing import Any

from sqlalchemy import func
from sqlalchemy import select as core_select
from sqlmodel import Session, col, select

from construction.mcq.model import Mcq as Question
from construction.mcq.model import wording_of
from evaluation.replies.outcomes import Outcome, Reading, read_reply
from storage.db.rows import rows_with
from storage.tables.mcq import Mcq, McqVote
from storage.tables.models import FROM_FILE, LlmCall

_PLACE = 5  # the first fields of a view are the vote's key


@dataclass(frozen=True, slots=True)
class VoteView:
    """The latest vote per key; fields are those of `McqVote`, the first ones are the key.

    `choice` and `state` are as the vote was read when it was cast; `read_votes` reads `raw` anew.
    `finish_reason` is the call's, empty for a vote without one.
    """

    mcq_id: int
    setting: str
    server: str
    model: str
    repeat: int
    choice: int | None
    state: str
    raw: str
    logprobs: Sequence[float | None] | None
    wording: str
    prompt_version: str
    at: datetime
    finish_reason: str = ""


def keep_votes(session: Session, votes: Sequence[McqVote]) -> None:
    """Store votes; those already stored from the same call are skipped."""
    calls = {vote.llm_call_id for vote in votes if vote.llm_call_id is not None}
    rows = rows_with(session, select(McqVote), McqVote.llm_call_id, calls)
    there = {_vote_key(row) for row in rows}
    for vote in votes:
        if vote.llm_call_id is None or _vote_key(vote) not in there:
            session.add(vote)
            there.add(_vote_key(vote))


def votes(session: Session, project_id: int, mcq_id: int | None = None) -> list[VoteView]:
    """Return the latest vote per question, setting, server, model and repeat, in this order."""
    columns = [getattr(McqVote, field.name) for field in fields(VoteView)[:-1]]
    finish = func.coalesce(col(LlmCall.finish_reason), "")
    query = core_select(*columns, finish).join(Mcq, col(Mcq.id) == col(McqVote.mcq_id))
    query = query.outerjoin(LlmCall, col(LlmCall.id) == col(McqVote.llm_call_id))
    query = query.where(col(Mcq.project_id) == project_id).order_by(col(McqVote.id))
    if mcq_id is not None:
        query = query.where(col(McqVote.mcq_id) == mcq_id)
    newest = {tuple(row[:_PLACE]): VoteView(*row) for row in session.execute(query)}
    return [newest[place] for place in sorted(newest)]


def first_from_files(project_id: int) -> Any:
    """Return the query of the first vote of each imported file of another tool.

    All votes of one import have its time and name its file.
    """
    query = core_select(func.min(col(McqVote.id))).join(Mcq)
    query = query.where(
        col(Mcq.project_id) == project_id, col(McqVote.server).startswith(FROM_FILE)
    )
    return query.group_by(col(McqVote.prompt_version), col(McqVote.at))


def voted_from_file(session: Session, first: McqVote) -> tuple[list[str], list[str], int]:
    """Return the tools and models of the votes imported together with `first`, and their number."""
    project = select(Mcq.project_id).where(Mcq.id == first.mcq_id).scalar_subquery()
    query = core_select(col(McqVote.server), col(McqVote.model), func.count())
    query = query.join(Mcq).where(
        col(Mcq.project_id) == project,
        col(McqVote.server).startswith(FROM_FILE),
        col(McqVote.prompt_version) == first.prompt_version,
        col(McqVote.at) == first.at,
    )
    found = session.execute(query.group_by(col(McqVote.server), col(McqVote.model))).all()
    tools = sorted({server.removeprefix(FROM_FILE) for server, _, _ in found})
    return tools, sorted({model for _, model, _ in found}), sum(count for *_, count in found)


def _vote_key(vote: McqVote) -> tuple[int, str, int, int | None]:
    """Return the key of a vote: question, setting, repeat, call."""
    return vote.mcq_id, vote.setting, vote.repeat, vote.llm_call_id


CUT_OFF = "length"  # the finish reason of a reply cut off by the token limit
REFUSED = "refused"  # the state of a vote whose server declares a refusal
_MOST_KEPT = 100_000

_Key = tuple[bytes, str, bool, bool]
_kept: dict[_Key, Reading] = {}


@dataclass(frozen=True, slots=True)
class ReadVote:
    """A vote and the option read from it; `present`: it was cast on the current wording."""

    vote: VoteView
    reading: Reading
    present: bool

    @property
    def option(self) -> int | None:
        """The option chosen, counted from 0; None if none was."""
        return None if self.reading.option is None else self.reading.option - 1


@dataclass(frozen=True, slots=True)
class Wordings:
    """A question's present wording and former ones, by their digests."""

    present: str
    items: dict[str, Question]

    @classmethod
    def of(cls, present: Question, others: Sequence[Question] = ()) -> Wordings:
        """Return the wordings of a question, present and former."""
        return cls(wording_of(present), {wording_of(each): each for each in (*others, present)})


def read_votes(cast: Iterable[VoteView], wordings: dict[int, Wordings]) -> list[ReadVote]:
    """Read the votes on the questions in `wordings`, in the order given; the others are dropped."""
    return [
        ReadVote(vote, _reading(vote, known.items), vote.wording == known.present)
        for vote in cast
        if (known := wordings.get(vote.mcq_id)) is not None
    ]


def _reading(vote: VoteView, items: dict[str, Question]) -> Reading:
    """Return a vote as read from the model's words."""
    item = items.get(vote.wording)
    if item is None or (not vote.raw and vote.choice is not None):
        return _as_cast(vote, item)
    declared, cut = vote.state == REFUSED, vote.finish_reason == CUT_OFF
    key = blake2b(vote.raw.encode("utf-8", "surrogatepass")).digest(), vote.wording, declared, cut
    found = _kept.get(key)
    if found is None:
        here = vote.raw, item.options, item.abstention
        found = read_reply(*here, declared_refusal=declared, cut=cut)
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        _kept[key] = found
    return found


def _as_cast(vote: VoteView, item: Question | None) -> Reading:
    """Return the reading stored with a vote whose wording is unknown now or whose text is empty."""
    if vote.choice is None:
        outcome = Outcome.REFUSED if vote.state == REFUSED else Outcome.UNREADABLE
        return Reading(outcome, None, vote.state)
    leaves_open = item is not None and vote.choice + 1 == item.abstention
    outcome = Outcome.ABSTAINED_OPTION if leaves_open else Outcome.ANSWERED
    return Reading(outcome, vote.choice + 1, "as_cast")
