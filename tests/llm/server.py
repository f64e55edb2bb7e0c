"""A model server for tests: speaks the OpenAI protocol over HTTP and does what its script says.

    python -m tests.llm.server [--delay 0.25]      prints its port, serves until killed

A script is a list of rules. The first whose `match` stands in what the user says (the last
message, or the texts to embed) answers, with its steps in turn; the last step is repeated. Without
a rule the server answers what `Server.says` makes of those words, ``ok``. It counts what it was
asked and what it had under way at once. The common delay is spread evenly between half and one and
a half of it, as answers of different length would take.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many"}


@dataclass
class Step:
    """One answer. `do` is the name of a way to answer, see `Server._respond`."""

    do: str = "ok"
    text: str = "ok"
    status: int = 500
    headers: dict[str, str] = field(default_factory=dict)
    message: str = "scripted"
    code: str | None = None
    delay: float = 0.0
    finish: str = "stop"
    logprobs: list[list[tuple[str, float]]] | None = None
    usage: bool = True
    vectors: list[list[float]] | None = None


@dataclass
class Rule:
    """Steps for the requests in whose user message `match` stands."""

    match: str
    steps: list[Step]
    hits: int = 0

    def next(self) -> Step:
        self.hits += 1
        return self.steps[min(self.hits, len(self.steps)) - 1]


@dataclass
class Seen:
    """A request as it came; `asked` tells equal questions from others."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    at: float
    asked: str


