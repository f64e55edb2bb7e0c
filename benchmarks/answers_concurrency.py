"""Asking for answers: is the server kept busy while answers are read and kept?

    python -m benchmarks.answers_concurrency [--questions 600] [--concurrency 16] [--delay 0.5]

A project of made-up law, questions and a stored run is asked through `services.answers` under three
contexts (none, the run's first ten provisions, a pseudo-passage), so one of four calls waits for
another; the scripted server of the tests answers each after ``--delay`` seconds, give or take half,
in a process of its own. Figures:

* ``mean_concurrency``: calls under way at the server, on average from its first call to its last;
  ``share_of_allowed``: that over what is allowed (at least 0.9 is wanted).
* ``most_concurrency``: at most; ``calls_per_second``; ``answers``: how many were kept in the end,
  ``missing``: how many of those wanted were not.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import program

QUESTIONS, CONCURRENCY, DELAY = 600, 16, 0.5
PARSER = program(
    __doc__,
    "mean_concurrency share_of_allowed most_concurrency calls_per_second answers missing",
)
PARSER.add_argument("--questions", type=int, default=QUESTIONS, help="in the project")
PARSER.add_argument("--concurrency", type=int, default=CONCURRENCY, help="calls under way at once")
PARSER.add_argument("--delay", type=float, default=DELAY, help="seconds the server takes")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import tempfile
import time
from functools import partial

from benchmarks.llm_batch import serving, told_by
from benchmarks.program import run
from construction.answers import ContextSpec, Kind
from corpus.model import Level, Question, Statute, Tier, Unit
from evaluation.figure import Figure
from services.answers.asking import ask_answers
from services.answers.planning import AnswerOptions, plan_answers
from services.background.tasks import watched
from storage.answers import standing_answers
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project
from storage.runs.run_store import RunKey, keep_run

SLUG, ARTICLES, SHOWN = "depot", 60, 10
_TEXT = "Whoever keeps {n} litres or more shall notify the chief within {n} days. " * 12


def measure(
    questions: int = QUESTIONS, concurrency: int = CONCURRENCY, delay: float = DELAY
) -> dict[str, float]:
    """Return every figure by its name."""
    with tempfile.TemporaryDirectory() as folder:
        return {
            each.name: float(each.value or 0.0)
            for each in _figures(Path(folder), questions, concurrency, delay)
        }


def _figures(folder: Path, questions: int, concurrency: int, delay: float) -> list[Figure]:
    ws = Workspace(folder)
    run_id = _project(ws, questions)
    contexts = (
        ContextSpec(Kind.PSEUDO),
        ContextSpec(Kind.NONE),
        ContextSpec(Kind.RUN, SHOWN, run_id=run_id),
    )
    with serving(delay) as address:
        text = f'base_url = "{address}"\nmodel = "model"\nmax_tokens = 64\n'
        (ws.folder / "models.toml").write_text(f"{text}concurrency = {concurrency}\n", "utf-8")
        plan = plan_answers(ws, SLUG, AnswerOptions(contexts=contexts))
        start = time.perf_counter()
        watched(partial(ask_answers, ws, plan), lambda done, total: None)
        seconds = time.perf_counter() - start
        told = told_by(address)
    calls = int(told["requests"])
    with ws.reading() as session:
        kept = len(standing_answers(session, 1))
    return [
        Figure("mean_concurrency", told["mean"], calls),
        Figure("share_of_allowed", told["mean"] / concurrency, calls),
        Figure("most_concurrency", told["most"], calls),
        Figure("calls_per_second", calls / seconds, calls),
        Figure("answers", kept, calls),
        Figure("missing", len(contexts) * questions - kept, calls),
    ]


def _project(ws: Workspace, questions: int) -> int:
    """Make a project with law, questions and a run; return the run's id."""
    migrate(ws)
    create_project(ws, SLUG, "Depots")
    keep_statutes(ws, SLUG, [_law()], "law")
    asked = [
        Question(
            f"q{n}", f"A depot {n} keeps paint. Whom does the keeper tell?", "The chief.", "en"
        )
        for n in range(questions)
    ]
    keep_questions(ws, SLUG, asked, "questions.jsonl")
    hits = {
        each.external_id: [
            (f"depots_{(n + rank) % ARTICLES}", 1.0 / (rank + 1)) for rank in range(10)
        ]
        for n, each in enumerate(asked)
    }
    with ws.writing() as session:
        return keep_run(session, RunKey(1, 1, "bm25", {"k": SHOWN}, ""), hits, ws.clock())


def _law() -> Statute:
    units = tuple(
        Unit(f"depots_{n}", "depots", Level.ARTICLE, f"Article {n}", "Paint", _TEXT.format(n=n), n)
        for n in range(ARTICLES)
    )
    return Statute("depots", "Depots Act", "act", Tier.ACT, "en", units)


if __name__ == "__main__":
    sys.exit(run(PARSER, lambda o, folder: _figures(folder, o.questions, o.concurrency, o.delay)))
