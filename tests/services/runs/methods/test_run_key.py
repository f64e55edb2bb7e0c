"""What a run is found again by, and the spec that it says it was made with."""

from __future__ import annotations

import pytest

from retrieval.core.registry import complete
from services.runs.methods.run_key import is_other_code, params_of, spec_of, version_of
from storage.law.passages import RETRIEVED_LEVELS
from storage.runs.run_store import RunKey

SAR = {"method": "sar", "base": {"method": "bm25"}, "edges": ["references", "parallel"]}
RERANK = {"method": "rerank", "depth": 200, "base": "rrf", "model": "m"}


def key(spec, versions, depth=100):
    params = params_of(spec, depth, versions, RETRIEVED_LEVELS)
    return RunKey(1, 1, spec["method"], params, "gold")


def test_the_spec_of_a_run_is_what_it_was_made_with():
    spec = {"method": "sar", "edges": ["references"], "base": {"method": "bm25"}}
    assert spec_of(key(spec, "1(1)/1")) == spec
    assert spec_of(key(SAR, "1(1)/1/parallel:0123")) == SAR


@pytest.mark.parametrize(
    ("spec", "depth", "below"),
    [
        ("bm25", 1000, False),
        ("rrf", 100, False),
        ("rrf", 101, True),
        ("sar_paper", 100, False),
        ("sar_paper", 1000, True),
        ("rocchio", 1000, False),  # it reranks all
        ("rocchio_paper", 1000, True),
        ({"method": "sar", "pool": 50}, 100, True),
        (RERANK, 100, True),  # it asks its base for 200
        (RERANK | {"depth": 50}, 100, False),  # it always went on below
        ({"method": "weighted", "of": ["rrf", "bm25"]}, 100, False),
        ({"method": "weighted", "of": ["rrf", "bm25"]}, 1000, True),
    ],
)
def test_only_a_run_that_goes_on_below_a_pool_has_another_key_than_before(spec, depth, below):
    made = key(complete(spec), "2@model", depth)
    assert version_of(made) == ("2@model+below.1" if below else "2@model.1")
    assert not is_other_code(made, "2@model") and is_other_code(made, "2@other")
    assert spec_of(made)["method"] == made.method
