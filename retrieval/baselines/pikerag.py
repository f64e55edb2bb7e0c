"""PIKE-RAG (Wang et al. 2025): retrieval by atoms, the questions that a unit answers.

The readings of each unit (`retrieval.readings`) are atoms; they get vectors of the dense base.

  units    the `k` units nearest to the question, of cosine `cosine` or more
  atoms    the `k` atoms nearest to the question, likewise, and their units
  union    these units, in this order, each once

With `loop` a model decomposes the question first, and the
units that it chose come before the union. Without, no model is asked about a question.

The numbers are those of PIKE-RAG's code (MIT): 8 and .2 for retrieving, and for its loop 4 atoms
of each of several sub-questions, 8 of one, .5, five rounds at most. Paper 001 does not state them;
its index makes one call a unit, which is that for atoms. The unit is the article. Ties are broken
by the id of the unit and the order of its atoms; scores are 1/rank.

PIKE-RAG's loop: a model decomposes a question step by step, guided by the corpus.

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
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from normalization import composed_value
from retrieval.baselines.text_vectors import (
    ReadingMethod,
    Vectors,
    all_nearest,
    unit_vectors,
    vector_of,
    vectors_of,
)
from retrieval.core.model import Corpus, Document, Hit, Parameter, Query
from retrieval.engines.local import LocalEngine, products
from retrieval.readings.model import Kind
from retrieval.readings.model_reader import READER
from retrieval.rewriting.llm_method import LANGUAGE
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
    """The sources of candidates: atoms near several questions, units near one, units' texts."""

    of_questions: Callable[[Sequence[str]], Sequence[Candidate]]
    of_units: Callable[[str], Sequence[Candidate]]
    document: Callable[[int], Document]


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
        self, searches: Searches, ask: Callable[[str, Sequence[Asked]], Sequence[str | None]]
    ) -> None:
        """Take the searches and the function that asks a prompt per query (`Asking.ask_each`)."""
        self._searches, self._ask = searches, ask
        self.counts: Counter[str] = Counter()

    def chosen(self, queries: Sequence[Query], rounds: int) -> list[list[Candidate]]:
        """Return the candidates chosen for each question within `rounds`, in order of choice."""
        states = [_State(query) for query in queries]
        for _ in range(rounds):
            if not (going := [state for state in states if not state.over]):
                break
            self._round(going)
        return [state.chosen for state in states]

    def _round(self, states: Sequence[_State]) -> None:
        """Go through one round: propose sub-questions, choose a unit."""
        self.counts["rounds"] += len(states)
        for state, said in self._replies(PROPOSE, states):
            self._propose(state, said)
        going = [state for state in states if not state.over]
        for state, said in self._replies(CHOOSE, going):
            self._choose(state, said)

    def _replies(self, prompt: str, states: Sequence[_State]) -> list[tuple[_State, str | None]]:
        """Ask the model about each state; return the states with the replies."""
        asked = [(state.query, self._prompt_values(prompt, state)) for state in states]
        said = self._ask(prompt, asked) if asked else ()
        return list(zip(states, said, strict=True))

    def _prompt_values(self, prompt: str, state: _State) -> Mapping[str, str]:
        """Return the values of the prompt besides the question."""
        texts = (self._searches.document(each.unit).text[:LONGEST] for each in state.chosen)
        known = [f"{each.atom}\n{text}" for each, text in zip(state.chosen, texts, strict=True)]
        values = {"known": "\n\n".join(known) or _NOTHING}
        if prompt == CHOOSE:
            numbered = enumerate((" ".join(each.atom.split()) for each in state.candidates), 1)
            values["candidates"] = "\n".join(f"{at}. {atom}" for at, atom in numbered)
        return {name: readable(text) for name, text in values.items()}

    def _propose(self, state: _State, reply: str | None) -> None:
        """Take a reply's sub-questions and find candidates; end the state without either."""
        if reply is None or not (texts := _sub_questions(reply)):
            self._end(state, "unread" if reply is None else "answered")
            return
        found = self._new_candidates(state, texts)
        state.candidates = [
            Candidate(each.unit, each.atom or self._searches.document(each.unit).title or _NOTHING)
            for each in found
        ]
        if not found:
            self._end(state, "no_candidates")

    def _new_candidates(self, state: _State, texts: Sequence[str]) -> Sequence[Candidate]:
        """Return unchosen candidates of sub-questions, else of the question, else units near it."""
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

    def _choose(self, state: _State, reply: str | None) -> None:
        """Take the unit that a reply chooses; end if it chooses none."""
        number = None if reply is None else int(json.loads(reply)["choice"])
        if number is None:
            self._end(state, "unread")
        elif not 0 < number <= len(state.candidates):
            self._end(state, "none_chosen" if number == 0 else "no_such_choice")
        else:
            state.chosen.append(state.candidates[number - 1])
            self.counts["chosen"] += 1

    def _end(self, state: _State, why: str) -> None:
        """End a state, counting the reason."""
        state.over = True
        self.counts[f"ended_{why}"] += 1


