"""What it takes to trust a benchmark: time and finds of an audit, and who loads a release.

    python -m benchmarks.release [--documents 100000] [--queries 5000] [--json]

* ``audit_seconds``: ``touchstone.py audit`` on invented texts, from its start to its end, the page
  written; ``audit_megabytes`` is the peak of that process's memory.
* ``audit_found``: the share of the faults planted in small folders (`benchmarks.audit_faults`) that
  an audit finds, n is how many there are; ``audit_false_alarms``: the cases found besides, n is
  the number of folders. Those missed and those found besides are listed on standard error.
* ``loaders_ok``: the share of the tools of docs/release.md that load all of a release of the sample
  and, where they score, agree with the leaderboard; ``bytes_equal``: whether two releases of one
  database are the same. Both need ``make setup-loaders``: each tool's lines run in a virtual
  environment of their own, without a network. ``roundtrip_equal``: whether a release that is
  adopted anew has the same gold and run scores; ``adopt_seconds``: the time of adopting 700
  invented questions over 5,000 documents.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import ROOT, program

PARSER = program(
    __doc__,
    "audit_seconds audit_megabytes audit_found audit_false_alarms loaders_ok bytes_equal "
    "roundtrip_equal adopt_seconds",
)
PARSER.add_argument("--documents", type=int, default=100_000, help="documents that are audited")
PARSER.add_argument("--queries", type=int, default=5_000, help="queries that are audited")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import json
import os
import random
import re
import subprocess
import time
from argparse import Namespace
from collections.abc import Iterator, Mapping

from benchmarks.audit_faults import cases, folders
from benchmarks.program import run
from evaluation.figure import Figure, share_figure
from evaluation.ranking.scoring import Measure
from services.bundle import zipped
from services.gold.export import Parts
from services.gold.gold_set import gold_set
from services.gold.release import release
from services.law.adopting import adopt
from services.runs.retrieving import export_run, retrieve
from services.runs.scoring import score_run
from services.sample.loading import load_worked_sample
from services.sample.people import SLUG
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.export.about import About
from storage.projects import create_project

_SYLLABLES = "가나다라마바사아자차카타파하거너더러머버서어저고노도로모보소오조구누두루무부수우주"
_VOCABULARY = 40_000


def figures_of(options: Namespace, folder: Path) -> list[Figure]:
    """Return times and finds of an audit, and who loads a release."""
    return [
        *audit_times(folder / "large", options.documents, options.queries),
        *planted_faults(folder),
        *released(folder / "released"),
        adoption_time(folder / "adopted"),
    ]


def audit_times(folder: Path, documents: int, queries: int) -> Iterator[Figure]:
    """Yield time and memory of an audit of invented texts."""
    write_invented(folder, documents, queries)
    command = [sys.executable, "touchstone.py", "audit", str(folder), "--output"]
    begun = time.perf_counter()
    child = subprocess.Popen(
        [*command, str(folder / "audit.html")], cwd=ROOT, stdout=subprocess.DEVNULL
    )
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"the audit ended with {child.returncode}")
    yield Figure("audit_seconds", time.perf_counter() - begun, 1)
    yield Figure("audit_megabytes", used.ru_maxrss / 1_024, 1)


def adoption_time(home: Path) -> Figure:
    """Return the time of adopting 700 invented questions over 5,000 documents."""
    write_invented(home / "invented", 5_000, 700)
    ws = Workspace(home / "workspace")
    migrate(ws)
    create_project(ws, "p", "P")
    begun = time.perf_counter()
    adopt(ws, "p", home / "invented")
    return Figure("adopt_seconds", time.perf_counter() - begun, 700)


def write_invented(folder: Path, documents: int, queries: int) -> None:
    """Write a BEIR folder of invented texts of 40 to 120 words, as frequent as words are."""
    drawn = random.Random(0)
    names = ["".join(drawn.choices(_SYLLABLES, k=drawn.randint(2, 4))) for _ in range(_VOCABULARY)]
    weights = [1 / (rank + 10) for rank in range(_VOCABULARY)]
    (folder / "qrels").mkdir(parents=True)
    stream = drawn.choices(names, weights, k=documents * 80)
    texts = []
    for _ in range(documents):
        start = drawn.randrange(len(stream) - 120)
        words = stream[start : start + drawn.randint(40, 120)]
        drawn.shuffle(words)
        texts.append(words)
    gold = [drawn.randrange(documents) for _ in range(queries)]
    asked = [drawn.sample(texts[at], 8) + drawn.choices(names, weights, k=6) for at in gold]
    for name, rows in (("corpus", texts), ("queries", asked)):
        with (folder / f"{name}.jsonl").open("w", encoding="utf-8") as file:
            for at, words in enumerate(rows):
                row = {"_id": f"{name[0]}{at}", "text": f"{' '.join(words)}."}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
    lines = [f"q{number}\tc{at}\t1\n" for number, at in enumerate(gold)]
    (folder / "qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(lines), "utf-8")


def planted_faults(home: Path) -> Iterator[Figure]:
    """Yield the share of planted faults that are found, and the number of cases found besides."""
    planted = found = alarms = count = 0
    for name, path, folder in folders(home):
        there = cases(path)
        missed, besides = folder.planted - there, there - folder.planted - folder.follows
        for kind, some in (("missed", missed), ("false alarm", besides)):
            for check, case in sorted(some):
                print(f"{name}: {kind}: {check} {case}", file=sys.stderr)
        planted, found = planted + len(folder.planted), found + len(folder.planted & there)
        alarms, count = alarms + len(besides), count + 1
    yield share_figure("audit_found", found, planted)
    yield Figure("audit_false_alarms", alarms, count)


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
"""
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
    (ndcg,) = score_run(ws, run, measures=[Measure("nDCG", 10)], gold="people").figures
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
        [
            each.value
            for each in score_run(ws, retrieve(ws, SLUG), gold=f"{name}:searchable").figures
        ]
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


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
