"""What stands before the model: gold never left out, distractors drawn, the order shuffled."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from construction.answers import (
    ContextSpec,
    Format,
    Kind,
    Option,
    Origin,
    Provision,
    Sources,
    context_provisions,
    cut_passages,
    options_of,
    prompt_before,
    prompt_of,
    provisions_text,
    pseudo_passage,
    read_spec,
    values_of,
)
from corpus.model import Choice, Question
from normalization.hashing import text_hash
from tests.support.examples import scaled

OF_A_PASSAGE = ("answer_with_pseudo", *["answer_choice_context"] * 2)
OF_PROVISIONS = ("answer_context", "answer_provisions", *["answer_choice_context"] * 2)
POOL = [f"u{number:02}" for number in range(40)]
NEAR = ["u05", "u06", "u07"]
units = st.sampled_from(POOL)
sources = st.builds(
    Sources,
    gold=st.lists(units, max_size=14),
    ranking=st.lists(units, max_size=20),
    neighbours=st.sets(units, max_size=20),
    pool=st.just(POOL),
)


def test_each_kind_has_its_name_and_its_prompts() -> None:
    def told(kind: Kind) -> tuple[object, ...]:
        spec = ContextSpec(kind, 3, 7, run_id=4, single=kind is Kind.RUN, gold="source")
        prompts = [prompt_of(form, kind) for form in Format if form.fits(kind)]
        needs = kind.provisions, kind.written, kind.needs_gold
        return (spec.label, *needs, prompt_before(spec), *prompts)

    assert list(map(told, Kind)) == [
        ("closed", False, False, False, "", "answer_closed", *["answer_choice"] * 2),
        ("run 4 top 3 one by one", True, False, False, "", *OF_PROVISIONS),
        ("rollout", False, True, False, "expand_structured", *OF_A_PASSAGE),
        ("pseudo", False, True, False, "answer_pseudo", *OF_A_PASSAGE),
        ("gold of source", True, False, True, "", *OF_PROVISIONS),
        ("oracle 3 seed 7 of source", True, False, True, "", *OF_PROVISIONS),
        ("pure oracle seed 7 of source", True, False, True, "", *OF_PROVISIONS),
    ]
    anchored = ContextSpec(Kind.ROLLOUT, anchor=True, single=True)
    assert (anchored.label, prompt_before(anchored)) == ("rollout one by one", "query_anchor")


def oracle(seed: int = 0, k: int = 10, question: str = "q1", near: list[str] = NEAR) -> list[str]:
    given_ = Sources(("u01", "u02"), (), near, POOL)
    spec = ContextSpec(Kind.ORACLE, k, seed)
    return [f"{unit}:{origin}" for unit, origin in context_provisions(spec, question, given_)]


def test_the_oracle_is_gold_then_neighbours_then_others() -> None:
    assert oracle() == [
        *("u07:neighbour", "u06:neighbour", "u30:random", "u38:random", "u05:neighbour"),
        *("u29:random", "u34:random", "u01:gold", "u18:random", "u02:gold"),
    ]
    alone = ContextSpec(Kind.GOLD, 2, single=True)
    assert context_provisions(alone, "q", Sources(POOL[:4])) == [
        (unit, Origin.GOLD) for unit in POOL[:2]
    ]


def test_more_neighbours_than_room_leave_no_others() -> None:
    found = oracle(near=POOL[5:30], k=6)
    assert [sum(name in each for each in found) for name in ("gold", "neigh", "random")] == [
        2,
        4,
        0,
    ]
    assert oracle(near=POOL[5:30], k=6, seed=1) != found


def test_seed_and_question_draw_the_order_and_the_distractors() -> None:
    assert oracle() == oracle()
    assert oracle(seed=1) != oracle(seed=2) != oracle(seed=2, question="q2")
    golds = {tuple(sorted(e for e in oracle(seed) if "gold" in e)) for seed in range(20)}
    assert golds == {("u01:gold", "u02:gold")}
    first = {oracle(seed)[0] for seed in range(60)}
    assert any("gold" in each for each in first) and any("random" in each for each in first)


@settings(max_examples=scaled(60))
@given(sources, st.sampled_from(list(Kind)), st.integers(1, 12), st.integers(0, 3))
def test_no_kind_repeats_a_provision_or_loses_gold(
    given_: Sources, kind: Kind, k: int, seed: int
) -> None:
    found = context_provisions(ContextSpec(kind, k, seed), "q", given_)
    names = [unit for unit, _ in found]
    gold = set(given_.gold)
    assert len(names) == len(set(names))
    assert {unit for unit, origin in found if origin is Origin.GOLD} == (
        gold if kind.needs_gold else set()
    )
    if kind is Kind.ORACLE:
        assert len(found) == max(k, len(gold))
    if kind in (Kind.GOLD, Kind.PURE_ORACLE):
        assert set(names) == gold
    if kind is Kind.RUN:
        assert names == list(dict.fromkeys(given_.ranking))[:k]


def test_gold_is_in_order_and_the_pure_oracle_shuffled() -> None:
    given_ = Sources(tuple(reversed(POOL[:8])))
    assert [unit for unit, _ in context_provisions(ContextSpec(Kind.GOLD), "q", given_)] == POOL[:8]
    orders = {
        tuple(
            unit
            for unit, _ in context_provisions(ContextSpec(Kind.PURE_ORACLE, seed=seed), "q", given_)
        )
        for seed in range(5)
    }
    assert len(orders) == 5


def test_passages_are_cut_and_the_unknown_left_out() -> None:
    known = {"u01": Provision("u01", "Lake Act Article 1", "x" * 40)}
    places = [("u01", Origin.RETRIEVED), ("u99", Origin.RETRIEVED)]
    [passage] = cut_passages(places, known, 10)
    assert passage.text == "x" * 10
    assert passage.snapshot() == {
        "unit": "u01",
        "label": "Lake Act Article 1",
        "origin": "retrieved",
        "text_sha256": text_hash("x" * 10),
        "characters": 10,
    }
    assert provisions_text([passage]) == f"[u01] Lake Act Article 1\n{'x' * 10}"
    own = pseudo_passage("own words", 3)
    assert provisions_text([own, passage]) == f"own\n\n[u01] Lake Act Article 1\n{'x' * 10}"
    assert own.snapshot() == {
        **{"text": "own", "unit": "", "label": "", "origin": "pseudo"},
        **{"text_sha256": text_hash("own"), "characters": 3},
    }


@pytest.mark.parametrize("kind", list(Kind))
def test_a_spec_is_read_as_it_was_kept(kind: Kind) -> None:
    spec = ContextSpec(kind, 3, 7, 500, "bm25", 4, single=True, gold="source")
    assert read_spec(spec.record()) == spec
    assert read_spec({"kind": kind.value}) == ContextSpec(kind)


def test_options_are_lettered_in_their_order_and_one_is_none() -> None:
    choices = tuple(Choice(label, f"word {label}", label == "2") for label in "12")
    both = Question("q1", "Which?", "", "en", choices=choices)
    assert options_of(both) == (
        Option("A", "1", "word 1", correct=False),
        Option("B", "2", "word 2", correct=True),
    )
    assert values_of(Format.CHOICE_GENERATED, Kind.NONE, both, (), "2020", "costs") == {
        **{"question": "Which?", "jurisdiction": "", "year": "2020", "anchor": "costs"},
        "options": "A. word 1\nB. word 2",
    }
    said = {"question": "Which?", "jurisdiction": "", "year": "", "context": "own"}
    assert values_of(Format.FREE, Kind.PSEUDO, both, [pseudo_passage("own", 3)]) == said
    assert options_of(replace(both, choices=choices[:1])) == ()


def test_what_a_kind_does_not_use_makes_no_other_setting() -> None:
    none = ContextSpec(Kind.NONE, 3, 7).identity
    assert none == ContextSpec(Kind.NONE, single=True).identity
    gold = ContextSpec(Kind.GOLD, 3, seed=1).identity
    assert gold == ContextSpec(Kind.GOLD).identity != ContextSpec(Kind.GOLD, characters=9).identity
    assert gold != ContextSpec(Kind.GOLD, gold="source").identity
    assert ContextSpec(Kind.RUN, gold="source").identity == ContextSpec(Kind.RUN).identity
    run = ContextSpec(Kind.RUN, run="old name", run_id=4, seed=3)
    assert run.identity == ContextSpec(Kind.RUN, run="new name", run_id=4).identity
    assert run.identity != ContextSpec(Kind.RUN, run_id=5).identity
    oracle_ = ContextSpec(Kind.ORACLE)
    assert len({oracle_.identity, ContextSpec(Kind.ORACLE, 9).identity,
                ContextSpec(Kind.ORACLE, seed=1).identity}) == 3  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "language", "letters"),
    [("No", "en", "YN"), ("아니요", "ko", "AB"), ("Sure", "en", "")],
)
def test_yes_and_no_have_their_initials_in_english(
    answer: str, language: str, letters: str
) -> None:
    options = options_of(Question("q1", "Is it shut?", answer, language))
    assert "".join(each.letter for each in options) == letters
    assert [each.correct for each in options] == [False, True][: len(letters)]
    assert [each.label for each in options] == ["A", "B"][: len(letters)]  # as answers are kept
