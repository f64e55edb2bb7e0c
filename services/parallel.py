"""Parallel groups: effects of a changed declaration, and proposals by similarity."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from annotation.parallel import (
    Decision,
    Verdict,
    decision_on,
    decisions_in,
    is_declared,
)
from annotation.parallel import decide as keep
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
from corpus.long_work import in_bulk
from corpus.model import Level, Tier
from errors import UserError, Where
from storage.db.workspace import ByDatabase, Workspace
from storage.law.corpus import required_snapshot
from storage.law.neighbours import node_views, unit_numbers
from storage.law.parallel_groups import Problem, joined
from storage.law.passages import retrieval_passages

COMPARED = (Level.ARTICLE, Level.SECTION)


@dataclass(frozen=True, slots=True)
class Changes:
    """Effects of replacing the project's declaration.

    Groups are named by their keys; `changed` are those with the same key and another content.
    `edges` are their numbers in the law in use before and after, `problems` the members without
    edges afterwards. `diff` compares the texts line by line.
    """

    new: tuple[str, ...]
    gone: tuple[str, ...]
    changed: tuple[str, ...]
    edges: tuple[int, int]
    problems: tuple[Problem, ...]
    diff: str


class State(StrEnum):
    """State of a proposed group."""

    OPEN = "open"
    DECLARED = "declared"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class ProposedGroup:
    """A proposed group with its state, and the newest decision on it if any."""

    proposal: Proposal
    state: State
    decision: Decision | None
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proposed:
    """All groups proposed by similarity in the law in use.

    `slots` are the labels of the slots. `compared` provisions share their heading with others;
    `too_common` headings were skipped as more than `most` provisions have them.
    """

    snapshot_id: int
    groups: tuple[ProposedGroup, ...]
    slots: Mapping[str, Mapping[str, str]]
    compared: int
    too_common: int
    at_least: float
    most: int

    def count(self, state: State) -> int:
        """Return the number of groups in that state."""
        return sum(each.state is state for each in self.groups)


def changes(ws: Workspace, slug: str, text: str, by: int | None = None) -> Changes:
    """Return the effects of replacing the declaration by `text`, without doing it.

    Raises UserError, with the line, for an invalid text, and for a project without law.
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
    """A declared group in the law in use.

    `names` are display names of existing provisions, `slots` the labels of the slots, `problems`
    the members without edges.
    """

    group: Group
    names: Mapping[str, str]
    slots: Mapping[str, Mapping[str, str]]
    problems: tuple[Problem, ...]


def declared_groups(ws: Workspace, slug: str, by: int | None = None) -> list[DeclaredGroup]:
    """Return the declared groups, in the order of their text.

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
    """Return the groups proposed by similarity in the law in use, most similar first.

    `statute` filters by part of a member's id. Raises UserError for a similarity not in (0, 1], a
    number of provisions below 2, and a project without law.
    """
    if not 0 < at_least <= 1 or most < 2:
        raise UserError("parallel_bounds", Where(field="at-least" if most >= 2 else "most"))
    with reading_as(ws, slug, by, Act.READ_LAW) as (session, project, _):
        snapshot = required_snapshot(session, project)
        declaration = PARALLEL_GROUPS.current(session, project.id)[1]
        decisions = decisions_in(session, project.id)
    source, digest = ByDatabase.of(ws), snapshot.content_hash
    found, names = _cached_proposals(source, snapshot.id, digest, declaration.slots, at_least, most)
    groups = [
        _with_state(each, declaration, decision_on(decisions, each.units), names)
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
    """Confirm or refuse the proposed groups of these units; return the resulting version.

    Raises UserError where one of them is not proposed with these bounds, and as
    `annotation.parallel.decide` does.
    """
    proposed = proposals(ws, slug, by, at_least=at_least, most=most)
    known = {frozenset(each.proposal.units): each.proposal for each in proposed.groups}
    for units in chosen:
        if frozenset(units) not in known:
            raise UserError("parallel_proposal_gone", units=", ".join(units))
    taken = list(dict.fromkeys(frozenset(units) for units in chosen))
    wanted = [known[units] for units in taken]
    return keep(ws, slug, wanted, verdict, proposed.snapshot_id, note, by)


def _with_state(
    proposal: Proposal,
    declaration: Declaration,
    decision: Decision | None,
    names: dict[str, str],
) -> ProposedGroup:
    """Return a proposed group with its state: declared, refused or open."""
    called = tuple(names[unit] for unit in proposal.units)
    if is_declared(declaration, proposal.units):
        return ProposedGroup(proposal, State.DECLARED, decision, called)
    refused = decision is not None and decision.verdict is Verdict.REFUSED
    return ProposedGroup(proposal, State.REFUSED if refused else State.OPEN, decision, called)


@lru_cache(maxsize=4)
def _cached_proposals(
    source: ByDatabase,
    snapshot_id: int,
    _digest: str,
    slots: tuple[Slot, ...],
    at_least: float,
    most: int,
) -> tuple[Proposals, dict[str, str]]:
    """Return the proposals, and display names of their provisions."""
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
