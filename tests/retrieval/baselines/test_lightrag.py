"""LightRAG as a method: what a model reads and is asked, what becomes of its failures, by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from retrieval.baselines.lightrag import (
    MODES,
    GraphArrays,
    GraphSearch,
    LightRAG,
    Limits,
    Sought,
    in_turns,
    keywords_in,
    terms_of,
    within,
)
from retrieval.baselines.text_vectors import PositionLists
from retrieval.core.method import Dense, ModelPrompt, ModelReply, Resources
from retrieval.core.model import Corpus, Document, Hit, Query
from retrieval.core.registry import complete, make
from tests.retrieval.talking import Talker
from tests.retrieval.toys import ToyDense, corpus_of, ids_of, made
from tests.support.refusals import code_of, refused

LAW = Corpus.of(
    [Document("u1", body="one"), Document("u2", body="two"), Document("u3", body="none")]
)
READ: Mapping[str, Any] = {
    "one": {
        "entities": [{"name": "A", "type": "t", "description": "a"}],
        "relations": [{"source": "A", "target": "B", "keywords": "k", "description": "ab"}],
    },
    "two": {"entities": [{"name": "C", "type": "t", "description": "c"}], "relations": []},
    "none": {"entities": [], "relations": []},
}
# Near low are A and C, near high is A-B; near the question is u3 alone.
VECTORS: Mapping[str, Sequence[float]] = {
    **{"A\na": [1, 0, 0], "B\nab": [0, 0, 1], "C\nc": [0.8, 0.6, 0], "k\tA\nB\nab": [0, 1, 0]},
    **{"low": [1, 0, 0], "high": [0, 1, 0], "q": [0, 0, 1], "": [0, 0, 0]},
}
UNITS: Mapping[str, Sequence[float]] = {"u1": [1, 0, 0.1], "u2": [1, 0, 0.2], "u3": [0, 0, 1]}
KEYWORDS = {"high": ["high"], "low": [" low ", "low", ""]}


def says(**given: Any) -> Callable[[ModelPrompt], str]:
    """Return a model that reads LAW; `given` says otherwise by the prompt's name."""

    def said(asked: ModelPrompt) -> str:
        if asked.prompt in given:
            answer = given[asked.prompt]
            return str(answer(asked) if callable(answer) else answer)
        if asked.prompt == "read_graph":
            return json.dumps(READ[asked.values["text"]])
        if asked.prompt == "read_graph_more":
            return json.dumps(READ["none"])
        return json.dumps(KEYWORDS)

    return said


def fitted(
    talker: Talker,
    law: Corpus = LAW,
    vectors: Mapping[str, Sequence[float]] = VECTORS,
    **given: Any,
) -> LightRAG:
    base = ToyDense(UNITS, vectors)
    base.fit(LAW)
    standard = {"reader": "model", "mode": "hybrid"}
    method: LightRAG = made(LightRAG, [base], Resources(ask=talker), **standard | given)
    method.fit(LAW)
    return method


def found(method: LightRAG, text: str = "q") -> list[str]:
    return ids_of(method.search([Query("1", text)], 10)["1"])


def test_units_are_found_by_what_was_read_of_them_and_the_keywords_of_the_question() -> None:
    talker = Talker(says())
    method = fitted(talker)
    [hits] = method.search([Query("1", "q")], 10).values()
    # A and C with u1 and u2, of which u2 is nearer; A-B and its ends have nothing else.
    assert [(hit.unit_id, hit.score) for hit in hits] == [("u2", 1.0), ("u1", 0.5)]
    assert found(fitted(talker, mode="mix")) == ["u3", "u2", "u1"]
    assert found(fitted(talker, mode="global")) == ["u1"]
    asked = [each for each in talker.asked if each.prompt == "query_keywords"]
    assert {(each.language, each.values["question"]) for each in asked} == {("en", "q")}
    assert method.notes == {"lightrag.asked": 1}
    assert (method.calls_models, method.versions.count("talker:")) == (True, 2)


