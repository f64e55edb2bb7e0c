"""What runs cost: calls counted from nothing, told as recalled where they were, never guessed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from retrieval.core.presets import PRESETS
from retrieval.core.registry import complete
from retrieval.readings.model import State
from services.gold import gold_set
from services.runs.costs import (
    COLUMNS,
    Named,
    RunCost,
    Unanswered,
    UnitsRead,
    columns_of,
    cost_notes,
    reading_notes,
    texts_of,
    unanswered,
)
from services.runs.methods import index_cache
from services.runs.methods.preparation import corpus_of, prepared, resources
from services.runs.retrieving import retrieve
from storage.db.workspace import Workspace
from storage.runs.experiments import records_of
from tests.conftest import FakeClock
from tests.llm.server import Step
from tests.llm.serving import serving
from tests.projects.small_law import ACT, RULE, SLUG, small_workspace
from tests.services.runs.methods.reading_method import NAME, register
from tests.services.runs.test_jurisdictions import _workspace
from tests.services.small_gold import Gold

READS = {"method": NAME}


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    register(monkeypatch)
    monkeypatch.setattr(gold_set, "derived", lambda *_: [Gold("q1"), Gold("q2")])
    return small_workspace(tmp_path / "ws", clock)


def recorded(ws: Workspace, run: int) -> dict[str, Any]:
    with ws.reading() as session:
        return dict(records_of(session, [run])[run].cost)


def forgotten(ws: Workspace) -> None:
    """Let every index be made again; the calls stay in the store."""
    index_cache.clear_indexes(ws)
    index_cache._open.clear()


def test_a_run_says_what_its_index_and_questions_took_and_what_of_it_was_recalled(
    ws: Workspace,
) -> None:
    units = len(corpus_of(ws, 1))
    with serving(ws) as server:
        first = recorded(ws, retrieve(ws, SLUG, READS, k=5))
        index_cache._open.clear()
        later = recorded(ws, retrieve(ws, SLUG, READS, k=6))
        assert later["index_calls"] == first["index_calls"]  # not recalled: as it was then
        asked = len(server.seen)
        forgotten(ws)
        again = recorded(ws, retrieve(ws, SLUG, READS, k=7))
        assert len(server.seen) == asked  # the store knew everything
        index_cache._open.clear()
        (file,) = ws.indexes.glob("*/calls.npy")
        file.unlink()
        assert "index_calls" not in recorded(ws, retrieve(ws, SLUG, READS, k=8))
    cost = RunCost.of(first)
    assert cost.index is not None and cost.queries is not None
    assert (cost.index.calls, cost.index.recalled, cost.index.tokens_in) == (units, 0, 10 * units)
    assert (cost.queries.calls, cost.queries.recalled, cost.queries.tokens) == (4, 0, 60)
    assert cost.index.seconds > 0 and cost.questions == 4
    shown = columns_of(cost)
    assert (shown["index_calls"], shown["index_tokens"]) == (units, 15 * units)
    assert (shown["query_calls"], shown["query_tokens"]) == (1, 15)
    for name in ("index_calls", "query_calls"):
        assert again[name]["recalled"] == again[name]["calls"] == first[name]["calls"]
        for same in ("tokens_in", "tokens_out", "seconds"):
            assert again[name][same] == first[name][same]
    (counted, recalled) = cost_notes([("Reads", RunCost.of(again))])
    calls = again["index_calls"]["calls"]
    assert "as if it were made again" in counted
    assert f"Reads (index {calls} of {calls}; all {calls} take the model" in recalled
    assert len(cost_notes([("Reads", cost)])) == 1
    assert cost_notes([("BM25", RunCost.of({"fit_s": 1.0}))]) == []


def test_a_call_that_parts_share_is_counted_once(ws: Workspace) -> None:
    using = resources(ws, 1, SLUG)
    corpus, units = corpus_of(ws, 1), len(corpus_of(ws, 1))
    twice = {"method": "rrf", "of": [READS, READS | {"prompt": "expand_structured"}, READS]}
    with serving(ws):
        _, cost = prepared(ws, twice, corpus, using)
    assert cost.calls is not None and cost.calls.sums.calls == 2 * units


def test_the_law_of_one_jurisdiction_is_not_read_twice(
    tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(monkeypatch)
    ws = _workspace(tmp_path / "two", clock, {ACT: "kr", RULE: "us-ny"}, {})
    corpus = corpus_of(ws, 1)
    with serving(ws) as server:
        _, cost = prepared(ws, READS, corpus, resources(ws, 1, SLUG), ["", "kr", "us-ny"])
        assert len(server.seen) == len(corpus)
    assert cost.calls is not None
    assert (cost.calls.sums.calls, cost.calls.sums.recalled) == (len(corpus), 0)


def test_calls_that_fail_are_calls(ws: Workspace) -> None:
    with serving(ws) as server:
        server.on("나룻배에는", Step(do="error", status=400))
        server.says = lambda _: ""
        cost = RunCost.of(recorded(ws, retrieve(ws, SLUG, READS, k=5)))
    assert cost.index is not None and cost.index.calls == len(corpus_of(ws, 1))
    assert cost.index.untold == 1
    (_, untold) = cost_notes([("Reads", cost)])
    assert "Reads (1 of" in untold


def test_what_was_not_measured_is_said_and_is_never_nothing() -> None:
    older = RunCost.of({"fit_s": 0.5, "index_bytes": 2_000_000, "search_ms_per_query": 1.25})
    said = dict(zip(COLUMNS, texts_of(older, "en"), strict=True))
    known = {"fit": "0.50", "index": "2.00", "search": "1.25"}
    assert said == dict.fromkeys(COLUMNS, "not measured") | known


BY_RULE, BY_MODEL = complete(PRESETS["lightrag"]), complete(PRESETS["hipporag2_paper"])
READ = {"notes": {"hipporag2.read_read": 90, "hipporag2.read_empty": 2, "hipporag2.read_refused": 5,
                  "hipporag2.read_invalid": 4, "hipporag2.read_failed": 1,
                  "hipporag2.dense_ranking": 3, "hipporag2.phrases": 12}}  # fmt: skip


@pytest.mark.parametrize(
    ("method", "done"),
    [
        ("hipporag2", "the dense base ranked alone"),
        ("nativerag", "behind those that the model said yes to"),
        ("pikerag", "the loop ended"),
        ("keller", "sentences of the question"),
        ("gone_since", "the plain question was searched"),
    ],
)
def test_what_was_done_without_an_answer_is_what_the_method_does(method: str, done: str) -> None:
    found = unanswered({"notes": {f"{method}.refused": 2, "expand.invalid": 1, "lsa.failed": 0}})
    assert done in found.in_words("Run 1") and "plain question" in found.in_words("Run 1")


def test_calls_without_a_usable_answer_are_summed_over_methods_and_said_by_reason() -> None:
    notes = {"expand.asked": 4, "expand.refused": 1, "refwalk.asked": 5, "refwalk.invalid": 2,
             "refwalk.failed": 1, "other.documents": 9, "pikerag.read_refused": 7}  # fmt: skip
    found = unanswered({"notes": notes, "fit_s": 1.0})
    assert found == Unanswered(asked=9, refused=1, invalid=2, failed=1)
    assert (found.total, found.methods) == (4, ("expand", "refwalk"))
    assert found.in_words("Run 1").startswith(
        "Run 1: the model said nothing usable in 4 of 9 calls about questions (1 refused, "
        "2 unreadable, 1 failed); there "
    )
    assert unanswered({}) == unanswered({"notes": {}}) == Unanswered()
    assert Unanswered(asked=9).in_words("Run 1") == ""


def test_who_read_is_found_in_whatever_a_method_builds_on_and_units_are_counted() -> None:
    assert UnitsRead.of(BY_RULE, {}).reader == "stand_in"
    assert UnitsRead.of({"method": "rrf", "of": [BY_RULE, BY_MODEL]}, {}).reader == "model+stand_in"
    nobody = UnitsRead.of(complete({"method": "bm25"}), {})
    assert (nobody.reader, nobody.unread) == (None, None)
    read = UnitsRead.of(BY_MODEL, READ)
    assert read.unread == 10
    assert dict(read.states) == dict(zip(State, (90, 2, 5, 4, 1), strict=True))
    assert UnitsRead.of(BY_MODEL, {}).unread is None  # nobody counted: not nothing


def test_rules_in_a_model_s_place_are_said_whatever_a_run_is_called() -> None:
    plain: Named = ("BM25", {"method": "bm25"}, {})
    (note,) = reading_notes([("Mine", BY_RULE, {}), plain, ("Theirs", BY_RULE, {})])
    assert "reader: stand_in" in note and "Mine; Theirs" in note and "BM25" not in note
    assert reading_notes([plain]) == []
    all_kept = {"notes": {"hipporag2.not_recognised": 3}}
    notes = reading_notes([("Mine", BY_RULE, all_kept)])
    assert len(notes) == 2 and "recognition: none" in notes[1]


def test_units_that_were_not_read_are_said_with_why() -> None:
    unread, alone = reading_notes([("Mine", BY_MODEL, READ)])
    assert unread.startswith("Mine: ") and alone.startswith("Mine: ")
    for count in ("102", "10", "90", "2", "5", "4", "1"):
        assert count in unread
    assert "3" in alone
    every = {"notes": {"hipporag2.read_read": 90, "hipporag2.read_empty": 2}}
    assert reading_notes([("Mine", BY_MODEL, every)]) == []
