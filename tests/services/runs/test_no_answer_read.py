"""Nothing that retrieves reads what was answered: other answers, the same runs to the last bit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from retrieval.core.presets import RECOMMENDED
from services.runs.retrieving import retrieve
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project
from storage.runs.run_store import run_by_id, run_hits
from tests.projects.small_law import RULE, SLUG, law, questions, small_workspace

pytestmark = pytest.mark.usefixtures("decided")

_LSA = {"method": "lsa", "dimensions": 3, "min_df": 1}
_PARTS: list[dict[str, Any]] = RECOMMENDED["of"]
# The recommended method, its words cut without the half gigabyte of an analyser.
_LIGHT = [each | {"tokeniser": "stemmed"} if "tokeniser" in each else each for each in _PARTS]
SPECS: list[dict[str, Any]] = [
    {"method": "bm25", "tokeniser": "whitespace"},
    {"method": "rrf", "of": [{"method": "tfidf"}, {"method": "rocchio", "base": _LSA}]},
    {"method": "sar", "base": {"method": "keller", "passage": 1}},
    {"method": "refwalk", "base": _LSA, "reranker": {"method": "bm25"}, "anchor": False},
    RECOMMENDED | {"of": _LIGHT},
]


def poisoned(ws: Workspace) -> Workspace:
    """Return the workspace of the small law with answers that say what other law is."""
    migrate(ws)
    create_project(ws, SLUG, "Ferries")
    keep_statutes(ws, SLUG, law(), "first")
    said = "「나루안전법」 제4조, Article 2: a whistle. " * 50
    claims: dict[str, Any] = {
        "answer": said,
        "citation_strings": (said,),
        "gold_ids": (f"{RULE}_article-2",),
    }
    others = [replace(each, **claims, columns=(("hint", said),)) for each in questions()]
    keep_questions(ws, SLUG, others, "other.jsonl")
    return ws


def test_other_answers_make_no_other_run(tmp_path, clock) -> None:
    worlds = [
        small_workspace(tmp_path / "plain", clock),
        poisoned(Workspace(tmp_path / "other", clock)),
    ]
    for spec in SPECS:
        found = []
        for ws in worlds:
            run = retrieve(ws, SLUG, spec, k=20)
            with ws.reading() as session:
                key = run_by_id(session, run).key
                found.append((key.params, key.gold_hash, run_hits(session, run)))
        assert found[0] == found[1]
        assert any(found[0][2].values())
