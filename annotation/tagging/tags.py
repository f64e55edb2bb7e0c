"""The tags of court cases, as people gave, agreed on or settled them.

Only of cases that have all the submissions they want; before that nothing of them is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlmodel import Session, col, select

from annotation.forms.adjudication import Settled, settled
from annotation.forms.submissions import FormSubmission, form_submissions
from annotation.tagging.codebook import book_of
from annotation.tagging.state import Tag, TagState, tag_state
from construction.tagging.applicability import applies, in_scope
from construction.tagging.codebook import EVERYWHERE, Codebook
from storage.tables.core import CandidateSet
from storage.tasks import Task

_MOST = 500  # numbers in one query


@dataclass(frozen=True, slots=True)
class CaseTags:
    """The tags of one court case; `groups` are the standard groups under which it was tagged.

    `disputed` sub-factors wait for an adjudicator and `missing` ones were answered by nobody;
    `stale` ones were answered by an option that the codebook has no more. None of them has a tag.
    """

    court_case_id: int
    item_id: int
    groups: tuple[str, ...]
    tags: Mapping[str, Tag]
    disputed: frozenset[str] = frozenset()
    stale: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TaggedCase:
    """A case with all that was said of it; `aided` says that a suggestion was in sight before."""

    court_case_id: int
    item_id: int
    external_id: str
    groups: tuple[str, ...]
    said: tuple[FormSubmission, ...]
    settled: Settled | None
    state: TagState
    aided: bool = field(default=False)


def tags(session: Session, project_id: int) -> dict[int, CaseTags]:
    """Return the tags of every case that is tagged completely, by its id, in queue order."""
    book, _ = book_of(session, project_id)
    return {
        each.court_case_id: CaseTags(
            court_case_id=each.court_case_id,
            item_id=each.item_id,
            groups=each.groups,
            tags=each.state.tags,
            disputed=each.state.disputed,
            stale=each.state.stale,
            missing=each.state.missing,
        )
        for each in tagged(session, project_id, book)
    }


def tagged(
    session: Session, project_id: int, book: Codebook, item_id: int | None = None
) -> list[TaggedCase]:
    """Return the cases that have all their submissions, with these and what they come to."""
    where = session, project_id, Task.FACTOR_TAGGING, item_id
    said, decided = form_submissions(*where), settled(*where)
    shown = _shown(session, [each.candidate_set_id for made in said.values() for each in made])
    books: dict[tuple[str, ...], Codebook] = {}  # few groups, many cases
    found = []
    for item, made in said.items():
        seen = [shown[each.candidate_set_id] for each in made]
        groups = _groups(seen)
        if groups not in books:
            books[groups] = _narrowed(book, groups)
        found.append(_case(books[groups], groups, made, decided.get(item), seen))
    return found


def _narrowed(book: Codebook, groups: tuple[str, ...]) -> Codebook:
    """Return what of the codebook applies to the groups, so that it is not looked for each time."""
    return Codebook(
        factors=tuple(
            replace(factor, scope=(EVERYWHERE,))
            for factor in book.factors
            if applies(factor.scope, groups)
        ),
        order=tuple(each.key for each in in_scope(book, groups)),
    )


def _case(
    book: Codebook,
    groups: tuple[str, ...],
    made: Sequence[FormSubmission],
    decision: Settled | None,
    shown: Sequence[Mapping[str, object]],
) -> TaggedCase:
    first = made[0]
    answers = [each.answers for each in made]
    return TaggedCase(
        court_case_id=first.subject_id,
        item_id=first.item_id,
        external_id=first.external_id,
        groups=groups,
        said=tuple(made),
        settled=decision,
        state=tag_state(book, groups, answers, decision.answers if decision else None),
        aided=any(each.get("suggestions") == "shown" and each.get("suggested") for each in shown),
    )


def _groups(shown: Sequence[Mapping[str, object]]) -> tuple[str, ...]:
    """Return every standard group under which somebody tagged the case, in the order shown."""
    found: dict[str, None] = {}
    for each in shown:
        groups = each.get("groups")
        found |= dict.fromkeys(groups if isinstance(groups, list) else ())
    return tuple(found)


def _shown(session: Session, ids: Sequence[int]) -> dict[int, dict[str, object]]:
    """Return what each of the candidate sets showed."""
    found: dict[int, dict[str, object]] = {}
    wanted = sorted(set(ids))
    for start in range(0, len(wanted), _MOST):
        some = col(CandidateSet.id).in_(wanted[start : start + _MOST])
        rows = session.exec(select(CandidateSet.id, CandidateSet.shown).where(some))
        found |= {number or 0: dict(said or {}) for number, said in rows}
    return found
