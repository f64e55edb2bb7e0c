"""Stand-ins for language models, which say what the files of ``sample/work`` say."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from llm.client import Client
from llm.local.stand_in import ALIKE, PARTLY, claim_labels, common_words
from llm.request import Request
from llm.transport.openai_client import Form, ServerReply
from storage.db.workspace import Workspace

Replier = Callable[[Request], str]
"""What a model says to a request."""

_SETTINGS = """\
base_url = "https://stand-in.example/v1"
model = "{model}"
concurrency = 1
price_in = 0.5
price_out = 1.5
"""
_SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[A-Z가-힣])")


@contextmanager
def stand_in(ws: Workspace, model: str, says: Replier) -> Iterator[None]:
    """Let every role of the workspace be played by a model that says what `says` returns."""

    class StandIn:
        """A transport that reaches no server."""

        def __init__(self, *_: object) -> None:
            """Take what a transport takes."""

        async def send(self, request: Request, form: Form) -> ServerReply:
            """Return the reply; a token counts as four characters."""
            text = says(request)
            asked = sum(len(each.text) for each in request.messages)
            return ServerReply(text, "stop", tokens_in=asked // 4, tokens_out=len(text) // 4 + 1)

        async def close(self) -> None:
            """Do nothing."""

    settings = ws.folder / "models.toml"
    settings.write_text(_SETTINGS.format(model=model), encoding="utf-8")
    with (
        patch("llm.client.Transport", StandIn),
        patch.dict(Client.__init__.__kwdefaults__, {"now": lambda: 0.0}),
    ):
        yield
    settings.unlink()


def asked_of(request: Request) -> str:
    """Return what the user says in a request."""
    return request.messages[-1].text


def ids_shown(request: Request) -> list[str]:
    """Return the ids of the provisions that a request shows, which stand in square brackets."""
    return re.findall(r"^\[([^\]\s]+)\]", asked_of(request), re.MULTILINE)


def split_claims(request: Request) -> str:
    """Cut an answer into its sentences."""
    answer = asked_of(request).rpartition("Answer:\n")[2] or asked_of(request)
    answer = answer.rpartition("답변:\n")[2] or answer
    sentences = [each.strip() for each in _SENTENCE.split(answer) if each.strip()]
    claims = [each for each in sentences if not each.startswith("[")]
    return json.dumps({"claims": claims[:20]}, ensure_ascii=False)


def label_claims(request: Request) -> str:
    """Match claims with the official ones by the words that they share."""
    return json.dumps(claim_labels(asked_of(request)))


def best_match(claim: str, gold: Sequence[str], strict: bool) -> tuple[str, int]:
    """Return how a person labels a claim, and the number of the official claim nearest to it."""
    alike, best = max((common_words(claim, other), -n) for n, other in enumerate(gold, 1))
    more = 0.25 if strict else 0.1
    label = "match" if alike >= ALIKE + more else "partial" if alike >= PARTLY + more else "none"
    return label, -best


def by_prompt(repliers: Mapping[str, Replier]) -> Replier:
    """Return the model that answers each prompt, by its name's beginning, in its own way."""

    def says(request: Request) -> str:
        """Return the reply of the replier for the prompt."""
        (found,) = [reply for name, reply in repliers.items() if request.prompt.startswith(name)]
        return found(request)

    return says


def as_json(value: Any) -> str:
    """Return a value as a model writes it."""
    return json.dumps(value, ensure_ascii=False)
