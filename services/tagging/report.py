"""Report on factors: agreement of people and models, and sub-factors to improve first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotation.people.roles import Act, reading_as
from annotation.tagging.codebook import book_of
from annotation.tagging.tags import TaggedCase, evidence_of, options_of, tagged
from annotation.work.versioned_texts import TYPOLOGY
from construction.tagging.codebook import (
    NOT_STATED,
    Codebook,
    Factor,
    SubFactor,
    in_scope,
    parts,
    within,
)
from construction.tagging.suggesting import READABLE, State
from errors import Where, require_known
from evaluation.tagging.accuracy import (
    Compared,
    Marked,
    ModelAccuracy,
    Overlap,
    Question,
    Said,
    accuracy,
    overlap,
)
from evaluation.tagging.agreement import FactorAgreement, Need, agreement, needs
from services.models.workspace_models import model_names
from storage.db.columns import newest_ids
from storage.db.workspace import Workspace
from storage.tables.cases import FactorSuggestion
from storage.tables.core import Annotation, Settlement, UndoneDecision
from storage.tables.people import Document, Referral
from storage.tagging import SuggestionView, suggestions

_ByModel = dict[str, dict[tuple[int, str], SuggestionView]]
# Append-only tables.
_MADE_OF = (Annotation, Settlement, UndoneDecision, Referral, FactorSuggestion, Document)


@dataclass(frozen=True, slots=True)
class FactorLine:
    """One sub-factor: people's agreement, and each model's accuracy.

    `open` cases wait for its adjudication, `settled` ones were adjudicated. `comments` counts
    comments and flags on cases with disagreement on it.
    """

    factor: Factor
    sub: SubFactor
    agreement: FactorAgreement
    evidence: Overlap
    open: int
    settled: int
    comments: int
    models: tuple[tuple[str, ModelAccuracy], ...]


@dataclass(frozen=True, slots=True)
class FactorReport:
    """The whole report, over the cases of `scope` (category, charge or group; "" for all).

    `scopes` are those of tagged cases, `names` the display names of those still in the typology.
    `cases` have all their submissions; `open` ones wait for an adjudicator. `needs` are sub-factors
    to improve, most urgent first. `models` have made suggestions. `unanswered` sub-factors of the
    scope have no answer.
    """

    scope: str
    scopes: tuple[str, ...]
    names: Mapping[str, Mapping[str, str]]
    cases: int
    people: tuple[str, ...]
    open: int
    lines: tuple[FactorLine, ...]
    needs: tuple[Need, ...]
    models: tuple[str, ...]
    unanswered: int
    codebook_version: str


def factor_report(
    ws: Workspace, project_slug: str, by: int | None = None, scope: str = ""
) -> FactorReport:
    """Return the report on tagging: agreement, disputes and models' suggestions by sub-factor.

    Raises UserError for `by` who may not read others' labels, and for a scope without tagged cases.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        book, version = book_of(session, project.id)
        everything = tagged(session, project.id, book, sent_back=True)
        suggested = suggestions(session, project.id)
        names = parts(TYPOLOGY.current(session, project.id)[1])
    scopes = _scopes(everything)
    if scope:
        require_known("factor_scope", scopes, Where(field="scope"), scope=scope)
    cases = [
        case
        for case in everything
        if not scope or any(within(group, scope) for group in case.groups)
    ]
    named = model_names(list(suggested.values()))
    models: _ByModel = {name: {} for name in sorted(named.values())}
    for row in suggested.values():
        models[named[row.server, row.model]][row.court_case_id, row.sub_factor] = row
    lines = tuple(_lines(book, cases, models))
    told = {line.sub.key: line.comments for line in lines}
    return FactorReport(
        scope=scope,
        scopes=scopes,
        names={key: names[key] for key in scopes if key in names},
        cases=len(cases),
        people=tuple(sorted({said.person for case in cases for said in case.said})),
        open=sum(bool(case.state.open) for case in cases),
        lines=lines,
        needs=needs([line.agreement for line in lines], told),
        models=tuple(models),
        unanswered=len(_asked_of(book, cases)) - len(lines),
        codebook_version=version,
    )


