"""Parameters that are said to be without effect have none, and starters name none of them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from construction.experiments.reading import parse
from retrieval.core.model import Corpus, Document, Parameter, Query, Spec
from retrieval.core.registry import BUILT_IN, complete, make, parameters, with_effect
from services.sample.loading import starters

_DRAW = Random(7)
_WORDS = [
    "fire",
    "door",
    "lamp",
    "boat",
    "pier",
    "gas",
    "pump",
    "hose",
    "exit",
    "stair",
    "roof",
    "wall",
]


def _text(words: int) -> str:
    return " ".join(_DRAW.choices(_WORDS, k=words))


CORPUS = Corpus.of(
    [Document(f"u{at:02}", body=_text(9), heading=_text(2), tier=at % 6 + 1) for at in range(40)]
)
QUERIES = [Query(f"q{at}", _text(3)) for at in range(8)]
LSA = {"method": "lsa", "dimensions": 4}
OFF: list[dict[str, Any]] = [
    {"method": "bm25"},
    {"method": "rrm", "of": ["bm25", LSA]},
    {"method": "keller"},
    {"method": "nativerag", "base": LSA},
    *(
        {"method": "refwalk", "base": LSA, "reranker": "bm25", "expansion": False, "anchor": False}
        | more
        for more in ({}, {"rerank": False}, {"fusion": "minmax"}, {"fusion": "rrf"})
    ),
]


def rankings(spec: Spec) -> list[list[str]]:
    method = make(spec)
    method.fit(CORPUS)
    found = method.search(QUERIES, 40)
    return [[hit.unit_id for hit in found[query.id]] for query in QUERIES]


def others(parameter: Parameter, value: Any) -> list[Any]:
    """Return values of a parameter other than this one."""
    if parameter.kind == "bool":
        return [not value]
    if parameter.kind == "texts":
        return [[each] for each in parameter.choices]
    if parameter.choices:
        return [each for each in parameter.choices if each != value]
    if parameter.kind not in ("int", "float"):
        return []
    return [each for each in (0.4, 1, 2, 7) if _may_be(parameter, each) and each != value]


def _may_be(parameter: Parameter, number: float) -> bool:
    whole = parameter.kind == "float" or number == int(number)
    return whole and parameter.low <= number <= parameter.high


@pytest.mark.parametrize("spec", OFF, ids=str)
def test_what_has_no_effect_changes_no_ranking(spec: dict[str, Any]) -> None:
    whole = complete(spec)
    expected, effective = rankings(whole), with_effect(whole)
    without = [each for each in parameters(whole["method"]) if each not in effective]
    assert without
    for each in without:
        for value in others(each, whole[each.name]):
            assert rankings(whole | {each.name: value}) == expected, (each.name, value)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ({"method": "bm25", "fields": "bm25f"}, "title_b"),
        ({"method": "rrf", "of": ["bm25", LSA]}, "k"),
        ({"method": "refwalk", "fusion": "wrrf", "weights": [0.2, 0.3, 0.5]}, "weights"),
        ({"method": "sar", "graph_noise": "drop"}, "noise_rate"),
    ],
)
def test_what_has_an_effect_is_named(spec: dict[str, Any], name: str) -> None:
    assert name in [each.name for each in with_effect(complete(spec))]


def test_noise_has_no_effect_where_nothing_is_walked() -> None:
    spec = {"method": "refwalk", "graph_noise": "drop"}
    for walks in (True, False):
        named = {each.name for each in with_effect(complete(spec | {"expansion": walks}))}
        assert ({"graph_noise", "noise_rate", "edges"} <= named) is walks


@pytest.mark.parametrize("method", BUILT_IN)
def test_a_condition_is_of_another_parameter_and_its_values(method: str) -> None:
    known = {each.name: each for each in parameters(method)}
    for each in known.values():
        if each.when is not None:
            name, values = each.when
            assert name != each.name
            assert set(values) < set(known[name].choices or (True, False))


@pytest.mark.parametrize("starter", starters(), ids=lambda each: each.file)
def test_no_line_of_a_starter_differs_from_another_by_what_has_no_effect(starter: Any) -> None:
    seen = []
    for line in parse(starter.text, starter.file).lines:
        spec = complete(line.spec)
        seen.append({"method": spec["method"]} | {e.name: spec[e.name] for e in with_effect(spec)})
    assert [each for at, each in enumerate(seen) if each in seen[:at]] == []


def test_every_line_of_the_fusion_starter_ranks_otherwise() -> None:
    (starter,) = (each for each in starters() if each.file == "fusion.yaml")
    found = {line.label: rankings(line.spec) for line in parse(starter.text, starter.file).lines}
    assert len(found) > 2
    assert len({str(each) for each in found.values()}) == len(found)
