"""How long scoring takes beside pytrec_eval, on 1,000 queries of 1,000 documents each.

Both get what they work on ready made: pytrec_eval a dictionary of scores, Touchstone a ranking. Of
Touchstone everything is timed that a leaderboard line needs: values, means and their intervals.
Times are of the processor, so other work on the machine does not count, and the least of several
rounds in turn; both compute the same values, which is checked.

    python -m benchmarks.retrieval_metrics [--json]
"""

from __future__ import annotations

import sys

from benchmarks.program import program

PARSER = program(__doc__, "metrics_time_ratio")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

from time import process_time

import numpy as np
import pytrec_eval

from benchmarks.program import run, seconds
from corpus.run import Rankings
from evaluation.figure import Figure
from evaluation.ranking.scoring import LEADERBOARD, Measure, Qrels, evaluate

QUERIES, DOCUMENTS, GOLD = 1000, 1000, 5
ROUNDS = 5
MEASURES = (*LEADERBOARD, Measure("AP"), Measure("nDCG"), Measure("P", 5), Measure("FullCov", 10))


def metrics_time_ratio(queries: int = QUERIES, rounds: int = ROUNDS) -> Figure:
    """Return our time over pytrec_eval's; n is the number of queries."""
    run, qrels = _made_up(queries)
    scores = {
        query: {unit: float(DOCUMENTS - rank) for rank, unit in enumerate(ranking)}
        for query, ranking in run.items()
    }
    requests = {measure.trec_request for measure in MEASURES}

    def theirs() -> object:
        return pytrec_eval.RelevanceEvaluator(qrels, requests).evaluate(scores)

    def ours() -> object:
        return evaluate(run, qrels, MEASURES)

    _require_equal(run, qrels, scores)
    times = [(seconds(ours, process_time), seconds(theirs, process_time)) for _ in range(rounds)]
    ratio = min(our for our, _ in times) / min(their for _, their in times)
    return Figure("metrics_time_ratio", ratio, queries)


def _made_up(queries: int) -> tuple[Rankings, Qrels]:
    """Return random rankings of a corpus of 20,000 units, and gold that is in part among them."""
    rng = np.random.default_rng(0)
    units = [f"법령-{number // 50}_{number % 50 + 1}조" for number in range(20 * DOCUMENTS)]
    run, qrels = {}, {}
    for number in range(queries):
        picked = rng.choice(len(units), DOCUMENTS, replace=False)
        gold = [*rng.choice(picked, GOLD - 2, replace=False), *rng.choice(len(units), 2)]
        run[f"q{number}"] = [units[at] for at in picked]
        qrels[f"q{number}"] = {units[at]: 1 for at in gold}
    return run, qrels


def _require_equal(run: Rankings, qrels: Qrels, scores: dict[str, dict[str, float]]) -> None:
    requests = {measure.trec_request for measure in MEASURES}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, requests).evaluate(scores)
    ours = evaluate(run, qrels, MEASURES).table
    for query, values in theirs.items():
        for measure in MEASURES:
            value = ours[query][repr(measure)]
            if value is None or abs(value - measure.read(values)) > 1e-12:
                raise ValueError(f"{measure!r} of {query} differs from pytrec_eval's")


if __name__ == "__main__":
    sys.exit(run(PARSER, lambda options, folder: [metrics_time_ratio()]))
