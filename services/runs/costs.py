"""Cost of a run, indexing and querying, as table columns and notes.

Calls to a language model are counted once each, as if none had been cached; how many came from the
cache is given separately. What was not measured is None and shown as such, never as zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from messages import say
from services.models.call_counts import CallSums

INDEX, QUERIES, QUESTIONS = "index_calls", "query_calls", "questions"
"""What the calls, and the number of questions asked, are called in the record of a run."""


@dataclass(frozen=True, slots=True)
class RunCost:
    """Measured cost of a run; None where not measured.

    `index` are the calls of fitting the method and its parts, `queries` those of answering all
    `questions`. Seconds and milliseconds are wall-clock time: with cached calls they are less than
    the model takes.
    """

    fit_s: float | None = None
    index_bytes: int | None = None
    search_ms_per_query: float | None = None
    index: CallSums | None = None
    queries: CallSums | None = None
    questions: int | None = None

    @classmethod
    def of(cls, cost: Mapping[str, Any]) -> RunCost:
        """Parse the cost stored with a run."""
        return cls(
            fit_s=cost.get("fit_s"),
            index_bytes=cost.get("index_bytes"),
            search_ms_per_query=cost.get("search_ms_per_query"),
            index=CallSums.read(cost.get(INDEX)),
            queries=CallSums.read(cost.get(QUERIES)),
            questions=cost.get(QUESTIONS),
        )

    def per_query(self, total: float | None) -> float | None:
        """Return the mean per question of a total over all questions."""
        return None if total is None or not self.questions else total / self.questions

    @property
    def recalled(self) -> int:
        """Number of calls answered from the cache."""
        return sum(each.recalled for each in (self.index, self.queries) if each)


COLUMNS = {  # by name: what a file heads it with, and how many digits follow the point
    "fit": ("fit s", 2),
    "index": ("index MB", 2),
    "index_calls": ("index calls", 0),
    "index_tokens": ("index tokens", 0),
    "search": ("ms/query", 2),
    "query_calls": ("calls/query", 2),
    "query_tokens": ("tokens/query", 0),
}


def columns_of(cost: RunCost) -> dict[str, float | None]:
    """Return the numeric values of `COLUMNS`."""
    index, queries = cost.index, cost.queries
    return {
        "fit": cost.fit_s,
        "index": None if cost.index_bytes is None else cost.index_bytes / 1e6,
        "index_calls": None if index is None else index.calls,
        "index_tokens": None if index is None else index.tokens,
        "search": cost.search_ms_per_query,
        "query_calls": None if queries is None else cost.per_query(queries.calls),
        "query_tokens": None if queries is None else cost.per_query(queries.tokens),
    }


def texts_of(cost: RunCost, language: str = "en") -> tuple[str, ...]:
    """Return the values of `COLUMNS` formatted for display."""
    values = columns_of(cost)
    return tuple(
        say("costs.not_measured", language) if value is None else f"{value:,.{COLUMNS[name][1]}f}"
        for name, value in values.items()
    )


NUMBERS = (
    *("fit_s", "search_ms_per_query", "index_bytes"),
    *(f"index_{name}" for name in CallSums.__dataclass_fields__),
    *(f"query_{name}" for name in CallSums.__dataclass_fields__),
    "questions_asked",
)
"""The columns of a table with every number: calls, tokens and seconds of all questions together."""


def numbers_of(cost: RunCost) -> tuple[float | None, ...]:
    """Return the values of `NUMBERS`, in order."""
    return (
        *(cost.fit_s, cost.search_ms_per_query, cost.index_bytes),
        *(value for each in (cost.index, cost.queries) for value in _call_sum_values(each)),
        cost.questions,
    )


def _call_sum_values(sums: CallSums | None) -> tuple[float | None, ...]:
    names = CallSums.__dataclass_fields__
    return tuple(None if sums is None else getattr(sums, name) for name in names)


def cost_notes(named: Iterable[tuple[str, RunCost]], language: str = "en") -> list[str]:
    """Return notes on call counting, cached calls and calls without token counts.

    `named` pairs the label of a run or line with its cost. Empty where no model was called.
    """
    every = list(named)
    asking = [(name, cost) for name, cost in every if _call_count(cost)]
    if not asking:
        return []
    told = [say("costs.counted", language)]
    recalled = [_cached_calls_note(name, cost, language) for name, cost in asking if cost.recalled]
    if recalled:
        told.append(say("costs.recalled", language, runs="; ".join(recalled)))
    untold = [
        _missing_tokens_note(name, cost, language)
        for name, cost in asking
        if _calls_without_tokens(cost)
    ]
    if untold:
        told.append(say("costs.untold", language, runs="; ".join(untold)))
    return told


def _call_count(cost: RunCost) -> int:
    return sum(each.calls for each in (cost.index, cost.queries) if each)


def _calls_without_tokens(cost: RunCost) -> int:
    return sum(each.untold for each in (cost.index, cost.queries) if each)


def _missing_tokens_note(name: str, cost: RunCost, language: str) -> str:
    counts = {"untold": f"{_calls_without_tokens(cost):,}", "calls": f"{_call_count(cost):,}"}
    return say("costs.untold_of", language, run=name, **counts)


def _cached_calls_note(name: str, cost: RunCost, language: str) -> str:
    """Describe how many index and query calls were cached, and the seconds they took."""
    said = []
    for key, sums in (("index", cost.index), ("queries", cost.queries)):
        if sums and sums.recalled:
            counts = {"recalled": f"{sums.recalled:,}", "calls": f"{sums.calls:,}"}
            said.append(say(f"costs.of_{key}", language, **counts, seconds=f"{sums.seconds:,.1f}"))
    return say("costs.recalled_of", language, run=name, said=", ".join(said))
