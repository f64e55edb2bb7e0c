"""One call as data: what is asked of which model, and the key under which its reply is kept."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from llm.roles import Endpoint

_KEY_VERSION = 1
_BYTES_PER_MESSAGE = 32  # what chat templates put around a message, at most
_BYTES_PER_CALL = 256


@dataclass(frozen=True, slots=True)
class Image:
    """A picture to be read; `media_type` is e.g. ``image/png``."""

    content: bytes
    media_type: str = "image/png"

    @property
    def url(self) -> str:
        """The picture as a data URL."""
        return f"data:{self.media_type};base64,{base64.b64encode(self.content).decode('ascii')}"


@dataclass(frozen=True, slots=True)
class Message:
    """What one side says: `speaker` is ``system``, ``user`` or ``assistant``."""

    speaker: str
    text: str
    images: tuple[Image, ...] = ()


@dataclass(frozen=True)
class Request:
    """What is asked of a model.

    `prompt` names the prompt's file and version. `schema` is the JSON schema the answer has to
    follow, None for plain text. `logprobs` is how many alternatives per token are wanted, 0 for
    none. `repeat` tells the repetitions of one question apart. `inputs` are the texts to embed,
    and then there are no messages. `options` are the labels of which a local model is to tell the
    exact log-probability; servers cannot, so to them they make no difference.
    """

    endpoint: Endpoint
    messages: tuple[Message, ...] = ()
    prompt: str = ""
    schema: Mapping[str, Any] | None = None
    logprobs: int = 0
    repeat: int = 0
    inputs: tuple[str, ...] = ()
    options: tuple[str, ...] = ()

    @cached_property
    def key(self) -> str:
        """The SHA-256 of everything that the reply depends on: equal calls have equal keys.

        The server's address is part of it, since two servers may give one name to two models. How
        the answer's form is asked for (`llm.transport.abilities`) is not.
        """
        parts = {
            "version": _KEY_VERSION,
            "server": self.endpoint.server,
            "model": self.endpoint.model,
            "parameters": self.parameters,
            "messages": [
                [m.speaker, m.text, [[i.media_type, _digest(i.content)] for i in m.images]]
                for m in self.messages
            ],
            "inputs": self.inputs,
            "schema": self.schema,
            "repeat": self.repeat,
        }
        text = json.dumps(parts, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return _digest(text.encode("ascii"))

    @property
    def parameters(self) -> dict[str, Any]:
        """What the call is made with, apart from what is said."""
        if self.inputs:
            return dict(self.endpoint.parameters)
        given: dict[str, Any] = {"max_tokens": self.endpoint.max_tokens}
        if self.logprobs:
            given["logprobs"] = self.logprobs
        if self.options and self.endpoint.local:
            given["options"] = list(self.options)
        return given | dict(self.endpoint.parameters)

    @cached_property
    def most_tokens_in(self) -> int:
        """More tokens than the prompt can have: no token is shorter than a byte."""
        texts = [*self.inputs, *(message.text for message in self.messages)]
        size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
        if self.schema is not None:
            size += len(json.dumps(self.schema))
        images = sum(len(message.images) for message in self.messages)
        framing = _BYTES_PER_CALL + _BYTES_PER_MESSAGE * len(texts)
        return size + framing + images * self.endpoint.image_tokens

    @property
    def most_tokens_out(self) -> int:
        """The most tokens that the answer can have."""
        return 0 if self.inputs else self.endpoint.max_tokens


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
