"""The retrieval benchmark over the sample's small law: every figure is there, and what it means."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import retrieval
from benchmarks.program import run
from benchmarks.retrieval_quality import (
    BEST,
    DENSE_BASE,
    MEASURED,
    OVER_DENSE,
    VARIANTS,
    Asked,
    Shelf,
    asked_of,
    corpus_of,
    quality_figures,
    resources_of,
    used_again,
    variant_figures,
)
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level
from retrieval.core.model import Query
from retrieval.core.presets import RECOMMENDED
from retrieval.core.registry import complete
from tests.conftest import ROOT

LAW = ROOT / "sample" / "statutes"
STATUTES = read_tree(LAW)
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


def test_a_part_that_methods_share_is_fitted_once_and_kept_only_if_used_again() -> None:
    both = {"method": "rrf", "of": [{"method": "bm25"}, {"method": "tfidf"}]}
    shelf = Shelf(resources_of(STATUTES), used_again([both, {"method": "bm25"}]))
    rrf = shelf.ready(both, CORPUS)
    assert [method.NAME for method in shelf.fitted.values()] == ["bm25"]
    assert shelf.ready({"method": "bm25"}, CORPUS) is rrf.parts[0]


def test_every_measured_method_can_be_made_and_sar_stands_on_its_base() -> None:
    made = [complete(RECOMMENDED), *(complete(spec) for spec in VARIANTS.values())]
    assert all(one not in made[:at] for at, one in enumerate(made))
    assert all(complete(spec) for spec in MEASURED.values())
    assert MEASURED[OVER_DENSE]["base"] == MEASURED[DENSE_BASE]


def test_a_gain_is_the_paired_difference_to_the_recommended_method() -> None:
    variants = {"same": {"method": "bm25"}, "worse": {"method": "cited_by"}}
    some = [each for each in asked() if each.query.id != "none"]
    told = variant_figures(CORPUS, some, resources_of(STATUTES), variants, {"method": "bm25"})
    found = {one.name: one for one in told}
    assert (found["gain[same]"].value, found["holm_p[same]"].value) == (0, 1)
    best, other = (found[f"recall_at_10[{name}]"].value for name in (BEST, "worse"))
    assert best is not None and other is not None and other < best
    assert found["gain[worse]"].value == pytest.approx(other - best)
    assert found["gain[worse]"].n == len(some)


def test_questions_come_with_the_gold_that_the_corpus_has(capsys, tmp_path: Path) -> None:
    known = CORPUS.documents[0].id
    rows = [
        {"question_id": at, "question": "안전", "answer": "…", "semantic_ids": units}
        for at, units in enumerate(([known, "없는법_1조"], ["없는법_1조"]))
    ]
    file = tmp_path / "qna.jsonl"
    for some, said in ((rows[1:], "no question has a gold article"), (rows, "into 5 folds")):
        file.write_text("\n".join(map(json.dumps, some)), encoding="utf-8")
        words = ["--statutes", str(LAW), "--questions", str(file), "--cross-validate"]
        assert run(retrieval.PARSER, retrieval.figures_of, words) == 2
        assert said in capsys.readouterr().err
    (one,) = asked_of(file, STATUTES, CORPUS)
    assert (one.query.text, one.gold) == ("안전", (known,))
