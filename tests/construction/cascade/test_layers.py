"""The layers as YAML: the starter, order and switches, and every fault with its line and field."""

from __future__ import annotations

import pytest

from construction.cascade.layers import (
    Closure,
    Criterion,
    Difficulty,
    Heuristics,
    Judge,
    Layer,
    OnMissing,
    parse,
    starter,
)
from errors import Where
from tests.support.refusals import code_of, fault_of, refusal

SMALL = """\
layers:
- layer: gate
  on: true
  words:
    who: [대학, 기업]
  patterns:
  - key: both
    label: {en: Both, ko: 둘 다}
    any: ['<who>.{0,9}<who>']
- {layer: judge, on: false, criteria: [practitioner_voice, concrete_context], must_hold: 1}
- {layer: difficulty, on: true, tolerance: 1}
- {layer: people, on: true}
"""


def test_the_starter_has_the_papers_layers_in_its_order() -> None:
    layers = parse(starter())
    assert [step.layer for step in layers.steps] == list(Layer)
    assert all(step.on for step in layers.steps) and layers.to_people
    judge, difficulty, closure = (layers.steps[at] for at in (1, 3, 4))
    assert judge == Judge(tuple(Criterion), 4, on=True)
    assert difficulty == Difficulty(0, on=True)
    assert closure == Closure(OnMissing.COMPLETE, on=True)
    assert set(layers.labels()) >= {"lists_institutions", "asks_for_summary", "speaks_as_machine"}


def test_layers_stand_in_the_order_of_the_text_and_can_be_off() -> None:
    layers = parse(SMALL)
    assert [(str(step.layer), step.on) for step in layers.steps] == [
        ("gate", True), ("judge", False), ("difficulty", True), ("people", True),
    ]  # fmt: skip
    assert [step.layer for step in layers.asked] == [Layer.GATE, Layer.DIFFICULTY]
    turned = parse(
        "layers:\n- {layer: closure, on: true, on_missing: reject}\n"
        "- {layer: difficulty, on: true, tolerance: 0}\n"
    )
    assert [step.layer for step in turned.asked] == [Layer.CLOSURE, Layer.DIFFICULTY]
    assert not turned.to_people
    for every in ("", ", must_hold: all"):
        judge = parse(SMALL.replace(", must_hold: 1", every)).steps[1]
        assert isinstance(judge, Judge) and judge.must_hold == 2


NESTED = r"(?:[가-힣]+ ?)+요약"


@pytest.mark.parametrize(
    ("old", "new", "code", "line", "field"),
    [
        ("layer: gate", "layer: gait", "cascade_unknown", 2, "layers[1].layer"),
        ("layer: difficulty", "layer: judge", "cascade_layer_twice", 11, "layers[3].layer"),
        ("  on: true\n  words", "  words", "field_missing", 2, "layers[1].on"),
        ("on: false", "on: maybe", "cascade_unknown", 10, "layers[2].on"),
        ("tolerance: 1", "tolerance: 4", "cascade_number", 11, "layers[3].tolerance"),
        ("must_hold: 1", "must_hold: 3", "cascade_number", 10, "layers[2].must_hold"),
        ("must_hold: 1", "must_hold: 0", "cascade_number", 10, "layers[2].must_hold"),
        ("key: both", "key: Both", "parallel_key", 7, "layers[1].patterns[1].key"),
        ("any: ['<who>.{0,9}<who>']", "any: []", "field_missing", 9, "layers[1].patterns[1].any"),
        ("concrete_context]", "charm]", "cascade_unknown", 10, "layers[2].criteria"),
        (
            *("concrete_context]", "practitioner_voice]", "parallel_key_twice", 10),
            "layers[2].criteria",
        ),
        ("<who>.{0,9}", "<whom>.{0,9}", "cascade_unknown", 9, "layers[1].patterns[1].any"),
        ("<who>.{0,9}", "(", "pattern_broken", 9, "layers[1].patterns[1].any"),
        ("<who>.{0,9}", NESTED, "cascade_pattern_nested", 9, "layers[1].patterns[1].any"),
        ("<who>.{0,9}", "(?:.{900}){900}", "pattern_large", 9, "layers[1].patterns[1].any"),
        ("[대학, 기업]", "[]", "cascade_words", 5, "layers[1].words.who"),
        ("[대학, 기업]", f"[{'가' * 101}]", "cascade_words", 5, "layers[1].words.who"),
        ("- {layer: people", "- {layer: people, on: true}\n- {layer: people", "cascade_people_last",
         13, "layers[5].layer"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line_and_field(
    old: str, new: str, code: str, line: int, field: str
) -> None:
    assert old in SMALL
    error = refusal(parse, SMALL.replace(old, new, 1), "mine.yaml")
    assert (error.code, error.where) == (code, Where("mine.yaml", line, field))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "cascade_empty"),
        ("layers: []", "cascade_empty"),
        ("layers:\n- {layer: people, on: true}", "cascade_empty"),
        ("layers:\n- {layer: difficulty, on: false, tolerance: 0}", "cascade_empty"),
        ("layers: gate", "cascade_list"),
        ("layers: [gate]", "cascade_list"),
        ("layers: [", "yaml_broken"),
        ("a" * 2_000_000, "text_too_long"),
    ],
)
def test_what_is_no_list_of_layers_is_refused(text: str, code: str) -> None:
    assert code_of(parse, text) == code


BOUNDS = (
    ("question: {shortest: 20, longest: 1500}", "question: {shortest: 20, longest: 10}",
     "question.longest"),
    ("foreign_letters: 0 ", "foreign_letters: -1", "foreign_letters"),
    ("own_share: 0.5", "own_share: 1.5", "own_share"),
    ("own_share: 0.5", "own_share: x", "own_share"),
    ("same_sentence: 1", "same_sentence: 0", "same_sentence"),
)  # fmt: skip


@pytest.mark.parametrize(("old", "new", "field"), BOUNDS)
def test_bounds_of_heuristics_are_held(old: str, new: str, field: str) -> None:
    assert old in starter()
    code, _, place = fault_of(parse, starter().replace(old, new))
    assert (code, place) == ("cascade_number", f"layers[3].{field}")


def test_heuristics_have_scripts_for_both_languages() -> None:
    found = parse(starter()).steps[2]
    assert isinstance(found, Heuristics)
    assert found.scripts == {"en": ("LATIN",), "ko": ("HANGUL", "LATIN")}
    refusal(parse, starter().replace("{en: [LATIN], ko: [HANGUL, LATIN]}", "{en: [LATIN]}"))
    many = ", ".join(f"'{number}x'" for number in range(201))
    wrong = SMALL.replace("any: ['<who>.{0,9}<who>']", f"any: [{many}]")
    assert code_of(parse, wrong) == "cascade_many"
