"""The shapes of what people said: of each act on a draft, and of a known answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.work.carry_over import fits_taken_up, takes_up
from annotation.work.validation import Decision

LABELS = tuple(str(each) for each in Decision)
ACTS: Mapping[str, set[str]] = {
    "open": {"candidates"},
    "label": {"unit", "snapshot", "decision"},
    "add": {"unit", "snapshot"},
    "no_provision": {"value"},
    "comment": {"text"},
    "flag": {"text"},
    "skip": {"reason"},
    "undo": set(),
    "submit": set(),
    "withdraw": set(),
    "migrate": {"migration", "document", "from", "to", "answers", "becomes", "reason"},
}  # what each act says at least
OURS = {"unit_id", "candidate_set_id", "migration_id"}  # ids of one database, which no file holds


def fits(kind: str, said: Mapping[str, Any]) -> bool:
    """Return whether a payload has the shape of its act."""
    texts = all(isinstance(said[name], str) for name in ("text", "reason") if name in said)
    decision = said.get("decision")
    known = decision is None or decision in LABELS
    if not said.keys() >= ACTS[kind] or said.keys() & OURS:
        return False
    if kind == "migrate" and not _fits_migration(said):
        return False
    if kind == "open" and takes_up(said) and not fits_taken_up(said):
        return False
    return texts and known and isinstance(said.get("value", True), bool)


def _fits_migration(said: Mapping[str, Any]) -> bool:
    """Return whether the payload says what became of each answer, as the fold reads it."""
    plain = all(isinstance(said[name], str) for name in ("document", "to"))
    return plain and said["becomes"] in ("submit", "withdraw") and fits_answers(said["answers"])


def fits_answers(answers: Any) -> bool:
    """Return whether this maps labels to labels, and those given back to nothing."""
    if not isinstance(answers, dict) or answers.keys() - {*LABELS, "no_provision"}:
        return False
    given_back = answers.get("no_provision") is None
    return given_back and all(new is None or new in LABELS for new in answers.values())


def fits_answer(answer: Mapping[str, Any]) -> bool:
    """Return whether a known answer has the shape of citation mapping's."""
    units = answer.get("units")
    named = isinstance(units, list) and all(isinstance(unit, str) for unit in units)
    return named and isinstance(answer.get("no_provision"), bool)