@pytest.mark.parametrize("problem", Talker.PROBLEMS)
def test_without_keywords_the_question_is_its_own_and_that_is_counted(problem: str) -> None:
    vectors: Mapping[str, Sequence[float]] = {**VECTORS, "q": [0.8, 0.6, 0]}
    method = fitted(Talker(says(query_keywords=problem)), vectors=vectors, cosine=0.9)
    # near the question are C alone and no relation
    assert found(method) == ["u2"]
    assert method.notes == {"lightrag.asked": 1, f"lightrag.{problem}": 1}
    empty = json.dumps({"high": [], "low": [" "]})
    method = fitted(Talker(says(query_keywords=empty)), vectors=vectors, cosine=0.9)
    assert found(method) == ["u2"]
    assert method.notes == {"lightrag.asked": 1, "lightrag.no_keywords": 1}


@pytest.mark.parametrize(
    ("high", "low", "units"), [(["high"], [], ["u1"]), ([], ["low"], ["u2", "u1"])]
)
def test_keywords_of_one_level_search_that_level(
    high: list[str], low: list[str], units: list[str]
) -> None:
    said = json.dumps({"high": high, "low": low})
    assert found(fitted(Talker(says(query_keywords=said)))) == units


def test_units_that_were_not_read_are_found_by_their_vectors_alone() -> None:
    def read(asked: ModelPrompt) -> str:
        return "refused" if asked.values["text"] == "one" else says()(asked)

    method = fitted(Talker(says(read_graph=read)), mode="mix")
    assert found(method) == ["u3", "u2"]
    assert dict(method.fit_notes) == {
        "lightrag.read_empty": 1, "lightrag.read_read": 1, "lightrag.read_refused": 1
    }  # fmt: skip


class Listening(Dense):
    """Has one vector for all texts, and keeps those that it is asked for."""

    NAME = "listening"

    def __init__(self) -> None:
        super().__init__({"method": "listening"})
        self.heard: list[str] = []

    @property
    def vectors(self) -> NDArray[np.float32]:
        return np.ones((len(self.corpus), 1), np.float32)

    def encode(self, queries: Sequence[Query]) -> NDArray[np.float32]:
        self.heard += [query.text for query in queries]
        return np.ones((len(queries), 1), np.float32)

    def score(self, query: Query, unit_ids: Sequence[str]) -> NDArray[np.float64]:
        raise NotImplementedError

    def nearest(self, *_: Any) -> Mapping[str, Sequence[Hit]]:
        raise NotImplementedError

    def _fit(self, corpus: Corpus) -> None:
        pass

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        raise NotImplementedError


def described(talker: Talker, units: int, **given: Any) -> tuple[LightRAG, list[str]]:
    """Return LightRAG over units that each describe E in a word, and the texts made vectors."""
    law = Corpus.of(Document(word, body=word) for word in "abcdefghij"[:units])
    base = Listening()
    base.fit(law)
    method: LightRAG = made(LightRAG, [base], Resources(ask=talker), **{"reader": "model"} | given)
    method.fit(law)
    return method, base.heard


def word(asked: ModelPrompt) -> str:
    about = {"name": "E", "type": "t", "description": asked.values["text"]}
    return json.dumps({"entities": [about], "relations": []})


@pytest.mark.parametrize(
    ("units", "said", "description", "notes"),
    [
        (7, "in short", "a b c d e f g", {}),
        (8, "in short", "in short", {"summary_written": 1}),
        (8, "refused", "a b c d e f g h", {"summary_refused": 1}),
        (8, "invalid", "a b c d e f g h", {"summary_invalid": 1}),
        (8, "failed", "a b c d e f g h", {"summary_failed": 1}),
    ],
)
def test_many_descriptions_become_one_and_where_they_do_not_they_stand_together(
    units: int, said: str, description: str, notes: dict[str, int]
) -> None:
    talker = Talker(says(read_graph=word, summarise_descriptions=said))
    method, heard = described(talker, units)
    joined = description if description == said else description.replace(" ", "\n")
    assert heard == [f"E\n{joined}"]
    notes = {"read_read": units} | notes
    assert method.fit_notes == {f"lightrag.{name}": n for name, n in sorted(notes.items())}
    asked = [each for each in talker.asked if each.prompt == "summarise_descriptions"]
    wanted = {"name": "E", "descriptions": "\n".join("abcdefgh")}
    assert [(each.language, each.values) for each in asked] == [("en", wanted)] * (units == 8)


