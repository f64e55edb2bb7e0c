"""Stricter groups of a project: within each standard group, the cases tagged most alike.

People's answers decide. Groups from a model's tags are a separate mode, which names the model
wherever its groups are shown: they count as nobody's decision. A case that is not completely tagged
is listed with what is missing, and is in no stricter group.

The current benchmarks of court cases, for export and for scoring runs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from annotation.cases import Query, case_mapping, choices
from annotation.guidelines.documents import EVERY, Edition
from annotation.people.roles import Act, reading_as
from annotation.tagging.codebook import book_of
from annotation.tagging.tags import tags
from annotation.work.versioned_texts import TYPOLOGY
from construction.cases.group_mapping import Mapped
from construction.cases.typology import GroupPlace, parse
from construction.stricter.benchmark import BenchmarkKind, CaseSet, Members, case_set
from construction.stricter.grouping import Answer, Grouping, Table, Tagged, grouping, table
from construction.tagging.codebook import Codebook
from construction.tagging.suggesting import READABLE
from corpus.cases.model import Section
from errors import UserError, Where, require_known
from messages import say
from storage.cases import CaseLine
from storage.db.columns import newest_ids
from storage.db.workspace import Workspace
from storage.tables.cases import CourtCase, FactorSuggestion, TypologyRow
from storage.tables.core import Annotation, CandidateSet, Item, Settlement, UndoneDecision
from storage.tables.people import Batch, BatchEvent, BatchItem, Document
from storage.tagging import SuggestionView, suggestions

_MADE_OF = (  # append-only, or changed together with another of these
    *(CourtCase, TypologyRow, Document, Item, CandidateSet, Annotation, Settlement),
    *(Batch, BatchItem, BatchEvent, UndoneDecision, FactorSuggestion),
)


@dataclass(frozen=True, slots=True)
class GroupFound:
    """A standard group with cases, and the stricter groups they form.

    `cases` are all mapped to it, in order of import; `untagged` are not, or not completely by
    everybody required, tagged. The rows of `found` are those of `table`.
    """

    place: GroupPlace
    cases: tuple[int, ...]
    untagged: tuple[int, ...]
    table: Table
    found: Grouping

    @property
    def key(self) -> str:
        """Key of the standard group."""
        return self.place.group.key

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Cases of every stricter group, *the* group first."""
        rows = self.table.rows
        return tuple(tuple(rows[at].case for at in group) for group in self.found.groups)

    @property
    def backed_off(self) -> int | None:
        """Number of trailing sub-factors left out; None without a group."""
        depth = self.found.depth
        return None if depth is None else len(self.table.columns) - depth


@dataclass(frozen=True, slots=True)
class Stricter:
    """All standard groups with cases, in the order of the typology.

    `cases` are all of the project, in order of import, `mapped` are each one's groups with reasons,
    `tagged` the tags of each tagged case, by people or by `model`. `typology_version` is the
    typology's number with a hash of its text.
    """

    groups: tuple[GroupFound, ...]
    cases: Mapping[int, CaseLine]
    mapped: Mapping[int, Mapped]
    tagged: Mapping[int, Tagged]
    book: Codebook
    codebook_version: str
    typology: int
    typology_version: str
    model: str

    def group(self, key: str) -> GroupFound:
        """Return a standard group. Raises UserError for one without cases."""
        for each in self.groups:
            if each.key == key:
                return each
        raise UserError("stricter_group_unknown", key=key)


def stricter(ws: Workspace, project_slug: str, by: int | None = None, model: str = "") -> Stricter:
    """Return the stricter groups by people's current tags, or by those of a model.

    `by` is the requester, None for the operator. Raises UserError for `by` without permission, an
    unknown project, and a model without tags in it.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        return stricter_in(session, project.id, model)


@dataclass(frozen=True, slots=True)
class Size:
    """Number of groups of a benchmark that have a target, and of their cases, each once.

    `category` is "all" for all of them; `per_group` is the mean number of cases, None without one.
    """

    kind: BenchmarkKind
    category: str
    groups: int
    cases: int
    per_group: float | None


def sizes(stricter: Stricter) -> Iterator[Size]:
    """Yield the sizes of both benchmarks, of groups of two or more, in total and by category."""
    for kind in BenchmarkKind:
        found: dict[str, list[tuple[int, ...]]] = {"all": []}
        for each in stricter.groups:
            cases = (*each.groups, ())[0] if kind == BenchmarkKind.STRICTER else each.cases
            mine = found.setdefault(each.place.category.key, [])
            if len(cases) > 1:
                found["all"].append(cases)
                mine.append(cases)
        for category, groups in found.items():
            mean = sum(map(len, groups)) / len(groups) if groups else None
            unique = {case for cases in groups for case in cases}
            yield Size(kind, category, len(groups), len(unique), mean)


def tagging_models(ws: Workspace, project_slug: str, by: int | None = None) -> tuple[str, ...]:
    """Return the models that have tagged court cases of the project, by name.

    Raises UserError for `by` without permission.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        return tuple(sorted({each.model for each in suggestions(session, project.id).values()}))


