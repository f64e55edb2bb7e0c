"""Shapes of records: acts on a draft, and known answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.work.carry_over import fits_taken_up, takes_up
from annotation.work.submissions import Decision

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
}  # required keys of each act's payload
_TEXTS = ("text", "reason", "field", "guideline_version", "codebook_version")
OURS = {"unit_id", "candidate_set_id", "migration_id"}  # ids of one database, never in a file
_FIELD = {"field", "value"}  # keys of a form label
_CHANGE = {"of", "was", "now"}  # keys of a migrated field's change, unless it is cleared
FORM_ACTS: Mapping[str, set[str]] = {
    **{kind: said for kind, said in ACTS.items() if kind not in ("add", "no_provision")},
    "open": {"shown"},
    "label": _FIELD,
    "migrate": ACTS["migrate"] - {"answers"} | {"fields"},
}


def fits(kind: str, said: Mapping[str, Any]) -> bool:
    """Return True if a payload has the shape of its act."""
    texts = all(isinstance(said[name], str) for name in ("text", "reason") if name in said)
    decision = said.get("decision")
    known = decision is None or decision in LABELS
    if not said.keys() >= ACTS[kind] or said.keys() & (OURS | _FIELD if kind == "label" else OURS):
        return False
    if kind == "migrate" and not _fits_migration(said):
        return False
    if kind == "open" and takes_up(said) and not fits_taken_up(said):
        return False
    return texts and known and isinstance(said.get("value", True), bool)


def fits_form(kind: str, said: Mapping[str, Any]) -> bool:
    """Return True if a payload has the shape of its act on a form; its value is not checked."""
    texts = (said[name] for name in _TEXTS if name in said)
    if not said.keys() >= FORM_ACTS[kind] or said.keys() & OURS:
        return False
    if not all(isinstance(text, str) for text in texts):
        return False
    if kind == "open" and takes_up(said):
        return fits_taken_up(said) and not any(said[name] for name in ("carried", "added"))
    if kind == "migrate":
        return fits_form_migration(said)
    return said.get("seal", True) is True


def fits_form_migration(said: Mapping[str, Any]) -> bool:
    """Return True if the payload's field changes have the shape that `fold` reads."""
    fields = said["fields"]
    plain = all(isinstance(said[name], str) for name in ("document", "to"))
    known = isinstance(fields, dict) and all(
        change is None
        or (isinstance(change, dict) and change.keys() == _CHANGE and isinstance(change["of"], str))
        for change in fields.values()
    )
    return plain and known and said["becomes"] in ("submit", "withdraw")


def _fits_migration(said: Mapping[str, Any]) -> bool:
    """Return True if the payload's answer changes have the shape that `fold` reads."""
    plain = all(isinstance(said[name], str) for name in ("document", "to"))
    return plain and said["becomes"] in ("submit", "withdraw") and fits_answers(said["answers"])


def fits_answers(answers: Any) -> bool:
    """Return True if this maps labels to labels, or to None if reopened."""
    if not isinstance(answers, dict) or answers.keys() - {*LABELS, "no_provision"}:
        return False
    given_back = answers.get("no_provision") is None
    return given_back and all(new is None or new in LABELS for new in answers.values())


def fits_answer(answer: Mapping[str, Any]) -> bool:
    """Return True if a known answer has the shape of citation mapping's."""
    units = answer.get("units")
    named = isinstance(units, list) and all(isinstance(unit, str) for unit in units)
    return named and isinstance(answer.get("no_provision"), bool)


def fits_citation(said: Any) -> bool:
    """Return True if this is a stored citation of a candidate set."""
    if not isinstance(said, dict) or not isinstance(said.get("targets"), list):
        return False
    texts = all(isinstance(said.get(name), str) for name in ("text", "status"))
    return texts and all(type(said.get(name)) is int for name in ("start", "end"))


def fits_why(said: Any, citations: Sequence[Any]) -> bool:
    """Return True if these are the stored reasons of a candidate; citations are indexed from 0."""
    if not isinstance(said, list) or not all(isinstance(each, dict) for each in said):
        return False
    for each in said:
        place = each.get("citation")
        if not isinstance(each.get("source"), str):
            return False
        if each["source"] == "citation" and place not in range(len(citations)):
            return False
    return True
