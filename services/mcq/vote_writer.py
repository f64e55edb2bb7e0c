"""Votes read from models' answers, kept in groups beside the calls that bring them."""

from __future__ import annotations

import math
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from construction.mcq.items import wording_of
from construction.mcq.model import Mcq
from evaluation.mcq.votes import Setting
from evaluation.replies.choices import Parse
from evaluation.replies.outcomes import Reading, read_reply
from llm.logprobs import option_logprobs
from llm.reply import Reply, Status
from services.mcq.questions import QuestionState
from storage.db.workspace import Workspace
from storage.mcq.readings import CUT_OFF, REFUSED
from storage.mcq.votes import call_ids, keep_votes
from storage.tables.mcq import McqVote

_TOGETHER = 250  # votes in one write


@dataclass(frozen=True, slots=True)
class AskedVote:
    """What a call asks: which question under which setting, and which repeat it is."""

    question: QuestionState
    setting: Setting
    repeat: int


class VoteKeeper:
    """Keeps votes in a thread beside the one that asks; leaving it waits until all are kept."""

    def __init__(self, ws: Workspace, states: Counter[str]) -> None:
        """`states` counts the votes by outcome."""
        self._ws, self._states = ws, states
        self._waiting: list[tuple[AskedVote, Reply]] = []
        self._pool = ThreadPoolExecutor(1, "votes")
        self._writes: list[Future[None]] = []

    def __enter__(self) -> VoteKeeper:
        return self

    def __exit__(self, *_: object) -> None:
        """Wait until everything is kept. Raises what keeping it raised."""
        self._write()
        self._pool.shutdown()
        for write in self._writes:
            write.result()

    def add(self, asked: AskedVote, reply: Reply) -> None:
        """Keep what a reply says; one that failed says nothing."""
        if reply.status is Status.FAILED:
            return
        self._waiting.append((asked, reply))
        if len(self._waiting) >= _TOGETHER:
            self._write()

    def _write(self) -> None:
        some, self._waiting = self._waiting, []
        if some:
            self._writes.append(self._pool.submit(self._keep, some))

    def _keep(self, some: list[tuple[AskedVote, Reply]]) -> None:
        with self._ws.writing() as session:
            calls = call_ids(session, [reply.key for _, reply in some])
            read = [_read(asked.question.item, reply) for asked, reply in some]
            keep_votes(
                session,
                [
                    vote(asked, reply, reading, calls.get(reply.key))
                    for (asked, reply), reading in zip(some, read, strict=True)
                ],
            )
        self._states.update(reading.outcome.value for reading in read)


def vote(asked: AskedVote, reply: Reply, reading: Reading, call: int | None) -> McqVote:
    """Return the vote that a reply is, read like that."""
    item = asked.question.item
    return McqVote(
        mcq_id=asked.question.id,
        setting=asked.setting.value,
        server=reply.server,
        model=reply.model,
        repeat=asked.repeat,
        choice=None if reading.option is None else reading.option - 1,
        state=_state(reply, reading),
        raw=reply.text,
        logprobs=_logprobs(item, reply),
        wording=wording_of(item),
        llm_call_id=call,
        prompt_version=reply.prompt.rpartition("@")[2],
        at=reply.at,
    )


def _read(item: Mcq, reply: Reply) -> Reading:
    return read_reply(
        reply.text,
        item.options,
        item.abstention,
        declared_refusal=reply.status is Status.REFUSED,
        cut=reply.finish_reason == CUT_OFF,
    )


def _state(reply: Reply, reading: Reading) -> str:
    """Return what is kept beside the reply; a refusal in words is not one that was declared."""
    if reply.status is Status.REFUSED:
        return REFUSED
    if reading.option is not None:
        return Parse.CHOSEN.value
    return reading.rule if reading.rule in tuple(Parse) else Parse.UNPARSED.value


def _logprobs(item: Mcq, reply: Reply) -> list[float | None] | None:
    labels = [str(number) for number in range(1, len(item.options) + 1)]
    found = option_logprobs(reply.logprobs, labels)
    if found is None:
        return None
    told = (found.get(label, -math.inf) for label in labels)
    return [value if math.isfinite(value) else None for value in told]
