"""Tagging items made from court cases of standard groups, all or a sample.

An item shows the groups under which its case is tagged. After a change of typology the item shows
its current groups; once all its submissions exist, only where groups were added
(`annotation.tagging.tags` tells the taggers).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from annotation.cases import mapped
from annotation.forms.submissions import complete_items
from annotation.people.roles import Act, reading_as, writing_as
from annotation.tagging.suggestion_visibility import groups_shown
from annotation.work.versioned_texts import TYPOLOGY
from construction.cases.typology import Typology, group_name
from construction.tagging.codebook import within
from errors import UserError, Where
from normalization.hashing import seeded_hash
from storage.cases import CaseLine, listed
from storage.db.workspace import Workspace
from storage.subjects import Subject, add_candidate_set, add_items, shown_items
from storage.tagging import newest_ids, setting_of
from storage.tasks import Task

_TASK = Task.FACTOR_TAGGING
Groups = Mapping[int, tuple[str, ...]]  # the standard groups of each court case


@dataclass(frozen=True, slots=True)
class MadeItems:
    """Result of making items: numbers of new and existing items.

    `moved` of those show other groups from now on. `left` cases of the requested groups are still
    without an item, beyond the limit. `unmapped` cases are in no group.
    """

    made: int
    there: int
    moved: int
    left: int
    unmapped: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """A standard group and its number of court cases without an item."""

    key: str
    label: Mapping[str, str]
    cases: int


@dataclass(frozen=True, slots=True)
class ItemCounts:
    """Numbers of items, of mapped cases without one, and of unmapped cases.

    `groups` are those with waiting cases, in the order of the typology. A case of several groups
    waits in each.
    """

    items: int
    waiting: int
    unmapped: int
    groups: tuple[Waiting, ...]


def cases_without_item(ws: Workspace, project_slug: str, by: int | None = None) -> ItemCounts:
    """Return how many court cases have an item, wait for one, or are in no group.

    Raises UserError without permission.
    """
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        _, typology = TYPOLOGY.current(session, project.id)
        found = {case: each.groups for case, each in mapped(session, project.id).items()}
        there = {each.subject_id for each in shown_items(session, project.id, _TASK)}
    waiting = [groups for case, groups in found.items() if groups and case not in there]
    counts = Counter(key for groups in waiting for key in groups)
    return ItemCounts(
        items=len(there),
        waiting=len(waiting),
        unmapped=sum(not groups for groups in found.values()),
        groups=tuple(
            Waiting(group.key, group_name(charge, group), counts[group.key])
            for _, charge, group in typology.groups()
            if counts[group.key]
        ),
    )


def make_items(
    ws: Workspace,
    project_slug: str,
    groups: Sequence[str] = (),
    limit: int | None = None,
    seed: int = 0,
    by: int | None = None,
) -> MadeItems:
    """Make an item of each case of the groups (none: all) without one; update groups of the others.

    A key names a group, or all groups of a charge or category. With a `limit`, so many cases are
    drawn by the seed. Cases of a group are consecutive in the queue. Raises UserError for `by`
    without permission, and for an unknown key. Items whose cases have changed groups show the
    current ones from then on.
    """
    with writing_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        number, typology = TYPOLOGY.current(session, project.id)
        _refuse_unknown(typology, groups)
        found = {case: each.groups for case, each in mapped(session, project.id).items()}
        there = {each.subject_id for each in shown_items(session, project.id, _TASK)}
        wanted = [
            case
            for case in listed(session, project.id)
            if case.id not in there and found[case.id]
            if not groups or any(within(one, key) for one in found[case.id] for key in groups)
        ]
        chosen = _drawn(typology, wanted, limit, seed, found)
        _add(session, ws, project.id, chosen, found, number)
        moved = _show_moved(session, ws, project.id, found, number)
        unmapped = sum(not each for each in found.values())
        return MadeItems(len(chosen), len(there), moved, len(wanted) - len(chosen), unmapped)


def _refuse_unknown(typology: Typology, groups: Sequence[str]) -> None:
    """Raise UserError for a key that names no group, charge or category."""
    known = [group.key for *_, group in typology.groups()]
    for key in groups:
        if not any(within(each, key) for each in known):
            charges = ", ".join(category.key for category in typology.categories)
            raise UserError("tag_group", Where(field="group"), group=key, known=charges)


def _drawn(
    typology: Typology, cases: Sequence[CaseLine], limit: int | None, seed: int, groups: Groups
) -> list[CaseLine]:
    """Return the cases drawn, by their first group, then by import.

    The draw depends on the seed and each case's id alone.
    """
    ranked = sorted(cases, key=lambda case: seeded_hash(seed, "tag", case.external_id))
    place = {group.key: at for at, (*_, group) in enumerate(typology.groups())}
    first = {case.id: min(place[key] for key in groups[case.id]) for case in ranked[:limit]}
    return sorted(ranked[:limit], key=lambda case: (first[case.id], case.id))


def _add(
    session: Session,
    ws: Workspace,
    project_id: int,
    cases: Sequence[CaseLine],
    groups: Groups,
    number: int,
) -> None:
    """Add items for cases, with the suggestions that they show."""
    setting, newest = setting_of(session, project_id), newest_ids(session, project_id)
    subjects = []
    for case in cases:
        suggested = {"suggestions": setting, "suggested": newest.get(case.id, 0)}
        shown = _groups_json(groups[case.id], number) | suggested
        subjects.append(Subject(case.id, case.external_id, case.title, shown))
    add_items(session, project_id, _TASK, subjects, ws.clock())


def _show_moved(
    session: Session, ws: Workspace, project_id: int, groups: Groups, number: int
) -> int:
    """Update incomplete items whose groups changed, and all with groups added; return how many."""
    done, moved = complete_items(session, project_id, _TASK), 0
    for each in shown_items(session, project_id, _TASK):
        before, now = groups_shown(each), groups.get(each.subject_id, ())
        more = set(before) < set(now)  # more is asked: the taggers are notified
        if before != now and (more or each.item_id not in done):
            shown = each.shown | _groups_json(now, number)
            add_candidate_set(session, each.item_id, shown, ws.clock())
            moved += 1
    return moved


def _groups_json(groups: Sequence[str], number: int) -> dict[str, Any]:
    return {"typology": number, "groups": list(groups)}
