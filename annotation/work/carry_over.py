"""Carrying a draft over to an amended law: whether it is needed, what is kept, how it is stored.

Units are matched by semantic id. A decision on a unit with unchanged text is kept. Decisions on
amended or moved units have to be made again; those on repealed units are dropped, as is "no
provision", which is about the whole law.

The `open` event that carries a draft over names units by id. All belong to the snapshot that its
candidates were built on, so in files and histories their semantic ids are enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sqlmodel import Session, col, select

from annotation.gold.validity import arrived
from annotation.guidelines.documents import held_versions
from annotation.mapping.evidence import anchored, is_evidence
from annotation.work.draft import Draft
from annotation.work.submissions import Decision, is_current, labels_of
from storage.law.corpus import id_in_use, units_called
from storage.law.counterparts import Counterpart, counterparts, units_suggested
from storage.tables.core import Annotation, CandidateSet, Item, StatuteRow, UnitRow
from storage.tasks import of_task

_MAPPING_KEYS = ("carried", "former")  # by unit: the decision; the label it had then
_EVIDENCE = "evidence"  # by unit: the words marked; files of before have none
_UNIT_LIST_KEYS = ("amended", "added")
_SHAPE = dict.fromkeys(_MAPPING_KEYS, dict) | dict.fromkeys((*_UNIT_LIST_KEYS, "dropped"), list)
_TEXTS = ("comment", "flag")


def outrun(session: Session, project_id: int, draft: Draft, candidates: CandidateSet) -> bool:
    """Return True if the law in use differs from what the person decided on.

    A rejected unit counts only if it was reworded, since it may answer the question now. "No
    provision" counts once the candidates built from that law contain a new one; before they are
    built there is nothing to decide on.
    """
    in_use = id_in_use(session, project_id)
    if in_use is None or in_use == candidates.snapshot_id:
        return False
    if draft.no_provision:
        number = candidates.id or 0
        return bool(arrived(session, [number], in_use)[number])
    return _any_differs(draft.decisions, counterparts(session, draft.decisions, in_use))


def outrun_submissions(
    session: Session, project_id: int, person_id: int, item_id: int | None
) -> frozenset[int]:
    """Return the ids of items where the person's current submission is outdated, as in `outrun`.

    With `item_id`, only that item.
    """
    in_use = id_in_use(session, project_id)
    if in_use is None:
        return frozenset()
    query = (
        select(Annotation)
        .join(Item)
        .where(of_task(project_id), is_current(), Annotation.person_id == person_id)
        .where(Annotation.snapshot_id != in_use)
    )
    if item_id is not None:
        query = query.where(Annotation.item_id == item_id)
    rows = {row.id or 0: row for row in session.exec(query)}
    said = labels_of(session, rows)
    units = counterparts(session, {unit for each in said.values() for unit in each}, in_use)
    denied = {row.candidate_set_id for row in rows.values() if row.no_provision}
    come = arrived(session, denied, in_use)
    found = set()
    for number, row in rows.items():
        if row.no_provision:
            other = bool(come[row.candidate_set_id])
        else:
            other = _any_differs(said.get(number, {}), units)
        if other:
            found.add(row.item_id)
    return frozenset(found)


def _any_differs(decisions: Mapping[int, str], now: Mapping[int, Counterpart]) -> bool:
    """Return True if a unit decided on differs in the new law; rejected ones may be gone."""
    return any(
        not now[unit].same and (now[unit].now is not None or said != Decision.REJECT)
        for unit, said in decisions.items()
    )


def carried_over(
    session: Session, draft: Draft, moved: Mapping[str, str], candidates: CandidateSet
) -> dict[str, Any]:
    """Return the payload of the `open` event that restarts an item on these candidates.

    `moved` gives the semantic id of renumbered units in the snapshot of `candidates`.
    """
    found = counterparts(session, draft.decisions, candidates.snapshot_id)
    names = {moved[each.semantic_id] for each in found.values() if each.semantic_id in moved}
    here = units_called(session, candidates.snapshot_id, names)
    carried: dict[int, str] = {}
    amended: list[int] = []
    former: dict[int, str] = {}
    gone: list[int] = []
    now: dict[int, int] = {}
    for unit, decision in draft.decisions.items():
        each = found[unit]
        successor = here.get(moved.get(each.semantic_id, ""))
        now[unit] = successor or each.now or 0
        if each.same and each.now is not None:
            carried[each.now] = decision
            now[unit] = each.now
        elif successor is not None:
            former[successor] = each.label
        elif each.now is not None:
            amended.append(each.now)
        elif decision != Decision.REJECT:
            gone.append(unit)
    project_id = session.get_one(Item, candidates.item_id).project_id
    shown = set(units_suggested(session, candidates.id or 0))
    listed = dict.fromkeys([*carried, *former, *amended])
    return {
        "candidate_set_id": candidates.id,
        **held_versions(session, project_id),
        "carried": {str(unit): said for unit, said in carried.items() if unit not in former},
        "amended": amended,
        "former": {str(unit): label for unit, label in former.items()},
        "added": [unit for unit in listed if unit not in shown],
        "dropped": _unit_names(session, gone),
        **_carried_evidence(session, draft, now),
        "comment": draft.comment,
        "flag": draft.flag,
    }


def _carried_evidence(
    session: Session, draft: Draft, successors: Mapping[int, int]
) -> dict[str, dict[str, Any]]:
    """Return the words marked that are in the units as they are now, just once each."""
    wanted = {number for unit in draft.evidence for number in (unit, successors[unit])}
    texts = texts_of(session, wanted)
    found = {
        str(successors[unit]): kept
        for unit, words in draft.evidence.items()
        if successors[unit] and (kept := anchored(words, texts[unit], texts[successors[unit]]))
    }
    return {_EVIDENCE: found} if found else {}


def texts_of(session: Session, units: Iterable[int | None]) -> dict[int, str]:
    """Return the texts of units by id; None and 0 are none."""
    wanted = sorted({number for number in units if number})
    query = select(UnitRow.id, UnitRow.text).where(col(UnitRow.id).in_(wanted))
    return {number or 0: text for number, text in session.exec(query)}


def _unit_names(session: Session, units: list[int]) -> list[str]:
    """Return "<statute> <label>" of each unit, in the order of ids."""
    query = select(StatuteRow.title, UnitRow.label).where(StatuteRow.id == UnitRow.statute_id)
    query = query.where(col(UnitRow.id).in_(units)).order_by(col(UnitRow.id))
    return [f"{title} {label}" for title, label in session.exec(query)]


def carries_draft_over(payload: Mapping[str, Any]) -> bool:
    """Return True if the payload is that of an `open` event that carries a draft over."""
    return "carried" in payload


def units_of(payload: Mapping[str, Any]) -> set[int]:
    """Return the ids of all units in the payload."""
    listed = {unit for name in _UNIT_LIST_KEYS for unit in payload[name]}
    return listed.union(*({int(unit) for unit in payload[name]} for name in _by_unit(payload)))


def _by_unit(payload: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the keys of the payload whose values are by unit."""
    return _MAPPING_KEYS + ((_EVIDENCE,) if _EVIDENCE in payload else ())


def with_units_replaced(payload: Mapping[str, Any], find: Callable[[Any], Any]) -> dict[str, Any]:
    """Return the payload with each unit replaced by `find(unit)`."""
    by_unit = {
        name: {str(find(unit)): v for unit, v in payload[name].items()}
        for name in _by_unit(payload)
    }
    listed = {name: [find(unit) for unit in payload[name]] for name in _UNIT_LIST_KEYS}
    return {**payload, **by_unit, **listed}


def fits_taken_up(payload: Mapping[str, Any]) -> bool:
    """Return True if the payload, read from a file, has the shape that `fold` expects."""
    if any(not isinstance(payload.get(name), shape) for name, shape in _SHAPE.items()):
        return False
    texts = (
        [payload.get(name) for name in _TEXTS] + payload["dropped"] + [*payload["former"].values()]
    )
    evidence = payload.get(_EVIDENCE, {})
    if not isinstance(evidence, dict) or not all(map(is_evidence, evidence.values())):
        return False
    decisions = [*payload["carried"].values()]
    return all(isinstance(text, str) for text in texts) and all(
        decision in tuple(Decision) for decision in decisions
    )
