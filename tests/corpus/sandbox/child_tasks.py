"""Tasks of a child process that does all it should not."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from corpus.sandbox import child
from corpus.sandbox.child import Frame
from errors import UserError, Where


def echo(asked: Any, blocks: Sequence[bytes]) -> Frame:
    return Frame(asked, blocks)


def who(_: Any, __: Sequence[bytes]) -> Frame:
    return Frame({"pid": os.getpid(), "environment": dict(os.environ)})


def sleeps(asked: Any, __: Sequence[bytes]) -> Frame:
    time.sleep(asked)
    return Frame(asked)


def burns(_: Any, __: Sequence[bytes]) -> Frame:
    return Frame(sum(9**999999 % n for n in range(1, 999)))  # one step of it takes long, in C


def grows(_: Any, __: Sequence[bytes]) -> Frame:
    return Frame(len(b"x" * (8 << 30)))


def breaks(_: Any, __: Sequence[bytes]) -> Frame:
    os.kill(os.getpid(), signal.SIGSEGV)
    return Frame(None)


def exits(_: Any, __: Sequence[bytes]) -> Frame:
    os._exit(0)


def says_much(_: Any, __: Sequence[bytes]) -> Frame:
    return Frame(None, [bytes(1 << 20)] * 20)


def prints(_: Any, __: Sequence[bytes]) -> Frame:
    sys.stdout.write("not an answer")
    sys.stdout.flush()
    os.write(1, b"nor this")
    sys.stderr.write("nor that")
    return Frame("answer")


def writes(asked: Any, _: Sequence[bytes]) -> Frame:
    Path(asked).write_text("here I was", "utf-8")
    return Frame(None)


def lies(_: Any, __: Sequence[bytes]) -> Frame:
    for number in range(3, 20):
        try:
            os.write(number, b"\xff\xff\xff\xff" * 99)
        except OSError:
            continue
    os._exit(0)


def refuses(_: Any, __: Sequence[bytes]) -> Frame:
    raise UserError("pdf_page_broken", Where("a.pdf"), page=3, reason="said")


def fails(_: Any, __: Sequence[bytes]) -> Frame:
    raise KeyError("a defect")


TASKS = {
    each.__name__: each
    for each in (
        *(echo, who, sleeps, burns, grows, breaks, exits),
        *(says_much, prints, writes, lies, refuses, fails),
    )
}

if __name__ == "__main__":
    child.serve(TASKS)
