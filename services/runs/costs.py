"""Cost of a run, indexing and querying, as table columns and notes.

Calls to a language model are counted once each, as if none had been cached; how many came from the
cache is given separately. What was not measured is None and shown as such, never as zero.

Notes on the models a run used: who extracted from units, who reranked, and failures of models.

A method may have units read by rules in place of a language model: its figures are then not those
of the published method, and are always marked so. What a model did not read or answer is counted by
reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from messages import say
from normalization.grouping import grouped
from retrieval.core.model import Spec
from retrieval.core.presets import describe, rerankers
from retrieval.readings.model import State
from retrieval.readings.model_reader import MODEL, STAND_IN, readers_in
from services.models.call_counts import CallSums

INDEX, QUERIES, QUESTIONS = "index_calls", "query_calls", "questions"
"""What the calls, and the number of questions asked, are called in the record of a run."""

TRAINED = "trained"
"""What the gold that models of a run were trained on is called there."""


def trained_questions(cost: Mapping[str, Any]) -> frozenset[str]:
    """Return the questions of a run that its models were trained on, by the run's record."""
    return frozenset(query for gold in cost.get(TRAINED, ()) for query in gold["seen"])


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

    def count(self, name: str) -> int:
        """Return a sum of `CallSums` over indexing and queries, such as ``calls``."""
        return sum(getattr(each, name) for each in (self.index, self.queries) if each)


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
    *("fit_s", "search_ms_per_query", "search_s_per_query", "index_bytes"),
    *(f"index_{name}" for name in CallSums.__dataclass_fields__),
    *(f"query_{name}" for name in CallSums.__dataclass_fields__),
    "questions_asked",
)
"""The columns of a table with every number: calls, tokens and seconds of all questions together."""


def numbers_of(cost: RunCost) -> tuple[float | None, ...]:
    """Return the values of `NUMBERS`, in order."""
    seconds = None if cost.search_ms_per_query is None else cost.search_ms_per_query / 1000
    return (
        *(cost.fit_s, cost.search_ms_per_query, seconds, cost.index_bytes),
        *(
            None if sums is None else getattr(sums, name)
            for sums in (cost.index, cost.queries)
            for name in CallSums.__dataclass_fields__
        ),
        cost.questions,
    )


def cost_notes(named: Iterable[tuple[str, RunCost]], language: str = "en") -> list[str]:
    """Return notes on call counting, cached calls and calls without token counts.

    `named` pairs the label of a run or line with its cost. Empty where no model was called.
    """
    asking = [(name, cost) for name, cost in named if cost.count("calls")]
    told = [say("costs.counted", language)] if asking else []
    recalled = [_recalled(*each, language) for each in asking if each[1].count("recalled")]
    if recalled:
        told.append(say("costs.recalled", language, runs="; ".join(recalled)))
    untold = []
    for name, cost in asking:
        counts = {key: f"{cost.count(key):,}" for key in ("untold", "calls")}
        if cost.count("untold"):
            untold.append(say("costs.untold_of", language, run=name, **counts))
    if untold:
        told.append(say("costs.untold", language, runs="; ".join(untold)))
    return told


def _recalled(name: str, cost: RunCost, language: str) -> str:
    """Describe how many index and query calls were cached, and the seconds they took."""
    said = []
    for key, sums in (("index", cost.index), ("queries", cost.queries)):
        if sums and sums.recalled:
            counts = {"recalled": f"{sums.recalled:,}", "calls": f"{sums.calls:,}"}
            said.append(say(f"costs.of_{key}", language, **counts, seconds=f"{sums.seconds:,.1f}"))
    return say("costs.recalled_of", language, run=name, said=", ".join(said))


UNREAD = (State.REFUSED, State.INVALID, State.FAILED)
_NOTES_OF_STATES = {f"read_{state.value}": state for state in State}
_PROBLEMS = ("refused", "invalid", "failed")
_WRITER = "legalsearchlm"
_OTHERWISE = ("hipporag2", "nativerag", "pikerag", "keller")
"""Methods whose fallback without a model's answer is not to search for the plain question."""

