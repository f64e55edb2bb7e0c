"""A method in a few words."""

from __future__ import annotations

import pytest

from errors import UserError
from messages import LANGUAGES, catalogue
from retrieval.core.model import Parameter
from retrieval.core.presets import (
    BEST,
    DOWNLOAD_FREE,
    LEARNT,
    PRESETS,
    RECOMMENDED,
    choice_of,
    describe,
    help_of,
    label_of,
    values_of,
)
from retrieval.core.registry import METHODS, complete, learns_from_gold, parameters

BM25 = {"method": "bm25"}


def test_defaults_are_left_out_and_the_tokeniser_is_always_said():
    assert describe(complete(BM25)) == "BM25 bigram"
    assert describe(complete(BM25 | {"tokeniser": "whitespace", "k1": 0.9})) == (
        "BM25 whitespace · k1 0.9"
    )


def test_models_that_were_trained_for_raw_products_are_used_with_them():
    for name in ("dense_dpr", "dense_contriever"):
        assert complete(PRESETS[name])["similarity"] == "dot"
    assert complete(PRESETS["dense"])["similarity"] == "cosine"
    assert describe(complete(PRESETS["dense_contriever"])).endswith("similarity dot")


def test_the_presets_of_a_papers_code_have_its_constants():
    sar, rocchio = complete(PRESETS["sar_paper"]), complete(PRESETS["rocchio_paper"])
    assert [sar[name] for name in ("K", "beta", "pool", "outside", "frozen")] == [
        15,
        0.3,
        100,
        False,
        5,
    ]
    assert [rocchio[name] for name in ("alpha", "beta", "K", "pool")] == [0.9, 0.1, 15, 100]


def test_who_reads_is_always_said_and_a_model_that_is_not_named_is_not():
    spec = complete({"method": "hipporag2", "recognition": "model"})
    assert describe(spec) == "HippoRAG-2 stand_in (LSA bigram) · recognition model"
    assert describe(complete({"method": "nativerag"})) == "NativeRAG (LSA bigram)"
    assert describe({"method": "dense", "model": "m"}) == "dense m"
    assert describe({"method": "wrrf", "of": [BM25]}) == "WRRF (BM25 bigram)"


def test_parts_stand_in_brackets():
    spec = complete({"method": "rrf", "of": [BM25, BM25 | {"b": 0.5}], "k": 30})
    assert describe(spec) == "RRF (BM25 bigram + BM25 bigram · b 0.5) · k 30"


def test_the_recommended_method_is_called_so_and_a_change_of_it_is_not():
    spec = complete(RECOMMENDED)
    assert describe(spec) == "recommended"
    assert describe(spec | {"weights": [1.0] * len(spec["of"])}) != "recommended"


def test_the_best_method_says_in_its_name_that_it_learnt_and_the_usual_ones_do_not_learn():
    assert describe(complete(BEST)) == LEARNT
    assert len(BEST["weights"]) == len(BEST["of"])
    learning = [name for name in PRESETS if learns_from_gold(complete(PRESETS[name]))]
    assert learning == ["best"] and "best" not in DOWNLOAD_FREE


def test_one_from_before_a_parameter_was_added_is_called_what_it_was():
    of = [
        {name: value for name, value in part.items() if not name.startswith(("noise_", "graph_"))}
        for part in complete(RECOMMENDED)["of"]
    ]
    assert describe({**RECOMMENDED, "of": of}) == "recommended"


def test_a_method_that_is_not_there_any_more_is_still_described_and_long_ones_are_cut():
    assert describe({"method": "oldest", "x": 1, "y": True}) == "oldest · x 1 · y yes"
    spec = {"method": "oldest", "a": "x" * 41, "b": "y" * 37}
    whole = f"oldest · a {'x' * 40} · b {'y' * 37}"
    assert describe(spec | {"c": "zz"}) == f"{whole} · c zz"
    assert describe(spec | {"c": "zzz"}) == f"{whole} · c z…"


def test_every_parameter_of_every_method_and_no_other_is_explained_in_one_line() -> None:
    said = [
        help_of(method, each, language)
        for method in METHODS
        for each in parameters(method)
        for language in LANGUAGES
    ]
    assert all(line.strip() and "\n" not in line and line.endswith(".") for line in said)
    own = {f"parameter.{method}.{each.name}" for method in METHODS for each in parameters(method)}
    anywhere = {f"parameter.any.{name.rsplit('.')[-1]}" for name in own}
    written = {key for key in catalogue() if key.startswith("parameter.") and key.count(".") == 2}
    assert sorted(written - own - anywhere) == []


PARTS = {"method", "methods"}  # kinds of parameters that are not set in a form


