"""Stricter groups of a project: within each standard group, the cases tagged most alike.

People's answers decide. Groups from a model's tags are a separate mode, which names the model
wherever its groups are shown: they count as nobody's decision. A case that is not completely tagged
is listed with what is missing, and is in no stricter group.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from sqlmodel import Session

from annotation.cases.typologies import mapped
from annotation.guidelines.builtin_documents import EVERY
from annotation.guidelines.documents import Edition
from annotation.people.roles import Act, allow
from annotation.tagging.codebook import book_of
from annotation.tagging.tags import CaseTags, tags
from annotation.work.versioned_texts import TYPOLOGY
from construction.cases.group_mapping import Mapped
from construction.cases.typology import Category, Charge, Group, Typology
from construction.stricter.grouping import Grouping, grouping
from construction.stricter.keys import Answer, Table, Tagged, table
from construction.tagging.codebook import Codebook
from construction.tagging.suggesting import READABLE
from errors import UserError
from storage.cases.court_cases import CaseLine, listed
from storage.db.columns import newest_ids
from storage.db.workspace import Workspace
from storage.projects import find_project
from storage.tables.cases import CourtCase, FactorSuggestion, TypologyRow
from storage.tables.core import Annotation, CandidateSet, Item, Settlement, UndoneDecision
from storage.tables.people import Batch, BatchEvent, BatchItem, Document
from storage.tagging.suggestions import SuggestionView, suggestions

_MADE_OF = (  # append-only, or changed together with another of these
    *(CourtCase, TypologyRow, Document, Item, CandidateSet, Annotation, Settlement),
    *(Batch, BatchItem, BatchEvent, UndoneDecision, FactorSuggestion),
)


@dataclass(frozen=True, slots=True)
class GroupPlace:
    """A standard group with its charge and category."""

    category: Category
    charge: Charge
    group: Group


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
    model: str = ""

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
    allow(ws, project_slug, by, Act.READ_OTHERS_LABELS)
    with ws.reading() as session:
        return stricter_in(session, find_project(session, project_slug).id, model)


def tagging_models(ws: Workspace, project_slug: str, by: int | None = None) -> tuple[str, ...]:
    """Return the models that have tagged court cases of the project, by name.

    Raises UserError for `by` without permission.
    """
    allow(ws, project_slug, by, Act.READ_OTHERS_LABELS)
    with ws.reading() as session:
        project = find_project(session, project_slug).id
        return tuple(sorted({each.model for each in suggestions(session, project).values()}))


def revision(ws: Workspace, project_slug: str, by: int | None = None) -> str:
    """Return a token that changes when the groups may. Raises UserError as `stricter` does."""
    allow(ws, project_slug, by, Act.READ_OTHERS_LABELS)
    with ws.reading() as session:
        return newest_ids(session, _MADE_OF)


def stricter_in(session: Session, project_id: int, model: str = "") -> Stricter:
    """:func:`stricter` in an open session, without the permission check."""
    book, version = book_of(session, project_id)
    number, typology = TYPOLOGY.current(session, project_id)
    if model:
        said = _tagged_by(model, book, suggestions(session, project_id).values())
    else:
        said = {case: as_tagged(each) for case, each in tags(session, project_id).items()}
    placed = mapped(session, project_id)
    members = _members(placed)
    return Stricter(
        groups=tuple(
            _found(book, each, members[each.group.key], said) for each in _places(typology, members)
        ),
        cases={each.id: each for each in listed(session, project_id)},
        mapped=placed,
        tagged=said,
        book=book,
        codebook_version=version,
        typology=number,
        typology_version=Edition(*_typology_text(session, project_id)).version,
        model=model,
    )


def _tagged_by(
    model: str, book: Codebook, suggested: Collection[SuggestionView]
) -> dict[int, Tagged]:
    """Return a model's tags per case, the newest where several servers have the model.

    Unreadable replies answer nothing; options removed from the codebook are marked stale.
    """
    own = sorted((each for each in suggested if each.model == model), key=lambda each: each.id)
    if not own:
        known = ", ".join(sorted({each.model for each in suggested})) or "–"
        raise UserError("stricter_model_unknown", model=model, known=known)
    givable = {sub.key: set(sub.givable) for factor in book.factors for sub in factor.sub_factors}
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


def _typology_text(session: Session, project_id: int) -> tuple[int, dict[str, str]]:
    """Return number and text of the typology: a packaged one may change under its number."""
    number, text = TYPOLOGY.text_in(session, project_id)
    return number, {EVERY: text}


def as_tagged(said: CaseTags) -> Tagged:
    """Return the tags of a case without their origin."""
    answers = {key: tag.options for key, tag in said.tags.items()}
    return Tagged(answers, said.disputed, said.stale)


def _members(placed: Mapping[int, Mapped]) -> dict[str, tuple[int, ...]]:
    """Return the cases of each nonempty standard group, in order of import."""
    found: dict[str, list[int]] = {}
    for case, each in sorted(placed.items()):
        for group in each.groups:
            found.setdefault(group, []).append(case)
    return {group: tuple(cases) for group, cases in found.items()}


def _places(typology: Typology, members: Collection[str]) -> Iterator[GroupPlace]:
    """Yield the typology's groups that have cases, in order."""
    for category, charge, group in typology.groups():
        if group.key in members:
            yield GroupPlace(category, charge, group)


def _found(
    book: Codebook,
    place: GroupPlace,
    cases: tuple[int, ...],
    said: Mapping[int, Tagged],
) -> GroupFound:
    """Return the stricter groups among the tagged cases of a standard group."""
    rows = table(book, place.group.key, {case: said[case] for case in cases if case in said})
    found = grouping(rows.codes()) if rows.columns else Grouping(None, ())
    untagged = tuple(case for case in cases if case not in said)
    return GroupFound(place, cases, untagged, rows, found)
