"""Split of questions with gold into train, dev and test without leakage between parts.

Three ways. **By statute** no statute that is gold has questions in two parts: statutes are assigned
one by one, each to the part with most of its questions' other statutes while that part has room
(linear deterministic greedy, Stanton and Kliot 2012), and a question whose gold lies in statutes of
two parts is left out. **By near-duplicates** whole clusters are assigned. **By date** the oldest
questions are train and the newest test; one day is never split. In each of them questions of one
family, which inherit their gold from one of them, stay together.

Questions of an earlier split keep their part: new ones join the part of related ones, and are left
out if they relate to two parts. The outcome depends on the questions, the recipe and the kept parts
alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from enum import StrEnum
from random import Random
from typing import Any

from errors import UserError, Where
from normalization.grouping import grouped

PARTS = ("train", "dev", "test")
MOST_SEED = 2**31 - 1
_DAY = re.compile(
    r"([0-9]{4})(?:([-./]|년)\s*([0-9]{1,2})(?:(?:[-./]|월)\s*([0-9]{1,2})(?![0-9])|월?\s*$)"
    r"|([0-9]{2})([0-9]{2})(?![0-9])|년?\s*$)"
)


class Way(StrEnum):
    """The criterion of a split."""

    STATUTE = "statute"
    DATE = "date"
    NEAR = "near"


class LeftOut(StrEnum):
    """The reason why a question is in no part."""

    NO_GOLD = "no_gold"  # it is not settled
    NO_DATE = "no_date"  # its column has no date
    SPANS = "spans"  # its gold, or its near-duplicates, are of two parts
    LATER = "later"  # it arrived after the split was made


@dataclass(frozen=True, slots=True)
class Recipe:
    """The settings of a split: criterion, per cent of each of `PARTS`, and seed.

    `near` is the likeness from which two questions are near-duplicates, `column` that of the dates.
    `gold` names the gold set to split, "" for the widest that exists then. Results of a split are
    kept in it for the next one: `cuts` are the last days of train and dev, "" before the first
    split, and `homes` the part of each statute.
    """

    way: Way
    shares: tuple[int, int, int] = (70, 10, 20)
    seed: int = 0
    near: float = 0.5
    column: str = ""
    cuts: tuple[str, str] = ("", "")
    homes: Mapping[str, str] = field(default_factory=dict)
    gold: str = ""

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts with a share of questions."""
        return tuple(part for part, share in zip(PARTS, self.shares, strict=True) if share)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        values = asdict(self) | {"shares": list(self.shares), "cuts": list(self.cuts)}
        values["homes"] = dict(sorted(self.homes.items()))
        return {"by": str(values.pop("way"))} | values

    @property
    def asked(self) -> Recipe:
        """The recipe as requested, without results of a split."""
        return replace(self, cuts=("", ""), homes={})

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Recipe:
        """Read a recipe that `as_json` wrote. An old recipe without a gold set means "people"."""
        known = {"gold": "people"} | dict(values)
        (first, second, third), (train, dev) = known.pop("shares"), known.pop("cuts")
        way = Way(known.pop("by"))
        return cls(way, (first, second, third), cuts=(train, dev), **known)


@dataclass(frozen=True, slots=True)
class Divisible:
    """A question with gold: those of one `group` stay together, `day` is its column's value."""

    id: str
    group: str
    statutes: frozenset[str] = frozenset()
    day: str = ""


@dataclass(frozen=True, slots=True)
class Division:
    """A split: question → part, and question → why it is in none; `recipe` has the cuts."""

    recipe: Recipe
    parts: Mapping[str, str]
    left_out: Mapping[str, LeftOut] = field(default_factory=dict)


def checked(recipe: Recipe) -> Recipe:
    """Return the recipe. Raises UserError for invalid settings."""
    if sum(recipe.shares) != 100 or min(recipe.shares) < 0 or len(recipe.parts) < 2:
        said = "/".join(map(str, recipe.shares))
        raise UserError("split_shares", Where(field="shares"), said=said)
    if not 0 <= recipe.seed <= MOST_SEED:
        raise UserError("split_seed", Where(field="seed"), most=MOST_SEED)
    if not 0 < recipe.near <= 1:
        raise UserError("split_near", Where(field="near"), said=recipe.near)
    if (recipe.way is Way.DATE) != bool(recipe.column):
        raise UserError("split_column", Where(field="column"))
    return recipe