def revision(ws: Workspace, project_slug: str, by: int | None = None) -> str:
    """Return a token that changes when the groups may. Raises UserError as `stricter` does."""
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, _, _):
        return newest_ids(session, _MADE_OF)


def stricter_in(session: Session, project_id: int, model: str) -> Stricter:
    """:func:`stricter` in an open session, without the permission check."""
    book, version = book_of(session, project_id)
    number, text = TYPOLOGY.text_in(session, project_id)
    if model:
        said = _tagged_by(model, book, suggestions(session, project_id).values())
    else:
        said = {
            case: Tagged(
                {k: tag.options for k, tag in each.tags.items()}, each.disputed, each.stale
            )
            for case, each in tags(session, project_id).items()
        }
    found = case_mapping(session, project_id, text)
    return Stricter(
        groups=tuple(
            _group_of(book, place, found.members[place.group.key], said)
            for place in parse(text).groups()
            if place.group.key in found.members
        ),
        cases=found.cases,
        mapped=found.mapped,
        tagged=said,
        book=book,
        codebook_version=version,
        typology=number,
        typology_version=Edition(number, {EVERY: text}).version,  # packaged ones may change
        model=model,
    )


def model_fact(model: str) -> dict[str, str]:
    """Return whose tags form the groups as a fact of a report; nothing for people's."""
    return {"tags_of_model": model} if model else {}


def model_note(model: str, language: str = "en") -> list[str]:
    """Return the note on whose tags form the groups; none for people's."""
    return [say("stricter.from_model", language, model=model)] if model else []


def _tagged_by(
    model: str, book: Codebook, suggested: Collection[SuggestionView]
) -> dict[int, Tagged]:
    """Return a model's tags per case, the newest where several servers have the model.

    Unreadable replies answer nothing; options removed from the codebook are marked stale. Raises
    UserError for a model without suggestions.
    """
    require_known("stricter_model_unknown", sorted({e.model for e in suggested}), model=model)
    own = sorted((each for each in suggested if each.model == model), key=lambda each: each.id)
    givable = {key: set(sub.givable) for key, (_, sub) in book.places.items()}
    answers: dict[int, dict[str, Answer]] = {}
    for each in own:
        said = answers.setdefault(each.court_case_id, {})
        said.pop(each.sub_factor, None)
        if each.state in READABLE and each.sub_factor in givable:
            said[each.sub_factor] = tuple(each.options)
    return {
        case: Tagged(said, stale=frozenset(k for k, given in said.items() if {*given} - givable[k]))
        for case, said in answers.items()
    }


def _group_of(
    book: Codebook,
    place: GroupPlace,
    cases: tuple[int, ...],
    tagged: Mapping[int, Tagged],
) -> GroupFound:
    """Return the stricter groups among the tagged cases of a standard group."""
    rows = table(book, place.group.key, {case: tagged[case] for case in cases if case in tagged})
    found = grouping(rows.codes()) if rows.columns else Grouping(None, ())
    untagged = tuple(case for case in cases if case not in tagged)
    return GroupFound(place, cases, untagged, rows, found)


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
            counts: dict[str, Any] = {"number": self.per_group, "limit": MOST_PER_GROUP}
            raise UserError("case_queries_number", Where(field="per_group"), **counts)


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
    chosen = choices(session, project_id)
    groups = [_group_members(found, group, chosen.get(group.key)) for group in found.groups]
    sets = {kind: case_set(kind, groups, drawing.per_group, drawing.seed) for kind in BenchmarkKind}
    if not sets[BenchmarkKind.STANDARD].queries:
        raise UserError("case_benchmark_empty")
    return Benchmark(found, sets, drawing)


def query_text(case: CaseLine, text: str) -> str:
    """Return the query text of a case: its facts section, else the whole text."""
    facts = [text[start:end] for name, start, end in case.sections if name == Section.FACTS]
    return "\n".join(facts).strip() or text


def _group_members(stricter: Stricter, each: GroupFound, chosen: Query | None) -> Members:
    """Return a group's cases by external id; a chosen query counts only while it is among them."""

    def names(cases: Iterable[int]) -> tuple[str, ...]:
        """Return the external ids of cases."""
        return tuple(stricter.cases[case].external_id for case in cases)

    # A choice outlives the typology that put the case into the group.
    held = chosen is not None and chosen.case_id in each.cases
    return Members(
        group=each.key,
        category=each.place.category.key,
        cases=names(each.cases),
        stricter=names(each.groups[0]) if each.groups else (),
        query=stricter.cases[chosen.case_id].external_id if chosen and held else None,
    )
