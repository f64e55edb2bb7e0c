"""Counting of language model calls, tokens and seconds, each call once.

`counting_calls` around some work counts every call that methods make within it, in the same thread,
whether answered by a server or the cache. So the count is that of doing the work from scratch. A
call made twice within the work is one call: from scratch, too, the second would be cached.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from llm.reply import Reply

_HEX = 16  # digits of a key: 64 bits tell the calls of any index apart
_UNTOLD = -1
_ROW = np.dtype(
    [
        *(("key", "<u8"), ("tokens_in", "<i8"), ("tokens_out", "<i8")),
        *(("seconds", "<f8"), ("recalled", "?")),
    ]
)


class Call(NamedTuple):
    """One call; tokens are None where the server did not report them, `seconds` its duration.

    `recalled`: its answer came from the cache.
    """

    tokens_in: int | None
    tokens_out: int | None
    seconds: float
    recalled: bool


@dataclass(frozen=True, slots=True)
class CallSums:
    """Sums over calls; `recalled` of them were answered from the cache.

    Tokens are sums over the calls that report them; `untold` do not. `seconds` is the sum of call
    durations: for parallel calls it exceeds the wall-clock time.
    """

    calls: int = 0
    recalled: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    untold: int = 0
    seconds: float = 0.0

    @property
    def tokens(self) -> int | None:
        """Tokens in and out together; None if no call reports them."""
        if self.calls and self.untold == self.calls:
            return None
        return self.tokens_in + self.tokens_out

    def as_json(self) -> dict[str, Any]:
        """Return the sums by name, as stored with a run."""
        return asdict(self) | {"seconds": round(self.seconds, 3)}

    @classmethod
    def read(cls, value: object) -> CallSums | None:
        """Parse the output of `as_json`; None for anything else."""
        names = cls.__dataclass_fields__
        if not isinstance(value, Mapping) or set(value) != set(names):
            return None
        return cls(**value)


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls by the prefix of their key (`llm.request.Request.key`), as a number."""

    by_key: dict[int, Call] = field(default_factory=dict)

    def add(self, reply: Reply, recalled: bool) -> None:
        """Count one reply, unless its call is already counted."""
        told = Call(reply.tokens_in, reply.tokens_out, reply.seconds, recalled)
        self.by_key.setdefault(int(reply.key[:_HEX], 16), told)

    def with_those_of(self, other: Calls) -> Calls:
        """Return the calls of both; of a call in both, the record of this one."""
        return Calls(other.by_key | self.by_key)

    @property
    def sums(self) -> CallSums:
        """Sums over the calls."""
        every = list(self.by_key.values())
        return CallSums(
            calls=len(every),
            recalled=sum(each.recalled for each in every),
            tokens_in=sum(each.tokens_in or 0 for each in every),
            tokens_out=sum(each.tokens_out or 0 for each in every),
            untold=sum(each.tokens_in is None or each.tokens_out is None for each in every),
            seconds=sum(each.seconds for each in every),
        )

    def save(self, file: Path) -> None:
        """Write the calls into a NumPy file."""
        rows = [
            (key, *(_UNTOLD if value is None else value for value in each))
            for key, each in sorted(self.by_key.items())
        ]
        with file.open("wb") as opened:
            np.save(opened, np.array(rows, dtype=_ROW))

    @classmethod
    def load(cls, file: Path) -> Calls:
        """Read a file written by `save`. Raises OSError or ValueError for any other file."""
        rows = np.load(file, allow_pickle=False)
        if rows.dtype != _ROW:
            raise ValueError(f"{file}: other columns")
        return cls(
            {
                key: Call(_told(tokens_in), _told(tokens_out), seconds, recalled)
                for key, tokens_in, tokens_out, seconds, recalled in rows.tolist()
            }
        )


def _told(tokens: int) -> int | None:
    """Return a stored number of tokens, None if it was not reported."""
    return None if tokens == _UNTOLD else tokens


_counting: ContextVar[tuple[Calls, ...]] = ContextVar("counting", default=())


@contextmanager
def counting_calls() -> Iterator[Calls]:
    """Count the calls made within the block; enclosing blocks count them too."""
    calls = Calls()
    token = _counting.set((*_counting.get(), calls))
    try:
        yield calls
    finally:
        _counting.reset(token)


def active_counters() -> tuple[Calls, ...]:
    """Return the active counters of this thread, to pass to other threads."""
    return _counting.get()
