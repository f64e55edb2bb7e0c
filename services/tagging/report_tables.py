"""Factor report as CSV and JSON, and the tags of court cases as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlmodel import Session, select

from annotation.people.roles import Act, reading_as
from annotation.tagging.codebook import book_of
from annotation.tagging.tags import TaggedCase, tagged
from construction.tagging.codebook import Codebook, asked_sub_factors, in_scope
from evaluation.agreement.ratings import Finding
from evaluation.figure import Figure
from evaluation.tables import csv_text
from evaluation.tagging.accuracy import ModelAccuracy
from services.tagging.report import FactorLine, FactorReport
from storage.db.workspace import Workspace
from storage.tables.cases import CourtCase

REPORT_HEAD = ("factor", "sub_factor", "of", "figure", "value", "low", "high", "n", "why_none")
TAGS_HEAD = (
    "case", "court", "date", "groups", "factor", "sub_factor", "state", "options", "evidence",
)  # fmt: skip
_BETWEEN = "; "


def findings(line: FactorLine) -> Iterator[tuple[str, Finding]]:
    """Yield each agreement statistic with its finding."""
    found = line.agreement
    yield "raw", found.raw
    yield "kappa", found.kappa
    yield "alpha", found.alpha
    yield "ac1", found.ac1
    if found.ordered is not None:
        yield "alpha_ordinal", found.ordered
    if found.likeness is not None:
        yield "likeness", found.likeness


def figures(line: FactorLine) -> Iterator[tuple[str, Figure]]:
    """Yield the shares of answers and the overlap of evidence."""
    yield "not_stated", line.agreement.unstated
    for option, figure in line.agreement.prevalence:
        yield f"prevalence:{option}", figure
    yield "evidence_overlap", line.evidence.likeness
    yield "evidence_meets", line.evidence.meeting


def model_figures(found: ModelAccuracy) -> Iterator[tuple[str, Figure]]:
    """Yield the figures of a model."""
    yield "accuracy", found.right
    yield "commonest_answer", found.baseline
    yield "likeness", found.likeness
    yield "accuracy_suggestion_shown", found.aided
    yield "quotation_found", found.quoted


def report_csv(report: FactorReport) -> str:
    """Return a line per figure; `of` is the model, or "people"."""
    return csv_text((REPORT_HEAD, *(row for line in report.lines for row in _figures_of(line))))


def report_json(report: FactorReport) -> dict[str, Any]:
    """Return the report as JSON values."""
    return {
        "scope": report.scope,
        "scopes": list(report.scopes),
        "cases": report.cases,
        "people": list(report.people),
        "open": report.open,
        "unanswered": report.unanswered,
        "codebook_version": report.codebook_version,
        "sub_factors": [_line(line) for line in report.lines],
        "needs": [
            {"sub_factor": need.key, "reasons": [str(why) for why in need.reasons],
             "bound": need.bound.figure.as_json(), "statistic": need.bound.statistic,
             "floor": need.floor, "comments": need.comments}
            for need in report.needs
        ],
    }  # fmt: skip


def tags_csv(ws: Workspace, project_slug: str, by: int | None = None) -> str:
    """Return a line per sub-factor in scope, for each completely tagged case.

    `state` is single, agreed or settled; or why there is no tag: disputed, stale (a removed
    option), not_asked (a condition does not hold), missing, unanswered (not required). Raises
    UserError for `by` who may not export gold.
    """
    with reading_as(ws, project_slug, by, Act.EXPORT_GOLD) as (session, project, _):
        book, _ = book_of(session, project.id)
        cases = tagged(session, project.id, book)
        told = _told(session, project.id)
    return csv_text((TAGS_HEAD, *(row for case in cases for row in _tag_rows(book, case, told))))


def _figures_of(line: FactorLine) -> Iterator[tuple[object, ...]]:
    here = line.factor.key, line.sub.key
    for name, found in findings(line):
        why = "" if found.reason is None else str(found.reason)
        yield (*here, "people", name, *_cells(found.figure), why)
    for name, figure in figures(line):
        yield (*here, "people", name, *_cells(figure), "")
    for model, measured in line.models:
        for name, figure in model_figures(measured):
            yield (*here, model, name, *_cells(figure), "")


def _cells(figure: Figure) -> tuple[object, ...]:
    return figure.value, figure.low, figure.high, figure.n


def _line(line: FactorLine) -> dict[str, Any]:
    found = line.agreement
    return {
        "factor": line.factor.key,
        "sub_factor": line.sub.key,
        "cases": found.cases,
        "paired": found.paired,
        "differing": found.differing,
        "asked_of_some": found.asked_of_some,
        "stale": found.stale,
        "open": line.open,
        "settled": line.settled,
        "comments": line.comments,
        "agreement": {
            name: {**each.figure.as_json(), "statistic": each.statistic,
                   "reason": None if each.reason is None else str(each.reason)}
            for name, each in findings(line)
        },
        "figures": {name: figure.as_json() for name, figure in figures(line)},
        "evidence_one_sided": line.evidence.one_sided,
        "models": {model: _model(each) for model, each in line.models},
    }  # fmt: skip


def _model(found: ModelAccuracy) -> dict[str, Any]:
    told: dict[str, Any] = {name: figure.as_json() for name, figure in model_figures(found)}
    mistakes = [
        {"decided": list(confusion.decided), "said": list(confusion.said), "n": confusion.n}
        for confusion in found.confusions
    ]
    return told | {"missing": found.missing, "confusions": mistakes}


def _told(session: Session, project_id: int) -> dict[int, tuple[str, str, str]]:
    query = select(CourtCase.id, CourtCase.external_id, CourtCase.court, CourtCase.date)
    rows = session.exec(query.where(CourtCase.project_id == project_id))
    return {number or 0: (name, court, date) for number, name, court, date in rows}


def _tag_rows(
    book: Codebook, case: TaggedCase, told: Mapping[int, tuple[str, str, str]]
) -> Iterator[tuple[object, ...]]:
    head = *told[case.court_case_id], _BETWEEN.join(case.groups)
    tags = case.state.tags
    factors = {sub.key: factor.key for factor in book.factors for sub in factor.sub_factors}
    now = asked_sub_factors(book, case.groups, {key: tag.options for key, tag in tags.items()})
    holding = {each.key for each in now}
    for sub in in_scope(book, case.groups):
        tag = tags.get(sub.key)
        state = _reason_untagged(case, sub.key, holding) if tag is None else str(tag.how)
        options = "" if tag is None else _BETWEEN.join(tag.options)
        quotes = "" if tag is None else _BETWEEN.join(each.quote for each in tag.evidence)
        yield (*head, factors[sub.key], sub.key, state, options, quotes)


def _reason_untagged(case: TaggedCase, key: str, holding: Iterable[str]) -> str:
    for name in ("disputed", "stale", "missing"):
        if key in getattr(case.state, name):
            return name
    return "unanswered" if key in holding else "not_asked"
