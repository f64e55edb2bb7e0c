"""Splits of a project's gold into train, dev and test: creating, extending and reading versions.

A question settled after a version was made is in no part until the next version: figures and
exports leave it out of every part, and the version counts such questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any

from annotation.people.roles import Act, reading_as, writing_as
from construction.gold.splitting import (
    PARTS,
    Divisible,
    Division,
    LeftOut,
    Recipe,
    Way,
    checked,
    day_of,
    divide,
)
from corpus.limits import NOTE
from corpus.model import Question, split_id
from errors import UserError, Where
from normalization import storable
from retrieval.core.model import JudgedQuestion
from retrieval.learned import OtherQuestions
from services.gold.gold_set import GoldSet, gold_set, required_gold
from storage.db.workspace import ByDatabase, Workspace
from storage.gold import SplitView, find_split, keep_split, members_of, split_list
from storage.law.corpus import id_in_use, load_questions, question_names
from storage.projects import ProjectView
from storage.reformulation import parentages

CUT = "morphemes"  # tokeniser for comparing questions


@dataclass(frozen=True, slots=True)
class PartLine:
    """A part of the split: its target share in per cent and its current contents.

    `questions` counts those whose gold is settled now, `no_provision` those of them that no
    provision answers, `gone` those in the part that have no gold any more.
    """

    part: str
    share: int
    questions: int
    no_provision: int
    pairs: int
    statutes: int
    gone: int


@dataclass(frozen=True, slots=True)
class SplitState:
    """A split version on the current state of the gold set it divides.

    `parts` maps questions with gold to their part, `left_out` the others with gold to the reason
    they are in none; `pending` counts those that have no gold and are in no part.
    """

    view: SplitView
    gold: GoldSet
    lines: tuple[PartLine, ...]
    parts: Mapping[str, str]
    left_out: Mapping[str, LeftOut]
    pending: int

    @property
    def reasons(self) -> dict[str, int]:
        """Number of questions in no part, by reason."""
        counts = Counter({str(LeftOut.NO_GOLD): self.pending} if self.pending else {})
        counts.update(str(each) for each in self.left_out.values())
        return dict(sorted(counts.items()))

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values, the members by part."""
        return split_as_dict(self.view) | {
            "gold_questions": len(self.gold.items),
            "parts": {line.part: asdict(line) for line in self.lines},
            "left_out": self.reasons,
            "members": {
                part: [name for name, here in self.parts.items() if here == part] for part in PARTS
            },
        }


@dataclass(frozen=True, slots=True)
class SplitMade:
    """Result of making a version: its number, and counts of new, unchanged and moved questions."""

    number: int
    new: int
    stayed: int
    moved: int


def split_as_dict(view: SplitView) -> dict[str, Any]:
    """Return a version as JSON values, without its questions; the time in ISO 8601."""
    return {
        "number": view.number,
        **view.recipe.as_json(),
        "snapshot": view.snapshot_id,
        "gold_hash": view.gold_hash,
        "questions": view.size,
        "note": view.note,
        "person": view.person,
        "at": view.at.isoformat(),
    }


def splits(ws: Workspace, project_slug: str, by: int | None = None) -> list[SplitView]:
    """Return the project's split versions, the current one first.

    Raises UserError for an unknown project and for `by` (None: the operator) who may not see
    scores.
    """
    with reading_as(ws, project_slug, by, Act.SEE_SCORES) as (session, project, _):
        return split_list(session, project.id)


def date_columns(ws: Workspace, project_slug: str, by: int | None = None) -> list[str]:
    """Return the question columns that contain dates, ascending.

    Raises UserError as `splits` does.
    """
    with reading_as(ws, project_slug, by, Act.SEE_SCORES) as (session, project, _):
        asked = load_questions(session, project.id)
    return sorted(
        {
            name
            for each in asked.values()
            for name, said in each.columns
            if isinstance(said, str) and day_of(said)
        }
    )


