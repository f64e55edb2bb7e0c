"""The retrieval benchmark over the sample's small law: every figure is there, and what it means."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks import retrieval
from benchmarks.retrieval_law import Asked, asked_of, corpus_of, resources_of
from benchmarks.retrieval_methods import BEST, DENSE_BASE, MEASURED, OVER_DENSE
from benchmarks.retrieval_quality import Shelf, quality_figures, used_again
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level
from retrieval.core.model import Query
from retrieval.core.registry import complete
from tests.conftest import ROOT

STATUTES = read_tree(ROOT / "sample" / "statutes")
CORPUS = corpus_of(STATUTES, [Level.ARTICLE])
FEW: dict[str, dict[str, Any]] = {
    "bm25_whitespace": {"method": "bm25", "tokeniser": "whitespace"},
    "lsa": {"method": "lsa"},
    "sar": {"method": "sar"},
    BEST: {"method": "weighted", "of": [{"method": "bm25"}, {"method": "cited_by"}]},
}


def asked() -> list[Asked]:
    """Return one question per article: its own words, and one that no article answers to."""
    units = CORPUS.documents[:6]
    own = [Asked(Query(unit.id, unit.text), (unit.id,)) for unit in units]
    return [*own, Asked(Query("none", "qwertz"), (units[0].id,))]


def test_recall_and_tests_of_every_method() -> None:
    figures = {
        one.name: one for one in quality_figures(CORPUS, asked(), resources_of(STATUTES), FEW)
    }
    # Both simple ones tie here: the first given is called the strongest.
    two = ("bm25_whitespace", "lsa")
    simple = {name: figures[f"recall_at_10[{name}]"].value or 0.0 for name in two}
    strongest = max(simple, key=lambda name: simple[name])
    (weakest,) = simple.keys() - {strongest}
    assert set(figures) == {
        *(f"recall_at_10[{name}]" for name in FEW),
        *(f"holm_p[{name} over {strongest}]" for name in FEW if name not in (strongest, weakest)),
        *(f"gain[{name} over {strongest}]" for name in FEW if name not in (strongest, weakest)),
        *(f"holm_p[{name} over {weakest}]" for name in FEW if name != weakest),
        "holm_p[sar over lsa]",
        "best_fit_seconds",
        "best_query_ms",
    }
    best = figures["recall_at_10[best]"]
    assert best.value == pytest.approx(6 / 7)
    assert best.n == 7
    assert best.low is not None and best.low < 6 / 7


def test_a_part_that_methods_share_is_fitted_once() -> None:
    shelf = Shelf(resources_of(STATUTES))
    rrf = shelf.ready({"method": "rrf", "of": [{"method": "bm25"}, {"method": "lsa"}]}, CORPUS)
    assert shelf.ready({"method": "bm25"}, CORPUS) is rrf.parts[0]
    assert shelf.ready({"method": "lsa"}, CORPUS) is rrf.parts[1]


def test_only_what_is_used_again_stays_in_memory() -> None:
    both = {"method": "rrf", "of": [{"method": "bm25"}, {"method": "tfidf"}]}
    shelf = Shelf(resources_of(STATUTES), used_again([both, {"method": "bm25"}]))
    shelf.ready(both, CORPUS)
    assert [method.NAME for method in shelf.fitted.values()] == ["bm25"]


def test_every_measured_method_can_be_made_and_sar_stands_on_its_base() -> None:
    assert all(complete(spec) for spec in MEASURED.values())
    assert MEASURED[OVER_DENSE]["base"] == MEASURED[DENSE_BASE]


LAW = ROOT / "sample" / "statutes"


def written(path: Path, units: Sequence[str]) -> list[str]:
    """Write a file of questions whose gold these units are; return the arguments that name it."""
    lines = [
        {
            "question_id": at,
            "question": CORPUS.documents[0].text,
            "answer": "-",
            "semantic_ids": [u],
        }
        for at, u in enumerate(units)
    ]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return ["--statutes", str(LAW), "--questions", str(path), "--json"]


def test_it_prints_json_for_any_folder(capsys, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(retrieval, "quality_figures", lambda c, a, r: quality_figures(c, a, r, FEW))
    unit = CORPUS.documents[0]
    arguments = written(tmp_path / "qna.jsonl", [unit.id])
    assert asked_of(tmp_path / "qna.jsonl", STATUTES, CORPUS)[0].gold == (unit.id,)
    assert retrieval.main([*arguments, "--quality-only"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["recall_at_10[best]"] == {"value": 1.0, "n": 1, "ci": None}
    assert figures["articles"]["value"] == len(CORPUS)


def test_questions_without_gold_in_the_corpus_are_refused(capsys, tmp_path) -> None:
    arguments = written(tmp_path / "none.jsonl", ["없는법_1조"])
    for only in ("--quality-only", "--speed-only", "--cross-validate"):
        assert retrieval.main([*arguments, "--whole", str(LAW), only]) == 2
        assert "no question has a gold article" in capsys.readouterr().err


def test_too_few_questions_to_divide_are_refused(capsys, tmp_path) -> None:
    arguments = written(tmp_path / "one.jsonl", [CORPUS.documents[0].id])
    assert retrieval.main([*arguments, "--cross-validate"]) == 2
    assert "1 questions cannot be divided into 5 folds" in capsys.readouterr().err


def test_what_is_not_there_is_said(capsys, tmp_path) -> None:
    for option in ("--statutes", "--questions", "--whole"):
        assert retrieval.main([option, str(tmp_path / "nowhere")]) == 2
        assert f"{option}: there is no" in capsys.readouterr().err
    questions = tmp_path / "qna.jsonl"
    questions.write_text("{}", encoding="utf-8")
    folder = str(ROOT / "sample" / "statutes")
    options = ["--statutes", folder, "--questions", str(questions), "--quality-only"]
    assert retrieval.main(options) == 2
    assert "qna.jsonl, line 1" in capsys.readouterr().err
