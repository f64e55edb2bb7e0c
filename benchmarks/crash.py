"""Kill -9 while people submit: is anything lost that was acknowledged?

    python -m benchmarks.crash [--kills 100] [--database URL] [--seed 0] [--json]

Three writers submit without pausing, each a process that says what was acknowledged as soon as it
was. At a random moment all are killed, the database is opened again and checked, and others go on.
With ``--database`` the writers are killed, not the server. Figures:

* ``acknowledged_lost``: acknowledged submissions that are not stored as they were made; n is how
  many were acknowledged.
* ``unopened``: kills after which the database could not be opened; ``problems``: what
  `touchstone.py check` finds, after each kill; n is how many processes were killed at work.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import program

PARSER = program(__doc__, "acknowledged_lost unopened problems")
PARSER.add_argument("--kills", type=int, default=100, help="processes to kill, at least")
PARSER.add_argument("--database", help="address of an empty PostgreSQL database")
PARSER.add_argument("--seed", type=int, default=0, help="seed of the random moments")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import random
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection

from annotation.check.project import check
from benchmarks.people import (
    SLUG,
    Decision,
    Writer,
    as_stored,
    decide,
    opened,
    seat,
    started,
    stored,
)
from benchmarks.program import run
from errors import UserError
from evaluation.figure import Figure

WRITERS = 3
ITEMS_PER_KILL = 40  # more than a writer finishes before it is killed
LONGEST_SECONDS = 0.5  # until a kill, from the first act of the writers


def measure(folder: Path, kills: int, database: str | None, seed: int = 0) -> list[Figure]:
    """Return every figure; `folder` is where the workspace is made."""
    ws = opened(folder, database)
    writers = seat(ws, WRITERS, rounds(kills) * ITEMS_PER_KILL)
    ws.engine.dispose()  # no connection may be shared with the processes
    chance = random.Random(seed)
    acknowledged: list[Decision] = []
    problems = unopened = 0
    for turn in range(rounds(kills)):
        acknowledged += _until_killed(folder, database, writers, turn, chance)
        try:
            again = opened(folder, database)
            problems += len(check(again, SLUG))
            again.engine.dispose()
        except UserError:
            unopened += 1
    lost = as_stored(acknowledged) - set(stored(opened(folder, database)))
    killed = rounds(kills) * WRITERS
    return [
        Figure("acknowledged_lost", len(lost), len(acknowledged)),
        Figure("unopened", unopened, killed),
        Figure("problems", problems, killed),
    ]


def rounds(kills: int) -> int:
    """Return how often all writers are killed so that at least `kills` processes are."""
    return -(-kills // WRITERS)


def _until_killed(
    folder: Path, database: str | None, writers: list[Writer], turn: int, chance: random.Random
) -> list[Decision]:
    """Let the writers work on items nobody has touched, and kill them; return what they said."""
    begun = [started(_work, folder, database, writer, turn) for writer in writers]
    said = [decision for _, ours in begun if (decision := ours.recv())]  # each is at work
    time.sleep(chance.uniform(0, LONGEST_SECONDS))
    for process, _ in begun:
        process.kill()
    for process, ours in begun:
        process.join()
        said += _rest(ours)
    return said


def _rest(ours: Connection) -> Iterator[Decision]:
    try:
        while True:
            yield ours.recv()
    except (EOFError, OSError):  # the end, or a message that the kill cut in two
        ours.close()


def _work(
    folder: Path, database: str | None, writer: Writer, turn: int, answer: Connection
) -> None:
    ws = opened(folder, database)
    for number in range(turn * ITEMS_PER_KILL, (turn + 1) * ITEMS_PER_KILL):
        answer.send(decide(ws, writer, number))
    time.sleep(LONGEST_SECONDS)  # done too soon: wait to be killed


if __name__ == "__main__":
    sys.exit(
        run(PARSER, lambda o, folder: measure(folder / "workspace", o.kills, o.database, o.seed))
    )
