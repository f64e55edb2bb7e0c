"""A request to a model as data, and the key of its stored reply."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from llm.budget import Use
from llm.roles import Endpoint

_KEY_VERSION = 1
_BYTES_PER_MESSAGE = 32  # the most that chat templates add to a message
_BYTES_PER_CALL = 256


@dataclass(frozen=True, slots=True)
class Image:
    """An image for the model; `media_type` is e.g. ``image/png``."""

    content: bytes
    media_type: str = "image/png"

    @property
    def url(self) -> str:
        """The image as a data URL."""
        return f"data:{self.media_type};base64,{base64.b64encode(self.content).decode('ascii')}"


@dataclass(frozen=True, slots=True)
class Message:
    """A message; `speaker` is ``system``, ``user`` or ``assistant``."""

    speaker: str
    text: str
    images: tuple[Image, ...] = ()


@dataclass(frozen=True)
class Request:
    """A request to a model.

    `prompt` names the prompt's file and version. `schema` is the JSON schema of the answer,
    None for plain text. `logprobs` is the number of alternatives per token, 0 for
    none. `repeat` numbers the repetitions of one question. `inputs` are the texts to embed,
    and then there are no messages. `options` are the labels whose exact log-probability a local
    model is to give; servers cannot, and ignore them.
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

        The server's address is part of it, since two servers may give one name to two models. The
        form in which JSON is requested (`llm.transport.openai_client`) is not.
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
        """The parameters of the call, apart from its content."""
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
        """An upper bound of the prompt's tokens: no token is shorter than a byte."""
        texts = [*self.inputs, *(message.text for message in self.messages)]
        size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
        if self.schema is not None:
            size += len(json.dumps(self.schema))
        images = sum(len(message.images) for message in self.messages)
        framing = _BYTES_PER_CALL + _BYTES_PER_MESSAGE * len(texts)
        return size + framing + images * self.endpoint.image_tokens

    @property
    def most_tokens_out(self) -> int:
        """The maximum number of tokens of the answer."""
        return 0 if self.inputs else self.endpoint.max_tokens

    @property
    def most_use(self) -> Use:
        """The most that the call can use; the money is None where its price is unknown."""
        tokens_in, tokens_out = self.most_tokens_in, self.most_tokens_out
        return Use(1, tokens_in + tokens_out, self.endpoint.price.of(tokens_in, tokens_out))


def _digest(content: bytes) -> str:
    """Return the SHA-256 of content."""
    return hashlib.sha256(content).hexdigest()
