"""Dividing questions: what each way promises, whatever the questions."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from construction.gold.splitting import (
    MOST_SEED,
    PARTS,
    Divisible,
    LeftOut,
    Recipe,
    Way,
    checked,
    day_of,
    divide,
)
from errors import UserError
from tests.support.refusals import code_of

NAMES = st.integers(0, 40).map(lambda number: f"q{number:02}")
QUESTIONS = st.dictionaries(
    NAMES,
    st.tuples(
        st.integers(0, 12),
        st.frozensets(st.sampled_from("ABCDEFGH"), max_size=3),
        st.sampled_from(("", "2020-01-01", "2021-02-03", "2022-05-06", "2023-01-01")),
    ),
    min_size=1,
).map(
    lambda found: [
        Divisible(name, f"g{group}", statutes, day)
        for name, (group, statutes, day) in found.items()
    ]
)
RECIPES = st.builds(
    Recipe,
    way=st.sampled_from(Way),
    shares=st.sampled_from(((70, 10, 20), (50, 0, 50), (34, 33, 33))),
    seed=st.integers(0, 9),
    column=st.just("asked"),
)


def divided(questions, recipe, kept=None):
    """Return the division, or None where a part would be empty."""
    try:
        return divide(questions, recipe, kept)
    except UserError as error:
        assert error.code == "split_part_empty"
        return None


@given(QUESTIONS, RECIPES)
def test_every_question_is_in_one_part_or_left_out_with_a_reason(questions, recipe):
    found = divided(questions, recipe)
    if found is None:
        return
    assert found.parts.keys() | found.left_out.keys() == {each.id for each in questions}
    assert not found.parts.keys() & found.left_out.keys()
    assert set(found.parts.values()) == set(found.recipe.parts)
    assert divide(list(reversed(questions)), recipe) == found


@given(QUESTIONS, RECIPES)
def test_no_statute_no_group_and_no_day_is_cut_in_two(questions, recipe):
    found = divided(questions, recipe)
    if found is None:
        return
    held: dict[str, str] = {}
    for each in questions:
        if each.id not in found.parts:
            continue
        part = found.parts[each.id]
        keys = {
            Way.STATUTE: each.statutes,
            Way.NEAR: {each.group},
            Way.DATE: {each.group},
        }[recipe.way]
        for key in keys:
            assert held.setdefault(key, part) == part
    if recipe.way is Way.DATE:
        days = {each.id: each.day for each in questions}
        newest: dict[str, str] = {}
        for each in questions:
            newest[each.group] = max(newest.get(each.group, ""), each.day)
        order = [
            (newest[each.group], PARTS.index(found.parts[each.id]))
            for each in questions
            if each.id in found.parts
        ]
        assert all(one[1] <= other[1] for one in order for other in order if one[0] < other[0])
        assert {day for name, day in days.items() if name in found.left_out} <= {""}


@given(QUESTIONS, QUESTIONS, RECIPES)
def test_questions_that_are_placed_never_move(questions, more, recipe):
    first = divided(questions, recipe)
    if first is None:
        return
    known = {each.id for each in questions}
    every = [*questions, *(each for each in more if each.id not in known)]
    second = divide(every, first.recipe, first.parts)
    assert (second.recipe.asked, second.recipe.cuts) == (recipe, first.recipe.cuts)
    assert {name: second.parts[name] for name in first.parts} == first.parts
    assert divide(every, second.recipe, second.parts).parts == second.parts


def test_shares_are_reached_where_questions_are_alone():
    questions = [Divisible(f"q{number:03}", f"q{number:03}") for number in range(200)]
    counts = Counter(divide(questions, Recipe(Way.NEAR)).parts.values())
    assert counts == {"train": 140, "dev": 20, "test": 40}
    other = divide(questions, Recipe(Way.NEAR, seed=1))
    assert other.parts != divide(questions, Recipe(Way.NEAR)).parts
    assert Counter(other.parts.values()) == counts


def test_a_question_on_the_law_of_two_parts_is_left_out():
    many = [Divisible(f"a{n}", f"a{n}", frozenset("A")) for n in range(6)]
    few = [Divisible(f"b{n}", f"b{n}", frozenset("B")) for n in range(4)]
    both = Divisible("both", "both", frozenset("AB"))
    found = divide([*many, *few, both], Recipe(Way.STATUTE, (60, 0, 40)))
    assert found.left_out == {"both": LeftOut.SPANS}
    assert {found.parts[each.id] for each in many} == {"train"}
    assert {found.parts[each.id] for each in few} == {"test"}


def test_statutes_that_are_cited_together_come_into_one_part():
    cited = [*["A"] * 4, *["AB"] * 2, "CD", "EF", "GH", "IJ", "KL", "MN", "OP", "QR"]
    asked = [Divisible(f"q{n}", f"q{n}", frozenset(each)) for n, each in enumerate(cited)]
    found = divide(asked, Recipe(Way.STATUTE, (50, 0, 50))).parts
    assert "".join(found[f"q{n}"][1] for n in range(14)) == "rrrrrreeeeeree"
    cited = ["A", "A", "AB", "B", "C", "CD", "D", "E", "EF", "G", "GA", "H"]
    asked = [Divisible(f"q{n}", f"q{n}", frozenset(each)) for n, each in enumerate(cited)]
    homes = divide(asked, Recipe(Way.STATUTE, (50, 20, 30))).recipe.homes
    assert "".join(homes[name][0] for name in "ABCDEFGH") == "ttdttttd"


def test_questions_that_nothing_answers_are_dealt_out_by_themselves():
    law = [Divisible(f"a{n}", f"a{n}", frozenset(f"{n % 10}")) for n in range(20)]
    none = [Divisible(f"n{n}", f"n{n}") for n in range(10)]
    found = divide([*law, *none], Recipe(Way.STATUTE))
    counts = Counter(found.parts[each.id] for each in none)
    assert counts == {"train": 7, "dev": 1, "test": 2}


def test_a_new_question_beside_two_parts_joins_neither():
    recipe = Recipe(Way.NEAR, (50, 0, 50))
    kept = {"a": "train", "b": "test"}
    merged = [Divisible(name, "a") for name in ("a", "b", "c")]
    found = divide([*merged, Divisible("d", "d")], recipe, kept)
    assert found.left_out == {"c": LeftOut.SPANS}
    assert found.parts["a"] == "train" and found.parts["b"] == "test"
    assert divide([Divisible("a", "a"), Divisible("c", "a")], recipe, kept).parts["c"] == "train"


def test_days_after_the_cuts_come_into_the_last_part():
    days = ("2020-01-01", "2021-01-01", "2022-01-01", "2023-01-01")
    questions = [Divisible(f"q{n}", f"q{n}", day=day) for n, day in enumerate(days)]
    recipe = Recipe(Way.DATE, (50, 25, 25), column="asked")
    found = divide(questions, recipe)
    assert found.recipe.cuts == ("2021-01-01", "2022-01-01")
    assert list(found.parts.values()) == ["train", "train", "dev", "test"]
    between = Divisible("new", "new", day="2021-06-01")
    assert divide([between], found.recipe, found.parts).parts["new"] == "dev"
    later = Divisible("new", "new", day="2030-01-01")
    assert divide([*questions, later], found.recipe, found.parts).parts["new"] == "test"
    without = divide(questions, Recipe(Way.DATE, (50, 50, 0), column="asked"))
    assert divide([*questions, later], without.recipe, without.parts).parts["new"] == "dev"


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("2024-03-05", "2024-03-05"),
        (" 2024.3.5 ", "2024-03-05"),
        ("2024. 3. 5.", "2024-03-05"),
        ("2024/03/05", "2024-03-05"),
        ("20240305", "2024-03-05"),
        ("2024년 3월 5일", "2024-03-05"),
        ("2024-03-05T10:11:12", "2024-03-05"),
        ("2024-03", "2024-03-01"),
        ("2024년 3월", "2024-03-01"),
        ("2024", "2024-01-01"),
        ("2024년", "2024-01-01"),
        ("2024-13-05", ""),
        ("2024-02-30", ""),
        ("0000-01-01", ""),
        ("5 March 2024", ""),
        ("202403051", ""),
        ("20245", ""),
        ("", ""),
        ("２０２４-03-05", ""),
    ],
)
def test_days_are_read_as_people_write_them(said, day):
    assert day_of(said) == day


@given(st.text(max_size=40))
def test_any_text_is_a_day_or_none(said):
    assert len(day_of(said)) in (0, 10)


@pytest.mark.parametrize(
    ("recipe", "code"),
    [
        (Recipe(Way.NEAR, (70, 10, 10)), "split_shares"),
        (Recipe(Way.NEAR, (120, -10, -10)), "split_shares"),
        (Recipe(Way.NEAR, (100, 0, 0)), "split_shares"),
        (Recipe(Way.NEAR, seed=-1), "split_seed"),
        (Recipe(Way.NEAR, seed=MOST_SEED + 1), "split_seed"),
        (Recipe(Way.NEAR, near=1.01), "split_near"),
        (Recipe(Way.NEAR, near=0.0), "split_near"),
        (Recipe(Way.NEAR, near=float("nan")), "split_near"),
        (Recipe(Way.DATE), "split_column"),
        (Recipe(Way.NEAR, column="asked"), "split_column"),
    ],
)
def test_a_recipe_that_none_can_say_is_refused(recipe, code):
    assert code_of(checked, recipe) == code


def test_a_recipe_reads_back_as_it_was_written():
    recipe = Recipe(Way.DATE, (50, 0, 50), 7, 0.4, "asked", ("2020-01-01", ""))
    assert Recipe.from_json(recipe.as_json()) == checked(recipe)
    widest = Recipe(Way.NEAR, (99, 1, 0), seed=MOST_SEED, near=1.0)
    assert checked(widest) == widest


def test_a_recipe_of_before_divided_what_people_decided():
    said = Recipe(Way.NEAR, gold="source").as_json()
    assert Recipe.from_json(said).gold == "source"
    del said["gold"]
    assert Recipe.from_json(said).gold == "people"
