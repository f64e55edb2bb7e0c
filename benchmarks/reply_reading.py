"""How well replies of models are read: against what a person makes of each.

    python -m benchmarks.reply_reading [--json]

The replies were written by hand, in English, Korean, German and Chinese, to be like those of models
to questions with five options; none came from a model.

* ``developed``: replies that the rules were made on, read as a person does.
* ``held_out``: replies written after the rules, none of which led to a change, read likewise.
* ``held_out_unread``: of these, read as unreadable though a person can read them: they count in
  no share of readable replies.
* ``held_out_wrong``: of these, read as something else that they are not: they would move figures.
* ``milliseconds``: for one held-out reply, the mean of ten readings of all.
"""

from __future__ import annotations

import sys

from benchmarks.program import program

PARSER = program(__doc__, "developed held_out held_out_* milliseconds")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import time

from benchmarks.program import run
from evaluation.figure import Figure, share_figure
from evaluation.replies.outcomes import Outcome
from tests.evaluation.replies.labelled_replies import Written, written

_READINGS = 10


def measure() -> list[Figure]:
    """Return the figures; shares have the interval of Wilson."""
    developed, held_out = written("replies.tsv"), written("held_out.tsv")
    wrong = [reply for reply in held_out if not reply.right]
    unread = [reply for reply in wrong if reply.read().outcome is Outcome.UNREADABLE]
    count = len(held_out)
    return [
        _share("developed", developed),
        _share("held_out", held_out),
        *(_share(f"held_out_{name}", part) for name, part in _by_language(held_out).items()),
        share_figure("held_out_unread", len(unread), count),
        share_figure("held_out_wrong", len(wrong) - len(unread), count),
        Figure("milliseconds", _milliseconds(held_out), count),
    ]


def _share(name: str, replies: list[Written]) -> Figure:
    return share_figure(name, sum(reply.right for reply in replies), len(replies))


def _by_language(replies: list[Written]) -> dict[str, list[Written]]:
    found: dict[str, list[Written]] = {}
    for reply in replies:
        found.setdefault(reply.language, []).append(reply)
    return found


def _milliseconds(replies: list[Written]) -> float:
    started = time.process_time()
    for _ in range(_READINGS):
        for reply in replies:
            reply.read()
    return (time.process_time() - started) / (_READINGS * len(replies)) * 1000


if __name__ == "__main__":
    sys.exit(run(PARSER, lambda options, folder: measure()))
