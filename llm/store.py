"""The store of replies, so that nothing is asked twice, and its writer.

A store only ever grows. A failure is kept as well, for the record; `get` does not return it, so
the call is made again by the next run. What returns from `put` is on the disk. Replies that come
during a write are written together, so that keeping them holds nobody up.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import Lock
from typing import Protocol

from errors import UserError, Where
from llm.reply import Reply, reply_of

_CUT = b"#cut"  # ends a line that a kill cut short; no JSON ends so


class Store(Protocol):
    """What keeps replies. Called from threads; the oldest reply that stands counts."""

    def get(self, keys: Sequence[str]) -> dict[str, Reply]:
        """Return the replies that stand for these keys."""

    def put(self, replies: Sequence[Reply]) -> None:
        """Keep all of them, or none and raise."""


class MemoryStore:
    """Keeps replies as long as the process lives."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self._standing: dict[str, Reply] = {}
        self._lock = Lock()

    def get(self, keys: Sequence[str]) -> dict[str, Reply]:
        """Return the replies that stand for these keys."""
        return {key: self._standing[key] for key in keys if key in self._standing}

    def put(self, replies: Sequence[Reply]) -> None:
        """Keep the replies."""
        with self._lock:
            self.replies += replies
            _stand(self._standing, replies)


class FileStore:
    """Keeps replies in a file of JSON lines that is only ever added to.

    One process writes it at a time. A last line that a kill cut short is no reply: it stays where
    it is, marked as cut, and the next one begins on a new line.
    """

    def __init__(self, file: Path) -> None:
        """Read what the file holds. Raises UserError for a line that is no reply."""
        self.file = file
        self._lock = Lock()
        self._standing: dict[str, Reply] = {}
        self._cut = False
        if file.exists():
            self._read(file.read_bytes())

    def get(self, keys: Sequence[str]) -> dict[str, Reply]:
        """Return the replies that stand for these keys."""
        return {key: self._standing[key] for key in keys if key in self._standing}

    def put(self, replies: Sequence[Reply]) -> None:
        """Write the replies and wait until they are on the disk."""
        lines = [json.dumps(reply.as_json(), ensure_ascii=True) + "\n" for reply in replies]
        with self._lock, self.file.open("ab") as out:
            out.write((_CUT + b"\n" if self._cut else b"") + "".join(lines).encode("ascii"))
            out.flush()
            os.fsync(out.fileno())
            self._cut = False
            _stand(self._standing, replies)

    def _read(self, content: bytes) -> None:
        self._cut = bool(content) and not content.endswith(b"\n")
        lines = content.split(b"\n")
        for number, line in enumerate(lines[:-1], 1):
            if line.endswith(_CUT):
                continue
            try:
                _stand(self._standing, [reply_of(json.loads(line))])
            except (ValueError, KeyError, TypeError) as error:
                where = Where(file=str(self.file), line=number)
                raise UserError("models_store_unreadable", where) from error


def _stand(standing: dict[str, Reply], replies: Iterable[Reply]) -> None:
    for reply in replies:
        if reply.final:
            standing.setdefault(reply.key, reply)


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
