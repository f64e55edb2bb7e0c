"""Read an answer written provision by provision: one JSON object of claims by id, and ``answer``.

Its keys are to be the ids of the provisions shown and no others (RegOps-Bench 2026, §4.2). Ids that
were not shown and ids that are missing are told and do not spoil the answer; what is no such object
has no reading, and is never guessed at.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from llm.structured.answers import json_objects

ANSWER = "answer"


class Form(StrEnum):
    """How the reading went; only `READ` has an answer."""

    READ = "read"
    NO_JSON = "no_json"  # no JSON object, or one that breaks off
    SEVERAL = "several"  # more than one
    NO_ANSWER = "no_answer"  # no text under ``answer``
    CLAIMS = "claims"  # claims that are no list of texts


@dataclass(frozen=True, slots=True)
class PerProvision:
    """An answer by provision. `claims` are by the ids it gave, in its order, shown or not.

    `missing` are ids that were shown and are no keys, `unknown` keys that were not shown.
    """

    form: Form
    claims: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    answer: str = ""
    missing: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def read_per_provision(text: str, shown: Collection[str]) -> PerProvision:
    """Return what a reply says of the provisions with these ids.

    An id in square brackets is that id. A claim that is a text alone is a list of one; the claims
    of two keys that are the same id go together.
    """
    found = list(json_objects(text))
    if not found or not isinstance(found[0], dict):
        return PerProvision(Form.NO_JSON)
    if any(each != found[0] for each in found):
        return PerProvision(Form.SEVERAL)
    return _read(found[0], shown)


def _read(said: Mapping[str, object], shown: Collection[str]) -> PerProvision:
    answer = said.get(ANSWER)
    if not isinstance(answer, str):
        return PerProvision(Form.NO_ANSWER)
    claims: dict[str, tuple[str, ...]] = {}
    for key, value in said.items():
        if key == ANSWER:
            continue
        told = _claims(value)
        if told is None:
            return PerProvision(Form.CLAIMS)
        unit = bare_id(key)
        claims[unit] = (*claims.get(unit, ()), *told)
    return PerProvision(
        Form.READ,
        claims,
        answer.strip(),
        tuple(unit for unit in sorted(set(shown)) if unit not in claims),
        tuple(unit for unit in claims if unit not in shown),
    )


def bare_id(key: str) -> str:
    """Return an id without the brackets and spaces around it."""
    return key.strip().removeprefix("[").removesuffix("]").strip()


def _claims(value: object) -> tuple[str, ...] | None:
    """Return the claims that are said, None for what is no list of texts."""
    if value is None:
        return ()
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        return None
    return tuple(each.strip() for each in listed if each.strip())
