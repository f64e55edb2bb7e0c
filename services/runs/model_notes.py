"""Notes on the models a run used: who extracted from units, and failures of models.

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
from retrieval.core.model import Spec
from retrieval.readings.model import State
from retrieval.readings.reader import MODEL, STAND_IN, readers_in

UNREAD = (State.REFUSED, State.INVALID, State.FAILED)
_NOTES_OF_STATES = {f"read_{state.value}": state for state in State}
_PROBLEMS = ("refused", "invalid", "failed")
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

    def said(self, run: str, language: str = "en") -> str:
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

    readers: tuple[str, ...] = ()
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
    """Return notes on rules standing in for a model and on units not read or recognised.

    Runs that share a note are named together, by their labels.
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
            told.append(_unread_note(name, read, language))
        if count := notes.get("hipporag2.dense_ranking"):
            told.append(say("run_notes.dense_ranking", language, run=name, count=count))
    return told


def _unread_note(name: str, read: UnitsRead, language: str) -> str:
    counts = {state.value: f"{read.states.get(state, 0):,}" for state in State}
    total = f"{sum(read.states.values()):,}"
    unread = f"{read.unread or 0:,}"
    return say("run_notes.unread", language, run=name, total=total, unread=unread, **counts)
