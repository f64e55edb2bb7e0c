"""Taking answers over to a later version of a guideline or codebook, as every task's rules see it.

What becomes of an answer is ``same``, ``again`` where it is to be given anew, or another answer. An
answer goes by its name: in citation mapping a decision or ``no_provision``; in a form a field, or
an option of one, ``field.option``.
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
# Why an answer is to be given again; but for the last, of which the answer is left out.
Code = Literal["said", "item", "changed", "gone", "asked", "unfit", "idle"]


@dataclass(frozen=True, slots=True)
class Why:
    """Why a submission does not stay as it is: what of which field, and of which option of it."""

    code: Code
    field: str = ""
    option: str = ""

    def as_dict(self) -> dict[str, str]:
        """Return it as JSON values."""
        return {"why": self.code, "field": self.field, "option": self.option}


@dataclass(frozen=True, slots=True)
class Becomes:
    """What becomes of an answer, and why where it is to be given again."""

    now: str
    code: Code = "said"


@dataclass(frozen=True, slots=True)
class Step:
    """A later version of one of a task's documents, of which `kind`.

    `old` and `new` are the texts by language; `old` is None where they are not kept here. `answers`
    is what whoever leads says becomes of answers; `items` are to be answered again whatever was
    said of them.
    """

    project_id: int
    kind: str
    old: Mapping[str, str] | None
    new: Mapping[str, str]
    answers: Mapping[str, str]
    items: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class TakenOver:
    """What a submission says after it: `said` by unit or field; `payload` tells the log of it."""

    fate: Fate
    said: Mapping[Any, Any]
    payload: Mapping[str, Any]
    no_provision: bool = False
    why: tuple[Why, ...] = ()
