"""What asking language models takes: calls, tokens and seconds, each call counted once.

Whoever wants to know opens `counting_calls` around the work; every call that methods make within
it, in the same thread, is counted there, whether a server was asked or the store knew the answer.
So the count is that of doing the work from nothing. A call that is made twice within the work is
one call: from nothing, too, the second would be recalled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

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


@dataclass(frozen=True, slots=True)
class Call:
    """One call. Tokens are None where the server did not tell; `seconds` is how long it took.

    `recalled` says that its answer came from the store, so that nothing was asked now.
    """

    tokens_in: int | None
    tokens_out: int | None
    seconds: float
    recalled: bool


@dataclass(frozen=True, slots=True)
class CallSums:
    """What calls came to. `recalled` of them were answered from the store.

    Tokens are sums over the calls that tell; `untold` do not. `seconds` is what the model took,
    call by call when it was asked: of calls made side by side it is more than the clock says.
    """

    calls: int = 0
    recalled: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    untold: int = 0
    seconds: float = 0.0

    @property
    def tokens(self) -> int | None:
        """Tokens in and out together; None where there are calls and none tells."""
        if self.calls and self.untold == self.calls:
            return None
        return self.tokens_in + self.tokens_out

    def as_json(self) -> dict[str, Any]:
        """Return the sums by name, as a run's record keeps them."""
        return asdict(self) | {"seconds": round(self.seconds, 3)}

    @classmethod
    def read(cls, said: object) -> CallSums | None:
        """Return what `as_json` returned; None for anything else."""
        names = cls.__dataclass_fields__
        if not isinstance(said, Mapping) or set(said) != set(names):
            return None
        return cls(**said)


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls by the beginning of their key (`llm.request.Request.key`), as a number."""

    by_key: dict[int, Call] = field(default_factory=dict)

    def add(self, reply: Reply, recalled: bool) -> None:
        """Count one reply, unless its call is counted already."""
        told = Call(reply.tokens_in, reply.tokens_out, reply.seconds, recalled)
        self.by_key.setdefault(int(reply.key[:_HEX], 16), told)

    def with_those_of(self, other: Calls) -> Calls:
        """Return the calls of both, each once."""
        return Calls(other.by_key | self.by_key)

    @property
    def sums(self) -> CallSums:
        """What the calls come to together."""
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
        """Write the calls into a file of NumPy's format."""
        rows = [
            (key, _number(each.tokens_in), _number(each.tokens_out), each.seconds, each.recalled)
            for key, each in sorted(self.by_key.items())
        ]
        with file.open("wb") as opened:
            np.save(opened, np.array(rows, dtype=_ROW))

    @classmethod
    def load(cls, file: Path) -> Calls:
        """Return what `save` wrote. Raises OSError or ValueError for what is no such file."""
        rows = np.load(file, allow_pickle=False)
        if rows.dtype != _ROW:
            raise ValueError(f"{file}: other columns")
        return cls(
            {
                key: Call(_told(tokens_in), _told(tokens_out), seconds, recalled)
                for key, tokens_in, tokens_out, seconds, recalled in rows.tolist()
            }
        )


def _number(tokens: int | None) -> int:
    return _UNTOLD if tokens is None else tokens


def _told(number: int) -> int | None:
    return None if number == _UNTOLD else number


_counting: ContextVar[tuple[Calls, ...]] = ContextVar("counting", default=())


@contextmanager
def counting_calls() -> Iterator[Calls]:
    """Count the calls made until the end of the block; a block around this one counts them too."""
    calls = Calls()
    token = _counting.set((*_counting.get(), calls))
    try:
        yield calls
    finally:
        _counting.reset(token)


def who_counts() -> tuple[Calls, ...]:
    """Return who counts the calls made here and now; other threads have to be told."""
    return _counting.get()
