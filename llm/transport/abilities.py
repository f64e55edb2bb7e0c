"""What a server can do, found out by asking and remembered.

Servers that speak the same protocol differ: some follow a JSON schema, some only promise JSON,
some know neither; some give log-probabilities; some call the bound of an answer ``max_tokens``
and some ``max_completion_tokens``. A call goes out in the fullest form, and in a lesser one after
the server has said that it does not know something.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

_ABOUT_FORMAT = ("response_format", "json_schema", "json_object", "guided", "grammar", "structured")
_ABOUT_LIMIT = ("max_tokens", "max_completion_tokens")
_ABOUT_LENGTH = ("context length", "context_length", "maximum context", "too long")


class Format(StrEnum):
    """How JSON is asked for, the fullest way first."""

    SCHEMA = "schema"
    JSON = "json"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Form:
    """The form in which calls go to a server."""

    format: Format = Format.SCHEMA
    logprobs: bool = True
    newer_limit: bool = False  # says max_completion_tokens

    def used(self, wants_json: bool, wants_logprobs: bool) -> str:
        """Return the form as it is kept beside the reply, empty for plain text without extras."""
        parts = [self.format.value] if wants_json else []
        return "+".join(parts + (["logprobs"] if wants_logprobs and self.logprobs else []))


def form_of(used: str) -> Form:
    """Return the form that a reply was asked for in, as `Form.used` says it; else the fullest."""
    format_, _, _ = used.partition("+")
    return Form(Format(format_)) if format_ in set(Format) else Form()


def is_about_length(message: str) -> bool:
    """Whether a server says that the prompt is longer than the model can read."""
    said = message.lower()
    return any(word in said for word in _ABOUT_LENGTH)


def lesser(form: Form, message: str, wants_json: bool, wants_logprobs: bool) -> Iterator[Form]:
    """Yield the forms to try after the server refused one, with `message` as its reason.

    What the message names is given up first. A message that names nothing may still mean one of
    the extras, so they are given up one after the other.
    """
    said = message.lower()
    if not form.newer_limit and "max_completion_tokens" in said:
        yield replace(form, newer_limit=True)
        return
    lower = _LOWER.get(form.format) if wants_json else None
    less = replace(form, format=lower) if lower else None
    quiet = replace(form, logprobs=False) if wants_logprobs and form.logprobs else None
    if "logprob" in said and quiet:
        yield quiet
    elif any(word in said for word in _ABOUT_FORMAT) and less:
        yield less
    elif not any(word in said for word in _ABOUT_LIMIT):
        yield from (each for each in (less, quiet) if each)


_LOWER = {Format.SCHEMA: Format.JSON, Format.JSON: Format.PLAIN}