Named = tuple[str, Spec, Mapping[str, Any]]
"""Label of a run or line, its method's spec, and its stored cost."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """How often a run called a model for questions, and how often it got no usable answer.

    `refused`, `invalid` and `failed` are the reasons, `methods` the methods affected.
    """

    asked: int = 0
    refused: int = 0
    invalid: int = 0
    failed: int = 0
    methods: tuple[str, ...] = field(default=(), compare=False)

    @property
    def total(self) -> int:
        """Number of calls without a usable answer."""
        return self.refused + self.invalid + self.failed

    def as_dict(self) -> dict[str, int]:
        """Return the counts by name."""
        return {name: getattr(self, name) for name in ("asked", *_PROBLEMS)}

    def in_words(self, run: str, language: str = "en") -> str:
        """Describe the counts and the fallbacks used; "" where every call was answered."""
        if not self.total:
            return ""
        ways = dict.fromkeys(each if each in _OTHERWISE else "others" for each in self.methods)
        without = "; ".join(say(f"run_notes.without.{way}", language) for way in ways or ["others"])
        counts = {name: f"{count:,}" for name, count in self.as_dict().items()}
        total = f"{self.total:,}"
        return say(
            "run_notes.unanswered", language, run=run, total=total, without=without, **counts
        )


def unanswered(cost: Mapping[str, Any]) -> Unanswered:
    """Sum the model failures noted in a run's `cost`, over all its methods."""
    sums = dict.fromkeys(("asked", *_PROBLEMS), 0)
    methods: dict[str, None] = {}
    for name, count in cost.get("notes", {}).items():
        method, _, what = name.rpartition(".")
        if what in sums:
            sums[what] += int(count)
        if what in _PROBLEMS and count:
            methods[method] = None
    return Unanswered(**sums, methods=tuple(methods))


@dataclass(frozen=True, slots=True)
class UnitsRead:
    """Who extracted from the units that a run searched, and with what result.

    `readers` are ``model`` and ``stand_in`` (rules); empty where the method extracts nothing.
    `states` counts units by result, over all methods in the run.
    """

    readers: tuple[str, ...]
    states: Mapping[State, int] = field(default_factory=dict)

    @classmethod
    def of(cls, spec: Spec, cost: Mapping[str, Any]) -> UnitsRead:
        """Read it from the method's spec and the stored cost."""
        readers = readers_in(spec)
        states: Counter[State] = Counter()
        for name, count in cost.get("notes", {}).items():
            told = _NOTES_OF_STATES.get(name.rpartition(".")[2])
            if told is not None:
                states[told] += int(count)
        return cls(tuple(each for each in (MODEL, STAND_IN) if each in readers), states)

    @property
    def reader(self) -> str | None:
        """The readers as one CSV cell, joined by "+"; None for none."""
        return "+".join(self.readers) or None

    def as_dict(self) -> dict[str, Any]:
        """Return JSON values; `read_by` is None where nothing is extracted."""
        return {"read_by": self.reader, **{each.value: self.states.get(each) for each in State}}

    @property
    def unread(self) -> int | None:
        """Number of units the reader failed on; None where not applicable or not counted."""
        return sum(self.states.get(each, 0) for each in UNREAD) if self.states else None


def reading_notes(named: Iterable[Named], language: str = "en") -> list[str]:
    """Return notes on training on gold, rules standing in for a model, and units not read.

    Runs that share a note are named together, by their labels.
    """
    named = list(named)
    every = [(name, UnitsRead.of(spec, cost), cost.get("notes", {})) for name, spec, cost in named]
    told = [
        say("run_notes.trained", language, run=name, **gold | {"seen": len(gold["seen"])})
        for name, _, cost in named
        for gold in cost.get(TRAINED, ())
    ]
    stood_in = [name for name, read, _ in every if STAND_IN in read.readers]
    if stood_in:
        told.append(say("run_notes.stood_in", language, runs="; ".join(stood_in)))
    kept = [name for name, _, notes in every if notes.get("hipporag2.not_recognised")]
    if kept:
        told.append(say("run_notes.not_recognised", language, runs="; ".join(kept)))
    for name, read, notes in every:
        if read.unread:
            counts = {str(state.value): read.states.get(state, 0) for state in State}
            counts |= {"total": sum(read.states.values()), "unread": read.unread}
            shown = {key: f"{count:,}" for key, count in counts.items()}
            told.append(say("run_notes.unread", language, run=name, **shown))
        if count := notes.get("hipporag2.dense_ranking"):
            told.append(say("run_notes.dense_ranking", language, run=name, count=count))
    return told


def asking_notes(named: Iterable[Named], language: str = "en") -> list[str]:
    """Return notes on what reranked, and on questions to which a model said nothing usable."""
    told = _reranker_notes(named := list(named), language)
    for name, _, cost in named:
        notes = cost.get("notes", {})
        kinds = ("questions", "first_token_fallback", "nothing_counts")
        counts = {kind: notes.get(f"{_WRITER}.{kind}", 0) for kind in kinds}
        if counts["first_token_fallback"] or counts["nothing_counts"]:
            told.append(say("run_notes.written", language, run=name, **counts))
        if said := unanswered(cost).in_words(name, language):
            told.append(said)
    return told


def _reranker_notes(named: Iterable[Named], language: str) -> list[str]:
    """Note what RefWalk reranks with and whether that is a cross-encoder, once for equal ones."""
    found = grouped(
        ((each.get("method") == "rerank", describe(each)), name)
        for name, spec, _ in named
        for each in rerankers(spec)
    )
    return [
        say(
            f"run_notes.{'cross_encoder' if crossed else 'reranker'}",
            language,
            run="; ".join(dict.fromkeys(names)),
            reranker=reranker,
        )
        for (crossed, reranker), names in found.items()
    ]
