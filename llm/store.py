"""The store of replies, so that nothing is asked twice, and its writer.

A store only ever grows. A failure is kept as well, for the record; `get` does not return it, so
the call is made again by the next run. What returns from `put` is on the disk. Replies that come
during a write are written together, so that keeping them holds nobody up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from llm.reply import Reply


class Store(Protocol):
    """What keeps replies. Called from threads; the oldest reply that stands counts."""

    def get(self, keys: Sequence[str]) -> dict[str, Reply]:
        """Return the replies that stand for these keys."""

    def put(self, replies: Sequence[Reply]) -> None:
        """Keep all of them, or none and raise."""


class Writer:
    """Puts replies into a store from one event loop, in a thread beside it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: list[tuple[Reply, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None

    async def put(self, reply: Reply) -> None:
        """Return once the reply is kept. Raises what the store raises."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((reply, done))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write())
        await done

    async def _write(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            failed: Exception | None = None
            try:
                await asyncio.to_thread(self._store.put, [reply for reply, _ in batch])
            except Exception as error:
                failed = error
            for _, done in batch:
                if done.done():  # whoever waited has been cancelled
                    continue
                if failed is None:
                    done.set_result(None)
                else:
                    done.set_exception(failed)
