"""Detection of a server's abilities, by trying.

Servers that speak the same protocol differ: some follow a JSON schema, some only promise JSON,
some know neither; some give log-probabilities; some call the bound of an answer ``max_tokens``
and some ``max_completion_tokens``. A call goes out in the fullest form, and in a reduced one after
the server has rejected a feature.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

_ABOUT_FORMAT = ("response_format", "json_schema", "json_object", "guided", "grammar", "structured")
_ABOUT_LIMIT = ("max_tokens", "max_completion_tokens")
_ABOUT_LENGTH = ("context length", "context_length", "maximum context", "too long")


class Format(StrEnum):
    """How JSON is requested, the strictest way first."""

    SCHEMA = "schema"
    JSON = "json"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Form:
    """The features used in calls to a server."""

    format: Format = Format.SCHEMA
    logprobs: bool = True
    newer_limit: bool = False  # uses max_completion_tokens

    def used(self, wants_json: bool, wants_logprobs: bool) -> str:
        """Return the form as stored with a reply, empty for plain text without extras."""
        parts = [self.format.value] if wants_json else []
        return "+".join(parts + (["logprobs"] if wants_logprobs and self.logprobs else []))


def form_of(used: str) -> Form:
    """Parse the form of a reply, as written by `Form.used`; the fullest if unknown."""
    format_, _, _ = used.partition("+")
    return Form(Format(format_)) if format_ in set(Format) else Form()


def is_about_length(message: str) -> bool:
    """Return whether a server's message means that the prompt is too long."""
    said = message.lower()
    return any(word in said for word in _ABOUT_LENGTH)


def lesser(form: Form, message: str, wants_json: bool, wants_logprobs: bool) -> Iterator[Form]:
    """Yield the reduced forms to try after the server rejected one, with `message` as its reason.

    Features named in the message are dropped first. A message that names none may still mean one of
    the extras, so they are dropped one after the other.
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
