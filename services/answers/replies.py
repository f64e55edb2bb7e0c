"""Parsing of replies into answers: state, text, claims or choice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from construction.answers import ContextSpec, Format, Option
from evaluation.replies.likelihood import LikelihoodState, choice_by_likelihood
from evaluation.replies.outcomes import Outcome, read_reply, refuses
from evaluation.replies.per_provision import Form, PerProvision, read_per_provision
from llm.reply import Reply, Status, without_thought
from llm.structured.answers import read as structured
from llm.structured.shapes import QueryAnchor
from retrieval.refwalk import OMIT, read_anchor, views
from storage.answers import AnswerView

_CUT = "length"  # finish reason of a truncated reply
_LONGEST_REFUSAL = 400  # characters; a longer text that begins by declining goes on to answer


@dataclass(frozen=True, slots=True)
class Finding:
    """A parsed reply; the fields are those of `storage.tables.answers.ModelAnswer`."""

    state: str
    answer: str = ""
    claims: dict[str, Any] | None = None
    choice: str | None = None
    logprobs: dict[str, Any] | None = None


def read(reply: Reply, form: Format, unit_ids: Sequence[str], options: Sequence[Option]) -> Finding:
    """Parse a reply; `unit_ids` are the ids of the provisions in its context."""
    if reply.status in (Status.FAILED, Status.REFUSED):
        return Finding(reply.status.value)
    if form is Format.CHOICE_LIKELIHOOD:
        return _likeliest_choice(reply, options)
    if form is Format.CHOICE_GENERATED:
        return _generated_choice(reply, options)
    text = without_thought(reply.text).strip()
    if reply.finish_reason == _CUT:
        return Finding("cut_off")
    if text and form is Format.PER_PROVISION:
        return _parsed_by_provision(text, unit_ids)
    return _free_text(text)


def read_before(reply: Reply, context: ContextSpec) -> Finding:
    """Parse a reply meant as a pseudo-passage or an anchor.

    A truncated passage is accepted, as it is cut anyway. An anchor becomes one line with the facets
    that the question mentions.
    """
    if reply.status in (Status.FAILED, Status.REFUSED):
        return Finding(reply.status.value)
    if context.anchor:
        found = structured(reply.text, QueryAnchor)
        anchor = None if found is None else read_anchor(found.model_dump_json())
        words = "" if anchor is None else views("", anchor, OMIT)["wide"]
        return Finding("answered" if words else "invalid", " ".join(words.split()))
    return _free_text(without_thought(reply.text).strip())


def _free_text(text: str) -> Finding:
    """Return the finding of a text in words."""
    if not text:
        return Finding("empty")
    return Finding("refused") if _declines(text) else Finding("answered", text)


def form_of(answer: AnswerView) -> PerProvision | None:
    """Parse the form of a reply by provision; None for other formats or without a reply."""
    if answer.format != Format.PER_PROVISION or answer.state not in ("answered", "invalid"):
        return None
    shown = [str(each["unit"]) for each in answer.context]
    return read_per_provision(answer.raw, shown)


def problems_of(answer: AnswerView) -> tuple[str, ...]:
    """Return the problems of form of a reply by provision, besides its state.

    ``no_json``, ``several``, ``no_answer``, ``claims`` of an invalid one; ``missing_keys`` and
    ``unknown_ids`` of a readable one; ``no_schema`` where the server did not accept the schema,
    ``no_anchor`` where no anchor could be obtained.
    """
    found = form_of(answer)
    if found is None:
        return ()
    asked = (
        ("no_schema", answer.form in ("json", "plain")),
        ("no_anchor", any(each.get("anchor") == "" for each in answer.context)),
    )
    without = tuple(name for name, is_so in asked if is_so)
    if found.form is not Form.READ:
        return (found.form.value, *without)
    told = (("missing_keys", found.missing), ("unknown_ids", found.unknown))
    return (*(name for name, ids in told if ids), *without)


def _declines(text: str) -> bool:
    """Return True for a short text that is a refusal."""
    return len(text) <= _LONGEST_REFUSAL and refuses(text)


def _parsed_by_provision(text: str, unit_ids: Sequence[str]) -> Finding:
    """Parse a reply by provision into claims; "refused" or "invalid" if that fails."""
    found = read_per_provision(text, unit_ids)
    if found.form is not Form.READ:
        return Finding("refused" if _declines(text) else "invalid")
    claims: dict[str, Any] = {unit: list(each) for unit, each in found.claims.items()}
    return Finding("answered" if found.answer else "empty", found.answer, claims)


def _generated_choice(reply: Reply, options: Sequence[Option]) -> Finding:
    """Parse the option that a reply in words chooses; the finding says why if it chooses none."""
    cut = reply.finish_reason == _CUT
    found = read_reply(reply.text, [each.text for each in options], None, cut=cut)
    if found.option is not None:
        option = options[found.option - 1]
        return Finding("answered", option.text, choice=option.label)
    if found.outcome is Outcome.REFUSED:
        return Finding("refused")
    if found.rule == "unfinished":
        return Finding("cut_off")
    return Finding("empty" if found.rule == "empty" else "unread")


def _likeliest_choice(reply: Reply, options: Sequence[Option]) -> Finding:
    """Parse the option with the most probable letter; none in a tie.

    Without log-probabilities the model's choice is unknown.
    """
    found = choice_by_likelihood(reply, [each.letter for each in options])
    logprobs = {o.label: found.logprobs[o.letter] for o in options if o.letter in found.logprobs}
    # NaN and infinities are left out, which JSON lacks.
    told = {label: value if math.isfinite(value) else None for label, value in logprobs.items()}
    if found.label is None:
        if not told and not reply.text.strip():
            return Finding("empty")
        untold = found.state is LikelihoodState.NO_LOGPROBS
        return Finding("no_logprobs" if untold else "unread", logprobs=told or None)
    option = next(each for each in options if each.letter == found.label)
    return Finding("answered", option.text, choice=option.label, logprobs=told)
