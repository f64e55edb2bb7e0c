"""Parallel groups: what a changed declaration would do, and the groups that likeness proposes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from annotation.parallel.groups import (
    Decision,
    Verdict,
    decision_on,
    decisions_in,
    is_declared,
)
from annotation.parallel.groups import decide as keep
from annotation.people.roles import Act, reading_as
from annotation.work.editions import clean, line_diff
from annotation.work.versioned_texts import PARALLEL_GROUPS
from construction.parallel.declaration import Declaration, Group, Slot, parse
from construction.parallel.likeness import (
    AT_LEAST,
    MOST,
    Proposal,
    Proposals,
    Provision,
    propose,
)
from corpus.gc_pause import in_bulk
from corpus.model import Level, Tier
from errors import UserError, Where
from storage.db.workspace import ByDatabase, Workspace
from storage.law.corpus import required_snapshot
from storage.law.neighbours import node_views, unit_numbers
from storage.law.parallel_groups import Problem, joined
from storage.law.passages import retrieval_passages

__all__ = ["Problem", "Verdict"]
COMPARED = (Level.ARTICLE, Level.SECTION)


@dataclass(frozen=True, slots=True)
class Changes:
    """What would change if the project declared a text.

    Groups are named by their keys; `changed` are those of one key that say something else.
    `edges` are those of the law in use now and then, `problems` the members of then that make
    none. `diff` compares the texts line by line, "" where they are equal.
    """

    new: tuple[str, ...]
    gone: tuple[str, ...]
    changed: tuple[str, ...]
    edges: tuple[int, int]
    problems: tuple[Problem, ...]
    diff: str


class State(StrEnum):
    """What has become of a proposed group."""

    OPEN = "open"
    DECLARED = "declared"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class ProposedGroup:
    """A proposed group, what has become of it, and the newest decision on it if there is one."""

    proposal: Proposal
    state: State
    decision: Decision | None
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proposed:
    """All that likeness proposes in the law in use.

    `slots` are the labels of the slots. `compared` provisions stand under a heading that others
    have too; `too_common` headings were not compared since more than `most` provisions have them.
    """

    snapshot_id: int
    groups: tuple[ProposedGroup, ...]
    slots: Mapping[str, Mapping[str, str]]
    compared: int
    too_common: int
    at_least: float
    most: int

    def count(self, state: State) -> int:
        """Return how many of the groups are in that state."""
        return sum(each.state is state for each in self.groups)


def changes(ws: Workspace, slug: str, text: str, by: int | None = None) -> Changes:
    """Return what would change if the project declared `text`; nothing is changed.

    Raises UserError, with the line, for a text that is no declaration, and for a project without
    law.
    """
    text = clean(text)
    new = parse(text)
    with reading_as(ws, slug, by, Act.READ_LAW) as (session, project, _):
        snapshot = required_snapshot(session, project)
        before = PARALLEL_GROUPS.text_in(session, project.id)[1]
        old = parse(before)
        edges = [joined(session, snapshot.id, each) for each in (old, new)]
    was, will = ({group.key: group for group in each.groups} for each in (old, new))
    return Changes(
        new=tuple(key for key in will if key not in was),
        gone=tuple(key for key in was if key not in will),
        changed=tuple(key for key in will if key in was and will[key] != was[key]),
        edges=(len(edges[0].edges), len(edges[1].edges)),
        problems=edges[1].problems,
        diff=line_diff(before, text),
    )


@dataclass(frozen=True, slots=True)
class DeclaredGroup:
    """A group that is declared now, in the law in use.

    `names` says what each provision that is there is called, `slots` the label of each slot,
    `problems` which members make no edge.
    """

    group: Group
    names: Mapping[str, str]
    slots: Mapping[str, Mapping[str, str]]
    problems: tuple[Problem, ...]


def declared_groups(ws: Workspace, slug: str, by: int | None = None) -> list[DeclaredGroup]:
    """Return the groups that are declared now, in the order of their text.

    Raises UserError for a project without law.
    """
    with reading_as(ws, slug, by, Act.READ_LAW) as (session, project, _):
        declaration = PARALLEL_GROUPS.current(session, project.id)[1]
        snapshot = required_snapshot(session, project)
        found = joined(session, snapshot.id, declaration).problems
        units = {member.unit for group in declaration.groups for member in group.members}
        numbers = unit_numbers(session, snapshot.id, units)
        nodes = node_views(session, numbers.values())
    names = {
        node.unit_id: f"{node.statute} {node.label} {node.heading}".strip()
        for node in nodes.values()
    }
    slots = {slot.key: slot.label for slot in declaration.slots}
    return [
        DeclaredGroup(group, names, slots, tuple(each for each in found if each.group == group.key))
        for group in declaration.groups
    ]


def proposals(
    ws: Workspace,
    slug: str,
    by: int | None = None,
    *,
    at_least: float = AT_LEAST,
    most: int = MOST,
    statute: str = "",
) -> Proposed:
    """Return the groups that likeness proposes in the law in use, the most alike first.

    `statute` keeps those of which a member's id has it. Raises UserError for a likeness that is
    not above 0 and at most 1, a number of provisions below 2, and a project without law.
    """
    if not 0 < at_least <= 1 or most < 2:
        raise UserError("parallel_bounds", Where(field="at-least" if most >= 2 else "most"))
    with reading_as(ws, slug, by, Act.READ_LAW) as (session, project, _):
        snapshot = required_snapshot(session, project)
        declaration = PARALLEL_GROUPS.current(session, project.id)[1]
        decisions = decisions_in(session, project.id)
    source, digest = ByDatabase.of(ws), snapshot.content_hash
    found, names = _found(source, snapshot.id, digest, declaration.slots, at_least, most)
    groups = [
        _standing(each, declaration, decision_on(decisions, each.units), names)
        for each in found.found
        if any(statute in unit for unit in each.units)
    ]
    labels = {slot.key: slot.label for slot in declaration.slots}
    counts = found.compared, found.too_common
    return Proposed(snapshot.id, tuple(groups), labels, *counts, at_least, most)


def decide(
    ws: Workspace,
    slug: str,
    chosen: Collection[Sequence[str]],
    verdict: Verdict,
    note: str = "",
    by: int | None = None,
    *,
    at_least: float = AT_LEAST,
    most: int = MOST,
) -> int:
    """Confirm or refuse the proposed groups of these units; return the version that holds then.

    Raises UserError where one of them is not proposed with these bounds, and as
    `annotation.parallel.groups.decide` does.
    """
    proposed = proposals(ws, slug, by, at_least=at_least, most=most)
    known = {frozenset(each.proposal.units): each.proposal for each in proposed.groups}
    for units in chosen:
        if frozenset(units) not in known:
            raise UserError("parallel_proposal_gone", units=", ".join(units))
    taken = list(dict.fromkeys(frozenset(units) for units in chosen))
    wanted = [known[units] for units in taken]
    return keep(ws, slug, wanted, verdict, proposed.snapshot_id, note, by)


def _standing(
    proposal: Proposal,
    declaration: Declaration,
    decision: Decision | None,
    names: dict[str, str],
) -> ProposedGroup:
    called = tuple(names[unit] for unit in proposal.units)
    if is_declared(declaration, proposal.units):
        return ProposedGroup(proposal, State.DECLARED, decision, called)
    refused = decision is not None and decision.verdict is Verdict.REFUSED
    return ProposedGroup(proposal, State.REFUSED if refused else State.OPEN, decision, called)


@lru_cache(maxsize=4)
def _found(
    source: ByDatabase,
    snapshot_id: int,
    _digest: str,
    slots: tuple[Slot, ...],
    at_least: float,
    most: int,
) -> tuple[Proposals, dict[str, str]]:
    """Return the proposals, and what each of their provisions is called."""
    with in_bulk(), source.ws.reading() as session:
        passages = list(retrieval_passages(session, snapshot_id, COMPARED))
    found = propose(
        (
            Provision(
                each.unit_id, each.statute_id, Tier(each.tier), each.heading, each.text, each.path
            )
            for each in passages
        ),
        slots,
        at_least,
        most,
    )
    wanted = {unit for each in found.found for unit in each.units}
    names = {
        each.unit_id: f"{each.statute} {each.label} {each.heading}".strip()
        for each in passages
        if each.unit_id in wanted
    }
    return found, names
