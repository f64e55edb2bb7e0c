"""Labelling of answers' claims against official claims by a judge model.

A pair of claim lists becomes an attribution case, which people can review; the judge is asked about
all claims of a case in one call. Replies are cached and labels stored in batches, so interrupted
work resumes when started again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from annotation.people.roles import Act, allow
from errors import UserError, Where
from llm.batch import End, Progress, Stop
from llm.request import Request
from llm.roles import Endpoint, Role
from llm.structured.answers import Structured
from llm.structured.shapes import ClaimLabelling
from normalization.hashing import text_hash
from services.attribution.claims import (
    AskingDone,
    AttributionOptions,
    ListedClaims,
    answers_by_case,
    chosen_cases,
    claims_key,
    claims_source,
    state_of,
)
from services.background.tasks import BackgroundTask, TaskKind, start
from services.models.asking import BatchWriter, Wordings, ask_in_languages
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
from storage.models import call_ids
from storage.projects import find_project
from storage.tables.answers import ClaimLabels

PROMPT = "claim_label"
_AT_ONCE = 100  # rows written per batch


@dataclass(frozen=True, slots=True)
class ClaimsPair:
    """The claims of an answer beside those of the official answer."""

    case: CaseView
    predicted: ClaimsView
    gold: ClaimsView


@dataclass(frozen=True, slots=True)
class LabelPlan:
    """Pairs of claim lists to label.

    `already` counts pairs this judge was asked under this prompt. `not_cut` answers, or their
    official answers, are not split yet; for `no_claims` others splitting brought none. `unsaid` of
    those `already` asked have no labels. `again` maps a pair's claim rows to the repeat number of a
    renewed request.
    """

    project_id: int
    endpoint: Endpoint
    repeat: int
    pairs: tuple[ClaimsPair, ...]
    already: int
    not_cut: int
    wordings: Wordings
    no_claims: int = 0
    unsaid: int = 0
    again: Mapping[tuple[int, int], int] = field(default_factory=dict)

    @property
    def calls(self) -> int:
        """Number of calls to make; answers without claims need none."""
        return sum(bool(each.predicted.claims) for each in self.pairs)


def plan_labels(
    ws: Workspace, project_slug: str, options: AttributionOptions, by: int | None = None
) -> LabelPlan:
    """Plan the answers to label: those with claims and gold claims.

    Raises UserError for `by` (None: the operator) who may not make items, without a judge model,
    for sampling out of range, an unknown splitter, and without any answer.
    """
    allow(ws, project_slug, by, Act.MAKE_ITEMS)
    endpoint, wordings = options.endpoint(ws), Wordings.of(ws, project_slug, PROMPT)
    with ws.reading() as session:
        project = find_project(session, project_slug)
        chosen = chosen_cases(cases(session, project.id), options.systems)
        by_case = answers_by_case(model_answers(session, project.id))
        claims = standing_claims(session, project.id)
        there = {
            case: row
            for (case, name), row in standing_labels(session, project.id).items()
            if name == endpoint.model
        }
        made = case_numbers(session, project.id)
        times = times_labelled(session, project.id)
    splitter = _splitter(options, claims, endpoint)
    both = {
        each.id: _claims_and_gold(
            each, claims_source(each, by_case.get(each.id), options), claims, splitter
        )
        for each in chosen
    }
    pairs = pairs_of(chosen, both)
    rows = {_row_ids(each): there.get(made.get(_row_ids(each), 0)) for each in pairs}
    said = {key: row for key, row in rows.items() if _is_final(row, wordings.versions)}
    unsaid = {key for key, row in said.items() if row is not None and row.state != SAID}
    anew = set(rows) if options.repeat else unsaid if options.again else set()
    waiting = [each for each in pairs if _row_ids(each) not in said or _row_ids(each) in anew]
    again = {key: times[made[key], endpoint.model] for key in unsaid if options.again}
    paired = {each.case.id for each in pairs}
    without = [each for each in chosen if each.id not in paired]
    tried = sum(all(both[each.id]) for each in without)  # cutting was asked for in vain
    counts = len(pairs) - len(waiting), len(without) - tried
    return LabelPlan(
        project.id,
        endpoint,
        options.repeat,
        tuple(waiting),
        *counts,
        wordings,
        no_claims=tried,
        unsaid=len(unsaid - anew),
        again=again,
    )


def _row_ids(each: ClaimsPair) -> tuple[int, int]:
    return each.predicted.id, each.gold.id


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
    ws: Workspace, plan: LabelPlan, progress: Progress, stop: Stop
) -> AskingDone:
    """Create the cases, ask about each, and return the result.

    It ends early once `stop` is set, the budget is reached or the server refuses; replies until
    then are stored.
    """
    keeper = _Keeper(ws, plan)
    requests = [(each.case.language, _request(plan, each)) for each in keeper.asked]
    try:
        await ask_in_languages(
            ws, Role.JUDGE, requests, ClaimLabelling, plan.wordings, keeper.take, progress, stop
        )
    finally:
        keeper.write()
    return AskingDone(
        asked=len(requests),
        already=plan.already,
        without_call=len(plan.pairs) - len(requests),
        states=dict(sorted(keeper.states.items())),
        end=progress.end or End.DONE,
        reason=progress.last_reason,
        unsaid=plan.unsaid,
    )


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
    """Return the model whose claims are labelled. Raises UserError for an unknown one."""
    known = _splitters(claims)
    if options.splitter and options.splitter not in known:
        named = ", ".join(known) or "–"
        where = Where(field="splitter")
        raise UserError("attribution_splitter", where, name=options.splitter[:80], known=named)
    return options.splitter or endpoint.model


_Both = tuple[ClaimsView | None, ClaimsView | None]


def pairs_of(answers: Sequence[CaseView], both: Mapping[int, _Both]) -> list[ClaimsPair]:
    """Return the answers with readable claims and gold claims."""
    found = []
    for each in answers:
        predicted, gold = both[each.id]
        if predicted is None or gold is None:
            continue
        if predicted.state == gold.state == SAID and gold.claims:
            found.append(ClaimsPair(each, predicted, gold))
    return found


def _claims_and_gold(
    case: CaseView,
    source: ListedClaims | str,
    claims: Mapping[ClaimsKey, ClaimsView],
    splitter: str,
) -> _Both:
    """Return the claims of an answer and of its official answer, None where missing."""
    return (
        claims.get(claims_key(case, source, splitter)),
        claims.get((None, case.external_id, text_hash(case.reference), splitter)),
    )


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


def _is_final(row: LabelsView | None, versions: frozenset[str]) -> bool:
    """Return True unless asking again could change the result; failed calls are repeated."""
    if row is None or row.state == "failed":
        return False
    return not row.prompt_version or row.prompt_version in versions


def _request(plan: LabelPlan, each: ClaimsPair) -> Request:
    """Return the request that labels the claims of an answer."""
    wording = plan.wordings[each.case.language]
    values = {
        "question": each.case.question,
        "gold": _numbered(each.gold.claims),
        "predicted": _numbered(each.predicted.claims),
    }
    repeat = plan.repeat or plan.again.get(_row_ids(each), 0)
    return Request(plan.endpoint, wording.messages(values), wording.name, repeat=repeat)


def _numbered(claims: Sequence[Claim]) -> str:
    """Return the claims as numbered lines."""
    lines = (" ".join(each.text.split()) for each in claims)
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


class _Keeper(BatchWriter[tuple[int, Structured[ClaimLabelling]]]):
    """Writer that creates cases and turns replies into labels, in batches."""

    def __init__(self, ws: Workspace, plan: LabelPlan) -> None:
        super().__init__(_AT_ONCE)
        self._ws, self._plan = ws, plan
        self.asked = [each for each in plan.pairs if each.predicted.claims]
        self.states: Counter[str] = Counter()
        with ws.writing() as session:
            pairs = [(each.predicted, each.gold) for each in plan.pairs]
            add_attribution_cases(session, plan.project_id, pairs, ws.clock())
            self._cases = case_numbers(session, plan.project_id)
            standing = standing_labels(session, plan.project_id).values()
            self._told = {
                each.attribution_case_id: (each.llm_call_id, each.state)
                for each in standing
                if each.judge == plan.endpoint.model
            }
            empty = [each for each in plan.pairs if not each.predicted.claims]
            add_rows(session, [self._empty_labels(each) for each in empty])

    def take(self, at: int, reply: Structured[ClaimLabelling]) -> None:
        """Queue a reply for writing."""
        self.add((at, reply))

    def keep(self, batch: list[tuple[int, Structured[ClaimLabelling]]]) -> None:
        """Store the rows."""
        with self._ws.writing() as session:
            calls = call_ids(session, [found.replies[-1].key for _, found in batch])
            rows = [self._row(self.asked[at], found, calls) for at, found in batch]
            self.states.update(row.state for row in rows)
            add_rows(session, [row for row in rows if self._is_news(row)])

    def _row(
        self, each: ClaimsPair, reply: Structured[ClaimLabelling], calls: Mapping[str, int]
    ) -> ClaimLabels:
        """Return the row of an answer's labels."""
        counts = len(each.predicted.claims), len(each.gold.claims)
        labels = None if reply.value is None else read_labels(reply.value, *counts)
        last = reply.replies[-1]
        return ClaimLabels(
            attribution_case_id=self._case(each),
            judge=self._plan.endpoint.model,
            state=state_of(reply, labels is not None),
            labels=labels_json(labels or ()),
            raw=last.text,
            prompt_version=self._plan.wordings[each.case.language].version,
            llm_call_id=calls.get(last.key),
            at=self._ws.clock(),
        )

    def _empty_labels(self, each: ClaimsPair) -> ClaimLabels:
        """Return the empty labels of an answer without claims, which needs no call."""
        return ClaimLabels(
            attribution_case_id=self._case(each),
            judge=self._plan.endpoint.model,
            state=SAID,
            labels=[],
            at=self._ws.clock(),
        )

    def _case(self, each: ClaimsPair) -> int:
        """Return the id of the row that pairs an answer's claims with gold claims."""
        return self._cases[each.predicted.id, each.gold.id]

    def _is_news(self, row: ClaimLabels) -> bool:
        """Return True if the row differs from the latest stored one."""
        told = row.llm_call_id, row.state
        return row.llm_call_id is None or self._told.get(row.attribution_case_id) != told
