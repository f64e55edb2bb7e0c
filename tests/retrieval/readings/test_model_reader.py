from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.structured.answers import read
from llm.structured.shapes import SHAPES
from retrieval.core.method import ModelCall, ModelPrompt, ModelReply, Resources
from retrieval.core.model import Document
from retrieval.readings import model_reader
from retrieval.readings.model import Entity, Kind, Reading, ReadingCost, Relation, State, Triple
from retrieval.readings.model_reader import (
    LONGEST,
    MODEL,
    READER,
    STAND_IN,
    ModelReader,
    asked_of,
    reader_of,
    reading_of,
)
from retrieval.readings.stand_in import StandIn
from tests.retrieval.talking import Talker
from tests.support.refusals import refused

DOCUMENTS = [
    Document(f"나루법_{at}조", "나루법", f"제{at}조", "등불", f"등불 {at}개를 켠다.")
    for at in (1, 2, 3)
]
GRAPH = {
    "entities": [{"name": "등불", "type": "시설", "description": "켠다"}],
    "relations": [
        {"source": "등불", "target": "나루", "keywords": "켠다", "description": "", "weight": 3}
    ],
}
MORE = {"entities": [{"name": "밤", "type": "때", "description": "x"}], "relations": []}
SAID = {
    "read_graph": GRAPH,
    "read_graph_more": MORE,
    "read_phrases": {"phrases": ["등불", "나루"]},
    "read_triples": {"triples": [{"subject": "등불", "predicate": "켠다", "object": "나루"}]},
    "read_atoms": {"questions": ["등불은 몇 개인가?"]},
}


def said(asked: ModelPrompt) -> str:
    return json.dumps(SAID[asked.prompt], ensure_ascii=False)


def one(kind: Kind, says: Callable[[ModelPrompt], str]) -> Reading:
    [reading] = ModelReader(Talker(says))(kind, DOCUMENTS[:1])
    return reading


def test_a_graph_is_asked_for_and_then_what_was_missed() -> None:
    talker = Talker(said)
    readings = ModelReader(talker)(Kind.GRAPH, DOCUMENTS)
    assert [each.prompt for each in talker.asked] == ["read_graph"] * 3 + ["read_graph_more"] * 3
    assert {each.language for each in talker.asked} == {"ko"}
    assert talker.asked[0].values == {"text": "나루법 제1조 등불\n등불 1개를 켠다."}
    assert talker.asked[3].values["found"] == "등불\n나루\n등불 – 나루"
    assert [each.unit_id for each in readings] == [each.id for each in DOCUMENTS]
    assert readings[0] == Reading(
        "나루법_1조",
        Kind.GRAPH,
        State.READ,
        (Entity("등불", "시설", "켠다"), Entity("나루"), Entity("밤", "때", "x")),
        (Relation("등불", "나루", "켠다", "", 3.0),),
    )


def test_triples_are_asked_for_given_the_phrases() -> None:
    talker = Talker(said)
    [reading] = ModelReader(talker)(Kind.TRIPLES, DOCUMENTS[:1])
    assert talker.asked[1].values["phrases"] == "등불\n나루"
    assert (reading.kind, reading.state) == (Kind.TRIPLES, State.READ)
    assert reading.triples == (Triple("등불", "켠다", "나루"),)
    assert reading.entities == ()


def test_phrases_and_atoms_are_one_call_each() -> None:
    assert one(Kind.PHRASES, said).entities == (Entity("등불"), Entity("나루"))
    assert one(Kind.ATOMS, said).atoms == ("등불은 몇 개인가?",)


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("problem", ["refused", "invalid", "failed"])
def test_what_could_not_be_read_says_so_and_is_not_asked_further(kind: Kind, problem: str) -> None:
    talker = Talker(lambda _: problem)
    [reading] = ModelReader(talker)(kind, DOCUMENTS[:1])
    assert reading == Reading("나루법_1조", kind, State(problem))
    assert len(talker.asked) == 1


@pytest.mark.parametrize(
    ("kind", "empty"),
    [
        (Kind.GRAPH, {"entities": [], "relations": []}),
        (Kind.PHRASES, {"phrases": [" "]}),
        (Kind.TRIPLES, {"phrases": [], "triples": []}),
        (Kind.ATOMS, {"questions": ["", "  "]}),
    ],
)
def test_where_there_is_nothing_the_unit_is_empty(kind: Kind, empty: dict[str, object]) -> None:
    assert one(kind, lambda _: json.dumps(empty)).state is State.EMPTY


