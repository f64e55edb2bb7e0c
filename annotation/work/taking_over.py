"""Values for migrating answers to a later version of a guideline or codebook.

An answer becomes ``same``, ``again`` if it is to be given anew, or another answer. Answers are
named: in citation mapping by decision or ``no_provision``; in a form by field, or by an option of
one, ``field.option``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

SAME, AGAIN = "same", "again"
Fate = Literal["same", "mapped", "again", "settled", "referred", "held", "closed", "away"]
FATES: tuple[Fate, ...] = (
    *("same", "mapped", "again"),
    *("settled", "referred", "held", "closed", "away"),
)
LEFT: tuple[Fate, ...] = FATES[3:]
# Why an answer is to be given again; `idle` is dropped instead.
Code = Literal["said", "item", "changed", "gone", "asked", "unfit", "idle"]


@dataclass(frozen=True, slots=True)
class Why:
    """Reason why a submission changes: code, field, and option of the field."""

    code: Code
    field: str = ""
    option: str = ""

    def as_dict(self) -> dict[str, str]:
        """Return it as JSON values."""
        return {"why": self.code, "field": self.field, "option": self.option}


@dataclass(frozen=True, slots=True)
class Becomes:
    """The answer after migration, and why if it is to be given again."""

    now: str
    code: Code = "said"


@dataclass(frozen=True, slots=True)
class Step:
    """A later version of one of a task's documents, and the mapping of answers to it.

    `old` and `new` are the texts by language; `old` is None if it is not stored here. `answers` is
    the lead's mapping; `items` are to be answered again in any case.
    """

    project_id: int
    kind: str
    old: Mapping[str, str] | None
    new: Mapping[str, str]
    answers: Mapping[str, str]
    items: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class TakenOver:
    """A migrated submission: `said` has its answers by unit or field, `payload` is logged."""

    fate: Fate
    said: Mapping[Any, Any]
    payload: Mapping[str, Any]
    no_provision: bool = False
    why: tuple[Why, ...] = ()
