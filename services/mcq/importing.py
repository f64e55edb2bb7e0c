"""Import of multiple-choice questions written elsewhere, through the same filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sqlmodel import Session

from annotation.people.roles import Act, allow
from construction.mcq.filters import FilterChoice
from construction.mcq.model import Draft, Mcq, Pair, Passage, item_of
from construction.mcq.reading import Written, read_written
from corpus.files.rows import printable
from errors import UserError, Where
from normalization.hashing import file_hash
from services.law.graph.citation_graph import near_units
from services.mcq.filtering import keep_filtered
from storage.db.workspace import Workspace
from storage.law.corpus import required_snapshot, unit_ids
from storage.mcq.passages import passages_of
from storage.mcq.questions import Attempt, attempt_drafts
from storage.projects import find_project
from storage.tables.mcq import McqMaking


@dataclass(frozen=True, slots=True)
class Imported:
    """Result of an import: `already` existed before; `outcomes` of the filters."""

    read: int
    already: int
    kept: int
    outcomes: dict[str, int]


@dataclass(frozen=True, slots=True)
class _Context:
    """What lines may refer to: the project, its snapshot, units by id, and earlier attempts."""

    project_id: int
    snapshot_id: int
    numbers: Mapping[str, int]
    passages: Mapping[int, Passage]
    drafts: Mapping[str, object]


def import_mcqs(
    ws: Workspace,
    project_slug: str,
    file: Path,
    seed: int = 0,
    by: int | None = None,
    filters: FilterChoice | None = None,
) -> Imported:
    """Import a file of questions (`construction.mcq.reading`) that pass the filters.

    A question with a known id and the same words is skipped; an explanation may be absent. Raises
    UserError for `by` without permission, for unknown filters, and, with the line, for an invalid
    question, a provision that the snapshot in use lacks, and a known id with other words; then
    nothing is stored.
    """
    choice = filters or FilterChoice()
    limits = replace(choice.limits(), explained=False)
    allow(ws, project_slug, by, Act.MAKE_ITEMS)
    written = read_written(file)
    with ws.reading() as session:
        project = find_project(session, project_slug)
        world = _context(session, project.id, required_snapshot(session, project).id, written)
    attempts = _attempts(written, world, seed)
    fresh = [attempt for attempt in attempts if attempt.name not in world.drafts]
    already = len(attempts) - len(fresh)
    if not fresh:
        return Imported(len(written), already, 0, {})

    def making() -> McqMaking:
        return McqMaking(
            project_id=project.id,
            kind="import",
            snapshot_id=world.snapshot_id,
            wanted={
                "file": printable(file.name),
                "sha256": file_hash(file),
                "filters": choice.record(),
            },
            seed=seed,
            person_id=by,
            at=ws.clock(),
        )

    made = keep_filtered(ws, making, fresh, seed, limits)
    return Imported(len(written), already, made.kept, made.outcomes)


def _context(
    session: Session, project_id: int, snapshot_id: int, written: Sequence[Written]
) -> _Context:
    numbers = unit_ids(session, snapshot_id)
    for each in written:
        for field in ("a", "b"):
            unit = getattr(each, field)
            if unit not in numbers:
                near = ", ".join(near_units(session, snapshot_id, unit)) or "–"
                where = Where(each.where.file, each.where.line, each.named(field))
                raise UserError("mcq_unit", where, unit=unit, near=near)
    named = {numbers[unit] for each in written for unit in (each.a, each.b)}
    drafts = attempt_drafts(session, project_id)
    return _Context(project_id, snapshot_id, numbers, passages_of(session, named), drafts)


def _attempts(written: Sequence[Written], world: _Context, seed: int) -> list[Attempt]:
    taken: dict[str, int] = {}
    found = []
    for each in written:
        a, b = world.numbers[each.a], world.numbers[each.b]
        pair = Pair(world.passages[a], world.passages[b], ())
        number = taken.get(pair.id, 0)
        taken[pair.id] = number + 1
        name = each.id or f"{pair.id} / {number}"
        if name in world.drafts and world.drafts[name] != each.draft():
            where = Where(each.where.file, each.where.line, "id")
            raise UserError("mcq_id_taken", where, id=name)
        question = _question(each, pair, seed, name)
        found.append(
            Attempt(
                *(name, a, b, (), "kept"),
                draft=each.draft(),
                question=question,
                source=each.source,
            )
        )
    return found


def _question(each: Written, pair: Pair, seed: int, name: str) -> Mcq:
    said = (each.query, each.options, each.answer, each.explanation)
    if each.finished:
        return Mcq(name, pair, *said)
    made = item_of(Draft(*said), pair, seed, name=name)
    if made is None:
        raise AssertionError("the reader lets four options and one of them pass, nothing else")
    return made
