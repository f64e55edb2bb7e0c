from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.reply import option_logprobs

OPTIONS = ("1", "2", "3", "4", "5")


def test_the_first_token_that_names_an_option_counts() -> None:
    places = ((("Option", -0.1),), ((" 2", -0.5), ("3", -1.5), ("2", -3.0), ("x", -2.0)))
    found = option_logprobs(places, OPTIONS)
    assert found is not None
    assert set(found) == {"2", "3"}
    assert found["2"] == pytest.approx(math.log(math.exp(-0.5) + math.exp(-3)))
    assert found["3"] == -1.5


@pytest.mark.parametrize("places", [None, (), ((("essay", -0.1), ("2", -3.0)),)])
def test_where_no_option_is_named_there_is_nothing(places) -> None:
    assert option_logprobs(places, OPTIONS) is None


@pytest.mark.parametrize("token", ["2", " 2", "(2", "2)", "2.", "**2", "[2]"])
def test_white_space_and_brackets_do_not_matter(token: str) -> None:
    assert option_logprobs((((token, -1.0),),), OPTIONS) == {"2": -1.0}


tokens = st.tuples(st.one_of(st.sampled_from(OPTIONS), st.text()), st.floats(-50, 0))


@given(st.lists(st.lists(tokens, min_size=1).map(tuple), max_size=4).map(tuple))
def test_only_options_and_never_more_likely_than_all_together(places) -> None:
    found = option_logprobs(places, OPTIONS)
    if found is not None:
        assert set(found) <= set(OPTIONS)
        best = max(value for place in places for _, value in place)
        assert max(found.values()) >= min(value for place in places for _, value in place) - 1e-9
        assert max(found.values()) <= best + math.log(max(map(len, places))) + 1e-9
