"""The current benchmarks of court cases, for export and for scoring runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlmodel import Session

from annotation.cases.typologies import queries_of
from construction.stricter.benchmark import BenchmarkKind, CaseSet, Members, case_set
from corpus.cases.model import Section
from errors import UserError, Where
from services.stricter.groups import GroupFound, Stricter, stricter_in
from storage.cases.court_cases import CaseLine

MOST_PER_GROUP = 1000


@dataclass(frozen=True, slots=True)
class Drawing:
    """Number of queries per group, and the seed for drawing unchosen ones.

    `model` is the model whose tags form the stricter groups; "" for people's.
    """

    per_group: int = 1
    seed: int = 0
    model: str = ""

    def check(self) -> None:
        """Raise UserError for an invalid number of queries."""
        if not 1 <= self.per_group <= MOST_PER_GROUP:
            raise UserError(
                "case_queries_number",
                Where(field="per_group"),
                number=self.per_group,
                limit=MOST_PER_GROUP,
            )


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Both benchmarks, and their inputs."""

    stricter: Stricter
    sets: Mapping[BenchmarkKind, CaseSet]
    drawing: Drawing

    @property
    def cases(self) -> tuple[CaseLine, ...]:
        """All court cases of the project, in order of import."""
        return tuple(self.stricter.cases.values())


def benchmark(session: Session, project_id: int, drawing: Drawing) -> Benchmark:
    """Return both benchmarks of a project.

    Raises UserError where no standard group has two cases, and for an invalid drawing.
    """
    drawing.check()
    found = stricter_in(session, project_id, drawing.model)
    chosen = queries_of(session, project_id)
    groups = [_group_members(found, group, chosen.get(group.key)) for group in found.groups]
    sets = {kind: case_set(kind, groups, drawing.per_group, drawing.seed) for kind in BenchmarkKind}
    if not sets[BenchmarkKind.STANDARD].queries:
        raise UserError("case_benchmark_empty")
    return Benchmark(found, sets, drawing)


def query_text(case: CaseLine, text: str) -> str:
    """Return the query text of a case: its facts section, else the whole text."""
    facts = [text[start:end] for name, start, end in case.sections if name == Section.FACTS]
    return "\n".join(facts).strip() or text


def _group_members(found: Stricter, each: GroupFound, chosen: int | None) -> Members:
    def names(cases: Iterable[int]) -> tuple[str, ...]:
        return tuple(found.cases[case].external_id for case in cases)

    return Members(
        group=each.key,
        category=each.place.category.key,
        cases=names(each.cases),
        stricter=names(each.groups[0]) if each.groups else (),
        # A choice outlives the typology that put the case into the group.
        query=found.cases[chosen].external_id if chosen in each.cases else None,
    )