def test_summaries_may_be_left_out_and_descriptions_beyond_the_budget_are() -> None:
    talker = Talker(says(read_graph=word))
    described(talker, 10, summarise=0)
    assert "summarise_descriptions" not in {each.prompt for each in talker.asked}

    def long(asked: ModelPrompt) -> str:
        about = {"name": "E", "type": "t", "description": asked.values["text"] * 2_000}
        return json.dumps({"entities": [about], "relations": []})

    _, heard = described(Talker(says(read_graph=long)), 4)
    # 4 · 1,200 bytes hold two lines of 2,001
    assert heard == ["E\n" + "a" * 2_000 + "\n" + "b" * 2_000]


def test_nothing_is_built_where_calls_may_succeed_another_time() -> None:
    class Down(Talker):
        def __call__(self, asked: Sequence[ModelPrompt]) -> list[ModelReply]:
            told = super().__call__(asked)
            return [replace(each, passing=bool(each.problem), reason="timeout") for each in told]

    for prompt in ("read_graph", "summarise_descriptions"):
        with refused("readings_failed") as error:
            described(Down(says(**{"read_graph": word, prompt: "failed"})), 8)
        assert "timeout" in error.value.what()


def test_the_stand_in_asks_no_model_and_takes_terms_for_keywords() -> None:
    spec = complete({"method": "lightrag", "base": {"method": "lsa", "min_df": 1, "dimensions": 4}})
    method = make(spec)
    assert not method.calls_models
    law = Corpus.of(
        [
            Document("a", "소방법", "제1조", "소화기의 설치", "관계인은 소화기를 설치하여야 한다."),
            Document("b", "소방법", "제2조", "피난 시설", "관계인은 피난구를 유지하여야 한다."),
        ]
    )
    method.parts[0].fit(law)
    method.fit(law)
    assert ids_of(method.search([Query("1", "소화기 설치")], 5)["1"])[0] == "a"
    assert terms_of("소화기의 설치, 소화기") == "소화기, 설치"
    assert code_of(make, spec | {"keywords": "model"}) == "method_needs_model"
    assert make(spec | {"keywords": "model"}, Resources(ask=Talker(says()))).calls_models
    assert code_of(make, spec | {"reader": "model"}) == "method_needs_model"


def test_another_reader_or_model_is_another_index() -> None:
    spec = {"method": "lightrag", "keywords": "terms"}
    one, other = Talker(says()), Talker(says(), "other")
    said = {
        make(spec | {"reader": "stand_in"}, Resources(ask=one)).versions,
        make(spec | {"reader": "model"}, Resources(ask=one)).versions,
        make(spec | {"reader": "model"}, Resources(ask=other)).versions,
    }
    assert len(said) == 3
    # a model that is asked nothing does not count
    assert make(spec, Resources(ask=one)).versions == make(spec, Resources(ask=other)).versions


def test_keywords_are_read_as_one_text_each() -> None:
    said = json.dumps({"high": ["a  b", "a b", ""], "low": []})
    assert keywords_in(said) == ("", "a b")


