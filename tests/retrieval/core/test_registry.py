"""Specs of methods: made complete, or refused by name, whatever stands in them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import UserError
from retrieval.core.model import Corpus, Document, Parameter
from retrieval.core.presets import describe
from retrieval.core.registry import DEEPEST, METHODS, MOST_PARTS, complete, make, parameters
from tests.support.refusals import code_of

_SCALAR = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(["", "bm25", "\ud800", "x" * 501, 10**400, -(10**400), 1e308]),
)
_SPEC = st.fixed_dictionaries({"method": st.sampled_from(["bm25", "rrf", "sar", "nope", 3])})
_VALUE = st.one_of(_SCALAR, _SPEC, st.lists(st.one_of(_SCALAR, _SPEC), max_size=3))


@given(st.data(), st.sampled_from(METHODS))
def test_a_spec_is_made_complete_or_refused(data: st.DataObject, method: str) -> None:
    names = st.sampled_from([*(each.name for each in parameters(method)), "nothing"])
    given_ = data.draw(st.dictionaries(names, _VALUE, max_size=3))
    try:
        spec = complete({"method": method} | given_)
    except UserError:
        return
    assert complete(spec) == spec
    assert json.loads(json.dumps(spec, allow_nan=False)) == spec
    assert describe(spec)


@pytest.mark.parametrize("value", [10**400, -(10**400), float("nan"), float("inf"), True, "1"])
def test_what_is_no_number_is_no_parameter(value) -> None:
    assert code_of(complete, {"method": "bm25", "k1": value}) == "method_parameter"


@pytest.mark.parametrize(
    ("kind", "fits", "unfit"),
    [
        ("int", [2, 2.0], [1.5, 0, 4]),
        ("text", ["", "x" * 500], ["x" * 501, 1]),
        ("bool", [True, False], [1, "true"]),
        ("method", ["bm25", {"method": "bm25"}], ["", {}, {"method": 1}, []]),
    ],
)
def test_each_kind_of_parameter_takes_its_values_alone(kind, fits, unfit) -> None:
    parameter = Parameter("p", kind, low=1, high=3)
    assert [parameter.check("m", value) for value in fits] == fits
    for value in unfit:
        assert code_of(parameter.check, "m", value) == "method_parameter"


def test_a_corpus_has_the_documents_of_its_ids_in_their_order() -> None:
    with pytest.raises(ValueError, match="must ascend"):
        Corpus(["b", "a"], "", list)
    with pytest.raises(ValueError, match="not those of the ids"):
        _ = Corpus(["a"], "", lambda: [Document("b")]).documents


@pytest.mark.parametrize("method", METHODS)
def test_parameters_reach_to_their_bounds_and_no_further(method: str) -> None:
    others = {"model": "m", "base": {"method": "bm25"}, "of": [{"method": "bm25"}]}
    needed = {each.name: others[each.name] for each in parameters(method) if each.name in others}
    for each in parameters(method):
        if each.kind not in ("int", "float"):
            continue
        for bound, beyond in ((each.low, each.low - 1), (each.high, each.high + 1)):
            spec = {"method": method, **needed}
            assert complete(spec | {each.name: bound})[each.name] == bound
            with pytest.raises(UserError):
                complete(spec | {each.name: beyond})


def test_methods_stand_only_so_deep_within_methods() -> None:
    spec: dict[str, Any] = {"method": "bm25"}
    for _ in range(DEEPEST):
        spec = {"method": "rrf", "of": [spec]}
    assert make(spec).spec == complete(spec)
    assert code_of(complete, {"method": "rrf", "of": [spec]}) == "method_depth"


def test_only_so_many_methods_make_up_one() -> None:
    most: dict[str, Any] = {"method": "rrf", "of": [{"method": "bm25"}] * MOST_PARTS}
    assert len(complete(most)["of"]) == MOST_PARTS
    spec: dict[str, Any] = {"method": "bm25"}
    for _ in range(DEEPEST):  # a million in all, were they spelled out
        spec = {"method": "rrf", "of": [spec] * 10}
    for many in (most | {"of": [*most["of"], {"method": "bm25"}]}, spec):
        assert code_of(complete, many) == "method_parts"
