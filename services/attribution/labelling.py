"""Labelling of answers' claims against official claims by a judge model.

A pair of claim lists becomes an attribution case, which people can review; the judge is asked about
all claims of a case in one call. Replies are cached and labels stored in batches, so interrupted
work resumes when started again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from annotation.people.roles import Act, allow, reading_as
from errors import Where, require_known
from llm.batch import Progress, Stop
from llm.request import Request
from llm.roles import Endpoint
from llm.structured.answers import Structured
from llm.structured.shapes import ClaimLabelling
from services.attribution.claims import (
    AskingDone,
    AttributionOptions,
    JudgePlan,
    answer_source,
    answers_by_case,
    ask_judge,
    chosen_cases,
    due,
    official_source,
)
from services.background.tasks import BackgroundTask, TaskKind, start
from services.models.asking import Wordings
from storage.attribution.claims import (
    FORM,
    MATCH,
    NONE,
    PARTIAL,
    SAID,
    Claim,
    ClaimsKey,
    ClaimsView,
    Label,
    LabelsView,
    add_attribution_cases,
    case_numbers,
    labels_json,
    model_answers,
    standing_claims,
    standing_labels,
    times_labelled,
)
from storage.db.columns import add_rows
from storage.db.workspace import Workspace
from storage.judging import CaseView, cases
from storage.projects import find_project
from storage.tables.answers import ClaimLabels

PROMPT = "claim_label"


@dataclass(frozen=True, slots=True)
class ClaimsPair:
    """The claims of an answer beside those of the official answer."""

    case: CaseView
    predicted: ClaimsView
    gold: ClaimsView


def plan_labels(
    ws: Workspace, project_slug: str, options: AttributionOptions, by: int | None = None
) -> JudgePlan[ClaimsPair]:
    """Plan the answers to label: those with claims and gold claims.

    Raises UserError for `by` (None: the operator) who may not make items, without a judge model,
    for sampling out of range, an unknown splitter, and without any answer.
    """
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        endpoint, wordings = options.endpoint(ws), Wordings.of(ws, project_slug, PROMPT)
        chosen = chosen_cases(cases(session, project.id), options.systems)
        by_case = answers_by_case(model_answers(session, project.id))
        claims = standing_claims(session, project.id)
        labels = standing_labels(session, project.id)
        numbers = case_numbers(session, project.id)
        times = times_labelled(session, project.id)
    splitter = _splitter(options, claims, endpoint)
    pairs: dict[tuple[int, str], ClaimsPair] = {}
    not_cut = 0
    for case in chosen:
        source = answer_source(case, by_case.get(case.id), options)
        predicted = claims.get(source.key(splitter))
        gold = claims.get(official_source(case).key(splitter))
        if predicted is None or gold is None:
            not_cut += 1
        elif predicted.state == gold.state == SAID and gold.claims:
            number = numbers.get((predicted.id, gold.id), -case.id)  # that of none yet
            pairs[number, endpoint.model] = ClaimsPair(case, predicted, gold)
    waiting, unsaid = due(pairs, labels, times, options, wordings.versions)
    return JudgePlan(
        project.id,
        endpoint,
        wordings,
        asked=tuple(each for each in waiting if each[0].predicted.claims),
        free=tuple(pair for pair, _ in waiting if not pair.predicted.claims),
        already=len(pairs) - len(waiting),
        unsaid=unsaid,
        not_cut=not_cut,
        no_claims=len(chosen) - len(pairs) - not_cut,
    )


def start_labelling(
    ws: Workspace, project_slug: str, options: AttributionOptions, by: int | None = None
) -> BackgroundTask[AskingDone]:
    """Start labelling claims in the background.

    Raises UserError as `plan_labels` does, and while attribution is running.
    """
    plan = plan_labels(ws, project_slug, options, by)
    work = partial(label_claims, ws, plan)
    return start(ws, project_slug, TaskKind.ATTRIBUTE, work, by=by, total=plan.calls)


async def label_claims(
    ws: Workspace, plan: JudgePlan[ClaimsPair], progress: Progress, stop: Stop
) -> AskingDone:
    """Create the cases, and ask about each as `ask_judge` does; without claims it needs no call."""
    pairs = [*(pair for pair, _ in plan.asked), *plan.free]

    def request_of(pair: ClaimsPair, repeat: int) -> Request:
        """Return the request that labels the claims of an answer."""
        values = {
            "question": pair.case.question,
            "gold": _numbered(pair.gold.claims),
            "predicted": _numbered(pair.predicted.claims),
        }
        return plan.request(pair.case.language, values, repeat)

    def row(pair: ClaimsPair, labels: Iterable[Label], **made: Any) -> ClaimLabels:
        """Return the row of an answer's labels."""
        return ClaimLabels(
            attribution_case_id=numbers[pair.predicted.id, pair.gold.id],
            judge=plan.endpoint.model,
            labels=labels_json(labels),
            at=ws.clock(),
            **made,
        )

    def row_of(pair: ClaimsPair, said: Structured[ClaimLabelling], call: int | None) -> ClaimLabels:
        """Return the row of the labels in a reply."""
        counts = len(pair.predicted.claims), len(pair.gold.claims)
        labels = None if said.value is None else read_labels(said.value, *counts)
        made = plan.reply_fields(pair.case.language, said, call, labels is not None)
        return row(pair, labels or (), **made)

    with ws.writing() as session:
        both = [(each.predicted, each.gold) for each in pairs]
        add_attribution_cases(session, plan.project_id, both, ws.clock())
        numbers = case_numbers(session, plan.project_id)
        known = {_identity(each) for each in standing_labels(session, plan.project_id).values()}
        add_rows(session, [row(each, (), state=SAID) for each in plan.free])
    about = request_of, ClaimLabelling, row_of, lambda each: _identity(each) in known
    return await ask_judge(ws, plan, *about, progress, stop)


