"""Views of court cases: a filtered list, and one case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from annotation.people.roles import Act, reading_as
from corpus.cases.model import Judgment
from storage.cases import CaseLine, case_named, case_of, holding, judgment_of, listed
from storage.db.workspace import Workspace


@dataclass(frozen=True, slots=True)
class CaseFilter:
    """Filter of court cases: `words` in text, title, court or id; empty fields match all."""

    words: str = ""
    charge: str = ""
    court: str = ""
    language: str = ""
    section: str = ""


@dataclass(frozen=True, slots=True)
class CaseList:
    """The filtered court cases, of `total`, with the values to filter by.

    `charges`, `courts` and `languages` are existing values, most frequent first.
    """

    lines: tuple[CaseLine, ...]
    total: int
    charges: tuple[tuple[str, int], ...]
    courts: tuple[tuple[str, int], ...]
    languages: tuple[tuple[str, int], ...]


def list_court_cases(
    ws: Workspace, project_slug: str, case_filter: CaseFilter | None = None, by: int | None = None
) -> CaseList:
    """Return the project's court cases that match the filter, in order of import.

    `by` is the requester, None for the operator. Raises UserError for `by` who may not read law.
    """
    case_filter = case_filter or CaseFilter()
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        lines = listed(session, project.id)
        words, kept = case_filter.words.strip(), lines
        if words:
            hits = holding(session, project.id, words)
            kept = [line for line in lines if line.id in hits]
    return CaseList(
        tuple(line for line in kept if _matches_filter(line, case_filter)),
        len(lines),
        _counted([charge for line in lines for charge in line.charges]),
        _counted([line.court for line in lines if line.court]),
        _counted([line.language for line in lines]),
    )


def read_court_case(
    ws: Workspace, project_slug: str, case: int | str, by: int | None = None
) -> Judgment:
    """Return a court case, by database id (a number) or external id (text).

    `by` is the reader, None for the operator. Raises UserError for `by` who may not read law, and
    for a case that the project does not have.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        if isinstance(case, int):
            return judgment_of(case_of(session, case, project.id))
        return judgment_of(case_named(session, project.id, case))


def _matches_filter(line: CaseLine, case_filter: CaseFilter) -> bool:
    """Return True if a case has the filter's charge, court, language and section; words not."""
    return (
        case_filter.charge in ("", *line.charges)
        and case_filter.court in ("", line.court)
        and case_filter.language in ("", line.language)
        and case_filter.section in ("", *(name for name, _, _ in line.sections))
    )


def _counted(values: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Return the values with their frequencies, most frequent first, else by name."""
    return tuple(sorted(Counter(values).items(), key=lambda each: (-each[1], each[0])))
