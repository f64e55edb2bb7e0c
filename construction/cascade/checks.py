"""The checks of the cascade's layers: passed, rejected, or unjudged, with reasons.

They depend on the question, the layer's parameters and the arguments alone; nothing here asks a
model or the database. A layer without enough information returns unjudged: neither passed nor
rejected.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from construction.augmentation.rubric import LEVELS, ReferenceSet, Rubric, difficulty, size
from construction.cascade.layers import (
    Closure,
    Criterion,
    Difficulty,
    Gate,
    Heuristics,
    Judge,
    OnMissing,
    Wording,
)
from corpus.cases.safe_pattern import Budget
from errors import UserError, Where
from normalization import composed

TEXT_SECONDS = 2.0  # processor time for the expressions of one layer on one question
MISSING = "missing"  # the code of a provision that closure finds missing
_SENTENCE = re.compile(r"[^.?!。？！\n]+[.?!。？！\n]*")
_SHORTEST_SENTENCE = 8  # characters; a shorter one ("Why?") may well occur twice


class Outcome(StrEnum):
    """The result of a layer for a question."""

    PASSED = "passed"
    REJECTED = "rejected"
    UNJUDGED = "unjudged"


@dataclass(frozen=True, slots=True)
class Reason:
    """A finding of a layer: a code of the catalogue, or a wording's key, with its values."""

    code: str
    values: Mapping[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """Return the reason as stored."""
        return {"code": self.code, "values": dict(self.values)}


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a layer for one question, with reasons."""

    outcome: Outcome
    reasons: tuple[Reason, ...] = ()


class Draft(Protocol):
    """A question as the layers see it; `level` is the requested one."""

    @property
    def text(self) -> str:
        """The question."""

    @property
    def answer(self) -> str:
        """Its answer."""

    @property
    def language(self) -> str:
        """``en`` or ``ko``."""


class Said(Protocol):
    """The judge's answer on one criterion."""

    @property
    def holds(self) -> bool:
        """Whether the criterion holds."""

    @property
    def reason(self) -> str:
        """The judge's reason."""


@dataclass(frozen=True, slots=True)
class Addition:
    """A provision missing from the gold: the rule that requires it, and the words it fired on."""

    unit: str
    rule: str
    words: str


def gate(draft: Draft, layer: Gate) -> Finding:
    """Reject a question with one of the wordings; the answer may have them."""
    return _finding(lambda: _worded(draft.text, layer.wordings))


def judge(verdicts: Mapping[Criterion, Said], layer: Judge) -> Finding:
    """Pass a question if enough criteria hold; every criterion is a reason, with its own.

    Raises KeyError for a criterion without the judge's answer.
    """
    reasons = [
        Reason(str(each), {"holds": verdicts[each].holds, "reason": verdicts[each].reason})
        for each in layer.criteria
    ]
    held = sum(verdicts[each].holds for each in layer.criteria)
    passed = held >= layer.must_hold
    return Finding(Outcome.PASSED if passed else Outcome.REJECTED, tuple(reasons))


def heuristics(draft: Draft, layer: Heuristics) -> Finding:
    """Reject a question that is too short or long, in the wrong script, or about the material."""
    return _finding(lambda: _heuristic(draft, layer))


def level(reference_set: ReferenceSet, target: str, layer: Difficulty, rubric: Rubric) -> Finding:
    """Reject a question whose level is further than the tolerance from the one requested.

    `reference_set` are the citations of the answer. Unjudged without references, which have no
    level. Raises ValueError for an unknown target.
    """
    if target not in LEVELS:
        raise ValueError(f"no such level: {target}")
    if not reference_set.references:
        return Finding(Outcome.UNJUDGED, (Reason("no_references", {}),))
    actual = difficulty(reference_set, rubric)
    away = abs(LEVELS.index(actual) - LEVELS.index(target))
    values = {"target": target, "actual": actual, "references": size(reference_set)} | {
        name: getattr(reference_set, name)
        for name in ("conditional", "cross_document", "external_law", "sanction")
    }
    values |= {"institutions": reference_set.institutions, "arity": reference_set.arity}
    outcome = Outcome.PASSED if away <= layer.tolerance else Outcome.REJECTED
    return Finding(outcome, (Reason("level", values),))


def closure(
    missing: Sequence[Addition], layer: Closure, before: Sequence[Addition] = ()
) -> Finding:
    """Report the provisions missing from the gold: they are added, or the question rejected.

    The additions `before` are listed too, so that each provision of a passed question is explained
    by its newest run.
    """
    reasons = tuple(_addition(MISSING, each) for each in missing)
    if missing and layer.on_missing is OnMissing.REJECT:
        return Finding(Outcome.REJECTED, reasons)
    return Finding(Outcome.PASSED, (*(_addition("added_before", e) for e in before), *reasons))


def _addition(code: str, each: Addition) -> Reason:
    """Return a proposed addition as a reason."""
    return Reason(code, {"unit": each.unit, "rule": each.rule, "words": each.words})


def completed(
    finding: Finding, reference_set: ReferenceSet, target: str, rubric: Rubric
) -> Finding:
    """Add to closure's finding, if it passed with additions, the level of the completed gold.

    The difficulty layer uses the citations of the answer; the provisions that closure adds to the
    gold later may raise the level, and readers have to see by how much.
    """
    if finding.outcome is not Outcome.PASSED or not finding.reasons or not reference_set.references:
        return finding
    values = {"target": target or "–", "actual": difficulty(reference_set, rubric)}
    return Finding(finding.outcome, (*finding.reasons, Reason("completed_level", values)))


def unjudged(code: str, **values: Any) -> Finding:
    """Return an unjudged finding with the reason `code` and its `values`."""
    return Finding(Outcome.UNJUDGED, (Reason(code, values),))


def counts(reason: Mapping[str, Any]) -> bool:
    """Return whether a stored reason counts against the question."""
    return reason["values"].get("holds") is not True


def _finding(find: Callable[[], Iterator[Reason]]) -> Finding:
    """Reject if there are reasons; unjudged where an expression takes too long on the question."""
    try:
        reasons = tuple(find())
    except UserError as error:
        if error.code not in ("pattern_slow", "pattern_everywhere"):
            raise
        return unjudged("slow", pattern=str(error.params["pattern"]))
    return Finding(Outcome.REJECTED if reasons else Outcome.PASSED, reasons)


def _heuristic(draft: Draft, layer: Heuristics) -> Iterator[Reason]:
    """Yield the reasons to reject: length, script, repetition, listed wording."""
    for part, bounds in (("question", layer.question), ("answer", layer.answer)):
        text = draft.text if part == "question" else draft.answer
        length = len(one_line(text))
        if not bounds.shortest <= length <= bounds.longest:
            values = {"part": part, "length": length}
            yield Reason(
                "length", values | {"shortest": bounds.shortest, "longest": bounds.longest}
            )
        yield from _foreign(text, part, layer.scripts[draft.language], layer.foreign_letters)
        sentence, times = _repeated(text)
        if times > layer.same_sentence:
            yield Reason("repeated", {"part": part, "text": sentence[:200], "times": times})
    share = _own_share(draft.text, layer.scripts[draft.language][0])
    if share < layer.own_share:
        yield Reason("other_language", {"share": round(share, 3), "language": draft.language})
    yield from _worded(draft.text, layer.wordings)


def _foreign(text: str, part: str, scripts: Sequence[str], most: int) -> Iterator[Reason]:
    """Yield a reason if a text has more than `most` letters of other scripts."""
    found = [letter for letter, script in _letters(text) if script not in scripts]
    if len(found) > most:
        shown = "".join(dict.fromkeys(found))[:20]
        yield Reason("script", {"part": part, "letters": shown, "count": len(found)})


def _own_share(text: str, script: str) -> float:
    """Return the share of letters of that script; 1 without letters."""
    found = [name for _, name in _letters(text)]
    return sum(name == script for name in found) / len(found) if found else 1.0


def _letters(text: str) -> Iterator[tuple[str, str]]:
    """Yield each letter of a text with its script: the first word of its Unicode name.

    Wide and circled forms count as their plain letters. Letters common to all scripts (modifiers
    and the like: no name of a script) are left out.
    """
    for letter in unicodedata.normalize("NFKC", text):
        if letter.isalpha():
            script = unicodedata.name(letter, "").partition(" ")[0]
            if script not in ("MODIFIER", "MATHEMATICAL", "MICRO", "FEMININE", "MASCULINE"):
                yield letter, script


def _repeated(text: str) -> tuple[str, int]:
    """Return the most frequent sentence, the first of equals, and its count."""
    sentences = (" ".join(found[0].split()) for found in _SENTENCE.finditer(composed(text)))
    counted = Counter(each for each in sentences if len(each) >= _SHORTEST_SENTENCE)
    return max(counted.items(), key=lambda item: item[1], default=("", 0))


def _worded(text: str, wordings: Sequence[Wording]) -> Iterator[Reason]:
    """Yield each listed wording that the text contains, once, with its offsets.

    Offsets are in characters of the text in one line (`one_line`).
    """
    said = one_line(text)
    budget = Budget("", Where(), TEXT_SECONDS)
    for wording in wordings:
        hits = (pattern.search(said, budget) for pattern in wording.any)
        hit = next((each for each in hits if each is not None), None)
        if hit is not None:
            yield Reason(
                f"wording.{wording.key}", {"text": hit[0], "start": hit.start(), "end": hit.end()}
            )


def one_line(text: str) -> str:
    """Return a text composed (NFC), with every run of white space as one space."""
    return " ".join(composed(text).split())
