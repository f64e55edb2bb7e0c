"""Decisions on proposed parallel groups.

A confirmed proposal becomes a group of the next version; a refused one stays refused, with all its
subsets, until somebody confirms it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlmodel import Session

from annotation.people.roles import Act, writing_as
from annotation.work.editions import clean
from annotation.work.submissions import checked_text
from annotation.work.versioned_texts import PARALLEL_GROUPS
from construction.parallel.declaration import (
    Declaration,
    Group,
    free_key,
    parse,
    with_groups,
)
from construction.parallel.likeness import Proposal
from corpus.limits import NOTE
from errors import UserError
from storage.db.workspace import Workspace
from storage.projects import authored
from storage.tables.law import ParallelDecision


class Verdict(StrEnum):
    """The decision on a proposed group."""

    CONFIRMED = "confirmed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision on a proposed group: by whom (None: the operator), when, and why."""

    units: tuple[str, ...]
    verdict: Verdict
    score: float
    person: str | None
    at: datetime
    note: str


def decide(
    ws: Workspace,
    slug: str,
    proposals: Sequence[Proposal],
    verdict: Verdict,
    snapshot_id: int,
    note: str = "",
    by: int | None = None,
) -> int:
    """Store a decision on proposed groups; return the number of the version then current.

    Confirmed ones become groups of one new version, with `note` among its reasons. `snapshot_id` is
    the law that they were proposed in. Raises UserError without permission, for a note that is too
    long, and a group that is declared already.
    """
    note = checked_text(clean(note), "note", NOTE)
    with writing_as(ws, slug, by, Act.EDIT_GUIDELINES) as (session, project, who):
        number, text = PARALLEL_GROUPS.text_in(session, project.id)
        declared = parse(text)
        for each in proposals:
            if is_declared(declared, each.units):
                raise UserError("parallel_declared", units=", ".join(each.units))
            session.add(
                ParallelDecision(
                    project_id=project.id,
                    snapshot_id=snapshot_id,
                    units=sorted(each.units),
                    verdict=verdict.value,
                    score=each.score,
                    reason={
                        "heading": each.heading,
                        "headings": list(each.headings),
                        "highest": each.highest,
                        "without": list(each.without),
                    },
                    note=note,
                    by_person_id=by,
                    at=ws.clock(),
                )
            )
        if verdict is Verdict.CONFIRMED and proposals:
            new = with_groups(text, _groups(declared, proposals))
            number = PARALLEL_GROUPS.save_in(session, ws, project, who, new, note, number)
        return number


def is_declared(declaration: Declaration, units: Sequence[str]) -> bool:
    """Return True if one group declares all of the units as parallel."""
    wanted = set(units)
    return any(wanted <= {member.unit for member in group.members} for group in declaration.groups)


def decisions_in(session: Session, project_id: int) -> dict[tuple[str, ...], Decision]:
    """Return the newest decision on each proposed group by its units, oldest first."""
    found: dict[tuple[str, ...], Decision] = {}
    here = ParallelDecision.project_id == project_id
    for row, name in authored(session, ParallelDecision, here):
        units = tuple(row.units)
        verdict = Verdict(row.verdict)
        found.pop(units, None)
        found[units] = Decision(units, verdict, row.score, name, row.at, row.note)
    return found


def decision_on(
    decisions: Mapping[tuple[str, ...], Decision], units: Sequence[str]
) -> Decision | None:
    """Return the newest decision on a proposal, or refusal of a larger one; None if neither."""
    wanted = set(units)
    found = None
    for known, decision in decisions.items():
        larger = decision.verdict is Verdict.REFUSED and wanted <= set(known)
        if larger or wanted == set(known):
            found = decision
    return found


def _groups(declaration: Declaration, proposals: Sequence[Proposal]) -> list[Group]:
    """Return the confirmed proposals as groups with free keys."""
    taken = [group.key for group in declaration.groups]
    found = []
    for each in proposals:
        key = free_key("confirmed", taken)
        taken.append(key)
        found.append(each.group(key))
    return found
