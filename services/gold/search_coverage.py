"""Units a run searched, and gold that it cannot find or only by heading.

Gold that is not searched is missed. A unit without text (most annexes of Korean law) is searched by
its heading alone, so success there says little of how a method reads law.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from sqlmodel import Session

from messages import say
from services.gold.gold_set import GoldSet
from services.runs.methods.preparation import levels_of
from storage.law.passages import NO_TEXT, Levels, not_searched, without_text
from storage.runs.run_store import RunKey

NOT_KNOWN = "not known"


@dataclass(frozen=True, slots=True)
class Searched:
    """Levels of units that a run searched; None for a run from a file."""

    levels: Levels | None

    @classmethod
    def of(cls, key: RunKey) -> Searched:
        """Return the levels that a stored run searched."""
        return cls(levels_of(key))

    @property
    def code(self) -> str:
        """Machine-readable form, e.g. ``article+section+annex``."""
        return NOT_KNOWN if self.levels is None else "+".join(self.levels)

    def say(self, language: str = "en") -> str:
        """Return the display text."""
        if self.levels is not None:
            return levels_in_words(self.levels, language)
        return say("levels.not_known", language)


def levels_in_words(levels: Levels, language: str = "en") -> str:
    """Return the display text of levels, e.g. ``articles, sections, annexes``."""
    return ", ".join(say(f"levels.many.{level}", language) for level in levels)


@dataclass(frozen=True, slots=True)
class NotSearched:
    """Gold outside a corpus, which counts as missed, or in it without text.

    `units` maps gold units to the reason of `storage.law.passages.not_searched` or NO_TEXT,
    `questions` maps questions to their units among these; both ascend. `wholly` are the questions
    without any other gold.
    """

    units: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    questions: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    wholly: frozenset[str] = frozenset()

    @property
    def pairs(self) -> int:
        """Number of question-unit judgements affected."""
        return sum(map(len, self.questions.values()))

    @property
    def reasons(self) -> dict[str, int]:
        """Number of units by reason, in the order of reasons."""
        return dict(sorted(Counter(self.units.values()).items()))

    def among(self, queries: Container[str]) -> NotSearched:
        """Return the part that is gold for one of these questions."""
        questions = {each: units for each, units in self.questions.items() if each in queries}
        kept = {unit for units in questions.values() for unit in units}
        units = {unit: reason for unit, reason in self.units.items() if unit in kept}
        return NotSearched(units, questions, self.wholly & questions.keys())

    def as_dict(self) -> dict[str, Any]:
        """Return the counts as JSON values."""
        return {
            "units": len(self.units),
            "questions": len(self.questions),
            "pairs": self.pairs,
            "questions_without_searched_gold": len(self.wholly),
            "reasons": self.reasons,
        }

    def counted(self, language: str = "en") -> dict[str, Any]:
        """Return the counts as parameters of the ``levels.…_note`` messages."""
        reasons = (
            say(f"levels.counted.{reason}", language, count=count)
            for reason, count in self.reasons.items()
        )
        counts = {"units": len(self.units), "questions": len(self.questions)}
        return counts | {"reasons": ", ".join(reasons)}


def gold_not_searched(
    session: Session, snapshot_id: int, levels: Levels, gold: GoldSet
) -> NotSearched:
    """Return the gold outside the corpus of those levels of the snapshot."""
    return among_gold(gold, not_searched(session, snapshot_id, levels, gold.units))


def gold_without_text(
    session: Session, snapshot_id: int, gold: GoldSet, outside: NotSearched
) -> NotSearched:
    """Return the gold inside the corpus that has a heading but no text; `outside` is excluded."""
    inside = {*gold.units} - outside.units.keys()
    return among_gold(gold, dict.fromkeys(without_text(session, snapshot_id, inside), NO_TEXT))


def among_gold(gold: GoldSet, units: Mapping[str, str]) -> NotSearched:
    """Return the gold that consists of these units, by question; `units` maps each to a reason."""
    lacking = {
        query: tuple(unit for unit in wanted if unit in units)
        for query, wanted in sorted(gold.qrels.items())
    }
    questions = {query: lost for query, lost in lacking.items() if lost}
    wholly = frozenset(q for q, lost in questions.items() if len(lost) == len(gold.qrels[q]))
    return NotSearched(units, questions, wholly)


def reason_in_words(reason: str, language: str = "en") -> str:
    """Return the display text of why a gold unit is not searched."""
    return say(f"levels.reason.{reason}", language)