@pytest.mark.parametrize("problem", ["refused", "invalid"])
def test_where_the_second_look_comes_to_nothing_the_first_stands(problem: str) -> None:
    reading = one(
        Kind.GRAPH, lambda asked: said(asked) if asked.prompt == "read_graph" else problem
    )
    assert (reading.state, reading.problem) == (State.READ, problem)
    assert [each.name for each in reading.entities] == ["등불", "나루"]


def test_a_second_look_that_finds_the_first_thing_makes_an_empty_unit_read() -> None:
    nothing = json.dumps({"entities": [], "relations": []})
    talker = Talker(lambda asked: nothing if asked.prompt == "read_graph" else said(asked))
    [reading] = ModelReader(talker)(Kind.GRAPH, DOCUMENTS[:1])
    assert talker.asked[1].values["found"] == "–"
    assert (reading.state, reading.entities) == (State.READ, (Entity("밤", "때", "x"),))


def test_names_are_trimmed_composed_and_once_with_the_longest_description() -> None:
    decomposed = unicodedata.normalize("NFD", "등불")
    told = {
        "entities": [
            {"name": " 등불\n", "type": "", "description": "짧다"},
            {"name": decomposed, "type": "시설", "description": "더 길다"},
            {"name": "등불", "type": "x", "description": "또 길다"},
            {"name": " ", "type": "x", "description": "no name"},
        ],
        "relations": [
            {"source": "등불", "target": "등불 ", "keywords": "", "description": "itself"},
            {"source": "등불", "target": "", "keywords": "", "description": "no end"},
            {"source": "등불", "target": "나루", "keywords": "a", "description": "x"},
            {"source": "나루", "target": "등불", "keywords": "b", "description": "longer"},
        ],
    }
    reply = ModelReply(json.dumps(told, ensure_ascii=False))
    reading = reading_of("read_graph", DOCUMENTS[0], _through_the_form("unit_graph", reply))
    assert reading.entities == (Entity("등불", "시설", "더 길다"), Entity("나루"))
    assert reading.relations == (Relation("나루", "등불", "b", "longer", 1.0),)


def _through_the_form(form: str, reply: ModelReply) -> ModelReply:
    """Return the reply as an asker gives it: read as the form, and written again."""
    value = read(reply.text, SHAPES[form])
    assert value is not None
    return replace(reply, text=value.model_dump_json())


@pytest.mark.parametrize(
    ("weight", "read_as"), [("3", 3.0), ("much", 1.0), (-1, 1.0), (None, 1.0), (0.5, 0.5)]
)
def test_a_weight_that_is_none_is_one(weight: object, read_as: float) -> None:
    told = {"entities": [], "relations": [{"source": "a", "target": "b", "weight": weight}]}
    reply = _through_the_form("unit_graph", ModelReply(json.dumps(told)))
    assert reading_of("read_graph", DOCUMENTS[0], reply).relations[0].weight == read_as


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("unit_graph", '{"entities": [{"name": "a"}]}'),  # no relations
        ("unit_graph", '{"entities": [{"type": "a"}], "relations": []}'),  # no name
        ("unit_graph", '{"entities": [{"name": "a"}, {"na'),  # cut off
        ("unit_phrases", '{"phrases": [1]}'),
        ("unit_phrases", '{"phrases": "a"}'),
        ("unit_triples", '{"triples": [["a", "b", "c"]]}'),
        ("unit_atoms", '["a?"]'),
        ("unit_atoms", "I cannot"),
    ],
)
def test_another_form_is_no_reading(form: str, text: str) -> None:
    assert read(text, SHAPES[form]) is None


def test_further_keys_and_missing_descriptions_are_borne() -> None:
    told = '{"entities": [{"name": "a", "id": 1, "type": null}], "relations": [], "note": "x"}'
    reply = _through_the_form("unit_graph", ModelReply(f"Here it is: {told}"))
    assert reading_of("read_graph", DOCUMENTS[0], reply).entities == (Entity("a"),)


def test_triples_without_a_part_are_left_out_and_the_rest_stand_once() -> None:
    whole = {"subject": "a", "predicate": "b", "object": "c"}
    told = {"triples": [whole, whole | {"object": " "}, whole | {"subject": "a "}]}
    reading = reading_of("read_triples", DOCUMENTS[0], ModelReply(json.dumps(told)))
    assert reading.triples == (Triple("a", "b", "c"),)


def test_a_long_unit_is_cut_and_half_characters_are_made_readable() -> None:
    document = replace(DOCUMENTS[0], body="\ud800" + "가" * 2 * LONGEST)
    text = asked_of("read_atoms", document).values["text"]
    assert len(text) == LONGEST
    text.encode()


