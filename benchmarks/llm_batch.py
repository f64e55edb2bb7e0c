"""A large batch of model calls: is the server kept busy, what does a call cost, what does a kill?

    python -m benchmarks.llm_batch [--questions 5000] [--concurrency 32] [--delay 0.5] [--json]

Multiple-choice questions under four settings (no provision, A, B, A and B) go to the scripted
server of the tests, which answers each call after ``--delay`` seconds, give or take half, in a
process of its own. A child process asks them with the packaged prompts and keeps the replies in an
SQLite workspace; it is killed with SIGKILL when two fifths are kept, and the batch is taken up by a
second one. Figures:

* ``mean_concurrency``, ``most_concurrency``: calls under way at the server during the second run,
  on average from its first call to its last, and at most; ``calls_per_second`` of that run.
* ``kept_asked_again``: calls whose reply was kept before the kill and that the server saw again.
* ``asked_again``: calls that the server saw twice in all: those under way at the kill.
* ``missing``: questions without an answer in the end.
* ``bare_ms``, ``ours_ms``: processor time of one call in this process, threads included, with the
  openai client alone and through `llm.client` with the reply kept on disk; ``overhead_ms``: the
  difference, with a bootstrap interval over rounds that alternate between the two.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.program import ROOT, program

PARSER = program(
    __doc__,
    "mean_concurrency most_concurrency calls_per_second kept_asked_again asked_again missing "
    "bare_ms ours_ms overhead_ms",
)
PARSER.add_argument("--questions", type=int, default=5000, help="asked under 4 settings each")
PARSER.add_argument("--concurrency", type=int, default=32, help="calls under way at once")
PARSER.add_argument("--delay", type=float, default=0.5, help="seconds the server takes")
PARSER.add_argument("--per-round", type=int, default=400, help="calls in a round of overhead")
PARSER.add_argument("--work", type=Path, help=argparse.SUPPRESS)
PARSER.add_argument("--address", help=argparse.SUPPRESS)
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import asyncio
import json
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from sqlmodel import col, func, select

from benchmarks.program import run
from evaluation.figure import Figure, bootstrap
from llm.batch import ask_all
from llm.client import Client
from llm.prompts.prompt_files import prompt
from llm.request import Request
from llm.roles import Endpoint, Pace, Role, Secret
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.models import CallStore
from storage.tables.models import LlmCall

SETTINGS = ("", "A", "B", "AB")
KILLED_AT = 0.4  # of the calls are kept by then
ROUNDS = 12
_PROVISION = "Article {n} ({side}): whoever keeps {n} litres or more shall notify the chief. " * 6


def requests(endpoint: Endpoint, questions: int) -> list[Request]:
    """Return the calls of every question under every setting, each unlike all others."""
    return [_request(endpoint, n, setting) for n in range(questions) for setting in SETTINGS]


def _request(endpoint: Endpoint, n: int, setting: str) -> Request:
    values = {
        "question": f"A depot {n} keeps paint. Whom does the keeper tell, and when?",
        "options": "\n".join(f"{i}. The chief, within {i * n} days" for i in range(1, 6)),
    }
    wording = prompt("mcq_solve_context" if setting else "mcq_solve_closed", "en")
    if setting:
        values["context"] = "\n\n".join(_PROVISION.format(n=n, side=side) for side in setting)
    return Request(endpoint, wording.messages(values), wording.name)


def measure(
    folder: Path, questions: int, concurrency: int, delay: float, per_round: int
) -> list[Figure]:
    """Return every figure; `folder` is where the workspaces are made."""
    figures = _batch(folder / "batch", questions, concurrency, delay)
    return figures + _overhead(folder / "overhead", concurrency, per_round)


def _batch(folder: Path, questions: int, concurrency: int, delay: float) -> list[Figure]:
    ws = Workspace(folder)
    migrate(ws)
    total = questions * len(SETTINGS)
    with serving(delay) as address:
        command = [sys.executable, "-m", "benchmarks.llm_batch", "--work", str(folder)]
        command += ["--address", address, "--concurrency", str(concurrency)]
        command += ["--questions", str(questions)]
        figures = killed_and_run_again(ws, command, total, delay, address)
    return [*figures, Figure("missing", total - kept_calls(ws), total)]


def killed_and_run_again(
    ws: Workspace, command: list[str], total: int, delay: float, address: str
) -> list[Figure]:
    """Kill a command when two fifths of its calls are kept, run it again, and say what it cost."""
    first = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    wait_for(ws, int(total * KILLED_AT), first)
    first.send_signal(signal.SIGKILL)
    first.wait()
    time.sleep(2 * delay)  # the calls of the killed process end at the server
    kept, asked = kept_calls(ws), told_by(address)["requests"]
    told_by(address, "reset")
    start = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    told = told_by(address)
    n = told["requests"] - asked
    return [
        Figure("mean_concurrency", told["mean"], n),
        Figure("most_concurrency", told["most"], n),
        Figure("calls_per_second", n / seconds, n),
        Figure("kept_asked_again", n - (total - kept), kept),
        Figure("asked_again", told["requests"] - total, total),
    ]


def wait_for(ws: Workspace, number: int, child: subprocess.Popen[bytes]) -> None:
    """Wait until so many calls are kept. Raises ValueError if the child ends before."""
    while kept_calls(ws) < number:
        if child.poll() is not None:
            raise ValueError(f"the batch ended by itself with code {child.returncode}")
        time.sleep(0.02)


def kept_calls(ws: Workspace) -> int:
    """Return how many different calls have been answered."""
    with ws.reading() as session:
        query = select(func.count(func.distinct(col(LlmCall.request_hash))))
        return session.exec(query.where(LlmCall.status == "answered")).one()


def told_by(address: str, path: str = "figures") -> dict[str, Any]:
    """Return what the scripted server counted; the path ``reset`` begins counting anew."""
    root = address.removesuffix("/v1")
    with urllib.request.urlopen(f"{root}/{path}") as said:  # noqa: S310  (our own server)
        told: dict[str, Any] = json.loads(said.read())
    return told


@contextmanager
def serving(delay: float) -> Iterator[str]:
    """Yield the address of a scripted server in a process of its own."""
    command = [sys.executable, "-m", "tests.llm.server", "--delay", str(delay)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None  # noqa: S101  (it is a pipe)
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
    finally:
        process.kill()
        process.wait()


def _endpoint(address: str, concurrency: int) -> Endpoint:
    return Endpoint(Role.SOLVE, address, "model", max_tokens=8, pace=Pace(concurrency))


async def _ask(ws: Workspace, endpoint: Endpoint, calls: list[Request]) -> None:
    async with Client(endpoint, Secret(""), CallStore(ws)) as client:
        await ask_all(client, calls)


def _overhead(folder: Path, concurrency: int, per_round: int) -> list[Figure]:
    ws = Workspace(folder)
    migrate(ws)
    with serving(0.0) as address:
        endpoint = _endpoint(address, concurrency)
        calls = requests(endpoint, (ROUNDS + 1) * per_round // len(SETTINGS) + 1)
        bare, ours = [], []
        for number in range(ROUNDS + 1):
            some = calls[number * per_round : (number + 1) * per_round]
            bare.append(_processor_ms(_bare(endpoint, some), len(some)))
            ours.append(_processor_ms(_ask(ws, endpoint, some), len(some)))
    both = np.array([bare[1:], ours[1:]])  # the first round loads packages
    more = both[1] - both[0]
    n = ROUNDS * per_round
    return [
        Figure("bare_ms", float(both[0].mean()), n, *bootstrap(both[0])),
        Figure("ours_ms", float(both[1].mean()), n, *bootstrap(both[1])),
        Figure("overhead_ms", float(more.mean()), n, *bootstrap(more)),
    ]


def _processor_ms(work: Any, number: int) -> float:
    start = time.process_time()
    asyncio.run(work)
    return (time.process_time() - start) * 1000 / number


async def _bare(endpoint: Endpoint, calls: list[Request]) -> None:
    from openai import AsyncOpenAI

    free = asyncio.Semaphore(endpoint.pace.concurrency)
    async with AsyncOpenAI(api_key="none", base_url=endpoint.base_url, max_retries=0) as client:

        async def one(call: Request) -> None:
            said: Any = [{"role": m.speaker, "content": m.text} for m in call.messages]
            async with free:
                done = await client.chat.completions.create(
                    model=endpoint.model, messages=said, max_tokens=endpoint.max_tokens
                )
            if done.choices[0].message.content != "ok":
                raise ValueError("the server did not answer")

        await asyncio.gather(*map(one, calls))


def main() -> int:
    """Measure and print; return an exit code."""
    options = PARSER.parse_args()
    if options.work:
        endpoint = _endpoint(options.address, options.concurrency)
        calls = requests(endpoint, options.questions)
        asyncio.run(_ask(Workspace(options.work), endpoint, calls))
        return 0
    size = options.questions, options.concurrency, options.delay, options.per_round
    return run(PARSER, lambda options, folder: measure(folder, *size))


if __name__ == "__main__":
    raise SystemExit(main())
