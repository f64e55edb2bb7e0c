"""The child's side of `corpus.sandbox.pool`: a process that answers one task after another.

It limits itself before it reads anything: memory, processor time for each task, nothing written to
disk. A pipe that nobody writes to stays open as long as the parent lives; when it closes, the
kernel ends this process, even in the middle of work that never returns.

Messages between a process and its children are one JSON value, and blocks of bytes. Nothing that a
child sends is run or unpickled, and its size is bounded.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import struct
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from errors import UserError

_LENGTH = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class Frame:
    """A message between parent and child: a JSON value, and blocks of bytes."""

    value: Any
    blocks: Sequence[bytes] = ()


class FrameTooLargeError(Exception):
    """More bytes were announced than allowed."""


def send(stream: BinaryIO, frame: Frame) -> None:
    """Write a message. Raises OSError if nobody reads it."""
    head = {"value": frame.value, "blocks": [len(block) for block in frame.blocks]}
    body = json.dumps(head, ensure_ascii=False).encode()
    stream.write(_LENGTH.pack(len(body)) + body)
    for block in frame.blocks:
        stream.write(block)
    stream.flush()


def receive(stream: BinaryIO, most: int) -> Frame:
    """Read the next message.

    Raises EOFError at the end of the stream, ValueError for an invalid message, and
    FrameTooLargeError for one of more than `most` bytes.
    """
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    if length > most:
        raise FrameTooLargeError
    head = json.loads(_exactly(stream, length))
    if not isinstance(head, dict) or not isinstance(head.get("blocks"), list):
        raise ValueError("no message")
    sizes = [size if isinstance(size, int) and size >= 0 else most for size in head["blocks"]]
    if length + sum(sizes) > most:
        raise FrameTooLargeError
    return Frame(head.get("value"), [_exactly(stream, size) for size in sizes])


def _exactly(stream: BinaryIO, size: int) -> bytes:
    """Read exactly so many bytes. Raises EOFError if there are fewer."""
    read = stream.read(size)
    if len(read) < size:
        raise EOFError
    return read


Task = Callable[[Any, Sequence[bytes]], Frame]
MEMORY = 3 << 30  # bytes of address space; the packages take 0.7 GB of it
_MOST_ASKED = 512 << 20
_PLAIN = (str, int, float, bool)


def serve(tasks: Mapping[str, Task]) -> None:
    """Answer tasks from standard input until it ends. The first argument is the lifeline's fd.

    A task's output to the console is discarded.
    """
    _watch(int(sys.argv[1]))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    limit_memory()
    send(answers, Frame({"ready": True}))
    with contextlib.suppress(EOFError):
        while True:
            asked = receive(sys.stdin.buffer, _MOST_ASKED)
            _limit_processor(float(asked.value["processor"]))
            _answer(answers, tasks[asked.value["task"]], asked)


def _answer(answers: BinaryIO, task: Task, request: Frame) -> None:
    """Run a task and send its result, or the reason why there is none."""
    try:
        made = task(request.value["value"], request.blocks)
    except UserError as error:
        send(answers, Frame({"refused": _error_fields(error)}))
    except MemoryError:
        send(answers, Frame({"outgrown": True}))
    except Exception:
        send(answers, Frame({"failed": traceback.format_exc(limit=-6)}))
    else:
        send(answers, Frame({"made": made.value}, made.blocks))


def _error_fields(error: UserError) -> dict[str, Any]:
    params = {k: v if isinstance(v, _PLAIN) else str(v) for k, v in error.params.items()}
    where = error.where
    place = {"file": where.file, "line": where.line, "field": where.field}
    return {"code": error.code, "params": params, **place}


def _watch(lifeline: int) -> None:
    """End with the parent: the kernel sends SIGIO, which ends a process, when the pipe closes."""
    try:
        import fcntl

        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
        flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
        fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | os.O_ASYNC)
    except (ImportError, AttributeError, OSError):
        return  # on systems without this, it ends with its task


def limit_memory() -> None:
    """Limit memory and forbid writing to files, where the system can."""
    with contextlib.suppress(ImportError):
        import resource

        for kind, most in (
            (resource.RLIMIT_AS, MEMORY),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        ):
            _limit(kind, most)


def _limit_processor(seconds: float) -> None:
    """Let the kernel end this process when a task exceeds this processor time."""
    with contextlib.suppress(ImportError):
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + seconds) + 1)


def _limit(kind: int, most: int) -> None:
    """Lower a limit of this process to `most`, or to the highest allowed."""
    import resource

    _, hard = resource.getrlimit(kind)
    bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(kind, (bound, hard))
