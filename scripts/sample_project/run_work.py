"""Retrieval: three runs, an experiment, a saved view, and a split of the gold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.work.versioned_texts import DATASHEET_ANSWERS
from construction.gold.splitting import Recipe, Way
from scripts.sample_project.desk import WORK, Act, Desk
from services.gold.splits import make_split
from services.runs.experiments.running import run_experiment
from services.runs.marks import mark_runs
from services.runs.retrieving import retrieve
from services.runs.views import View, save_view
from services.sample.people import SLUG

_RUNS: Mapping[str, Mapping[str, Any]] = {
    "BM25 over bigrams": {"method": "bm25", "tokeniser": "bigram"},
    "TF-IDF over words": {"method": "tfidf", "tokeniser": "whitespace"},
    "Citations over LSA": {"method": "sar", "base": {"method": "lsa", "dimensions": 50}},
}
_DEPTH = 100


def acts() -> Iterator[Act]:
    """Yield the work on retrieval."""
    yield Act("2026-11-17 15:00", _retrieve)
    yield Act("2026-11-17 16:00", _experiment)
    yield Act("2026-11-20 11:00", _split)


def _retrieve(desk: Desk) -> None:
    """Make the runs, mark one, and save a view of all."""
    by = desk.person("Han Bora")
    runs = tuple(
        retrieve(desk.ws, SLUG, spec, k=_DEPTH, by=by, label=name) for name, spec in _RUNS.items()
    )
    mark_runs(desk.ws, SLUG, runs[:1], "tagged", "baseline", by)
    weak = "Korean endings stay at the words: a weak method on purpose."
    mark_runs(desk.ws, SLUG, runs[1:2], "noted", weak, by)
    view = View(runs=runs, baseline=runs[0])
    save_view(desk.ws, SLUG, "First comparison", view, by=by)


def _experiment(desk: Desk) -> None:
    """Run the experiment."""
    text = (WORK / "experiment.yaml").read_text(encoding="utf-8")
    run_experiment(desk.ws, SLUG, text, "experiment.yaml", by=desk.person("Han Bora"))


def _split(desk: Desk) -> None:
    """Divide the gold, and say what only people know of the data."""
    by = desk.person("Han Bora")
    text = (WORK / "datasheet.yaml").read_text(encoding="utf-8")
    DATASHEET_ANSWERS.save(desk.ws, SLUG, text, "", 1, by=by)
    recipe = Recipe(Way.NEAR, shares=(60, 0, 40), seed=34)
    make_split(desk.ws, SLUG, recipe, "To try the methods on", by=by)
