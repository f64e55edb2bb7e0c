"""Suggestions read from models' answers, kept a few calls at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from construction.tagging.codebook import SubFactor
from construction.tagging.suggesting import Spoken, State, Suggested, read, unreadable
from llm.prompts.prompt_files import Prompt
from llm.reply import Status
from llm.request import Request
from llm.roles import Endpoint
from llm.structured.answers import Structured
from llm.structured.shapes import FactorAnswers
from storage.db.workspace import Workspace
from storage.mcq.votes import call_ids
from storage.tables.cases import FactorSuggestion
from storage.tagging.suggestions import Place, SuggestionView, keep_suggestions, place_of

_TOGETHER = 50  # calls whose suggestions are written together


@dataclass(frozen=True, slots=True)
class Call:
    """What one call asks: which sub-factors of which case, whose judgment has this text."""

    case_id: int
    subs: tuple[SubFactor, ...]
    text: str
    wording: Prompt
    request: Request


@dataclass
class Keeper:
    """Turns what came of calls into rows, and writes those that say something new."""

    ws: Workspace
    endpoint: Endpoint
    codebook_version: str
    known: dict[Place, tuple[object, ...]]
    states: Counter[str] = field(default_factory=Counter)
    new: int = 0
    waiting: list[tuple[Call, str, tuple[Suggested, ...]]] = field(default_factory=list)

    def take(self, call: Call, found: Structured[FactorAnswers]) -> None:
        """Keep what came of a call, now or a little later; a failed one says nothing."""
        last = found.replies[-1]
        if last.status is not Status.FAILED:
            self.waiting.append((call, last.key, suggested_by(call.subs, found, call.text)))
        if len(self.waiting) >= _TOGETHER:
            self.write()

    def write(self) -> None:
        """Write what waits."""
        waiting, self.waiting = self.waiting, []
        if not waiting:
            return
        with self.ws.writing() as session:
            calls = call_ids(session, [key for _, key, _ in waiting])
            rows = [
                row
                for call, key, suggested in waiting
                for row in self._rows(call, suggested, calls.get(key))
            ]
            fresh = [row for row in rows if self.known.get(place_of(row)) != told(row)]
            states = [row.state for row in rows]
            said = {place_of(row): told(row) for row in fresh}
            keep_suggestions(session, fresh)
        self.states.update(states)
        self.known |= said
        self.new += len(fresh)

    def _rows(
        self, call: Call, suggested: Sequence[Suggested], made_by: int | None
    ) -> list[FactorSuggestion]:
        return [
            FactorSuggestion(
                court_case_id=call.case_id,
                sub_factor=each.sub_factor,
                options=list(each.options),
                quote=each.quote,
                start=each.start,
                stop=each.stop,
                state=each.state,
                detail=each.detail,
                server=self.endpoint.base_url,
                model=self.endpoint.model,
                codebook_version=self.codebook_version,
                prompt_version=call.wording.version,
                llm_call_id=made_by,
                at=self.ws.clock(),
            )
            for each in suggested
        ]


def suggested_by(
    subs: Sequence[SubFactor], found: Structured[FactorAnswers], text: str
) -> tuple[Suggested, ...]:
    """Return what a model's answer to these sub-factors suggests."""
    if found.value is not None:
        said = found.value.answers
        return read(subs, [Spoken(e.sub_factor, tuple(e.options), e.quote) for e in said], text)
    refused = found.replies[-1].status is Status.REFUSED
    problem = found.problem
    detail = "" if problem is None else str(problem)
    return unreadable(subs, State.REFUSED if refused else State.UNPARSED, detail)


def told(row: SuggestionView | FactorSuggestion) -> tuple[object, ...]:
    """Return what tells a suggestion from another of the same place: the call and what it said."""
    return row.llm_call_id, row.state, row.quote, row.start, tuple(row.options)
