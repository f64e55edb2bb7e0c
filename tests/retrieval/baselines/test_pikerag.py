"""PIKE-RAG by hand: units and atoms near a question, and the loop in all the ways it may end."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from errors import UserError
from retrieval.baselines.pikerag import PikeRAG
from retrieval.core.method import ModelPrompt, Resources
from retrieval.core.model import Corpus, Document, Query
from retrieval.core.registry import complete, make
from tests.retrieval.talking import Talker
from tests.retrieval.toys import ToyDense, ids_of, made
from tests.support.refusals import code_of, refused

LAW = Corpus.of(
    Document(unit, "Act", unit, "about", f"text {unit}") for unit in ("a", "b", "c", "d", "e")
)
ATOMS = {"a": ["a1", "a2", " a1 "], "b": ["b1"], "c": ["c1"], "d": [], "e": ["e1"]}
UNITS: Mapping[str, Sequence[float]] = {
    "a": [1, 0, 0],
    "b": [0.9, 0.1, 0],
    "c": [0, 1, 0],
    "d": [0, 0.2, 1],
    "e": [0, 0, 1],
}
# At .5 or more, near q1 are the units a and b and the atoms a1 and c1, near q2 the units d and e
# and the atom e1, near q3 the unit e.
VECTORS: Mapping[str, Sequence[float]] = {
    **{"a1": [1, 0, 0], "a2": [0.1, 1, 0], "b1": [0, 0.3, -1], "c1": [0.9, -0.4, 0]},
    **{"e1": [0, 0.5, 0.9], "q1": [1, 0, 0], "q2": [0, 0.4, 0.9], "q3": [0, -0.9, 0.6]},
}


def says(*steps: tuple[list[str] | str, int | str]) -> Callable[[ModelPrompt], str]:
    """Return a model that reads LAW and goes through `steps`: sub-questions, and the choice."""
    told = iter([each for step in steps for each in step])

    def said(asked: ModelPrompt) -> str:
        if asked.prompt == "read_atoms":
            return json.dumps({"questions": ATOMS[asked.values["text"].split()[-1]]})
        answer = next(told)
        if isinstance(answer, str):
            return answer
        return json.dumps({"choice" if isinstance(answer, int) else "questions": answer})

    return said


def fitted(talker: Talker, **given: Any) -> PikeRAG:
    base = ToyDense(UNITS, VECTORS)
    base.fit(LAW)
    method: PikeRAG = made(PikeRAG, [base], Resources(ask=talker), **{"reader": "model"} | given)
    method.fit(LAW)
    return method


def found(method: PikeRAG, text: str = "q1") -> list[str]:
    return ids_of(method.search([Query("1", text)], 10)["1"])


def looped(text: str, *steps: Any, **given: Any) -> tuple[list[str], Talker, Mapping[str, int]]:
    """Return what is found with the loop, the model, and the counts without the names."""
    talker = Talker(says(*steps))
    method = fitted(talker, loop=True, **given)
    units = found(method, text)
    notes = {name.removeprefix("pikerag."): n for name, n in method.notes.items()}
    talker.asked = [each for each in talker.asked if each.prompt != "read_atoms"]
    return units, talker, notes


def test_units_near_the_question_come_before_those_of_atoms_near_it() -> None:
    talker = Talker(says())
    method = fitted(talker)
    [hits] = method.search([Query("1", "q1")], 10).values()
    assert [(hit.unit_id, hit.score) for hit in hits] == [("a", 1.0), ("b", 1 / 2), ("c", 1 / 3)]
    assert found(method, "q2") == ["d", "e", "c", "a"]  # c as a unit; then the atoms e1 and a2
    assert found(method, "q3") == ["e", "d", "c"]  # the atom c1
    assert found(fitted(talker, k=1), "q1") == ["a"]
    assert found(fitted(talker, cosine=0.95), "q1") == ["a", "b"]
    assert method.fit_notes == {"pikerag.read_empty": 1, "pikerag.read_read": 4}
    assert method.notes == {}
    assert {each.prompt for each in talker.asked} == {"read_atoms"}
    assert method.calls_models


def test_the_loop_puts_what_it_chose_before_the_rest() -> None:
    units, talker, notes = looped("q1", (["q2"], 1), (["q1"], 2), ([], 0))
    # q2 leads to e1; q1 to a1, c1 of which the second; then nothing is missing.
    assert units == ["e", "c", "a", "b"]
    assert notes == {"asked": 5, "rounds": 3, "chosen": 2, "ended_answered": 1}
    proposed, chosen, again, _, last = talker.asked
    assert proposed.values == {"question": "q1", "known": "–"}
    assert chosen.values == {"question": "q1", "known": "–", "candidates": "1. e1"}
    known = "e1\nAct e about text e"
    assert again.values == {"question": "q1", "known": known}
    assert last.values["known"] == f"{known}\n\nc1\nAct c about text c"
    assert [each.prompt for each in talker.asked[:2]] == ["atoms_propose", "atoms_choose"]


def test_of_several_sub_questions_fewer_atoms_each_are_looked_up() -> None:
    _, talker, _ = looped("q3", (["q1", "q2", "q1"], 0), loop_k=1)
    assert talker.asked[1].values["candidates"] == "1. a1\n2. e1"
    _, talker, _ = looped("q3", (["q1"], 0), loop_k=1)
    assert talker.asked[1].values["candidates"] == "1. a1\n2. c1"
    _, talker, _ = looped("q3", (["q1"], 0), loop_k=1, k=1)
    assert talker.asked[1].values["candidates"] == "1. a1"
    _, talker, _ = looped("q3", (["q1"], 0), loop_cosine=0.95)
    assert talker.asked[1].values["candidates"] == "1. a1"


def test_where_sub_questions_find_nothing_new_the_question_is_looked_up() -> None:
    # q3 is near no atom: those of the question itself; then, e chosen, the units near it.
    units, talker, notes = looped("q2", (["q3"], 1), (["q3"], 0))
    assert units == ["e", "d", "c", "a"]
    candidates = [each.values.get("candidates") for each in talker.asked]
    # d has no atom: its title stands for it
    assert candidates == [None, "1. e1", None, "1. Act d about"]
    assert notes["ended_none_chosen"] == 1


def test_units_found_by_themselves_go_with_their_nearest_atom() -> None:
    method = fitted(Talker(says()), loop_cosine=0.1)
    assert [(each.unit, each.atom) for each in method._unit_candidates("q1")] == [
        (0, "a1"),
        (1, ""),
    ]
    assert method._unit_candidates("q2")[2].atom == ""  # c1 is on the other side
    assert [each.atom for each in method._unit_candidates("q3")] == ["e1", ""]


def test_without_candidates_the_loop_ends() -> None:
    units, _, notes = looped("q3", (["q3"], 0), loop_cosine=0.9)
    assert units == ["e", "d", "c"]
    assert notes == {"asked": 1, "rounds": 1, "ended_no_candidates": 1}


def test_the_loop_goes_no_more_rounds_than_it_may() -> None:
    units, talker, notes = looped("q1", *[(["q1"], 1)] * 2, rounds=2)
    assert units == ["a", "c", "b"]
    assert (notes["rounds"], notes["chosen"], len(talker.asked)) == (2, 2, 4)


@pytest.mark.parametrize("problem", Talker.PROBLEMS)
def test_where_a_reply_cannot_be_read_the_loop_ends_with_what_was_chosen(problem: str) -> None:
    units, _, notes = looped("q1", (["q2"], 1), (problem, 0))
    assert units == ["e", "a", "b", "c"]
    assert notes == {"asked": 3, problem: 1, "rounds": 2, "chosen": 1, "ended_unread": 1}
    units, _, notes = looped("q1", (["q2"], problem))
    assert units == ["a", "b", "c"]
    assert notes == {"asked": 2, problem: 1, "rounds": 1, "ended_unread": 1}


def test_a_choice_that_is_not_there_is_none() -> None:
    units, _, notes = looped("q1", (["q2"], 7))
    assert units == ["a", "b", "c"]
    assert notes["ended_no_such_choice"] == 1


def test_questions_asked_together_go_on_by_themselves() -> None:
    def says_by_question(asked: ModelPrompt) -> str:
        if asked.prompt == "read_atoms":
            return says()(asked)
        if asked.prompt == "atoms_choose":
            return json.dumps({"choice": 1})
        first = (asked.values["question"], asked.values["known"]) == ("q1", "–")
        return json.dumps({"questions": ["q2"] if first else []})

    method = fitted(Talker(says_by_question), loop=True)
    run = method.search([Query("1", "q1"), Query("2", "q2")], 10)
    assert [ids_of(hits) for hits in run.values()] == [["e", "a", "b", "c"], ["d", "e", "c", "a"]]
    assert method.notes["pikerag.rounds"] == 3


def test_a_loop_without_a_model_is_refused_with_a_way_out() -> None:
    spec = complete({"method": "pikerag", "loop": True})
    with refused("pikerag_loop_needs_model") as caught:
        make(spec)
    assert "loop: false" in caught.value.render()
    assert "loop: false" in caught.value.render("ko")

    class Unset(Talker):
        def identity(self, prompts: Sequence[str]) -> str:
            raise UserError("models_role_unset", role="generate")

    with refused("pikerag_loop_needs_model"):
        _ = make(spec, Resources(ask=Unset(str))).versions
    assert make({"method": "pikerag"}, Resources(ask=Unset(str))).versions
    assert code_of(make, {"method": "pikerag", "reader": "model"}) == "method_needs_model"
