"""Batched writing of models' replies, inline or in a background thread."""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, Self, TypeVar

Entry = TypeVar("Entry")


class BatchWriter(ABC, Generic[Entry]):
    """Collects entries and stores them in batches of `size`."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._waiting: list[Entry] = []

    def add(self, entry: Entry) -> None:
        """Queue an entry; full batches are written."""
        self._waiting.append(entry)
        if len(self._waiting) >= self._size:
            self.write()

    def write(self) -> None:
        """Store the queued entries."""
        batch, self._waiting = self._waiting, []
        if batch:
            self._start(batch)

    def _start(self, batch: list[Entry]) -> None:
        """Write the batch."""
        self.keep(batch)

    @abstractmethod
    def keep(self, batch: list[Entry]) -> None:
        """Store entries in one transaction."""


class BackgroundWriter(BatchWriter[Entry]):
    """Batch writer with its own thread; leaving its context waits until all is stored."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._pool = ThreadPoolExecutor(1, "writer")
        self._writes: list[Future[None]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Wait until everything is stored. Raises what storing raised."""
        self.write()
        self._pool.shutdown()
        for write in self._writes:
            write.result()

    def _start(self, batch: list[Entry]) -> None:
        """Have the batch written in a thread."""
        self._writes.append(self._pool.submit(self.keep, batch))
