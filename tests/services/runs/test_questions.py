"""The citations from what was retrieved to what was missed."""

from __future__ import annotations

import pytest

from corpus.graph.model import EdgeType
from services.law.graph.citation_graph import build_snapshot
from services.runs import questions as module
from services.runs.questions import citation_path, citation_paths
from services.runs.retrieving import retrieve
from storage.law.neighbours import pairs_at
from tests.projects.small_law import ACT, SLUG
from tests.services.small_gold import Gold

pytestmark = pytest.mark.usefixtures("decided")

LIFE_JACKETS, LAMP, ANNEX = f"{ACT}_2조", f"{ACT}_4조", f"{ACT}_별표1"


@pytest.fixture
def run(ws, decided):
    decided([Gold("q1", (ANNEX,))])
    build_snapshot(ws, 1)
    return retrieve(ws, SLUG, k=1)


def test_the_path_says_by_which_words_the_missed_unit_is_cited(ws, run):
    path = citation_path(ws, run, "q1", ANNEX)
    assert path is not None
    (step,) = path.steps
    assert (path.rank, step.forwards, step.type) == (1, True, EdgeType.REFERENCES)
    assert (step.source.unit_id, step.target.unit_id) == (LIFE_JACKETS, ANNEX)
    assert step.cited == "별표 1"
    assert step.before.endswith("구명조끼의 수는 ")
    assert step.after == "과 같다."


def test_there_is_no_path_to_what_nothing_cites_or_the_run_has(ws, run):
    assert citation_path(ws, run, "q1", LAMP) is None
    assert citation_path(ws, run, "q1", LIFE_JACKETS) is None
    assert citation_path(ws, run, "q1", "nowhere_1조") is None
    assert citation_path(ws, run, "q1", ANNEX, starts=0) is None  # the first alone are starts


def test_many_paths_are_those_of_each_and_no_edge_is_read_twice(ws, run, monkeypatch):
    missed = [("q1", unit) for unit in (ANNEX, LAMP, ANNEX, LIFE_JACKETS, "nowhere_1조")]
    alone = [citation_path(ws, run, *each) for each in missed]
    asked: list[int] = []

    def noted(session, new, *rest):
        asked.extend(new)
        return pairs_at(session, new, *rest)

    monkeypatch.setattr(module, "pairs_at", noted)
    assert list(citation_paths(ws, run, missed)) == alone
    assert asked and len(asked) == len(set(asked))
