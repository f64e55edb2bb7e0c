from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from corpus.sandbox.pool import Bounds, ChildError, ChildPool, DefectError
from errors import UserError

MODULE = "tests.corpus.sandbox.child_tasks"
ROOT = Path(__file__).resolve().parents[3]
SHORT = Bounds(seconds=60, processor=1, sent=1 << 20)


@pytest.fixture
def pool() -> Iterator[ChildPool]:
    made = ChildPool(MODULE, 1)
    yield made
    made.close()


def _run(pool: ChildPool, task: str, bounds: Bounds = SHORT, value: object = None) -> object:
    return pool.run(task, value, (), bounds).value


def _waited(for_what: Callable[[], bool], seconds: float = 60) -> bool:
    over = time.monotonic() + seconds
    while time.monotonic() < over and not for_what():
        time.sleep(0.05)
    return for_what()


def _is_running(pid: int) -> bool:
    """Whether a process is there and not over; one that nobody waited for yet is over."""
    try:
        said = Path(f"/proc/{pid}/stat").read_text("utf-8")
    except OSError:
        return False
    return said.rpartition(")")[2].split()[0] != "Z"


def test_nothing_starts_before_it_is_asked_and_one_child_answers_again(pool: ChildPool) -> None:
    assert pool.pids() == []
    value = {"a": [1, 2.5, None, "가"]}
    made = pool.run("echo", value, [b"", b"\0\xff" * 99], SHORT)
    assert (made.value, list(made.blocks)) == (value, [b"", b"\0\xff" * 99])
    (pid,) = pool.pids()
    assert _run(pool, "echo") is None
    assert pool.pids() == [pid]


@pytest.mark.parametrize(
    ("task", "bounds", "why"),
    [
        ("sleeps", Bounds(seconds=0.5), "slow"),
        ("burns", SHORT, "slow"),
        ("grows", SHORT, "large"),
        ("says_much", SHORT, "large"),
        ("breaks", SHORT, "crashed"),
        ("exits", SHORT, "crashed"),
        ("lies", SHORT, None),
    ],
)
def test_a_child_beyond_its_limits_is_ended_and_replaced(
    pool: ChildPool, task: str, bounds: Bounds, why: str | None
) -> None:
    _run(pool, "echo")
    (before,) = pool.pids()
    with pytest.raises(ChildError) as ended:
        _run(pool, task, bounds, 60)
    assert ended.value.why == why or why is None
    if task != "grows":  # that one had room to say so
        assert not _is_running(before)
    assert _run(pool, "echo", value=7) == 7


def test_what_a_task_prints_is_no_answer(pool: ChildPool) -> None:
    assert _run(pool, "prints") == "answer"
    assert _run(pool, "echo", value=1) == 1


def test_a_refusal_is_told_as_it_was_raised_and_a_defect_is_no_refusal(pool: ChildPool) -> None:
    with pytest.raises(UserError) as refused:
        _run(pool, "refuses")
    error = refused.value
    assert (error.code, error.where.file, error.params["page"]) == ("pdf_page_broken", "a.pdf", 3)
    with pytest.raises(DefectError, match="a defect"):
        _run(pool, "fails")
    with pytest.raises(DefectError, match="did not start"):
        ChildPool("tests.corpus.no_such_module", 1).run("echo", None, (), SHORT)


def test_a_child_writes_no_file_and_has_none_of_our_secrets(
    pool: ChildPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://user:secret@server/db")
    monkeypatch.setenv("TOUCHSTONE_MODEL_KEY", "secret")
    with (tmp_path / "database").open("w") as held:
        os.set_inheritable(held.fileno(), True)  # as a careless library would leave it
        made = _run(pool, "who")
        opened = {str(each.readlink()) for each in Path(f"/proc/{pool.pids()[0]}/fd").iterdir()}
    assert isinstance(made, dict)
    assert "secret" not in str(made["environment"])
    assert str(tmp_path / "database") not in opened
    with pytest.raises((DefectError, ChildError)):
        _run(pool, "writes", value=str(tmp_path / "written"))
    there = tmp_path / "written"
    assert not there.exists() or there.read_text() == ""


def test_others_are_served_while_one_is_held_up() -> None:
    pool = ChildPool(MODULE, 2)
    with ThreadPoolExecutor(4) as threads:
        both = [threads.submit(_run, pool, "sleeps", Bounds(), 1) for _ in range(2)]
        assert [each.result(120) for each in both] == [1, 1]
        assert len(pool.pids()) == 2
        held = threads.submit(_run, pool, "burns", Bounds(processor=2))
        answers = [threads.submit(_run, pool, "echo", SHORT, n) for n in range(20)]
        assert [each.result(120) for each in answers] == list(range(20))
        assert not held.done()
        assert isinstance(held.exception(120), ChildError)
    pool.close()
    assert pool.pids() == []


def test_children_are_used_again_only_while_they_are_fit(
    pool: ChildPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corpus.sandbox.pool._TASKS", 2)
    pids = []
    for _ in range(5):
        made = _run(pool, "who")
        assert isinstance(made, dict)
        pids.append(made["pid"])
    assert (pids[0], pids[2]) == (pids[1], pids[3])
    assert pids[1] != pids[2]
    os.kill(pids[4], signal.SIGKILL)
    assert _waited(lambda: not _is_running(pids[4]))
    assert _run(pool, "echo", value=3) == 3


_PARENT = f"""
import threading, time
from corpus.sandbox.pool import Bounds, ChildPool
pool = ChildPool("{MODULE}", 2)
pool.run("echo", None, (), Bounds())
long = Bounds(seconds=600, processor=600)
begin = threading.Thread(target=lambda: pool.run("burns", None, (), long), daemon=True)
begin.start()
pool.run("echo", None, (), Bounds())
print(*pool.pids(), flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize(
    "how",
    [
        signal.SIGKILL,
        *(pytest.param(each, marks=pytest.mark.long) for each in (signal.SIGTERM, signal.SIGINT)),
    ],
)
def test_no_child_outlives_its_parent_even_at_work(how: signal.Signals) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", _PARENT], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert parent.stdout is not None
    pids = [int(each) for each in parent.stdout.readline().split()]
    assert len(pids) == 2
    parent.send_signal(how)
    parent.communicate(timeout=100)
    assert _waited(lambda: not any(_is_running(pid) for pid in pids))