def named() -> list[tuple[str, Parameter]]:
    return [
        (method, each)
        for method in METHODS
        for each in parameters(method)
        if each.kind not in PARTS
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_parameter_has_a_name_in_words_and_none_has_that_of_another(language: str) -> None:
    by_method: dict[str, list[str]] = {}
    for method, each in named():
        label = label_of(method, each, language)
        assert label != each.name and "_" not in label and len(label) <= 34
        by_method.setdefault(method, []).append(label)
    for labels in by_method.values():
        assert len(set(labels)) == len(labels)


def test_no_name_is_of_a_parameter_that_is_not_there() -> None:
    own = {f"parameter_name.{method}.{each.name}" for method, each in named()}
    anywhere = {f"parameter_name.any.{name.rsplit('.')[-1]}" for name in own}
    written = {key for key in catalogue() if key.startswith("parameter_name.")}
    assert sorted(written - own - anywhere) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_choice_has_words_of_its_own(language: str) -> None:
    proper = {"variant", "formula"}  # whose choices are names of formulas
    for method, each in named():
        words = [choice_of(method, each, choice, language) for choice in each.choices]
        assert len(set(words)) == len(words)
        if each.name not in proper:
            assert not set(words) & set(each.choices)
    assert choice_of("of_the_operator", Parameter("scale", "choice", "max"), "max") == "max"


def test_no_words_are_of_a_choice_that_is_not_there() -> None:
    there = {f"parameter_choice.{e.name}.{choice}" for _, e in named() for choice in e.choices}
    written = {key for key in catalogue() if key.startswith("parameter_choice.")}
    assert sorted(written - there) == []


def test_a_method_says_itself_what_a_shared_name_means_there() -> None:
    depth = {name: help_of(name, Parameter("depth", "int", 1)) for name in ("rrf", "rerank")}
    assert depth["rrf"] != depth["rerank"]
    with pytest.raises(KeyError):
        help_of("bm25", Parameter("nobody_said", "int", 1))


@pytest.mark.parametrize(
    ("parameter", "en", "ko"),
    [
        (Parameter("b", "float", 0.75, 0, 1), "0 to 1; default 0.75", "0~1; 기본값 0.75"),
        (
            Parameter("seed", "int", 0, 0, 2**32 - 1),
            "0 to 4,294,967,295; default 0",
            "0~4,294,967,295; 기본값 0",
        ),
        (Parameter("model", "text"), "required", "반드시 적어야 함"),
        (Parameter("model", "text", ""), "default none", "기본값 없음"),
        (Parameter("outside", "bool", True), "default on", "기본값 켬"),
        (
            Parameter("scale", "choice", "auto", choices=("auto", "max")),
            "one of auto, max; default auto",
            "auto, max 중 하나; 기본값 auto",
        ),
        (
            Parameter("edges", "texts", ("parallel",), choices=("applies", "parallel")),
            "any of applies, parallel; default parallel",
            "applies, parallel 중 여럿; 기본값 parallel",
        ),
        (Parameter("weights", "numbers", [0.1, 0.9], 0, 1), "0 to 1; default 0.1, 0.9", None),
        (Parameter("base", "method", {"method": "lsa"}), "default LSA bigram", None),
    ],
)
def test_range_and_default_are_told(parameter: Parameter, en: str, ko: str | None) -> None:
    assert values_of(parameter) == en
    assert ko is None or values_of(parameter, "ko") == ko


@pytest.mark.parametrize(
    ("spec", "language", "said"),
    [
        ({"b": 2}, "en", "Possible: a number, 0 to 1."),
        ({"b": 2}, "ko", "쓸 수 있는 값: 수, 0~1."),
        ({"tokeniser": "x"}, "ko", "중 하나."),
    ],
)
def test_an_error_says_what_a_parameter_takes_in_the_words_of_the_form(
    spec: dict[str, object], language: str, said: str
) -> None:
    with pytest.raises(UserError) as refused:
        complete({"method": "bm25"} | spec)
    assert refused.value.remedy(language).endswith(said)


def test_whole_numbers_and_lists_are_named_as_such() -> None:
    assert Parameter("k", "int", 60, 1, 1000).takes() == "a whole number, 1 to 1,000"
    assert Parameter("w", "numbers", ()).takes() == "a list of numbers"


def test_what_must_be_given_comes_from_the_preset_of_the_methods_own_name() -> None:
    found = complete({"method": "rrf", "k": 5})
    assert found == complete("rrf") | {"k": 5}
    given = {"method": "rrf", "of": ["bm25", "sar"], "k": 5}
    assert [each["method"] for each in complete(given)["of"]] == ["bm25", "sar"]
