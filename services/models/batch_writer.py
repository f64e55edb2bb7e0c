"""Writing what models reply some at a time, at once or in a thread beside the one that asks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, Self, TypeVar

Entry = TypeVar("Entry")


class BatchWriter(ABC, Generic[Entry]):
    """Collects entries and keeps `size` of them at a time."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._waiting: list[Entry] = []

    def add(self, entry: Entry) -> None:
        """Keep an entry, now or a little later."""
        self._waiting.append(entry)
        if len(self._waiting) >= self._size:
            self.write()

    def write(self) -> None:
        """Keep the entries that wait."""
        batch, self._waiting = self._waiting, []
        if batch:
            self._start(batch)

    def _start(self, batch: list[Entry]) -> None:
        self.keep(batch)

    @abstractmethod
    def keep(self, batch: list[Entry]) -> None:
        """Keep entries in one transaction."""


class BackgroundWriter(BatchWriter[Entry]):
    """Keeps entries in a thread of its own; leaving it waits until all are kept."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._pool = ThreadPoolExecutor(1, "writer")
        self._writes: list[Future[None]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Wait until everything is kept. Raises what keeping it raised."""
        self.write()
        self._pool.shutdown()
        for write in self._writes:
            write.result()

    def _start(self, batch: list[Entry]) -> None:
        self._writes.append(self._pool.submit(self.keep, batch))