class Server:
    """The server; `seen` holds every request, `delivered` what it finished answering."""

    def __init__(self, delay: float = 0.0, keep: bool = True) -> None:
        self.rules: list[Rule] = []
        self.seen: list[Seen] = []
        self.counts: Counter[str] = Counter()
        self.delivered: Counter[str] = Counter()
        self.delay, self.keep = delay, keep
        self.refuses = ""  # the response_format that it does not know
        self.says: Callable[[str], str] = lambda _: "ok"
        self._rng = random.Random(0)
        self.port = 0
        self.now = self.most = 0
        self._area = 0.0
        self._first = self._last = 0.0

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def figures(self) -> dict[str, float]:
        """What was under way at once: at most, and on average from first to last."""
        span = self._last - self._first
        mean = self._area / span if span else 0.0
        return {"requests": self.asked, "most": self.most, "mean": mean}

    @property
    def asked(self) -> int:
        """How many requests came, whatever was answered."""
        return sum(self.counts.values())

    @property
    def told(self) -> list[str]:
        """What the user said last in each request that came."""
        return [each.body["messages"][-1]["content"] for each in self.seen]

    def on(self, match: str, *steps: Step) -> None:
        """Add a rule."""
        self.rules.append(Rule(match, list(steps)))

    def plays(self, folder: Path, more: str = "", model: str = "gpt") -> None:
        """Let the workspace in a folder ask this server in every role; `more` are settings."""
        text = f'base_url = "{self.base_url}"\nmodel = "{model}"\nattempts = 1\n{more}'
        (folder / "models.toml").write_text(text, "utf-8")

    async def serve(self) -> asyncio.Server:
        """Start on a free port."""
        server = await asyncio.start_server(self._connection, "127.0.0.1", 0, limit=2**26)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while await self._one(reader, writer):
                pass
        writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        path = head[0].split(" ")[1]
        headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in head[1:] if line)}
        content = await reader.readexactly(int(headers.get("content-length", 0)))
        if path in ("/figures", "/reset"):
            told = {**self.figures, "counts": self.counts, "delivered": self.delivered}
            _send(writer, 200, json.dumps(told))
            if path == "/reset":
                self.most, self._area, self._first = 0, 0.0, 0.0
            return True
        body = json.loads(content)
        asked = hashlib.sha256(content).hexdigest()[:16]
        self.counts[asked] += 1
        if self.keep:
            self.seen.append(Seen(path, body, headers, time.monotonic(), asked))
        self._moved(1)
        try:
            goes_on = await self._answer(self._step(body), path, body, writer)
            await writer.drain()
            self.delivered[asked] += 1
            return goes_on
        finally:
            self._moved(-1)

    def _moved(self, by: int) -> None:
        now = time.monotonic()
        if not self._first and by > 0:  # what was begun before a reset may still end
            self._first = self._last = now
            self._area = 0.0
        self._area += self.now * (now - self._last)
        self._last, self.now = now, self.now + by
        self.most = max(self.most, self.now)

    def _step(self, body: dict[str, Any]) -> Step:
        said = json.dumps(body["input"] if "input" in body else body["messages"][-1]["content"])
        text = json.loads(said) if isinstance(json.loads(said), str) else said
        if self.refuses and body.get("response_format", {}).get("type") == self.refuses:
            return Step("error", status=400, message=f"response_format {self.refuses} is unknown")
        for rule in self.rules:
            if rule.match in text:
                return rule.next()
        return Step(text=self.says(text))

    async def _answer(
        self, step: Step, path: str, body: dict[str, Any], writer: asyncio.StreamWriter
    ) -> bool:
        if self.delay or step.delay:
            spread = self.delay * (0.5 + self._rng.random())
            await asyncio.sleep(spread + step.delay)
        if step.do == "hang":
            await asyncio.sleep(60)
            return False
        if step.do == "drop":
            return False
        if step.do == "error":
            error = {"message": step.message, "code": step.code, "type": "scripted"}
            _send(writer, step.status, json.dumps({"error": error}), step.headers)
            return True
        if step.do == "malformed":
            _send(writer, 200, step.text)
            return True
        reply = _vectors(step, body) if path.endswith("/embeddings") else _completion(step, body)
        if body.get("stream"):
            return _stream(writer, step, reply)
        text = json.dumps(reply)
        if step.do == "half":  # says how long it is, and breaks off
            _send(writer, 200, text, cut=len(text) // 2)
            return False
        _send(writer, 200, text)
        return True


def _completion(step: Step, body: dict[str, Any]) -> dict[str, Any]:
    refused = step.do == "refuse"
    message: dict[str, Any] = {
        "role": "assistant",
        "content": None if refused else step.text,
        "refusal": step.text if refused else None,
    }
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": step.finish}
    if step.logprobs is not None and body.get("logprobs"):
        choice["logprobs"] = {"content": [_place(each) for each in step.logprobs]}
    reply = {
        "id": "x",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [choice],
    }
    if step.usage:
        reply["usage"] = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return reply


def _place(others: list[tuple[str, float]]) -> dict[str, Any]:
    listed = [{"token": token, "logprob": value, "bytes": None} for token, value in others]
    return {**listed[0], "top_logprobs": listed}


def _vectors(step: Step, body: dict[str, Any]) -> dict[str, Any]:
    vectors = step.vectors or [[float(len(text)), 1.0] for text in body["input"]]
    data = [
        {"object": "embedding", "index": index, "embedding": vector}
        for index, vector in reversed(list(enumerate(vectors)))  # any order is allowed
    ]
    return {
        "object": "list",
        "model": body["model"],
        "data": data,
        "usage": {"prompt_tokens": 7, "total_tokens": 7},
    }


def _stream(writer: asyncio.StreamWriter, step: Step, reply: dict[str, Any]) -> bool:
    text = step.text
    deltas = [text[: len(text) // 2], text[len(text) // 2 :]]
    whole: list[dict[str, Any]] = [
        {"delta": {"content": each}, "finish_reason": None} for each in deltas
    ]
    whole.append({"delta": {}, "finish_reason": step.finish})
    half = step.do in ("half", "half_quietly")
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n")
    writer.write(b"transfer-encoding: chunked\r\n\r\n")
    base = {k: reply[k] for k in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    for part in whole[:1] if half else whole:
        _chunk(writer, json.dumps(base | {"choices": [{"index": 0, **part}]}))
    if step.do == "half":
        return False
    if step.do == "ok" and "usage" in reply:
        _chunk(writer, json.dumps(base | {"choices": [], "usage": reply["usage"]}))
    if step.do == "ok":
        _chunk(writer, "[DONE]")
    writer.write(b"0\r\n\r\n")
    return True


def _chunk(writer: asyncio.StreamWriter, data: str) -> None:
    content = f"data: {data}\n\n".encode()
    writer.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")


def _send(
    writer: asyncio.StreamWriter,
    status: int,
    text: str,
    headers: dict[str, str] | None = None,
    cut: int | None = None,
) -> None:
    content = text.encode()
    lines = [
        f"HTTP/1.1 {status} {REASONS.get(status, 'Error')}",
        "content-type: application/json",
        f"content-length: {len(content)}",
        *(f"{name}: {value}" for name, value in (headers or {}).items()),
    ]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + content[:cut])


@contextmanager
def scripted(delay: float = 0.0) -> Iterator[Server]:
    """Yield a server that runs in a thread of its own."""
    server = Server(delay)
    loop = asyncio.new_event_loop()
    ready = threading.Event()

    def run() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(server.serve())
        ready.set()
        loop.run_forever()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.run_until_complete(loop.shutdown_asyncgens())

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ready.wait(100)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(100)
        loop.close()


async def _forever(delay: float) -> None:
    server = Server(delay, keep=False)
    async with await server.serve() as serving:
        print(server.port, flush=True)  # noqa: T201
        await serving.serve_forever()


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--delay", type=float, default=0.0)
    asyncio.run(_forever(options.parse_args().delay))
