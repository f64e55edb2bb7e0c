"""A method in a few words."""

from __future__ import annotations

from retrieval.core.presets import RECOMMENDED, describe
from retrieval.core.registry import complete

BM25 = {"method": "bm25"}


def test_defaults_are_left_out_and_the_tokeniser_is_always_said():
    assert describe(complete(BM25)) == "BM25 bigram"
    assert describe(complete(BM25 | {"tokeniser": "whitespace", "k1": 0.9})) == (
        "BM25 whitespace · k1 0.9"
    )


def test_parts_stand_in_brackets():
    spec = complete({"method": "rrf", "of": [BM25, BM25 | {"b": 0.5}], "k": 30})
    assert describe(spec) == "RRF (BM25 bigram + BM25 bigram · b 0.5) · k 30"


def test_the_recommended_method_is_called_so_and_a_change_of_it_is_not():
    spec = complete(RECOMMENDED)
    assert describe(spec) == "recommended"
    assert describe(spec | {"weights": [1.0] * len(spec["of"])}) != "recommended"


def test_one_from_before_a_parameter_was_added_is_called_what_it_was():
    of = [
        {name: value for name, value in part.items() if not name.startswith(("noise_", "graph_"))}
        for part in complete(RECOMMENDED)["of"]
    ]
    assert describe({**RECOMMENDED, "of": of}) == "recommended"


def test_a_method_that_is_not_there_any_more_is_still_described():
    assert describe({"method": "oldest", "x": 1}) == "oldest · x 1"