# How near to the question each unit is.
COSINES = {"u0": 0.1, "u1": 0.9, "u2": 0.5, "u3": 0.7, "u4": 0.3, "u5": -0.2}
# A, B, C, D; joined A-B, A-C, B-C, C-D. Degrees 2, 2, 3, 1; of the relations 4, 5, 5, 4.
GRAPH = GraphArrays(
    ends=np.array([[0, 1], [0, 2], [1, 2], [2, 3]]),
    weights=np.array([1.0, 2.0, 1.0, 5.0]),
    entity_sizes=np.array([40, 40, 40, 40]),
    relation_sizes=np.array([40, 40, 40, 40]),
    entity_units=PositionLists.of([[0, 1], [1, 2], [3], [4]]),
    relation_units=PositionLists.of([[1], [3, 0], [5], [4]]),
    entity_vectors=np.array([[1, 0, 0], [0.8, 0.6, 0], [0, 1, 0], [0, 0, 1]], np.float32),
    relation_vectors=np.array([[1, 0, 0], [0, 1, 0], [0.6, 0.8, 0], [0, 0, 1]], np.float32),
)
LIMITS = Limits("local", 40, 20, 0.2, 5, 0, 0)
LOW, HIGH = np.array([1, 0, 0], np.float32), np.array([0, 1, 0], np.float32)
SOUGHT = Sought(np.array([0, 0, 1], np.float32), LOW, HIGH)


def searcher(graph: GraphArrays = GRAPH) -> GraphSearch:
    units = {unit: (sqrt(1 - c * c), 0.0, c) for unit, c in COSINES.items()}
    base = ToyDense(units, {})
    base.fit(corpus_of(*units))
    return GraphSearch(graph, base)


def ranked(sought: Sought = SOUGHT, **limits: Any) -> list[int]:
    return searcher().ranked([sought], replace(LIMITS, **limits))[0]


def test_local_takes_entities_near_the_low_keywords_and_their_relations() -> None:
    # A and B; units 0, 1, 2 by cosine: 1, 2, 0. Relations A-C (5, 2), B-C (5, 1), A-B (4, 1): what
    # they have beyond these is 3, then 5.
    assert ranked() == [1, 3, 2, 5, 0]


def test_global_takes_relations_near_the_high_keywords_and_their_ends() -> None:
    # A-C and B-C; their ends A, C, B have units 1, 3, 2, 0; beyond them there is 5.
    assert ranked(mode="global") == [1, 5, 3, 2, 0]


def test_hybrid_takes_both_in_turns_and_mix_units_near_the_question_before_them() -> None:
    assert ranked(mode="hybrid") == [1, 5, 3, 2, 0]
    # Near the question are 1, 3, 2, 4; 0 and 5 are too far from it, but the graph leads there.
    assert ranked(mode="mix") == [1, 5, 3, 2, 4, 0]
    assert ranked(mode="mix", chunk_top_k=2) == [1, 5]


def test_units_are_cut_to_so_many_for_each_holder() -> None:
    # of A and B one: 1; of A-C and B-C, which have others, one of 3, 0 and 5; A-B has none left
    assert ranked(related=1) == [1, 3]
    assert ranked(related=2) == [1, 3, 2, 0]
    # 3 · 2 / 2 for each
    assert ranked(related=3) == [1, 3, 2, 5, 0]


def test_what_is_too_far_or_beyond_the_first_is_not_found() -> None:
    # A alone: units 1, 0; then A-C with 3
    assert ranked(cosine=0.85) == [1, 3, 0]
    assert ranked(top_k=1) == [1, 3, 0]
    # a unit is as far as it may be
    assert ranked(mode="mix", cosine=0.75, sought=replace(SOUGHT, low=None, high=None)) == [1]


def test_entities_and_relations_stay_within_their_budgets() -> None:
    assert ranked(entity_tokens=19) == [1, 3, 0, 5]  # A alone has units; all relations count
    assert ranked(entity_tokens=20, relation_tokens=10) == [1, 3, 2, 0]
    assert ranked(entity_tokens=9, relation_tokens=9) == []
    sizes = np.array([5, 9, 12])
    assert within([2, 0, 1], sizes, 4) == [2, 0]  # 12 + 5 - 1 bytes in 16
    assert within([2, 0, 1], sizes + 1, 4) == [2]
    assert within([2, 0, 1], sizes, 0) == [2, 0, 1]
    assert within([], sizes, 4) == []


