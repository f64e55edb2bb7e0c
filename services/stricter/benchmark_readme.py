"""README of the export: which judgements give which measure with trec_eval.

trec_eval counts a document of relevance 1 or more as relevant unless ``-l`` says otherwise, and
BEIR and ir_measures do the same. A target of the stricter benchmark has grade 2. So the judgements
are written twice: targets only, with relevance 1, for all binary measures; and with both grades as
gains, for nDCG only.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from construction.stricter.benchmark import STRICTER_GRADE, BenchmarkKind, CaseSet
from evaluation.ranking.scoring import GRADED, Measure
from storage.export import beir, trec

README = "README.md"
GRADED_SUFFIX = "_graded"
ENDINGS = ("trec", "tsv")

BINARY_RULE = (
    "qrels/stricter holds the targets alone, with relevance 1: plain trec_eval for P, Recall, AP, "
    "RR and success"
)
GRADED_RULE = (
    "qrels/stricter_graded holds grades 2 and 1: plain trec_eval for nDCG, and -l 2 for every "
    "other measure"
)

_TEXT = """\
# Two benchmarks of court cases

`corpus.jsonl` and `queries.jsonl` are for both; the judgements are in `qrels/`, as `.trec` for
trec_eval and as `.tsv` for BEIR, whose splits they are. `datasheet.md` says what the data is.

## Scoring with trec_eval

Called as here, without other options, trec_eval prints the figures of `stricter evaluate`:

| benchmark | measures | call |
|---|---|---|
| standard | all | `trec_eval -m P.5 -m recall.100 -m ndcg_cut.5,10 qrels/standard.trec RUN` |
| stricter | P, Recall, AP, RR, success | `trec_eval -m P.5 -m recall.100 qrels/stricter.trec RUN` |
| stricter | nDCG | `trec_eval -m ndcg_cut.5,10 qrels/stricter_graded.trec RUN` |

* `stricter` holds the targets alone (grade 2), each with relevance 1. `stricter_graded` holds them
  with grade 2 and the other cases of the standard group with grade 1: gains to nDCG, and no targets
  to any other measure. For those it needs `-l 2`, as in
  `trec_eval -l 2 -m P.5 qrels/stricter_graded.trec RUN`; without it grade 1 counts as relevant, and
  P and Recall are not those of the stricter benchmark.
* A query's own case stands in the corpus and is no target: leave it out of the run.
* A query that the run leaves out counts as 0 in Touchstone; trec_eval passes over it unless called
  with `-c`.
* trec_eval orders by score, not by rank: give every case of a ranking a score of its own.
"""
_SEVERAL = """\
* Here a group asks with up to {count} queries. Touchstone counts a group once, with the mean of its
  queries (the id of a query is `<group>/<case>`); trec_eval's `all` is the mean over queries.
  Average what `-q` prints by group.
"""
_OF_MODEL = """
**The stricter groups come from the tags of the model {model}.** No person decided them.
"""


def qrels_of(kind: BenchmarkKind, measure: Measure) -> Path:
    """Return the exported qrels file that gives `measure` with plain trec_eval."""
    graded = kind == BenchmarkKind.STRICTER and measure.name in GRADED
    return Path("qrels") / f"{kind}{GRADED_SUFFIX if graded else ''}.trec"


def qrels_files() -> Iterator[str]:
    """Yield the exported paths of all qrels files."""
    for kind in BenchmarkKind:
        for name in (kind, f"{kind}{GRADED_SUFFIX}") if kind.least > 1 else (kind,):
            yield from (f"qrels/{name}.{ending}" for ending in ENDINGS)


def write_judgements(folder: Path, asked: CaseSet) -> None:
    """Write a benchmark's qrels: targets with relevance 1, and graded ones if it has grades.

    Every query of a benchmark has a target, so both files have the same queries.
    """
    least = asked.kind.least
    targets = {
        query: {case: 1 for case, grade in cases.items() if grade >= least}
        for query, cases in asked.qrels.items()
    }
    _write(folder / "qrels", str(asked.kind), targets)
    if least == STRICTER_GRADE:
        _write(folder / "qrels", f"{asked.kind}{GRADED_SUFFIX}", asked.qrels)


def write_readme(folder: Path, per_group: int, model: str = "") -> None:
    """Write the README on scoring elsewhere; `per_group` is the maximum of queries per group.

    `model` is the model whose tags form the stricter groups; "" for people's.
    """
    text = _TEXT + (_SEVERAL.format(count=per_group) if per_group > 1 else "")
    text += _OF_MODEL.format(model=model) if model else ""
    (folder / README).write_text(text, "utf-8", newline="\n")


def _write(folder: Path, name: str, qrels: beir.Qrels) -> None:
    beir.write_qrels(folder / f"{name}.tsv", qrels)
    trec.write_qrels(folder / f"{name}.trec", qrels)