def day_of(text: str) -> str:
    """Return a day as YYYY-MM-DD; "" if invalid. A month or year is its first day.

    Accepted are 2024-03-05, 2024.3.5, 2024/03/05, 20240305, 2024년 3월 5일, and a time after a day.
    """
    found = _DAY.match(text.strip())
    if found is None:
        return ""
    year, month = found[1], found[3] or found[5] or "1"
    day = found[4] or found[6] or "1"
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return ""


def divide(
    questions: Iterable[Divisible], recipe: Recipe, fixed: Mapping[str, str] | None = None
) -> Division:
    """Split the questions; `fixed` maps those that stay to their parts.

    Raises UserError if a part with a share gets no question.
    """
    known = sorted(questions, key=lambda each: each.id)
    stays = {each.id: fixed[each.id] for each in known if each.id in fixed} if fixed else {}
    found = _WAYS[recipe.way](known, recipe, stays)
    counts = Counter(found.parts.values())
    for part in recipe.parts:
        if not counts[part] and not fixed:
            told = ", ".join(f"{each} {counts[each]}" for each in recipe.parts)
            raise UserError("split_part_empty", part=part, way=str(recipe.way), counts=told)
    ordered = dict(sorted(found.parts.items()))
    return replace(found, parts=ordered, left_out=dict(sorted(found.left_out.items())))


def _by_groups(known: Sequence[Divisible], recipe: Recipe, fixed: Mapping[str, str]) -> Division:
    """Assign whole groups, largest first, to the part that lacks most or has `fixed` members."""
    members = grouped((each.group, each.id) for each in known)
    parts, left, fresh = dict(fixed), dict[str, LeftOut](), list[str]()
    for group, ids in members.items():
        here = {fixed[name] for name in ids if name in fixed}
        new = [name for name in ids if name not in fixed]
        if not here:
            fresh.append(group)
        elif len(here) == 1:
            parts |= dict.fromkeys(new, here.pop())
        else:
            left |= dict.fromkeys(new, LeftOut.SPANS)
    total = len(parts) + sum(len(members[group]) for group in fresh)
    loads = Counter(parts.values())
    for group in sorted(_shuffled(fresh, recipe.seed), key=lambda each: -len(members[each])):
        part = _most_wanting(recipe, loads, total)
        parts |= dict.fromkeys(members[group], part)
        loads[part] += len(members[group])
    return Division(recipe, parts, left)


def _shuffled(names: Iterable[str], seed: int) -> list[str]:
    """Return names in random order."""
    found = sorted(names)
    Random(seed).shuffle(found)
    return found


def _most_wanting(recipe: Recipe, loads: Mapping[str, float], total: float) -> str:
    """Return the part that lacks most of its share; the first of equals."""
    targets = dict(zip(PARTS, recipe.shares, strict=True))
    return max(recipe.parts, key=lambda part: targets[part] / 100 * total - loads[part])


def _by_statute(known: Sequence[Divisible], recipe: Recipe, fixed: Mapping[str, str]) -> Division:
    """Split so that every statute's questions are in one part; new ones across parts in none."""
    homes = _homes(known, recipe, fixed)
    # Questions that no provision answers are assigned by themselves, so that each part gets some.
    without = [each for each in known if not each.statutes]
    named = {each.id for each in without}
    stays = {name: part for name, part in fixed.items() if name in named}
    alone = _by_groups(without, recipe, stays)
    parts, left = dict(alone.parts), dict(alone.left_out)
    for each in known:
        here = {homes[name] for name in each.statutes}
        if each.id in fixed:
            parts[each.id] = fixed[each.id]
        elif len(here) == 1:
            parts[each.id] = here.pop()
        elif here:
            left[each.id] = LeftOut.SPANS
    return Division(replace(recipe, homes=homes), parts, left)


