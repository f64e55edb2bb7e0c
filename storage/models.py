"""Calls to language models: outcome, usage and reply of each.

The messages to the model are not stored: they follow from the prompt's version and the values, and
`request_hash` proves them. Neither are keys. Rows are only ever added.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import String, cast, func
from sqlalchemy import select as rows_of
from sqlmodel import Session, col, select

from llm.budget import Use
from llm.reply import (
    FINAL,
    Problem,
    Reply,
    Status,
    packed,
    packed_logprobs,
    unpacked,
    unpacked_logprobs,
)
from normalization import composed_value
from normalization.grouping import grouped
from storage.db.columns import view_of
from storage.db.rows import rows_with
from storage.db.workspace import Workspace
from storage.tables.models import LlmCall

_ID = col(LlmCall.id)
_FIRST_LAST = _ID.desc()  # the first of several calls counts, as the last value of its key
_NEWEST = 10_000  # the newest calls, among which the last form is looked for


class CallStore:
    """The reply store in the workspace's database (`llm.client.Store`)."""

    def __init__(self, ws: Workspace) -> None:
        self._ws = ws

    def get(self, keys: Sequence[str]) -> dict[str, Reply]:
        """Return the replies of final calls by key; keys without one are left out."""
        query = select(LlmCall).where(col(LlmCall.status).in_(FINAL)).order_by(_FIRST_LAST)
        with self._ws.reading() as session:
            rows = rows_with(session, query, LlmCall.request_hash, keys)
            return {row.request_hash: _reply(row) for row in rows}

    def put(self, replies: Sequence[Reply]) -> None:
        """Store the replies, in one transaction."""
        with self._ws.writing() as session:
            session.add_all(_row(reply) for reply in replies)


def last_form(session: Session, server: str, model: str, since: datetime) -> str:
    """Return the form in which the newest calls asked this model for JSON; else ""."""
    newest = select(func.max(LlmCall.id)).scalar_subquery()
    query = select(LlmCall.form).where(
        col(LlmCall.id) > newest - _NEWEST,
        LlmCall.server == server,
        LlmCall.model == model,
        col(LlmCall.form).not_in(["", "logprobs"]),
        col(LlmCall.at) > since,
    )
    return session.exec(query.order_by(col(LlmCall.id).desc()).limit(1)).first() or ""


def call_ids(session: Session, keys: Sequence[str]) -> dict[str, int]:
    """Return the ids of the final calls under these keys (`llm.request.Request.key`)."""
    query = select(LlmCall.request_hash, LlmCall.id).where(col(LlmCall.status).in_(FINAL))
    return dict(rows_with(session, query.order_by(_FIRST_LAST), LlmCall.request_hash, keys))


def failures(session: Session, keys: Sequence[str]) -> dict[str, Reply]:
    """Return the latest failure of each call that ever failed, even if it succeeded later."""
    query = select(LlmCall).where(LlmCall.status == Status.FAILED.value).order_by(_ID)
    rows = rows_with(session, query, LlmCall.request_hash, keys)
    return {row.request_hash: _reply(row) for row in rows}


@dataclass(frozen=True, slots=True)
class AskedModel:
    """A model with its settings that was called, and its prompts (such as ``read_atoms.ko``)."""

    role: str
    server: str
    model: str
    parameters: Mapping[str, Any]
    prompts: frozenset[str]


def models_asked(session: Session, prompts: Sequence[str]) -> list[AskedModel]:
    """Return the models that were called with any of these prompts, in order of first call.

    The same model with other settings is another one.
    """
    said = cast(LlmCall.parameters, String)  # PostgreSQL does not compare JSON
    about = col(LlmCall.role), col(LlmCall.server), col(LlmCall.model), said
    query = rows_of(*about, col(LlmCall.prompt_id), func.min(_ID))
    query = query.where(col(LlmCall.prompt_id).in_(prompts)).group_by(*about, LlmCall.prompt_id)
    rows = sorted(session.execute(query), key=lambda row: row[-1])
    found = grouped((tuple(key), prompt) for *key, prompt, _ in rows)
    return [
        AskedModel(role, server, model, composed_value(json.loads(parameters)), frozenset(asked))
        for (role, server, model, parameters), asked in found.items()
    ]


@dataclass(frozen=True, slots=True)
class Spent:
    """Usage of a model in a role. Sums are over the calls with known values.

    `untold` calls were answered with unknown token counts, `unpriced` ones with unknown cost.
    """

    role: str
    server: str
    model: str
    calls: int
    answered: int
    refused: int
    invalid: int
    failed: int
    attempts: int
    tokens_in: int
    tokens_out: int
    untold: int
    cost: float
    unpriced: int
    first: datetime
    last: datetime


def usage_by_model(session: Session) -> list[Spent]:
    """Return the usage by role, server and model."""
    statuses = [_count(LlmCall.status == status) for status in Status]
    brought = col(LlmCall.status) != Status.FAILED.value
    query = (
        select(  # type: ignore[call-overload]
            LlmCall.role,
            LlmCall.server,
            LlmCall.model,
            func.count(),
            *statuses,
            func.sum(LlmCall.attempts),
            func.coalesce(func.sum(LlmCall.tokens_in), 0),
            func.coalesce(func.sum(LlmCall.tokens_out), 0),
            _count(brought & col(LlmCall.tokens_in).is_(None)),
            func.coalesce(func.sum(LlmCall.cost), 0.0),
            _count(brought & col(LlmCall.cost).is_(None)),
            func.min(LlmCall.at),
            func.max(LlmCall.at),
        )
        .group_by(LlmCall.role, LlmCall.server, LlmCall.model)
        .order_by(LlmCall.role, LlmCall.server, LlmCall.model)
    )
    return [Spent(*row) for row in session.exec(query)]


def used(session: Session) -> Use:
    """Return the total usage of all calls, as a budget counts it."""
    each = usage_by_model(session)
    tokens = sum(line.tokens_in + line.tokens_out for line in each)
    return Use(sum(line.attempts for line in each), tokens, sum(line.cost for line in each))


def _count(condition: Any) -> Any:
    """Count the rows that meet a condition."""
    return func.count().filter(condition)


def _row(reply: Reply) -> LlmCall:
    """Return the row of a reply."""
    name, _, version = reply.prompt.partition("@")
    same = ("role", "server", "model", "finish_reason", "tokens_in", "tokens_out", "cost")
    more = ("seconds", "attempts", "form", "at")
    return LlmCall(
        request_hash=reply.key,
        prompt_id=name,
        prompt_version=version,
        parameters=dict(reply.parameters),
        status=reply.status.value,
        problem=None if reply.problem is None else reply.problem.value,
        response=reply.text,
        logprobs=packed_logprobs(reply.logprobs),
        vectors=packed(reply.vectors),
        **{each: getattr(reply, each) for each in (*same, *more)},
    )


def _reply(row: LlmCall) -> Reply:
    """Return a row as a reply."""
    return view_of(
        Reply,
        row,
        key=row.request_hash,
        prompt=f"{row.prompt_id}@{row.prompt_version}" if row.prompt_id else "",
        status=Status(row.status),
        problem=None if row.problem is None else Problem(row.problem),
        text=row.response,
        logprobs=unpacked_logprobs(row.logprobs),
        vectors=unpacked(row.vectors),
    )
