"""What a run is found again by, and the spec that it says it was made with."""

from __future__ import annotations

from services.runs.methods.run_key import params_of, spec_of
from storage.law.passages import RETRIEVED_LEVELS
from storage.runs.run_store import RunKey

SAR = {"method": "sar", "base": {"method": "bm25"}, "edges": ["references", "parallel"]}
BOTH = {"method": "rrf", "of": [{"method": "bm25", "k1": 1.2}, SAR]}


def key(spec, versions):
    params = params_of(spec, 100, versions, RETRIEVED_LEVELS)
    return RunKey(1, 1, spec["method"], params, "gold")


def test_the_spec_of_a_run_is_what_it_was_made_with():
    spec = {"method": "sar", "edges": ["references"], "base": {"method": "bm25"}}
    assert spec_of(key(spec, "1(1)/1")) == spec
    assert spec_of(key(SAR, "1(1)/1/parallel:0123")) == SAR


def test_what_older_runs_call_parallel_is_named_as_it_is_now():
    today = SAR | {"edges": ["references", "co_specifies"]}
    assert spec_of(key(SAR, "1(1)/1")) == today
    assert spec_of(key(BOTH, "1(1,1/1)")) == BOTH | {"of": [{"method": "bm25", "k1": 1.2}, today]}