def make_split(
    ws: Workspace,
    project_slug: str,
    recipe: Recipe | None = None,
    note: str = "",
    *,
    again: bool = False,
    by: int | None = None,
) -> SplitMade:
    """Store a new version of a gold set's split; questions split before stay, unless `again`.

    Questions of an existing version stay in their parts, and those settled since are placed by its
    recipe: none, or the same one, may be given. `again` splits everything by the recipe instead,
    and questions may move. Raises UserError for `by` without permission, an invalid recipe or one
    other than that in use, an unknown gold set, where no question has gold, where a part would be
    empty, and where nothing would be new.
    """
    note = storable(note).strip()
    if len(note) > NOTE:
        raise UserError("text_too_long", Where(field="note"), limit=NOTE, length=len(note))
    with reading_as(ws, project_slug, by, Act.SPLIT_GOLD) as (session, project, _):
        before = find_split(session, project.id)
        members = {} if before is None else members_of(session, before.id)
        used = id_in_use(session, project.id)
    wanted = _recipe(recipe, before, again)
    gold = required_gold(ws, project_slug, used, wanted.gold)
    wanted = replace(wanted, gold=gold.label)
    kept = {} if again else members
    found = divide(_divisible(ws, project, gold, wanted), wanted, kept)
    parts = {**kept, **found.parts}  # who has no gold now may have it again
    if (
        before is not None
        and parts == members
        and found.recipe.asked == before.recipe.asked
        and found.recipe.cuts == before.recipe.cuts
    ):
        raise UserError("split_same", number=before.number)
    with writing_as(ws, project_slug, by, Act.SPLIT_GOLD) as (session, project, who):
        now = find_split(session, project.id)
        if (now and now.number) != (before and before.number):
            raise UserError("split_stale", number=now.number if now else 0)
        number = keep_split(
            session,
            project.id,
            found.recipe,
            parts,
            snapshot_id=gold.snapshot_id or 0,
            gold_hash=gold.hash,
            note=note,
            by=None if who is None else who.person_id,
            at=ws.clock(),
        )
    same = sum(parts.get(name) == part for name, part in members.items())
    both = sum(name in parts for name in members)
    return SplitMade(number, len(parts) - both, same, both - same)


def _recipe(recipe: Recipe | None, before: SplitView | None, again: bool) -> Recipe:
    """Return the recipe to split by. Raises UserError for one that cannot be used."""
    if before is not None and not again:
        if recipe is not None:
            same = replace(checked(recipe), gold=recipe.gold or before.recipe.gold)
            if same != before.recipe.asked:
                raise UserError("split_other", number=before.number)
        return before.recipe
    if recipe is None:
        recipe = Recipe(Way.STATUTE) if before is None else before.recipe
    return checked(recipe).asked


def _divisible(
    ws: Workspace, project: ProjectView, gold: GoldSet, recipe: Recipe
) -> list[Divisible]:
    """Return the questions of a gold set with what the recipe divides by.

    Raises UserError where the recipe's column of dates is in no question.
    """
    asked, families = asked_of(ws, project.id)
    if recipe.way is Way.DATE and not any(
        recipe.column in dict(asked[item.external_id].columns) for item in gold.items
    ):
        known = sorted({name for each in asked.values() for name, _ in each.columns})
        named = ", ".join(known) or "–"
        raise UserError("split_dates", Where(field="column"), name=recipe.column, known=named)
    groups = {item.external_id: families.get(item.external_id, "") for item in gold.items}
    if recipe.way is Way.NEAR:  # each cluster of near-duplicates by its first question
        near, first = word_index(ws, project.id, groups, recipe.near), dict[int, str]()
        pairs = zip(near.groups.tolist(), near.judged, strict=True)
        groups = {each.id: first.setdefault(group, each.id) for group, each in pairs}
    found = []
    for item in gold.items:
        name = item.external_id
        said = dict(asked[name].columns).get(recipe.column, "") if recipe.column else ""
        day = day_of(said) if isinstance(said, str) else ""
        statutes = frozenset(split_id(unit)[0] for unit in item.units)
        found.append(Divisible(id=name, group=groups[name] or name, statutes=statutes, day=day))
    return found


