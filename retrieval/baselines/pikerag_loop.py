"""PIKE-RAG's loop: a model decomposes a question step by step, guided by the corpus.

1. The model is given the question and the units chosen so far, and proposes the sub-questions whose
   answers are still missing. None: the loop ends.
2. Atoms near the sub-questions are candidates; those of units already chosen are dropped. Where
   none is left, those near the question itself are, and after them the units near it, each with its
   nearest atom (its title where it has none). None at all: the loop ends.
3. The model chooses the candidate that helps most, or none: then the loop ends. The unit is chosen.

Where the model refuses, fails or gives an unreadable reply, the loop ends for that question
with what was chosen. Questions go through the rounds together, so that a model can answer them in
batches; the result for one depends on no other.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from normalization import composed_value
from retrieval.core.model import Document, Query
from retrieval.text.passages import readable

PROPOSE, CHOOSE = "atoms_propose", "atoms_choose"
PROMPTS = (PROPOSE, CHOOSE)
LONGEST = 3_000  # characters shown of each chosen unit
_NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate atom, and the position of its unit."""

    unit: int
    atom: str


Asked = tuple[Query, Mapping[str, str]]
"""A question with the other values of its prompt."""


@dataclass(frozen=True, slots=True)
class Searches:
    """The sources of candidates: atoms near several questions, units near one."""

    of_questions: Callable[[Sequence[str]], Sequence[Candidate]]
    of_units: Callable[[str], Sequence[Candidate]]


@dataclass
class _State:
    """The state of the loop for one question."""

    query: Query
    chosen: list[Candidate] = field(default_factory=list)
    candidates: Sequence[Candidate] = ()
    over: bool = False


class Loop:
    """The loop over several questions; `counts` has the rounds and the reasons for ending."""

    def __init__(
        self,
        searches: Searches,
        ask: Callable[[str, Sequence[Asked]], Sequence[str | None]],
    ) -> None:
        """Take the searches and the function that asks a prompt per query (`Asking.ask_each`)."""
        self._searches, self._ask = searches, ask
        self.counts: Counter[str] = Counter()

    def chosen(
        self, queries: Sequence[Query], rounds: int, document: Callable[[int], Document]
    ) -> list[list[Candidate]]:
        """Return the candidates chosen for each question within `rounds`, in order of choice."""
        states = [_State(query) for query in queries]
        for _ in range(rounds):
            if not (going := [state for state in states if not state.over]):
                break
            self._round(going, document)
        return [state.chosen for state in states]

    def _round(self, states: Sequence[_State], document: Callable[[int], Document]) -> None:
        self.counts["rounds"] += len(states)
        for state, said in self._replies(PROPOSE, states, document):
            self._propose(state, said, document)
        going = [state for state in states if not state.over]
        for state, said in self._replies(CHOOSE, going, document):
            self._choose(state, said)

    def _replies(
        self, prompt: str, states: Sequence[_State], document: Callable[[int], Document]
    ) -> list[tuple[_State, str | None]]:
        asked = [(state.query, _prompt_values(prompt, state, document)) for state in states]
        said = self._ask(prompt, asked) if asked else ()
        return list(zip(states, said, strict=True))

    def _propose(
        self, state: _State, said: str | None, document: Callable[[int], Document]
    ) -> None:
        if said is None or not (texts := _sub_questions(said)):
            self._end(state, "unread" if said is None else "answered")
            return
        found = self._new_candidates(state, texts)
        state.candidates = [
            Candidate(each.unit, each.atom or document(each.unit).title or _NOTHING)
            for each in found
        ]
        if not found:
            self._end(state, "no_candidates")

    def _new_candidates(self, state: _State, texts: Sequence[str]) -> Sequence[Candidate]:
        """Return the unchosen candidates of sub-questions, else of the question, else its units."""
        known = {each.unit for each in state.chosen}
        question = state.query.text
        ways: tuple[Callable[[], Sequence[Candidate]], ...] = (
            lambda: self._searches.of_questions(texts),
            lambda: self._searches.of_questions([question]),
            lambda: self._searches.of_units(question),
        )
        for way in ways:
            if found := [each for each in way() if each.unit not in known]:
                return found
        return ()

    def _choose(self, state: _State, said: str | None) -> None:
        number = None if said is None else int(json.loads(said)["choice"])
        if number is None:
            self._end(state, "unread")
        elif not 0 < number <= len(state.candidates):
            self._end(state, "none_chosen" if number == 0 else "no_such_choice")
        else:
            state.chosen.append(state.candidates[number - 1])
            self.counts["chosen"] += 1

    def _end(self, state: _State, why: str) -> None:
        state.over = True
        self.counts[f"ended_{why}"] += 1


def _prompt_values(
    prompt: str, state: _State, document: Callable[[int], Document]
) -> Mapping[str, str]:
    """Return the values of the prompt besides the question."""
    known = [f"{each.atom}\n{document(each.unit).text[:LONGEST]}" for each in state.chosen]
    values = {"known": "\n\n".join(known) or _NOTHING}
    if prompt == CHOOSE:
        numbered = enumerate((" ".join(each.atom.split()) for each in state.candidates), 1)
        values["candidates"] = "\n".join(f"{at}. {atom}" for at, atom in numbered)
    return {name: readable(text) for name, text in values.items()}


def _sub_questions(said: str) -> list[str]:
    """Parse the distinct sub-questions of a reply of the form ``sub_questions``."""
    found = composed_value(json.loads(said))["questions"]
    return list(dict.fromkeys(filter(None, map(str.strip, found))))
