"""Dividing a project's gold into train, dev and test: making, extending and reading versions.

A question that is settled after a version was made is in no part until the next one: its figures
and exports leave it out of every part, and the version says how many such there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
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
from retrieval.learned.other_questions import OtherQuestions
from services.gold.gold_set import GoldSet, gold_set, required_gold
from storage.db.workspace import ByDatabase, Workspace
from storage.gold.splits import SplitView, find_split, keep_split, members_of, split_list
from storage.law.corpus import id_in_use, load_questions, question_names
from storage.projects import ProjectView
from storage.reformulation.reformulations import parentages

CUT = "morphemes"  # the tokeniser by which two questions are compared


@dataclass(frozen=True, slots=True)
class PartLine:
    """A part: the per cent it was to get and how many questions, judgements and statutes it has.

    `questions` counts those whose gold is settled now, `no_provision` those of them that nothing
    answers, `gone` those that are in the part and have no gold any more.
    """

    part: str
    share: int
    questions: int
    no_provision: int
    pairs: int
    statutes: int
    gone: int

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class SplitState:
    """A version as it stands on the gold of now, which is of the gold set that was divided.

    `parts` are the questions in each part that have gold, `left_out` why each other one with gold
    is in none; `pending` counts those that have no gold and are in no part.
    """

    view: SplitView
    gold: GoldSet
    lines: tuple[PartLine, ...]
    parts: Mapping[str, str]
    left_out: Mapping[str, LeftOut]
    pending: int

    @property
    def reasons(self) -> dict[str, int]:
        """How many questions are in no part, by why."""
        counts = Counter({str(LeftOut.NO_GOLD): self.pending} if self.pending else {})
        counts.update(str(each) for each in self.left_out.values())
        return dict(sorted(counts.items()))

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values, the members by part."""
        return split_as_dict(self.view) | {
            "gold_questions": len(self.gold.items),
            "parts": {line.part: line.as_dict() for line in self.lines},
            "left_out": self.reasons,
            "members": {
                part: [name for name, here in self.parts.items() if here == part] for part in PARTS
            },
        }


@dataclass(frozen=True, slots=True)
class SplitMade:
    """What making a version came to: its number, and how many questions are new, stay or moved."""

    number: int
    new: int
    stayed: int
    moved: int


def split_as_dict(view: SplitView) -> dict[str, Any]:
    """Return a version without its questions as JSON values; the time in ISO 8601."""
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
    """Return the versions of a project's division, the one that holds first.

    Raises UserError for an unknown project and for `by` (None: the operator) who may not see
    scores.
    """
    with reading_as(ws, project_slug, by, Act.SEE_SCORES) as (session, project, _):
        return split_list(session, project.id)


def date_columns(ws: Workspace, project_slug: str, by: int | None = None) -> list[str]:
    """Return the columns of the questions in which some day is said, ascending.

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
    """Divide a gold set on the law in use and keep that as a new version, which remembers its name.

    Where a version is there already its questions stay where they are, and what has been settled
    since is placed by its recipe: none, or the same one, may be given. `again` divides everything
    by the recipe instead, and questions may move. Raises UserError for who may not, a recipe that
    none can say or that is another than that in use, an unknown gold set, where no question has
    gold, where a part would be empty, and where nothing would be new.
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
    if before is not None and parts == members and _same(found.recipe, before.recipe):
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
    """Return by what to divide. Raises UserError for a recipe that cannot be used."""
    if before is not None and not again:
        if recipe is not None:
            same = replace(checked(recipe), gold=recipe.gold or before.recipe.gold)
            if same != before.recipe.asked:
                raise UserError("split_other", number=before.number)
        return before.recipe
    if recipe is None:
        recipe = Recipe(Way.STATUTE) if before is None else before.recipe
    return checked(recipe).asked


def _same(one: Recipe, other: Recipe) -> bool:
    """Whether two recipes say the same; a statute new to one of them places no question."""
    return one.asked == other.asked and one.cuts == other.cuts


