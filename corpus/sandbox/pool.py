"""A pool of child processes for work on untrusted files, which may loop, crash or grow.

A child is a fresh Python, never a fork of a process with threads. It is started by the first call,
stays for the next, and works under limits of time, memory and output. One that exceeds them is
killed and its slot becomes free. Children are notified at once when this process ends, whatever
they are doing, and end too.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO, cast

from corpus.sandbox.child import Frame, FrameTooLargeError, receive, send
from errors import UserError, Where

_ROOT = Path(__file__).resolve().parents[2]
_PASSED_ON = (
    "PATH",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TMPDIR",
    "TEMP",
    "TMP",
    "SYSTEMROOT",
    "PYTHONPATH",
)
_START_SECONDS = 120.0  # for loading the packages on a busy machine
_TASKS = 200  # after so many a child is replaced, so that leaks do not grow
_IDLE_SECONDS = 600.0  # after which a child is not used again


class ChildError(Exception):
    """A child was ended without an answer; `why` is one of "slow", "large" or "crashed"."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(why)


class DefectError(Exception):
    """A failure that no file should cause: a defect of the program."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of one task: seconds by the clock and of processor, and bytes of its answer."""

    seconds: float = 120.0
    processor: float = 30.0
    sent: int = 96 << 20


class Child:
    """One child process, with one task at a time."""

    def __init__(self, module: str) -> None:
        lifeline, self._held = os.pipe()  # closing its end notifies the child
        known = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
        try:
            self._process = subprocess.Popen(  # noqa: S603  (no shell, and every word is ours)
                [sys.executable, "-m", module, str(lifeline)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=_ROOT,
                env=known | threads | {"PYTHONUTF8": "1"},
                pass_fds=(lifeline,),
                start_new_session=True,  # Ctrl+C is handled by the parent
            )
        finally:
            os.close(lifeline)
        self.used, self.idle_since = 0, monotonic()
        try:
            with self._ended_after(_START_SECONDS):
                self._receive(1 << 10)
        except ChildError as error:
            raise DefectError(f"{module} did not start: {error.why}") from error

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def ask(self, frame: Frame, bounds: Bounds) -> Frame:
        """Send a task and return the answer. Raises ChildError for none; the child is then gone."""
        self.used += 1
        with self._ended_after(bounds.seconds):
            try:
                send(cast(BinaryIO, self._process.stdin), frame)
            except OSError as error:
                raise ChildError("crashed") from error
            answer = self._receive(bounds.sent)
        self.idle_since = monotonic()
        return answer

    def is_fit(self) -> bool:
        """Return whether it can be used again."""
        fresh = self.used < _TASKS and monotonic() - self.idle_since < _IDLE_SECONDS
        return fresh and self._process.poll() is None

    def end(self) -> None:
        """End the process."""
        if self._held >= 0:
            os.close(self._held)
            self._held = -1
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(10)

    def _receive(self, most: int) -> Frame:
        """Receive an answer. Raises ChildError if it is too large or the child has crashed."""
        try:
            return receive(cast(BinaryIO, self._process.stdout), most)
        except FrameTooLargeError as error:
            raise ChildError("large") from error
        except (EOFError, ValueError, OSError) as error:
            raise ChildError("crashed") from error

    @contextmanager
    def _ended_after(self, seconds: float) -> Iterator[None]:
        """Kill the process after the time limit; raise "slow" if that ended it."""
        over = threading.Event()

        def kill() -> None:
            """Kill the child."""
            over.set()
            self._process.kill()

        timer = threading.Timer(seconds, kill)
        timer.daemon = True
        timer.start()
        try:
            yield
        except ChildError as error:
            self.end()
            slow = over.is_set() or self._process.returncode in _SLOW
            raise ChildError("slow" if slow else error.why) from error
        except BaseException:
            self.end()  # it may still be working, and would answer the next task with this
            raise
        finally:
            timer.cancel()


_SLOW = (-24,)  # ended by SIGXCPU: the child exceeded its own processor limit


class ChildPool:
    """At most `size` children of one module; see the module's docstring."""

    def __init__(self, module: str, size: int) -> None:
        self._module, self._size = module, size
        self._reset()
        atexit.register(self.close)
        os.register_at_fork(after_in_child=self._reset)  # a fork does not own the children

    def run(self, task: str, value: Any, blocks: Sequence[bytes], bounds: Bounds) -> Frame:
        """Run a task on a value and blocks of bytes.

        Raises UserError as the task does, ChildError if it was ended, and DefectError if it failed
        otherwise.
        """
        with self._child() as child:
            question = {"task": task, "value": value, "processor": bounds.processor}
            answer = child.ask(Frame(question, blocks), bounds)
        value = answer.value if isinstance(answer.value, dict) else {}
        if "refused" in value:
            raise _refused(value["refused"])
        if "outgrown" in value:
            raise ChildError("large")
        if "made" not in value:
            raise DefectError(str(value.get("failed"))[:2000])
        return Frame(value["made"], answer.blocks)

    def close(self) -> None:
        """End all idle children; busy ones end with their task."""
        with self._lock:
            waiting = list(self._waiting)
            self._waiting.clear()
        for child in waiting:
            child.end()

    def pids(self) -> list[int]:
        """Return the process ids of all children."""
        with self._lock:
            return sorted(child.pid for child in (*self._waiting, *self._working))

    def _reset(self) -> None:
        """Begin without children, as after a fork."""
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(self._size)
        self._waiting: list[Child] = []
        self._working: set[Child] = set()

    @contextmanager
    def _child(self) -> Iterator[Child]:
        """Yield a child for one task, a new one if none is idle."""
        with self._places:
            child = self._waiting_child() or Child(self._module)
            with self._lock:
                self._working.add(child)
            try:
                yield child
            finally:
                with self._lock:
                    self._working.discard(child)
                self._put_back(child)

    def _waiting_child(self) -> Child | None:
        """Return an idle child that is fit, None if there is none; unfit ones are ended."""
        while True:
            with self._lock:
                child = self._waiting.pop() if self._waiting else None
            if child is None or child.is_fit():
                return child
            child.end()

    def _put_back(self, child: Child) -> None:
        """Keep a child for the next task, unless it is worn out."""
        if child.is_fit():
            with self._lock:
                self._waiting.append(child)
        else:
            child.end()


def _refused(error: Any) -> UserError:
    """Rebuild the UserError of which the child sent the fields."""
    where = Where(error["file"], error["line"], error["field"])
    return UserError(error["code"], where, **error["params"])
