"""Parser of answers per provision: one JSON object of claims by provision id, and ``answer``.

Its keys should be the ids of the provisions shown (RegOps-Bench 2026, §4.2). Unknown and
missing ids are reported and do not invalidate the answer; anything but such an
object is invalid, and never guessed at.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from llm.structured.answers import json_objects

ANSWER = "answer"


class Form(StrEnum):
    """The result of parsing; only `READ` has an answer."""

    READ = "read"
    NO_JSON = "no_json"  # no JSON object, or a truncated one
    SEVERAL = "several"  # more than one
    NO_ANSWER = "no_answer"  # no text under ``answer``
    CLAIMS = "claims"  # claims that are not a list of texts


@dataclass(frozen=True, slots=True)
class PerProvision:
    """An answer by provision. `claims` are by the given ids, in order, shown or not.

    `missing` are shown ids that are no keys, `unknown` keys that were not shown.
    """

    form: Form
    claims: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    answer: str = ""
    missing: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def read_per_provision(text: str, unit_ids: Collection[str]) -> PerProvision:
    """Parse a reply about the provisions with these ids.

    Ids may be in square brackets. A claim that is a single text is a list of one; the claims
    of two keys with the same id are joined.
    """
    found = list(json_objects(text))
    if not found or not isinstance(found[0], dict):
        return PerProvision(Form.NO_JSON)
    if any(each != found[0] for each in found):
        return PerProvision(Form.SEVERAL)
    return _parse_values(found[0], unit_ids)


def _parse_values(values: Mapping[str, object], unit_ids: Collection[str]) -> PerProvision:
    """Return the claims by provision of a parsed reply, or the form of its fault."""
    answer = values.get(ANSWER)
    if not isinstance(answer, str):
        return PerProvision(Form.NO_ANSWER)
    claims: dict[str, tuple[str, ...]] = {}
    for key, value in values.items():
        if key == ANSWER:
            continue
        told = _as_claims(value)
        if told is None:
            return PerProvision(Form.CLAIMS)
        unit = bare_id(key)
        claims[unit] = (*claims.get(unit, ()), *told)
    return PerProvision(
        Form.READ,
        claims,
        answer.strip(),
        tuple(unit for unit in sorted(set(unit_ids)) if unit not in claims),
        tuple(unit for unit in claims if unit not in unit_ids),
    )


def bare_id(key: str) -> str:
    """Return an id without the brackets and spaces around it."""
    return key.strip().removeprefix("[").removesuffix("]").strip()


def _as_claims(value: object) -> tuple[str, ...] | None:
    """Return the claims as texts, None if they are not a list of texts."""
    if value is None:
        return ()
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        return None
    return tuple(each.strip() for each in listed if each.strip())