def _homes(known: Sequence[Divisible], recipe: Recipe, fixed: Mapping[str, str]) -> dict[str, str]:
    """Return each statute's part: the recipe's, else that of its kept questions, else a new one."""
    held: dict[str, Counter[str]] = {}
    weights: dict[str, float] = {}
    beside: dict[str, Counter[str]] = {}
    for each in known:
        for name in sorted(each.statutes):
            weights[name] = weights.get(name, 0.0) + 1 / len(each.statutes)
            beside.setdefault(name, Counter()).update(each.statutes - {name})
            if each.id in fixed:
                held.setdefault(name, Counter())[fixed[each.id]] += 1
    homes = {name: max(PARTS, key=counts.__getitem__) for name, counts in held.items()}
    homes |= recipe.homes
    loads = dict.fromkeys(PARTS, 0.0)
    for name, part in homes.items():
        loads[part] += weights.get(name, 0.0)
    total = sum(weights.values())
    fresh = _shuffled(weights.keys() - homes.keys(), recipe.seed)
    for name in sorted(fresh, key=lambda each: -weights[each]):
        room = _room(recipe, loads, total, weights[name])
        homes[name] = _best_part(room, homes, beside[name]) or _most_wanting(recipe, loads, total)
        loads[homes[name]] += weights[name]
    return homes


def _room(
    recipe: Recipe, loads: Mapping[str, float], total: float, weight: float
) -> dict[str, float]:
    """Return the free share of each part, 0 to 1; only of parts with room for `weight` more."""
    targets = dict(zip(PARTS, recipe.shares, strict=True))
    return {
        part: 1 - loads[part] / (targets[part] / 100 * total)
        for part in recipe.parts
        if loads[part] + weight <= targets[part] / 100 * total
    }


def _best_part(
    room: Mapping[str, float], homes: Mapping[str, str], cooccurring: Mapping[str, int]
) -> str | None:
    """Return the part with the largest product of room and co-occurring statutes.

    None if no part has both.
    """
    shared: Counter[str] = Counter()
    for name in cooccurring.keys() & homes.keys():
        shared[homes[name]] += cooccurring[name]
    pulls = {part: shared[part] * free for part, free in room.items()}
    best = max(pulls, key=lambda part: pulls[part], default=None)
    return best if best is not None and pulls[best] > 0 else None


def _by_date(known: Sequence[Divisible], recipe: Recipe, fixed: Mapping[str, str]) -> Division:
    """Split by date: the newest questions are the test part, new ones without a date in none."""
    days: dict[str, str] = {}
    for each in known:  # a family counts by its newest day
        days[each.group] = max(days.get(each.group, ""), each.day)
    dated = [each for each in known if days[each.group]]
    if not any(recipe.cuts):
        recipe = _with_cuts(recipe, [days[each.group] for each in dated])
    parts = {each.id: _part_of(recipe, days[each.group]) for each in dated} | dict(fixed)
    left = {each.id: LeftOut.NO_DATE for each in known if each.id not in parts}
    return Division(recipe, parts, left)


def _with_cuts(recipe: Recipe, days: Iterable[str]) -> Recipe:
    """Return the recipe with cut days as close to its shares as possible."""
    counts = sorted(Counter(days).items())
    total, before = sum(count for _, count in counts), 0
    reached: dict[int, str] = {0: ""}
    for day, count in counts:
        before += count
        reached[before] = day
    train, dev, _ = recipe.shares
    first, second = (
        reached[min(reached, key=lambda at: abs(at - share / 100 * total))]
        for share in (train, train + dev)
    )
    return replace(recipe, cuts=(first, second))


def _part_of(recipe: Recipe, day: str) -> str:
    """Return the part of a day by the recipe's cuts; one without a share becomes the last part."""
    train, dev = recipe.cuts
    found = "train" if day <= train else "dev" if day <= dev else "test"
    return found if found in recipe.parts else recipe.parts[-1]


_WAYS = {Way.STATUTE: _by_statute, Way.DATE: _by_date, Way.NEAR: _by_groups}
