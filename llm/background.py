"""Calls to models in a thread of their own, so that nobody's screen waits for them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from llm.batch import OnReply, Progress, Stop, ask_all
from llm.client import Check, Client
from llm.request import Request

Work = Callable[[Progress, Stop], Coroutine[Any, Any, None]]
"""What is done in the thread; it keeps the progress up to date and heeds the stop."""


class Beside:
    """Work under way beside everything else. `progress` may be read at any time."""

    def __init__(self, work: Work, total: int = 0) -> None:
        """Start it; `work` runs in an event loop of the thread's own."""
        self.progress = Progress(total)
        self.error: BaseException | None = None
        self._stop = threading.Event()

        def run() -> None:
            try:
                asyncio.run(work(self.progress, self._stop))
            except BaseException as error:  # for whoever waits: a thread has nobody else to tell
                self.error = error

        self._thread = threading.Thread(target=run, name="model-calls", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether calls may still be under way."""
        return self._thread.is_alive()

    @property
    def stopping(self) -> bool:
        """Whether it was told to stop."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Begin no further call; those under way are finished and kept."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> Progress:
        """Return how it ended, or how far it is after so long. Raises what the work raised."""
        self._thread.join(seconds)
        if self.error is not None:
            raise self.error
        return self.progress


class Background(Beside):
    """A batch of plain calls beside everything else."""

    def __init__(
        self,
        make_client: Callable[[], Client],
        requests: Sequence[Request],
        *,
        check: Check | None = None,
        on_reply: OnReply | None = None,
    ) -> None:
        """Start it. `make_client` is called in the thread, and so is `on_reply`."""

        async def work(progress: Progress, stop: Stop) -> None:
            async with make_client() as client:
                await ask_all(
                    client, requests, check=check, on_reply=on_reply, progress=progress, stop=stop
                )

        super().__init__(work, len(requests))
