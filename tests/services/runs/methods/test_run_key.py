"""What a run is found again by, and the spec that it says it was made with."""

from __future__ import annotations

from retrieval.core.registry import complete
from services.runs.methods.run_key import is_other_code, params_of, spec_of, version_of
from storage.law.passages import RETRIEVED_LEVELS
from storage.runs.run_store import RunKey

SAR = {"method": "sar", "base": {"method": "bm25"}, "edges": ["references", "parallel"]}


def key(spec, versions, depth=100):
    params = params_of(spec, depth, versions, RETRIEVED_LEVELS)
    return RunKey(1, 1, spec["method"], params, "gold")


def test_the_spec_of_a_run_is_what_it_was_made_with():
    spec = {"method": "sar", "edges": ["references"], "base": {"method": "bm25"}}
    assert spec_of(key(spec, "1(1)/1")) == spec
    assert spec_of(key(SAR, "1(1)/1/parallel:0123")) == SAR


def test_a_run_of_other_code_says_other_versions():
    made = key(complete("rrf"), "2@model")
    assert version_of(made) == "2@model.1"
    assert not is_other_code(made, "2@model") and is_other_code(made, "2@other")
    assert spec_of(made)["method"] == made.method
