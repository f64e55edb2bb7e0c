"""Variants of the recommended method: each can be made, and is compared with it pair by pair."""

from __future__ import annotations

import pytest

from benchmarks.retrieval_law import resources_of
from benchmarks.retrieval_methods import BEST
from benchmarks.retrieval_variants import VARIANTS, instead, variant_figures
from retrieval.core.presets import RECOMMENDED
from retrieval.core.registry import complete
from tests.benchmarks.test_retrieval import CORPUS, STATUTES, asked


def test_every_variant_can_be_made_and_is_another_method() -> None:
    made = [complete(RECOMMENDED), *(complete(spec) for spec in VARIANTS.values())]
    assert all(one not in made[:at] for at, one in enumerate(made))


def test_one_part_is_exchanged_and_its_weight_stays() -> None:
    old, new = RECOMMENDED["of"][1], {"method": "keller"}
    found = instead(old, new)
    assert found["of"] == [RECOMMENDED["of"][0], new, *RECOMMENDED["of"][2:]]
    assert found["weights"] == RECOMMENDED["weights"]


def test_a_gain_is_the_paired_difference_to_the_recommended_method() -> None:
    variants = {"same": {"method": "bm25"}, "worse": {"method": "cited_by"}}
    resources = resources_of(STATUTES)
    some = [each for each in asked() if each.query.id != "none"]
    found = {
        one.name: one
        for one in variant_figures(CORPUS, some, resources, variants, {"method": "bm25"})
    }
    assert found["gain[same]"].value == 0
    assert found["holm_p[same]"].value == 1
    best, other = (found[f"recall_at_10[{name}]"].value for name in (BEST, "worse"))
    assert best is not None and other is not None and other < best
    assert found["gain[worse]"].value == pytest.approx(other - best)
    assert found["gain[worse]"].n == len(some)
