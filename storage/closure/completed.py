"""Gold of generated questions including the provisions added by closure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlmodel import Session, col, select

from normalization.grouping import nested
from storage.db.rows import rows_with
from storage.tables.augmentation import AugmentedQuestion, ClosureDecision


def completed_gold(
    session: Session, questions: Sequence[AugmentedQuestion]
) -> dict[int, list[dict[str, Any]]]:
    """Return the gold of each question by id, as `AugmentedQuestion` keeps it, with additions.

    The newest decision on each provision counts.
    """
    added = _added(session, [row.id or 0 for row in questions])
    return {row.id or 0: with_added(row.gold, added.get(row.id or 0, {})) for row in questions}


def with_added(gold: Iterable[Mapping[str, Any]], added: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return gold with the `added` provisions (unit → rule), as whole provisions in order of id.

    Provisions that are in the gold already are not added again.
    """
    found = [dict(each) for each in gold]
    known = {each["unit"] for each in found}
    return found + [
        {"unit": unit, "pinpoint": "", "role": rule}
        for unit, rule in sorted(added.items())
        if unit not in known
    ]


def _added(session: Session, ids: Sequence[int]) -> dict[int, dict[str, str]]:
    """Return the provisions whose newest decision adds them, with the rule, by question."""
    query = select(ClosureDecision).order_by(col(ClosureDecision.id))
    rows = rows_with(session, query, ClosureDecision.augmented_question_id, ids)
    newest = {(row.augmented_question_id, row.unit): row for row in rows}
    return nested((*key, row.rule) for key, row in newest.items() if row.kind == "added")
