"""What is not on this machine is told from what is wrong in a description."""

from __future__ import annotations

import pytest

from errors import UserError
from messages import catalogue
from retrieval.core.registry import make
from services.runs.methods.availability import CODES, is_not_here


def test_each_of_the_errors_is_one_that_can_be_said():
    assert [code for code in sorted(CODES) if f"error.{code}.what" not in catalogue()] == []


@pytest.mark.parametrize(
    ("spec", "lacks"),
    [
        ({"method": "bm25_milvus"}, True),
        ({"method": "endpoint"}, True),
        ({"method": "weighted", "of": [{"method": "bm25"}], "weights": [1, 2]}, False),
        ({"method": "bm25", "b": 2}, False),
    ],
)
def test_a_method_that_cannot_be_made_says_which_it_is(spec, lacks):
    with pytest.raises(UserError) as refused:
        make(spec)
    assert is_not_here(refused.value) is lacks