def test_without_keywords_of_its_level_a_mode_takes_those_of_the_other() -> None:
    assert ranked(replace(SOUGHT, low=None)) == ranked(mode="global")
    assert ranked(replace(SOUGHT, high=None), mode="global") == ranked()
    assert ranked(replace(SOUGHT, high=None), mode="hybrid") == ranked()
    assert ranked(replace(SOUGHT, low=None, high=None)) == []


def test_questions_asked_together_are_asked_alone() -> None:
    some = [
        SOUGHT,
        replace(SOUGHT, low=None),
        replace(SOUGHT, high=None),
        replace(SOUGHT, low=HIGH),
    ]
    for mode in MODES:
        alone = [ranked(each, mode=mode) for each in some]
        assert searcher().ranked(some, replace(LIMITS, mode=mode)) == alone
    assert searcher().ranked([], LIMITS) == []


def test_ties_are_by_place() -> None:
    same = replace(
        GRAPH,
        weights=np.ones(4),
        entity_vectors=np.array([[1, 0, 0]] * 4, np.float32),
        entity_units=PositionLists.of([[], [], [], [4, 3]]),
        relation_units=PositionLists.of([[5], [2], [], []]),
    )
    # Entities A, B, C, D; of the relations A-C and B-C have the highest degrees, A-B and C-D equal.
    assert searcher(same)._relations([0, 1, 2, 3]) == [1, 2, 0, 3]
    assert searcher(same)._relations([3, 0]) == [1, 3, 0]  # as the entities lead to them
    assert searcher(same).ranked([SOUGHT], LIMITS) == [[3, 2, 4, 5]]


def test_things_are_taken_in_turns_each_once() -> None:
    assert in_turns([1, 2, 3], [2], [4, 1, 5]) == [1, 2, 4, 3, 5]
    assert in_turns([], []) == []
    # An entity at the end of several relations takes one turn, and not one for each of them.
    assert in_turns([5, 6, 7, 8, 9], [0, 2, 1, 2, 2, 3]) == [5, 0, 6, 2, 7, 1, 8, 3, 9]


def test_a_graph_comes_back_from_disk_and_one_that_is_none_is_refused(tmp_path: Path) -> None:
    GRAPH.save(tmp_path)
    back = GraphArrays.load(tmp_path, 6)
    assert searcher(back).ranked([SOUGHT], LIMITS) == [ranked()]
    assert isinstance(back.entity_vectors, np.memmap)
    with pytest.raises(ValueError, match="not there"):
        GraphArrays.load(tmp_path, 5)
    for ends, said in (
        *((GRAPH.ends + 1, "not there"), (GRAPH.ends - 1, "not there")),
        *((GRAPH.ends[:2], "two graphs"), (GRAPH.ends[:, :1], "two graphs")),
    ):
        np.save(tmp_path / "ends.npy", ends)
        with pytest.raises(ValueError, match=said):
            GraphArrays.load(tmp_path, 6)
    np.save(tmp_path / "ends.npy", GRAPH.ends)
    np.save(tmp_path / "entity_sizes.npy", GRAPH.entity_sizes[:2])
    with pytest.raises(ValueError, match="two graphs"):
        GraphArrays.load(tmp_path, 6)


def test_lists_of_positions_are_kept_as_they_are(tmp_path: Path) -> None:
    lists = PositionLists.of([[3, 1], [], [2]])
    lists.save(tmp_path, "some")
    back = PositionLists.load(tmp_path, "some", 4)
    assert [back[at].tolist() for at in range(len(back))] == [[3, 1], [], [2]]
    for starts in ([0, 2], [0, 0], [1, 1], [0, 2, 1], []):
        with pytest.raises(ValueError, match="should"):
            PositionLists(np.array(starts, np.int64), np.array([1]))
    PositionLists.of([[-1, 0]]).save(tmp_path, "some")
    with pytest.raises(ValueError, match="not there"):
        PositionLists.load(tmp_path, "some", 4)