def _sub_questions(reply: str) -> list[str]:
    """Return the distinct ``questions`` of a reply in the schema ``sub_questions``."""
    found = composed_value(json.loads(reply))["questions"]
    return list(dict.fromkeys(filter(None, map(str.strip, found))))


_ATOMS, _UNITS, _VECTORS = "atoms.json", "atom_units.npy", "atom_vectors.npy"
_LOOPING = ("loop", (True,))
_NO_MODEL = frozenset({"method_needs_model", "models_role_unset"})


class PikeRAG(ReadingMethod):
    """PIKE-RAG over any dense method; see the module."""

    NAME = "pikerag"
    KIND = Kind.ATOMS
    PARAMETERS = (
        Parameter("base", "method", {"method": "lsa"}),
        READER,
        Parameter("k", "int", 8, 1, 1000),
        Parameter("cosine", "float", 0.2, -1, 1),
        Parameter("loop", "bool", False),
        Parameter("rounds", "int", 5, 1, 20, when=_LOOPING),
        Parameter("loop_k", "int", 4, 1, 1000, when=_LOOPING),
        Parameter("loop_cosine", "float", 0.5, -1, 1, when=_LOOPING),
        LANGUAGE,
    )
    _atoms: list[str]
    _units: NDArray[np.int64]  # unit of each atom, ascending
    _vectors: Vectors

    def _set_up(self) -> None:
        """Validate the base and the loop: UserError if not dense, or a loop without a model."""
        try:
            super()._set_up()
        except UserError as error:
            raise self._loop_error(error) from error

    def _loop_error(self, error: UserError) -> UserError:
        """Return a specific error if it is the loop that lacks a model; any other unchanged."""
        lacks = self.spec["loop"] and error.code in _NO_MODEL
        return UserError("pikerag_loop_needs_model") if lacks else error

    @property
    def prompts(self) -> tuple[str, ...]:
        """The prompts of the loop, if it is on."""
        return PROMPTS if self.spec["loop"] else ()

    @property
    def versions(self) -> str:
        """The versions of `ReadingMethod`; UserError for a loop whose model is not set."""
        try:
            return super().versions
        except UserError as error:
            raise self._loop_error(error) from error

    def _fit(self, corpus: Corpus) -> None:
        readings = self._readings(corpus)
        atoms = [list(dict.fromkeys(filter(None, map(str.strip, r.atoms)))) for r in readings]
        self._atoms = list(chain.from_iterable(atoms))
        counts = np.array([len(each) for each in atoms], dtype=np.int64)
        units = np.repeat(np.arange(len(atoms), dtype=np.int64), counts)
        self._set_vectors(units, vectors_of(self._base, self._atoms, self.resources.progress))

    def _set_vectors(self, units: NDArray[np.int64], vectors: Vectors) -> None:
        """Set the units and vectors of atomic questions, with their search engines."""
        self._units, self._vectors = units, vectors
        self._by_atom = LocalEngine(vectors)
        self._by_unit = LocalEngine(unit_vectors(self._base))

    def _save(self, folder: Path) -> None:
        """Write atomic questions, their units and vectors, and what fitting made."""
        text = json.dumps(self._atoms, ensure_ascii=False)
        (folder / _ATOMS).write_text(text, encoding="utf-8", errors="surrogatepass")
        np.save(folder / _UNITS, self._units)
        np.save(folder / _VECTORS, self._vectors)
        self._save_made(folder)

    def _load(self, folder: Path, corpus: Corpus) -> None:
        """Read atomic questions, units and vectors."""
        text = (folder / _ATOMS).read_text(encoding="utf-8", errors="surrogatepass")
        self._atoms = json.loads(text)
        units = np.load(folder / _UNITS, mmap_mode="r")
        vectors = np.load(folder / _VECTORS, mmap_mode="r")
        if not len(self._atoms) == len(units) == len(vectors):
            raise ValueError("not one unit and one vector for each atom")
        if len(units) and (units.min() < 0 or units.max() >= len(corpus)):
            raise ValueError("atoms of units that are not there")
        self._load_made(folder)
        self._set_vectors(units, vectors)

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        """Rank units near the question, then those of near atoms; with `loop`, its picks first."""
        chosen: Sequence[Sequence[int]] = [()] * len(queries)
        if self.spec["loop"]:
            chosen = self._chosen_by_loop(queries)
        ids, unions = self.corpus.ids, self._unions([query.text for query in queries])
        return {
            query.id: [
                Hit(ids[at], 1 / rank) for rank, at in enumerate(dict.fromkeys((*first, *rest)), 1)
            ][:k]
            for query, first, rest in zip(queries, chosen, unions, strict=True)
        }

    def _unions(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the units near each question, then those of the atoms near it; some may repeat."""
        k, least = self.spec["k"], self.spec["cosine"]
        vectors = [vector_of(self._base, text) for text in texts]
        units = all_nearest(self._by_unit, vectors, k, least)
        atoms = all_nearest(self._by_atom, vectors, k, least)
        return [
            [*near.rows.tolist(), *self._units[of.rows].tolist()]
            for near, of in zip(units, atoms, strict=True)
        ]

    def _chosen_by_loop(self, queries: Sequence[Query]) -> list[list[int]]:
        """Return the units that the loop chose for each question, in order."""
        document = self.corpus.documents.__getitem__
        searches = Searches(self._atom_candidates, self._unit_candidates, document)
        loop = Loop(searches, self.ask_each)
        chosen = loop.chosen(queries, self.spec["rounds"])
        self._counts.update(loop.counts)
        return [[each.unit for each in of_query] for of_query in chosen]

    def _atom_candidates(self, texts: Sequence[str]) -> list[Candidate]:
        """Return the atoms near each of `texts` as candidates, in their order, each atom once."""
        k, least = self.spec["loop_k" if len(texts) > 1 else "k"], self.spec["loop_cosine"]
        vectors = [vector_of(self._base, text) for text in texts]
        rows = [each.rows.tolist() for each in all_nearest(self._by_atom, vectors, k, least)]
        return [
            Candidate(int(self._units[at]), self._atoms[at])
            for at in dict.fromkeys(chain.from_iterable(rows))
        ]

    def _unit_candidates(self, text: str) -> list[Candidate]:
        """Return the units near a question, each with its nearest atom, or ""."""
        vector, least = vector_of(self._base, text), self.spec["loop_cosine"]
        [near] = all_nearest(self._by_unit, [vector], self.spec["k"], least)
        return [Candidate(unit, self._nearest_atom(unit, vector)) for unit in near.rows.tolist()]

    def _nearest_atom(self, unit: int, vector: Vectors) -> str:
        """Return a unit's atomic question closest to the vector, "" if no cosine is above 0."""
        first, last = np.searchsorted(self._units, [unit, unit + 1])
        rows = np.arange(first, last)
        cosines = products(self._vectors, vector, rows)
        if not len(rows) or cosines.max() <= 0:
            return ""
        return self._atoms[int(rows[int(cosines.argmax())])]
