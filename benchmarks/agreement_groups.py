"""Intervals of decisions on candidates: how often they hold, drawn singly and by the question.

Two people decide on eight candidates of each question, accept or reject. Questions are of two
kinds: on most, each is right on 90 % of the candidates, on the hard ones on 60 % and guesses
on the others; so decisions on one question are not independent. Figures, for 30 and 100 questions:

``coverage_<key>_<questions>_singly``    how often the 95 % interval of an item bootstrap over
                                         candidates holds the value of the population
``coverage_<key>_<questions>_questions`` the same, drawing whole questions
"""

from __future__ import annotations

import sys

from benchmarks.program import program

PARSER = program(__doc__, "coverage_*")
PARSER.add_argument("--draws", type=int, default=400, help="for each coverage")
PARSER.add_argument("--resamples", type=int, default=1000, help="of candidates, questions")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

from collections.abc import Sequence

import numpy as np

from benchmarks.program import run
from evaluation.agreement.clusters import measure_in_groups
from evaluation.agreement.kappa import GwetAC, KrippendorffAlpha, RawAgreement
from evaluation.agreement.ratings import Finding, Ratings, Scale, measure
from evaluation.figure import Figure, share_figure

SEED = 0
CANDIDATES = 8  # of a question
ACCEPTED = 0.25  # share of candidates that are right
HARD = 0.3  # share of hard questions
RIGHT_EASY, RIGHT_HARD = 0.9, 0.6
POPULATION = 100_000


def coverage(draws: int, resamples: int, sizes: Sequence[int] = (30, 100)) -> list[Figure]:
    """Return how often intervals of so many questions hold the value of the population."""
    found = []
    for statistic in (RawAgreement(), KrippendorffAlpha(), GwetAC()):
        rng = np.random.default_rng(SEED)
        truth = measure(drawn(POPULATION, rng), statistic, resamples=0).figure.value or 0.0
        for questions in sizes:
            tables = [drawn(questions, rng) for _ in range(draws)]
            groups = [at // CANDIDATES for at in range(questions * CANDIDATES)]
            singly = [measure(each, statistic, resamples) for each in tables]
            whole = [measure_in_groups(each, statistic, groups, resamples) for each in tables]
            key = f"coverage_{statistic.key}_{questions}"
            found += [
                _share(f"{key}_singly", singly, truth),
                _share(f"{key}_questions", whole, truth),
            ]
    return found


def drawn(questions: int, rng: np.random.Generator) -> Ratings:
    """Return the decisions of two people on the candidates of so many questions."""
    rows = questions * CANDIDATES
    right = np.where(rng.random(questions) < HARD, RIGHT_HARD, RIGHT_EASY).repeat(CANDIDATES)
    truth = rng.random(rows) < ACCEPTED
    guess = rng.random((rows, 2)) < 0.5
    said = np.where(rng.random((rows, 2)) < right[:, None], truth[:, None], guess)
    names, categories = ("first", "second"), ("reject", "accept")
    return Ratings(tuple(range(rows)), names, Scale.NOMINAL, categories, said.astype(np.int32))


def _share(name: str, findings: Sequence[Finding], truth: float) -> Figure:
    known = [each.figure for each in findings if each.figure.low is not None]
    inside = sum((each.low or 0.0) <= truth <= (each.high or 0.0) for each in known)
    return share_figure(name, inside, len(known))


if __name__ == "__main__":
    sys.exit(run(PARSER, lambda options, folder: coverage(options.draws, options.resamples)))