def _identity(row: LabelsView | ClaimLabels) -> tuple[object, ...]:
    """Return the key that separates a judge's labels of one case: call and state."""
    return row.attribution_case_id, row.judge, row.llm_call_id, row.state


def splitters(ws: Workspace, project_slug: str, by: int | None = None) -> list[str]:
    """Return the models that have split answers into claims, ascending.

    Raises UserError for `by` (None: the operator) who may not make items.
    """
    allow(ws, project_slug, by, Act.MAKE_ITEMS)
    with ws.reading() as session:
        project = find_project(session, project_slug)
        return _splitters(standing_claims(session, project.id))


def _splitters(claims: Mapping[ClaimsKey, ClaimsView]) -> list[str]:
    """Return the models whose claims are stored."""
    return sorted({each.splitter for each in claims.values()} - {FORM})


def _splitter(
    options: AttributionOptions, claims: Mapping[ClaimsKey, ClaimsView], endpoint: Endpoint
) -> str:
    """Return the model whose claims are labelled, else the judge. Raises UserError if unknown."""
    if not options.splitter:
        return endpoint.model
    where = Where(field="splitter")
    require_known("attribution_splitter", _splitters(claims), where, name=options.splitter)
    return options.splitter


def read_labels(labelling: ClaimLabelling, predicted: int, gold: int) -> tuple[Label, ...] | None:
    """Return one label per predicted claim; None unless every claim occurs once and all is valid.

    The label is that of the first fully matching gold claim, else of the first partial match.
    """
    by_claim = {each.claim: each for each in labelling.labels}
    if len(labelling.labels) != predicted or sorted(by_claim) != list(range(1, predicted + 1)):
        return None
    found = []
    for number in sorted(by_claim):
        whole, part = set(by_claim[number].match), set(by_claim[number].partial)
        if whole & part or any(place > gold for place in whole | part):
            return None
        relations = [(place - 1, MATCH) for place in sorted(whole)]
        relations += [(place - 1, PARTIAL) for place in sorted(part)]
        first = relations[0] if relations else (None, NONE)
        found.append(Label(first[1], first[0], None, tuple(relations[1:])))
    return tuple(found)


def _numbered(claims: Sequence[Claim]) -> str:
    """Return the claims as numbered lines."""
    lines = (" ".join(each.text.split()) for each in claims)
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
