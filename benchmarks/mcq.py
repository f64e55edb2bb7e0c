"""Solving many questions with the real command: is the server kept busy, what does a kill cost?

    python -m benchmarks.mcq [--questions 5000] [--concurrency 32] [--delay 0.5] [--json]

A project is made with so many multiple-choice questions, and ``touchstone.py mcq solve`` has them
answered with nothing, with A, with B and with both by the scripted server of the tests, which takes
``--delay`` seconds for each call, give or take half, in a process of its own. The command is killed
with SIGKILL when two fifths of the calls are kept, and run again. Figures:

* ``import_s``: seconds to bring the questions in through every filter.
* ``mean_concurrency``, ``most_concurrency``: calls under way at the server during the second run,
  on average from its first call to its last, and at most; ``calls_per_second`` over the whole of
  that run, reading what was known included.
* ``kept_asked_again``: calls whose reply was kept before the kill and that the server saw again.
* ``asked_again``: calls that the server saw twice in all: those under way at the kill.
* ``votes_missing``, ``votes_twice``: of a vote for each question and setting.
* ``report_s``: seconds to make the whole report from the votes.

With ``--replies`` instead: how well replies are read, against what a person makes of each. They
were written by hand, in English, Korean, German and Chinese, to be like those of models to
questions with five options; none came from a model.

* ``developed``: replies that the rules were made on, read as a person does.
* ``held_out``: replies written after the rules, none of which led to a change, read likewise.
* ``held_out_unread``: of these, read as unreadable though a person can read them: they count in
  no share of readable replies.
* ``held_out_wrong``: of these, read as something else that they are not: they would move figures.
* ``milliseconds``: for one held-out reply, the mean of ten readings of all.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import ROOT, program

PARSER = program(
    __doc__,
    "mean_concurrency most_concurrency calls_per_second kept_asked_again asked_again "
    "votes_missing votes_twice import_s report_s developed held_out held_out_* milliseconds",
)
PARSER.add_argument("--questions", type=int, default=5000, help="solved under 4 settings each")
PARSER.add_argument("--concurrency", type=int, default=32, help="calls under way at once")
PARSER.add_argument("--delay", type=float, default=0.5, help="seconds the server takes")
PARSER.add_argument("--replies", action="store_true", help="how well replies are read")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import json
import time
from argparse import Namespace

from sqlmodel import func, select

from benchmarks.llm_batch import killed_and_run_again, serving
from benchmarks.program import program, run, seconds
from corpus.model import Level, Statute, Tier, Unit
from evaluation.figure import Figure, share_figure
from evaluation.mcq.votes import Setting
from evaluation.replies.outcomes import Outcome
from normalization.grouping import grouped
from services.mcq.importing import import_mcqs
from services.mcq.report import mcq_report
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project
from storage.tables.mcq import McqVote
from tests.evaluation.replies.labelled_replies import Written, written

SLUG = "many"
_LEAVES = (
    "Whoever stores substance {n} shall notify the chief within the period set by decree. " * 6
)
_SETS = "The period for substance {n} is {days} days from the day on which it was brought in. " * 6
_CANNOT = "It cannot be determined from the information given."


def measure(folder: Path, questions: int, concurrency: int, delay: float) -> list[Figure]:
    """Return every figure; the workspace is made in `folder`."""
    ws, importing = _project(folder, questions)
    total = questions * len(Setting)
    with serving(delay) as address:
        settings = f'base_url = "{address}"\nmodel = "m"\nconcurrency = {concurrency}\n'
        (ws.folder / "models.toml").write_text(settings, "utf-8")
        command = [sys.executable, str(ROOT / "touchstone.py"), "--workspace", str(ws.folder)]
        command += ["--json", "mcq", "solve"]
        asked = killed_and_run_again(ws, command, total, delay, address)
    return [
        Figure("import_s", importing, questions),
        *asked,
        *_votes(ws, total),
        Figure("report_s", seconds(lambda: mcq_report(ws, SLUG)), questions),
    ]


def _project(folder: Path, questions: int) -> tuple[Workspace, float]:
    ws = Workspace(folder / "workspace")
    migrate(ws)
    create_project(ws, SLUG, "Many questions")
    keep_statutes(ws, SLUG, _law(questions), "law")
    file = folder / "questions.jsonl"
    file.write_text("".join(json.dumps(_question(n)) + "\n" for n in range(questions)), "utf-8")
    start = time.perf_counter()
    done = import_mcqs(ws, SLUG, file)
    if done.kept != questions:
        raise ValueError(f"only {done.kept} of {questions} questions passed: {done.outcomes}")
    return ws, time.perf_counter() - start


def _law(articles: int) -> list[Statute]:
    act = tuple(_unit("store-act", n, _LEAVES.format(n=n)) for n in range(articles))
    decree = tuple(
        _unit("store-decree", n, _SETS.format(n=n, days=1000 + n)) for n in range(articles)
    )
    return [
        Statute("store-act", "Store Act", "act", Tier.ACT, "en", act),
        Statute("store-decree", "Store Decree", "decree", Tier.DECREE, "en", decree),
    ]


def _unit(statute: str, n: int, text: str) -> Unit:
    return Unit(f"{statute}_article-{n}", statute, Level.ARTICLE, f"Article {n}", "", text, n)


def _question(n: int) -> dict[str, object]:
    right = n % 4
    options = [f"Within {1000 + n + 7 * (place - right)} days" for place in range(4)]
    return {
        "id": f"q{n:05}",
        "query": f"A load of substance {n} came in on Monday. By when does the chief have to know?",
        "options": [*options, _CANNOT],
        "answer": right + 1,
        "a": f"store-act_article-{n}",
        "b": f"store-decree_article-{n}",
    }


def _votes(ws: Workspace, total: int) -> list[Figure]:
    with ws.reading() as session:
        places = select(McqVote.mcq_id, McqVote.setting).distinct().subquery()
        different = session.exec(select(func.count()).select_from(places)).one()
        rows = session.exec(select(func.count()).select_from(McqVote)).one()
    return [
        Figure("votes_missing", total - different, total),
        Figure("votes_twice", rows - different, total),
    ]


_READINGS = 10


def reply_figures() -> list[Figure]:
    """Return the figures; shares have the interval of Wilson."""
    developed, held_out = written("replies.tsv"), written("held_out.tsv")
    wrong = [reply for reply in held_out if not reply.right]
    unread = [reply for reply in wrong if reply.read().outcome is Outcome.UNREADABLE]
    count = len(held_out)
    by_language = grouped((reply.language, reply) for reply in held_out)
    taken = seconds(lambda: [each.read() for each in held_out * _READINGS], time.process_time)
    return [
        _share("developed", developed),
        _share("held_out", held_out),
        *(_share(f"held_out_{name}", part) for name, part in by_language.items()),
        share_figure("held_out_unread", len(unread), count),
        share_figure("held_out_wrong", len(wrong) - len(unread), count),
        Figure("milliseconds", 1000 * taken / (_READINGS * count), count),
    ]


def _share(name: str, replies: list[Written]) -> Figure:
    return share_figure(name, sum(reply.right for reply in replies), len(replies))


def figures_of(options: Namespace, folder: Path) -> list[Figure]:
    """Return what solving takes, or how well replies are read."""
    if options.replies:
        return reply_figures()
    return measure(folder, options.questions, options.concurrency, options.delay)


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
