"""Algorithm 1: the groups are those of a direct transcription, ties have a rule."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.cases import transcribed
from construction.stricter.grouping import (
    NOT_ASKED,
    CodeMove,
    Gap,
    Grouping,
    Level,
    Tagged,
    encoded,
    grouping,
    levels,
    moves,
    table,
)
from construction.tagging.codebook import Codebook, Factor, Option, SubFactor
from tests.support.examples import scaled

tables = st.integers(0, 5).flatmap(
    lambda width: st.tuples(
        st.lists(st.lists(st.sampled_from("abc"), min_size=width, max_size=width), max_size=9),
        st.just(width),
    )
)


@settings(max_examples=scaled(500))
@given(tables)
def test_equals_the_algorithm_as_printed(table):
    assert grouping(encoded(*table)) == transcribed(*table)


@given(tables, st.randoms())
def test_the_order_of_cases_changes_no_group(table, rng):
    rows, width = table
    order = list(range(len(rows)))
    rng.shuffle(order)
    found = grouping(encoded([rows[at] for at in order], width))
    there = {frozenset(order[at] for at in group) for group in found.groups}
    assert there == set(map(frozenset, grouping(encoded(*table)).groups))


def test_backs_off_from_the_last_answer_until_two_cases_are_alike():
    assert grouping(encoded(["abc", "abd", "xbc"], 3)) == Grouping(2, ((0, 1),))


def test_the_largest_group_is_first_then_the_one_with_the_earliest_case():
    rows = ["xa", "ya", "xb", "yb", "zc", "zd", "ze", "q0"]
    assert grouping(encoded(rows, 2)) == Grouping(1, ((4, 5, 6), (0, 2), (1, 3)))


def test_each_step_of_the_back_off_says_what_it_found():
    found = levels(encoded(["abc", "abd", "axx", "yy1", "yy2"], 3))
    assert found == (Level(3, 0, 0), Level(2, 2, 4), Level(1, 2, 5))


def test_codes_too_large_for_32_bits_together_stay_apart():
    codes = np.array([[2**31 - 1, 0], [2**31 - 2, 1], [2**31 - 1, 0]], dtype=np.int64)
    assert grouping(codes) == Grouping(2, ((0, 2),))


@pytest.mark.parametrize("codes", [np.zeros(3, int), np.zeros((2, 2)), np.array([[-1]])])
def test_what_is_no_table_of_codes_is_refused(codes):
    with pytest.raises(ValueError):
        grouping(codes)


def test_a_row_with_an_answer_too_few_is_refused():
    with pytest.raises(ValueError):
        encoded(["ab", "a"], 2)


@given(tables)
def test_the_moves_are_those_that_changing_every_cell_finds(table):
    codes = encoded(*table)
    now = grouping(codes)
    told = {(m.row, m.column, m.then): m for m in moves(codes, now.depth)}
    for row, column, then in _changes(codes):
        other = codes.copy()
        other[row, column] = then
        after = grouping(other)
        group = next((g for g in after.groups if row in g), None)
        before = next((g for g in now.groups if row in g), None)
        shorter = (after.depth or 0) < (now.depth or 0)  # the pair it leaves was alone
        if group is None or shorter or (after.depth, group) == (now.depth, before):
            assert (row, column, then) not in told
        else:
            move = told.pop((row, column, then))
            assert (move.depth, move.now) == (after.depth, codes[row, column])
            assert sorted((*move.beside, row)) == list(group)
    assert told == {}


def test_a_changed_answer_can_bring_in_a_case_or_make_a_longer_match():
    codes = encoded(["abc", "abd", "xbe"], 3)
    assert list(moves(codes, 2)) == [
        CodeMove(0, 0, 0, 1, 2, (2,)),
        CodeMove(1, 0, 0, 1, 2, (2,)),
        CodeMove(2, 0, 1, 0, 2, (0, 1)),
        CodeMove(0, 2, 0, 1, 3, (1,)),
        CodeMove(1, 2, 1, 0, 3, (0,)),
    ]


def _changes(codes):
    for row in range(len(codes)):
        for column in range(codes.shape[1]):
            for then in sorted(set(codes[:, column].tolist()) - {int(codes[row, column])}):
                yield row, column, then


def sub(key, *options, **more):
    return SubFactor(key, {}, {}, tuple(Option(each, {}, {}) for each in options), **more)


CRASH = sub("crash", "yes", "no")
KIND = sub("kind", "car", "bicycle", "person", exclusive=False, when={"crash": ("yes",)})
HURT = sub("hurt", "badly", "lightly", when={"kind": ("person",)})
SORRY = sub("sorry", "yes", "no", required=False)
SCALE = sub("scale", "small", "large")
BOOK = Codebook(
    (
        Factor("traffic", {}, {}, ("traffic",), (CRASH, KIND, HURT)),
        Factor("common", {}, {}, ("*",), (SORRY,)),
        Factor("fraud", {}, {}, ("fraud.fraud",), (SCALE,)),
    ),
    ("hurt", "crash", "sorry", "scale", "kind"),
)
DRIVING = "traffic.driving"


def tagged(disputed=(), stale=(), **answers):
    said = {key: tuple(value.split()) for key, value in answers.items()}
    return Tagged(said, frozenset(disputed), frozenset(stale))


def rows(**cases):
    found = table(BOOK, DRIVING, dict(enumerate(cases.values())))
    return found


def test_columns_are_the_required_sub_factors_of_the_group_in_the_lawyers_order():
    found = rows()
    assert (found.columns, found.optional) == (("hurt", "crash", "kind"), ("sorry",))
    assert table(BOOK, "fraud.fraud", {}).columns == ("scale",)


def test_what_is_not_asked_is_alike():
    found = rows(a=tagged(crash="no"), b=tagged(crash="no", sorry="yes"))
    assert [row.answers for row in found.rows] == [((NOT_ASKED,), ("no",), (NOT_ASKED,))] * 2
    assert [row.optional for row in found.rows] == [(None,), (("yes",),)]
    assert grouping(found.codes()) == Grouping(3, ((0, 1),))


def test_an_answer_left_over_from_a_condition_that_holds_no_more_does_not_count():
    found = rows(a=tagged(crash="no", kind="person", hurt="badly"))
    assert found.rows[0].answers == ((NOT_ASKED,), ("no",), (NOT_ASKED,))


def test_several_options_are_the_same_in_any_order():
    one, other = "car person", "person car"
    found = rows(
        a=tagged(crash="yes", kind=one, hurt="badly"),
        b=tagged(crash="yes", kind=other, hurt="badly"),
    )
    assert found.rows[0].answers == found.rows[1].answers
    assert found.rows[0].answers[2] == ("car", "person")


def test_a_case_with_a_missing_answer_is_in_no_row_and_says_why():
    found = rows(
        a=tagged(),
        b=tagged(crash="yes", kind="car"),
        c=tagged(crash="yes", kind="person"),
        d=tagged(stale=["kind"], crash="yes", kind="car"),
    )
    assert [row.case for row in found.rows] == [1]
    assert found.gaps == {
        0: {"crash": Gap.UNANSWERED},
        2: {"hurt": Gap.UNANSWERED},
        3: {"hurt": Gap.STALE, "kind": Gap.STALE},
    }


def test_what_hangs_on_a_dispute_is_unknown_not_unasked():
    found = rows(a=tagged(disputed=["crash"], kind="car"))
    assert found.gaps == {0: dict.fromkeys(("hurt", "crash", "kind"), Gap.DISPUTED)}


def test_a_missing_optional_answer_keeps_no_case_out():
    found = rows(a=tagged(crash="no"), b=tagged(disputed=["sorry"], crash="no", sorry="yes"))
    assert found.gaps == {}
    assert [row.optional for row in found.rows] == [(None,), (None,)]
