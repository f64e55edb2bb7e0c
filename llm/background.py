"""A batch in a thread of its own, so that nobody's screen waits for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence

from llm.batch import OnReply, Progress, ask_all
from llm.client import Check, Client
from llm.request import Request


class Background:
    """A batch under way beside everything else. `progress` may be read at any time."""

    def __init__(
        self,
        make_client: Callable[[], Client],
        requests: Sequence[Request],
        *,
        check: Check | None = None,
        on_reply: OnReply | None = None,
    ) -> None:
        """Start it. `make_client` is called in the thread, and so is `on_reply`."""
        self.progress = Progress(len(requests))
        self.error: BaseException | None = None
        self._stop = threading.Event()

        async def work() -> None:
            async with make_client() as client:
                await ask_all(
                    client,
                    requests,
                    check=check,
                    on_reply=on_reply,
                    progress=self.progress,
                    stop=self._stop,
                )

        def run() -> None:
            try:
                asyncio.run(work())
            except BaseException as error:  # for whoever waits: a thread has nobody else to tell
                self.error = error

        self._thread = threading.Thread(target=run, name="model-calls", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether calls may still be under way."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Begin no further call; those under way are finished and kept."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> Progress:
        """Return how it ended, or how far it is after so long. Raises what the batch raised."""
        self._thread.join(seconds)
        if self.error is not None:
            raise self.error
        return self.progress