def _divisible(
    ws: Workspace, project: ProjectView, gold: GoldSet, recipe: Recipe
) -> list[Divisible]:
    """Return the settled questions as they are divided."""
    asked, families = asked_of(ws, project.id)
    if recipe.way is Way.DATE and not any(
        recipe.column in dict(asked[item.external_id].columns) for item in gold.items
    ):
        known = sorted({name for each in asked.values() for name, _ in each.columns})
        named = ", ".join(known) or "–"
        raise UserError("split_dates", Where(field="column"), name=recipe.column, known=named)
    groups = {item.external_id: families.get(item.external_id, "") for item in gold.items}
    if recipe.way is Way.NEAR:
        groups = _clusters(gold, asked, families, recipe.near)
    return [
        Divisible(
            id=item.external_id,
            group=groups[item.external_id] or item.external_id,
            statutes=frozenset(split_id(unit)[0] for unit in item.units),
            day=_day(asked[item.external_id], recipe.column),
        )
        for item in gold.items
    ]


def asked_of(ws: Workspace, project_id: int) -> tuple[dict[str, Question], dict[str, str]]:
    """Return the project's questions, and of those of a family the question that it comes from."""
    with ws.reading() as session:
        asked, made = load_questions(session, project_id), parentages(session, project_id)
    families = {name: of.parent for name, of in made.items()}
    return asked, families | {of.parent: of.parent for of in made.values()}


def compared(
    names: Sequence[str],
    asked: Mapping[str, Question],
    families: Mapping[str, str],
    near: float,
) -> OtherQuestions:
    """Return questions as they are compared with one another by their words."""
    judged = [JudgedQuestion(name, asked[name].text, (), families.get(name, "")) for name in names]
    return OtherQuestions(judged, CUT, near)


def _clusters(
    gold: GoldSet, asked: Mapping[str, Question], families: Mapping[str, str], near: float
) -> dict[str, str]:
    """Return the cluster of near-duplicates of each question, called as the first of it."""
    found = compared([item.external_id for item in gold.items], asked, families, near)
    first: dict[int, str] = {}
    groups = found.groups.tolist()
    for group, each in zip(groups, found.judged, strict=True):
        first.setdefault(group, each.id)
    return {each.id: first[group] for group, each in zip(groups, found.judged, strict=True)}


def _day(question: Question, column: str) -> str:
    said = dict(question.columns).get(column, "") if column else ""
    return day_of(said) if isinstance(said, str) else ""


def split_state(
    ws: Workspace, project_slug: str, number: int | None = None, by: int | None = None
) -> SplitState | None:
    """Return a version on the gold of now, the one that holds by default; None without any.

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
    found = _divided(ByDatabase.of(ws), project, _Key(view.id, gold.hash, view, gold, members))
    settled = {item.external_id for item in gold.items}
    gone = Counter(part for name, part in members.items() if name not in settled)
    lines = tuple(
        _line(part, share, gold, members, gone[part])
        for part, share in zip(PARTS, view.recipe.shares, strict=True)
        if share
    )
    return SplitState(
        view=view,
        gold=gold,
        lines=lines,
        parts={name: part for name, part in members.items() if name in settled},
        left_out=_left_out(found, members, settled),
        pending=_without_gold(ws, project, members.keys() | settled),
    )


def _without_gold(ws: Workspace, project: ProjectView, placed: Set[str]) -> int:
    """Return how many others there are; those made of options of others are not counted."""
    with ws.reading() as session:
        names, made = question_names(session, project.id), parentages(session, project.id)
    return sum(name not in placed and name not in made for name in names)


@dataclass(frozen=True)
class _Key:
    """A cache key: a version on gold; its questions never change."""

    split: int
    hash: str
    view: SplitView = field(compare=False)
    gold: GoldSet = field(compare=False)
    members: Mapping[str, str] = field(compare=False)


@lru_cache(maxsize=8)
def _divided(source: ByDatabase, project: ProjectView, key: _Key) -> Division:
    recipe = key.view.recipe
    return divide(_divisible(source.ws, project, key.gold, recipe), recipe, key.members)


def _left_out(found: Division, members: Mapping[str, str], settled: set[str]) -> dict[str, LeftOut]:
    later = dict.fromkeys(found.parts.keys() - members.keys(), LeftOut.LATER)
    left = {name: why for name, why in found.left_out.items() if name not in members}
    return dict(sorted((name, why) for name, why in (later | left).items() if name in settled))


def _line(part: str, share: int, gold: GoldSet, members: Mapping[str, str], gone: int) -> PartLine:
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
    """Return a version on gold that somebody has derived, for who may see it; see `split_state`."""
    with ws.reading() as session:
        view = find_split(session, project.id, number)
        members = {} if view is None else members_of(session, view.id)
    return None if view is None else _state(ws, project, view, members, gold)