def test_english_law_is_asked_about_in_english() -> None:
    document = Document("Act_article-1", "Act", "Article 1", "Lights", "Lights shall be lit.")
    assert asked_of("read_atoms", document).language == "en"


class Costly:
    """Answers from the script, each for a call of its own; some calls fail as told."""

    def __init__(self, failing: dict[str, ModelReply]) -> None:
        self.failing, self.pieces = failing, list[int]()

    def __call__(self, asked: Sequence[ModelPrompt]) -> list[ModelReply]:
        self.pieces.append(len(asked))
        return [self._reply(each) for each in asked]

    def _reply(self, asked: ModelPrompt) -> ModelReply:
        text = asked.values["text"]
        for name, reply in self.failing.items():
            if name in text:
                return reply
        call = ModelCall(f"{asked.prompt} {text}", 10, 5, 0.5004)
        return ModelReply(said(asked), calls=(call,))

    def identity(self, prompts: Sequence[str]) -> str:
        return "costly"


def test_calls_are_counted_once_whoever_asks_again() -> None:
    reader = ModelReader(Costly({}))
    reader(Kind.GRAPH, [*DOCUMENTS, *DOCUMENTS])
    assert reader.cost == ReadingCost(6, 60, 30, 3.002)
    reader(Kind.TRIPLES, DOCUMENTS)
    reader(Kind.PHRASES, DOCUMENTS)
    assert reader.cost == ReadingCost(12, 120, 60, 6.005)
    assert reader.cost + reader.cost == ReadingCost(24, 240, 120, 12.01)


def test_calls_that_do_not_tell_their_tokens_are_counted_as_such() -> None:
    silent = ModelReply(said(ModelPrompt("read_atoms", "ko", {})), calls=(ModelCall("k", 7),))
    reader = ModelReader(Costly({"등불 2개": silent}))
    reader(Kind.ATOMS, DOCUMENTS)
    assert reader.cost == ReadingCost(3, 27, 10, 1.001, 1)
    assert reader.cost.as_json()["untold"] == 1


def test_what_failed_and_may_pass_is_told_once_the_rest_was_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(model_reader, "PIECE", 1)
    failed = ModelReply(problem="failed", passing=True)
    asker = Costly({"등불 1개": replace(failed, reason="timeout"), "등불 3개": failed})
    told: list[tuple[int, int]] = []
    reader = ModelReader(asker)
    with refused("readings_failed") as error:
        reader(Kind.ATOMS, DOCUMENTS, lambda *done: told.append(done))
    assert "2 of 3" in error.value.what()
    assert "timeout" in error.value.what()
    assert told == [(1, 3), (2, 3), (3, 3)]
    asker.failing = {}
    assert [each.state for each in reader(Kind.ATOMS, DOCUMENTS)] == [State.READ] * 3


def test_what_failed_for_good_is_a_reading_that_failed() -> None:
    asker = Costly({"등불 1개": ModelReply(problem="failed", reason="too_long")})
    states = [each.state for each in ModelReader(asker)(Kind.ATOMS, DOCUMENTS)]
    assert states == [State.FAILED, State.READ, State.READ]


def test_readers_of_a_spec() -> None:
    talker = Talker(said)
    assert isinstance(reader_of({}, Resources(), "m"), StandIn)
    assert isinstance(reader_of({"reader": STAND_IN}, Resources(ask=talker), "m"), StandIn)
    reader = reader_of({"reader": MODEL}, Resources(ask=talker), "m")
    assert reader.identity(Kind.TRIPLES) == "model1/12000:talker:read_phrases+read_triples"
    with refused("method_needs_model"):
        reader_of({"reader": MODEL}, Resources(), "lightrag")
    assert READER.check("lightrag", "model") == "model"


_KEYS = (
    *("entities", "relations", "name", "type", "description", "source", "target", "weight"),
    *("phrases", "triples", "subject", "predicate", "object", "questions"),
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*_KEYS]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(VALUES, st.sampled_from(sorted(SAID)))
def test_whatever_a_model_says_is_read_or_is_no_reading(value: object, prompt: str) -> None:
    form = {
        "read_graph": "unit_graph",
        "read_graph_more": "unit_graph",
        "read_phrases": "unit_phrases",
        "read_triples": "unit_triples",
        "read_atoms": "unit_atoms",
    }[prompt]
    formed = read(json.dumps(value), SHAPES[form])
    if formed is None:
        return
    reading = reading_of(prompt, DOCUMENTS[0], ModelReply(formed.model_dump_json()))
    assert reading.state in (State.READ, State.EMPTY)
    names = [each.name for each in reading.entities]
    assert len(names) == len(set(names))
    ends = {end for each in reading.relations for end in (each.source, each.target)}
    assert ends <= set(names)
