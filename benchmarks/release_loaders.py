"""Whether a release loads in the tools of the field, by the lines of docs/release.md for each.

BM25 runs on the sample project, its gold is released twice, and each tool's lines run in a virtual
environment of their own (``make setup-loaders``), without a network.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.program import ROOT
from evaluation.figure import Figure, share_figure
from evaluation.ranking.scoring import Measure
from services.bundle import zipped
from services.gold.export import Parts
from services.gold.gold_set import gold_set
from services.gold.release import release
from services.law.adopting import adopt
from services.runs.retrieving import export_run, retrieve
from services.runs.scoring import evaluate_run
from services.sample.loading import load_worked_sample
from services.sample.people import SLUG
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.export.about import About
from storage.projects import create_project

LOADERS = ROOT / ".venv-loaders" / "bin" / "python"
_PAGE = ROOT / "docs" / "release.md"
_BLOCK = re.compile(r"^### (\w+)\n\n```python\n(.*?)```", re.DOTALL | re.MULTILINE)
_DIGITS = {"mteb": 5, "beir": 5}  # to which a tool rounds; else six are compared

_FIRST = {
    "mteb": """
from mteb.models.model_meta import ModelMeta
from ir_measures import read_trec_run

class Model:
    mteb_model_meta = ModelMeta.create_empty({"name": "touchstone/run", "revision": "1"})
    def index(self, corpus, **_): self.corpus = set(corpus["id"])
    def search(self, queries, **_):
        found = {name: {} for name in queries["id"]}
        for each in read_trec_run("run.trec"):
            if each.query_id in found: found[each.query_id][each.doc_id] = each.score
        return found

model = Model()
""",
}
_LAST = {
    "datasets": "said = {'pairs': len(qrels), 'corpus': len(corpus['corpus'])}",
    "mteb": "said = {'ndcg': result.task_results[0].scores['test'][0]['ndcg_at_10']}",
    "ir_datasets": """
said = {"pairs": len(list(dataset.qrels)), "corpus": len(list(dataset.docs)),
        "queries": len(list(dataset.queries))}
dataset.docs.lookup([each.doc_id for each in dataset.qrels])
""",
    "ir_measures": "said = {'ndcg': figures[nDCG @ 10]}",
    "ranx": "said = {'ndcg': float(figure)}",
    "beir": """
from beir.retrieval.evaluation import EvaluateRetrieval
from ir_measures import read_trec_run
run = {}
for each in read_trec_run("run.trec"): run.setdefault(each.query_id, {})[each.doc_id] = each.score
ndcg, *_ = EvaluateRetrieval.evaluate(qrels, run, [10])
said = {"ndcg": ndcg["NDCG@10"], "corpus": len(corpus), "queries": len(queries)}
""",
    "mlcroissant": "said = {'pairs': len(list(records))}",
}
"""What is read out of the variables of each tool's lines."""


def lines_of_page() -> dict[str, str]:
    """Return the lines by which each tool loads a release, as docs/release.md has them."""
    return dict(_BLOCK.findall(_PAGE.read_text(encoding="utf-8")))


def prepared(folder: Path) -> dict[str, float]:
    """Release the sample into ``release`` below `folder`, beside a run; return what is in it."""
    ws = Workspace(folder / "workspace")
    migrate(ws)
    load_worked_sample(ws)
    run = retrieve(ws, SLUG)
    export_run(ws, run, folder / "run.trec")
    about = About("gaon-fire", "1.0.0", "", "CC-BY-4.0", ("Kim Ara",), "Fire safety of Gaon.")
    for name in ("release", "again"):
        done = release(ws, SLUG, folder / name, about, parts=Parts(none=True))
    (ndcg,) = evaluate_run(ws, run, measures=[Measure("nDCG", 10)], gold="people")
    (part,) = done.report.as_json()["parts"]
    return {
        "ndcg": ndcg.value or 0.0,
        "corpus": done.report.facts["corpus"],
        "queries": part["answered"],
        "pairs": part["relevant"] + part["rejected"],
    }


def load(name: str, lines: str, folder: Path) -> dict[str, float]:
    """Return what a tool says of the release in `folder` by these lines.

    Raises RuntimeError with what it printed where it fails.
    """
    told = "import json; print(json.dumps(said))"
    code = "\n".join((_FIRST.get(name, ""), lines, _LAST[name], told))
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "PYTHONPATH": str(folder)}
    homes = {"HF_HOME": str(folder / "hub"), "IR_DATASETS_HOME": str(folder / "ir_datasets")}
    done = subprocess.run(
        [LOADERS, "-c", code],
        cwd=folder,
        env=os.environ | offline | homes,
        capture_output=True,
        text=True,
        timeout=300,
    )
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr[-2_000:]}")
    said: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return said


def agrees(name: str, said: Mapping[str, float], known: Mapping[str, float]) -> bool:
    """Whether a tool says what is known, to the digits that it gives."""
    near = 0.5000001 * 10 ** -_DIGITS.get(name, 6)
    return all(abs(value - known[each]) <= near for each, value in said.items())


def adopted(folder: Path) -> Figure:
    """Return whether the release in `folder`, adopted anew, has the same gold and run scores."""
    here, there = Workspace(folder / "workspace"), Workspace(folder / "adopted")
    migrate(there)
    create_project(there, SLUG, "Adopted")
    adopt(there, SLUG, folder / "release")
    gold = [
        {query: units for query, units in gold_set(ws, SLUG, name=name).qrels.items() if units}
        for ws, name in ((here, "people"), (there, "source"))
    ]
    scores = [
        [each.value for each in evaluate_run(ws, retrieve(ws, SLUG), gold=f"{name}:searchable")]
        for ws, name in ((here, "people"), (there, "source"))
    ]
    return Figure("roundtrip_equal", float(gold[0] == gold[1] and scores[0] == scores[1]), 1)


def released(folder: Path) -> Iterator[Figure]:
    """Yield the share of tools that load a release made in `folder`, and whether it is the same."""
    folder.mkdir()
    known = prepared(folder)
    pages = lines_of_page()
    if LOADERS.exists():
        right = sum(agrees(name, load(name, lines, folder), known) for name, lines in pages.items())
        yield share_figure("loaders_ok", right, len(pages))
    else:
        yield Figure("loaders_ok", None, 0)
    same = zipped(folder / "release") == zipped(folder / "again")
    yield Figure("bytes_equal", float(same), 1)
    yield adopted(folder)