def revision(ws: Workspace, project_slug: str, by: int | None = None) -> str:
    """Return a token that changes when the report may. Raises UserError without permission."""
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, _, _):
        return newest_ids(session, _MADE_OF)


def question_of(sub: SubFactor) -> Question:
    """Convert a sub-factor for the agreement statistics."""
    options = tuple(option.key for option in sub.options)
    silent = "" if sub.claim else NOT_STATED
    return Question(sub.key, options, sub.exclusive, sub.ordered, silent)


def _lines(book: Codebook, cases: Sequence[TaggedCase], models: _ByModel) -> Iterator[FactorLine]:
    """Yield agreement, adjudications and models' accuracy of each sub-factor that has answers."""
    places = book.places
    subs = {case.item_id: {sub.key for sub in in_scope(book, case.groups)} for case in cases}
    for sub in _asked_of(book, cases):
        here = [case for case in cases if sub.key in subs[case.item_id]]
        found = agreement(question_of(sub), _answers(sub, here))
        if found.cases or found.stale:
            yield FactorLine(
                factor=places[sub.key][0],
                sub=sub,
                agreement=found,
                evidence=overlap(_evidence_spans(sub, here)),
                open=sum(sub.key in each.state.open for each in here),
                settled=sum(
                    (tag := each.state.tags.get(sub.key)) is not None and tag.how == "settled"
                    for each in here
                ),
                comments=sum(_comments(each, sub.key) for each in here),
                models=tuple(_accuracies(sub, here, models)),
            )


def _asked_of(book: Codebook, cases: Sequence[TaggedCase]) -> tuple[SubFactor, ...]:
    """Return the sub-factors that apply to any of the cases, in codebook order."""
    groups = dict.fromkeys(group for case in cases for group in case.groups)
    return in_scope(book, groups) if cases else ()


def _answers(sub: SubFactor, cases: Sequence[TaggedCase]) -> list[Said]:
    """Return answers, as before a discussion; None for a person not asked a required sub-factor.

    For discussed cases the answers before the discussion, as later agreement is not independent.
    """
    return [
        (case.item_id, said.person_id, options_of(answer) if answer else None)
        for case in cases
        for said in case.case.independent
        if (answer := said.answers.get(sub.key)) or sub.required
    ]


def _evidence_spans(sub: SubFactor, cases: Sequence[TaggedCase]) -> list[Marked]:
    """Return the passages marked for a sub-factor, as before a discussion, by case and person."""
    return [
        (case.item_id, said.person_id, tuple((e.start, e.end) for e in evidence_of(answer)))
        for case in cases
        for said in case.case.independent
        if (answer := said.answers.get(sub.key)) and options_of(answer) != {NOT_STATED}
    ]


def _comments(case: TaggedCase, key: str) -> int:
    """Count a case's submissions with a comment or flag; 0 if people answer the factor alike."""
    answers = {options_of(said.answers[key]) for said in case.said if key in said.answers}
    if len(answers) < 2:
        return 0
    return sum(bool(said.comment or said.flag) for said in case.said)


def _accuracies(
    sub: SubFactor, cases: Sequence[TaggedCase], models: _ByModel
) -> Iterator[tuple[str, ModelAccuracy]]:
    """Yield each model's accuracy on a sub-factor, over the cases whose tag people decided."""
    for model, said in models.items():
        compared = []
        for case in cases:
            found = said.get((case.court_case_id, sub.key))
            if found is None or sub.key not in case.state.tags:
                continue
            options = frozenset(found.options)
            readable = found.state in READABLE and bool(options) and options <= set(sub.givable)
            each = Compared(
                case=case.item_id,
                decided=frozenset(case.state.tags[sub.key].options),
                said=options if readable else None,
                quoted=found.state == State.QUOTED,
                aided=case.aided,
            )
            compared.append(each)
        if compared:
            yield model, accuracy(compared, NOT_STATED)


def _scopes(cases: Sequence[TaggedCase]) -> tuple[str, ...]:
    """Return the groups of the cases, with their charges and categories."""
    steps = {tuple(group.split(".")) for case in cases for group in case.groups}
    found = {".".join(each[: n + 1]) for each in steps for n in range(len(each))}
    return tuple(sorted(found))