def asked_of(ws: Workspace, project_id: int) -> tuple[dict[str, Question], dict[str, str]]:
    """Return questions by id, and the family (the parent's id) of derived ones and parents."""
    with ws.reading() as session:
        asked, made = load_questions(session, project_id), parentages(session, project_id)
    families = {name: of.parent for name, of in made.items()}
    return asked, families | {of.parent: of.parent for of in made.values()}


def word_index(ws: Workspace, project_id: int, ids: Iterable[str], near: float) -> OtherQuestions:
    """Return an index that compares questions by words; near-duplicates from likeness `near` up."""
    asked, families = asked_of(ws, project_id)
    judged = [JudgedQuestion(each, asked[each].text, (), families.get(each, "")) for each in ids]
    return OtherQuestions(judged, CUT, near)


def split_state(
    ws: Workspace, project_slug: str, number: int | None = None, by: int | None = None
) -> SplitState | None:
    """Return a split version on the current gold, by default the newest; None without any.

    Raises UserError for an unknown project or version, and for `by` (None: the operator) who may
    not see scores.
    """
    with reading_as(ws, project_slug, by, Act.SEE_SCORES) as (session, project, _):
        view = find_split(session, project.id, number)
        if view is None:
            return None
        members = members_of(session, view.id)
        used = id_in_use(session, project.id)
    gold = gold_set(ws, project_slug, used, view.recipe.gold)
    return _state(ws, project, view, members, gold)


def _state(
    ws: Workspace,
    project: ProjectView,
    view: SplitView,
    members: Mapping[str, str],
    gold: GoldSet,
) -> SplitState:
    """Return a split's current state: its members on the gold, and who is left out."""
    settled = {item.external_id for item in gold.items}
    left_out: dict[str, LeftOut] = {}
    if not settled <= members.keys():  # else nothing is to be divided
        key = _Key(view.id, gold.hash, view, gold, members)
        division = _cached_division(ByDatabase.of(ws), project, key)
        why = {**division.left_out, **dict.fromkeys(division.parts, LeftOut.LATER)}
        left_out = {name: why[name] for name in sorted(settled - members.keys()) if name in why}
    gone = Counter(part for name, part in members.items() if name not in settled)
    lines = tuple(
        _part_line(part, share, gold, members, gone[part])
        for part, share in zip(PARTS, view.recipe.shares, strict=True)
        if share
    )
    with ws.reading() as session:
        names = question_names(session, project.id)
        placed = members.keys() | settled | parentages(session, project.id).keys()
    return SplitState(
        view=view,
        gold=gold,
        lines=lines,
        parts={name: part for name, part in members.items() if name in settled},
        left_out=left_out,
        pending=sum(name not in placed for name in names),
    )


@dataclass(frozen=True)
class _Key:
    """Cache key: a split version on a gold set; its questions never change."""

    split: int
    hash: str
    view: SplitView = field(compare=False)
    gold: GoldSet = field(compare=False)
    members: Mapping[str, str] = field(compare=False)


@lru_cache(maxsize=8)
def _cached_division(source: ByDatabase, project: ProjectView, key: _Key) -> Division:
    """Divide a version's gold set again, its members kept in their parts; cached."""
    recipe = key.view.recipe
    return divide(_divisible(source.ws, project, key.gold, recipe), recipe, key.members)


def _part_line(
    part: str, share: int, gold: GoldSet, members: Mapping[str, str], gone: int
) -> PartLine:
    """Count the questions and gold pairs of a part."""
    here = [item for item in gold.items if members.get(item.external_id) == part]
    return PartLine(
        part=part,
        share=share,
        questions=len(here),
        no_provision=sum(item.no_provision for item in here),
        pairs=sum(len(item.units) for item in here),
        statutes=len({split_id(unit)[0] for item in here for unit in item.units}),
        gone=gone,
    )


def split_of_gold(
    ws: Workspace, project: ProjectView, gold: GoldSet, number: int | None
) -> SplitState | None:
    """`split_state` on gold already derived, without the permission check."""
    with ws.reading() as session:
        view = find_split(session, project.id, number)
        members = {} if view is None else members_of(session, view.id)
    return None if view is None else _state(ws, project, view, members, gold)
