"""Cells of the generation grid (type, level, facet), their targets, and impossible cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from construction.augmentation.axes import Axes, Demand, QuestionType
from construction.augmentation.rubric import Reference, ReferenceSet, Rubric, difficulty
from errors import UserError, Where
from normalization.hashing import seeded_hash

MOST_WANTED = 1_000  # questions of one cell
ANY = ""  # no fixed facet: one is drawn for each question


@dataclass(frozen=True, slots=True)
class Cell:
    """A type × difficulty × facet; with ANY the `facet` is drawn for each question."""

    type: str
    difficulty: str
    facet: str = ANY

    @property
    def id(self) -> str:
        """The cell's id in names of attempts and in seeds."""
        return "-".join(each for each in (self.type, self.difficulty, self.facet) if each)

    @classmethod
    def read(cls, text: str) -> Cell:
        """Parse a cell from ``type:L2`` or ``type:L2:facet``. Raises UserError."""
        parts = text.split(":")
        if not 2 <= len(parts) <= 3 or not all(parts):
            raise UserError("axes_cell", Where(field="cell"), cell=text[:100])
        return cls(*parts)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A cell with its target number of questions, and further demands on its provisions.

    The demands of its type hold in any case. With a `domain` its sets begin with provisions of it.
    """

    cell: Cell
    target: int
    demands: tuple[Demand, ...] = ()
    domain: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values for storage."""
        cell = {
            "type": self.cell.type,
            "difficulty": self.cell.difficulty,
            "facet": self.cell.facet,
        }
        demands = [str(each) for each in self.demands]
        return cell | {"target": self.target, "demands": demands, "domain": self.domain}

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Wanted:
        """Read the stored values of `as_dict`."""
        cell = Cell(said["type"], said["difficulty"], said["facet"])
        demands = tuple(Demand(each) for each in said["demands"])
        return cls(cell, said["target"], demands, said["domain"])


def check_wanted(axes: Axes, wanted: Iterable[Wanted]) -> None:
    """Validate the wanted cells against the axes.

    Raises UserError for an unknown cell, one listed twice, a target out of range, and an empty
    list. A target of 0 cancels an earlier one.
    """
    seen = set()
    for each in wanted:
        axes.type(each.cell.type)
        axes.level(each.cell.difficulty)
        if each.cell.facet:
            axes.facet(each.cell.facet)
        if each.domain:
            axes.domain(each.domain)
        if not 0 <= each.target <= MOST_WANTED:
            raise UserError(
                "axes_target", Where(field="target"), target=each.target, most=MOST_WANTED
            )
        if each.cell in seen:
            raise UserError("axes_cell_twice", Where(field="cell"), cell=each.cell.id)
        seen.add(each.cell)
    if not seen:
        raise UserError("axes_nothing", Where(field="cell"))


def demands_of(kind: QuestionType, wanted: Wanted) -> frozenset[Demand]:
    """Return the demands on the provisions: those of the type, and the further ones."""
    return frozenset((*kind.demands, *wanted.demands))


def can_be(kind: QuestionType, level: str, rubric: Rubric, demands: Iterable[Demand] = ()) -> bool:
    """Return whether any set of provisions could make a question of that type so hard.

    A conditional type is never L1, and three facets are never below L3, whatever the law.
    """
    needs = frozenset((*kind.demands, *demands))
    return any(
        difficulty(each, rubric) == level for each in _sets(kind, rubric) if _meets(each, needs)
    )


def facets_for(axes: Axes, cell: Cell, seed: int, *place: str) -> dict[str, str]:
    """Draw the facets of a question with a value each, its cell's first, by the seed.

    `place` identifies the question within the cell.
    """

    def order(key: str) -> tuple[int, str]:
        return seeded_hash(seed, cell.id, "facet", key, *place), key

    others = sorted((each.key for each in axes.facets if each.key != cell.facet), key=order)
    keys = ([cell.facet] if cell.facet else []) + others
    found = {}
    for key in keys[: axes.type(cell.type).facets]:
        values = axes.facet(key).values
        found[key] = values[seeded_hash(seed, cell.id, "value", key, *place) % len(values)].key
    return found


def _sets(kind: QuestionType, rubric: Rubric) -> Iterable[ReferenceSet]:
    """Yield a reference set of each kind that the rubric distinguishes."""
    flags = (False, True)
    sizes = (1, 2, 3, max(4, rubric.references))
    slots = (0, 1, 2, rubric.institutions, rubric.parallel)
    for size, exception, several, external, sanction, institutions in product(
        sizes, flags, flags, flags, flags, slots
    ):
        if institutions <= size and not (several and size == 1):
            yield ReferenceSet(
                tuple(Reference(str(n), "") for n in range(size)),
                conditional=exception or kind.conditional,
                cross_document=several,
                external_law=external,
                sanction=sanction,
                institutions=institutions,
                arity=kind.facets,
            )


def _meets(found: ReferenceSet, needs: frozenset[Demand]) -> bool:
    return (
        (Demand.CROSS_DOCUMENT not in needs or found.cross_document)
        and (Demand.DELEGATION not in needs or len(found.references) > 1)
        and (Demand.EXCEPTION not in needs or found.conditional)
        and (Demand.SANCTION not in needs or found.sanction)
        and (Demand.PARALLEL not in needs or found.institutions > 0)
    )
