"""What runs have to say of models: who read the units for them, and where a model said nothing.

A method that is searched by what was read out of each unit may have that read by rules, which stand
in for a language model: its figures are then not those of the published method, and stand nowhere
without saying so. What a model did not read or answer is counted, by why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from messages import say
from retrieval.core.model import Spec
from retrieval.readings.model import State
from retrieval.readings.reader import MODEL, STAND_IN, readers_in

UNREAD = (State.REFUSED, State.INVALID, State.FAILED)
_NOTES_OF_STATES = {f"read_{state.value}": state for state in State}
_PROBLEMS = ("refused", "invalid", "failed")
_OTHERWISE = ("hipporag2", "nativerag", "pikerag", "keller")
"""Methods that do something else without an answer than to search for the plain question."""

Named = tuple[str, Spec, Mapping[str, Any]]
"""What a run or line is called, its method, and what making it took and came to."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """How often a run's method asked a model about questions, and how often it got nothing to read.

    `refused`, `invalid` and `failed` say why, `methods` which methods in it got nothing.
    """

    asked: int = 0
    refused: int = 0
    invalid: int = 0
    failed: int = 0
    methods: tuple[str, ...] = field(default=(), compare=False)

    @property
    def total(self) -> int:
        """How often it got nothing."""
        return self.refused + self.invalid + self.failed

    def as_dict(self) -> dict[str, int]:
        """Return the counts."""
        return {name: getattr(self, name) for name in ("asked", *_PROBLEMS)}

    def said(self, run: str, language: str = "en") -> str:
        """Return this in words, and what was done without an answer; "" where nothing lacked."""
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
    """Return what the notes in a run's `cost` say, over all methods that it is made of."""
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
    """Who read the units that a run searched, and what came of it.

    `readers` are ``model`` and ``stand_in``; none where the method reads nothing out of units.
    `states` counts units by what came of reading them, over all methods that the run is made of.
    """

    readers: tuple[str, ...] = ()
    states: Mapping[State, int] = field(default_factory=dict)

    @classmethod
    def of(cls, spec: Spec, cost: Mapping[str, Any]) -> UnitsRead:
        """Return what the method and the record of a run say."""
        readers = readers_in(spec)
        states: Counter[State] = Counter()
        for name, count in cost.get("notes", {}).items():
            told = _NOTES_OF_STATES.get(name.rpartition(".")[2])
            if told is not None:
                states[told] += int(count)
        return cls(tuple(each for each in (MODEL, STAND_IN) if each in readers), states)

    @property
    def reader(self) -> str | None:
        """Who read, as a cell of a file: ``model``, ``stand_in``, both; None for nobody."""
        return "+".join(self.readers) or None

    def as_dict(self) -> dict[str, Any]:
        """Return it for ``--json`` output; `read_by` is None where nothing is read."""
        return {"read_by": self.reader, **{each.value: self.states.get(each) for each in State}}

    @property
    def unread(self) -> int | None:
        """How many units a reader could not read; None where nothing is read or nobody counted."""
        return sum(self.states.get(each, 0) for each in UNREAD) if self.states else None


def reading_notes(named: Iterable[Named], language: str = "en") -> list[str]:
    """Say whose units rules read in a model's place, what was not read or recognised, and of whom.

    Runs of which the same is to be said are named together, all of them by what they are called.
    """
    every = [(name, UnitsRead.of(spec, cost), cost.get("notes", {})) for name, spec, cost in named]
    told = []
    stood_in = [name for name, read, _ in every if STAND_IN in read.readers]
    if stood_in:
        told.append(say("run_notes.stood_in", language, runs="; ".join(stood_in)))
    kept = [name for name, _, notes in every if notes.get("hipporag2.not_recognised")]
    if kept:
        told.append(say("run_notes.not_recognised", language, runs="; ".join(kept)))
    for name, read, notes in every:
        if read.unread:
            told.append(_unread(name, read, language))
        if count := notes.get("hipporag2.dense_ranking"):
            told.append(say("run_notes.dense_ranking", language, run=name, count=count))
    return told


def _unread(name: str, read: UnitsRead, language: str) -> str:
    counts = {state.value: f"{read.states.get(state, 0):,}" for state in State}
    total = f"{sum(read.states.values()):,}"
    unread = f"{read.unread or 0:,}"
    return say("run_notes.unread", language, run=name, total=total, unread=unread, **counts)
