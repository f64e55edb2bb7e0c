"""Proposing candidates for every item: by citations first, then titles, then texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from time import perf_counter

from sqlmodel import Session, select

from annotation.batches.commands import BatchPlan, check_plan, make_batch
from annotation.batches.sampling import draw_audit
from annotation.gold.validity import Want, sets_to_compare
from annotation.people.roles import Act, reading_as
from annotation.work.audits import audited_labels
from construction.mapping import CandidateSet, propose
from corpus.citations.model import Reason, Resolution, normal
from corpus.long_work import Progress, keeping
from errors import UserError
from messages import say
from normalization.grouping import nested
from retrieval.core.model import Spec
from services.mapping.candidate_methods import (
    BLIND,
    CandidateMethod,
    Made,
    Propose,
    StandIn,
    candidate_method,
    keep_made,
    made_for,
    proposals,
)
from services.pace import CANDIDATES, keep_pace
from storage.db.workspace import Workspace
from storage.law.corpus import ItemQuestion, id_in_use, load_items, required_snapshot
from storage.mapping import newest_methods
from storage.overlap import curated
from storage.tables.core import Item
from storage.tasks import Task, of_task

_TASK = Task.CITATION_MAPPING


MISSING = 5  # missing instruments listed


@dataclass(frozen=True, slots=True)
class MissingInstrument:
    """An instrument missing in the corpus, with its numbers of citations and questions."""

    title: str
    citations: int
    questions: int


@dataclass(frozen=True, slots=True)
class CandidateReport:
    """Summary of a build.

    `items` counts those of the project, `built` those with a new candidate set, `kept` those with a
    current one. `citations` counts the citations of the built items by status, `reasons` the
    unresolved ones by reason, and `absent` those of instruments missing in the corpus; `citing`
    questions have citations. `missing` are the missing instruments cited most, `others` counts the
    rest. `for_decisions` counts sets made for decisions waiting for them, each by the method
    decided on or, where unavailable, as in `stand_ins`.
    """

    items: int
    built: int
    kept: int
    candidates: int
    seconds: float
    citations: dict[str, int] = field(default_factory=dict)
    absent: int = 0
    reasons: dict[str, dict[str, int]] = field(default_factory=dict)
    citing: int = 0
    missing: tuple[MissingInstrument, ...] = ()
    others: int = 0
    for_decisions: int = 0
    stand_ins: tuple[StandIn, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Return the report for ``--json`` output."""
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        plain["missing"] = [asdict(each) for each in self.missing]
        return plain | {"stand_ins": [each.as_dict() for each in self.stand_ins]}

    def lines(self, language: str = "en") -> list[str]:
        """Describe the outcome of the citations, and the instruments to import."""
        if not self.citations:
            return [say("data.candidates.no_citations", language)]
        count = sum(self.citations.values())
        lines = [say("data.candidates.citations", language, count=count, questions=self.citing)]
        for status, number in self.citations.items():
            reasons = [
                f"{each:,} {say(f'graph_report.why.{reason}', language)}"
                for reason, each in self.reasons.get(status, {}).items()
            ]
            line = say(f"data.candidates.{status}", language, count=number)
            lines.append(f"- {line}{': ' if reasons else ''}{'; '.join(reasons)}")
        if self.missing:
            one, others = "data.candidates.missing_one", "data.candidates.missing_others"
            named = [say(one, language, **asdict(each)) for each in self.missing]
            named += [say(others, language, others=self.others)] if self.others else []
            lines.append(say("data.candidates.missing", language, names="; ".join(named)))
        return lines


def build_candidates(
    ws: Workspace,
    project_slug: str,
    progress: Progress | None = None,
    proposer: Propose = propose,
    *,
    spec: Spec | None = None,
    by: int | None = None,
    only: Collection[int] | None = None,
) -> CandidateReport:
    """Propose candidates from the snapshot in use for every item without current ones.

    A question admitted from curation is not mapped, so it gets none. `spec` is the retrieval method
    for the texts, by default BM25; a question in a blind audit of its source's labels always gets
    the pool of the audit (`BLIND`). `only` are the ids of the items to build, None for all. A set
    is current when made from that snapshot by the same method and parameters. Candidates that
    decisions wait for (see `annotation.gold.validity`) are made as well, whatever the
    method. All sets of a build are stored together or not at all. `progress` gets (units read,
    units) while indexes are made, and then (items done, items to do).
    `by` is the requester, None for the operator. Raises UserError for `by` without permission, for
    an unknown project, for one without statutes or questions, and for an invalid spec.
    """
    began = perf_counter()
    with reading_as(ws, project_slug, by, Act.BUILD_CANDIDATES) as (session, project, _):
        snapshot = required_snapshot(session, project)
        every = load_items(session, project.id)
        admitted = set(session.exec(select(Item.id).where(of_task(project.id, _TASK), curated())))
        items = [
            each
            for each in every
            if each.item_id not in admitted and (only is None or each.item_id in only)
        ]
        audited = audited_labels(session, project.id).keys()
    if not every:
        raise UserError("questions_missing", slug=project_slug)
    at = ws, project_slug, snapshot.id
    ways = candidate_method(*at, spec, progress), candidate_method(*at, BLIND)
    build = _Build(project.id, snapshot.id, *ways, audited)
    with ws.reading() as session:
        todo, wants = build.plan(session, items)
    by_id = {each.item_id: each for each in items}
    beside = made_for(*at, wants, by_id, by, progress)
    ready = {
        each.item_id: Made(way, made)
        for way, some in build.split(todo)
        for each, made in zip(some, proposals(*at, way, some, by, progress, proposer), strict=True)
    }
    kept, also = _store_wanted(ws, build, todo, ready, beside.made)
    missing, seconds = _missing_instruments(kept), perf_counter() - began
    citations = [each for proposal in kept for each in proposal.citations]
    keep_pace(ws, CANDIDATES, len(kept), seconds)
    return CandidateReport(
        items=len(items),
        built=len(kept),
        kept=len(items) - len(kept),
        candidates=sum(len(proposal.candidates) for proposal in kept),
        seconds=seconds,
        citations=dict(sorted(Counter(str(each.status) for each in citations).items())),
        absent=sum(each.citations for each in missing),
        reasons=_by_reason(citations),
        citing=sum(bool(proposal.citations) for proposal in kept),
        missing=tuple(missing[:MISSING]),
        others=len(missing[MISSING:]),
        for_decisions=also,
        stand_ins=tuple(beside.stand_ins),
    )


def make_audit(
    ws: Workspace,
    project_slug: str,
    plan: BatchPlan,
    strata: str = "all",
    by: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Make a batch that audits a source's labels blind; return its id.

    `plan.sample` questions are drawn, and each gets its pool of candidates before it is given out:
    the source's labels among others, by nothing told apart. A plan that is refused leaves the
    candidates as they are. Raises UserError as `draw_audit`, :func:`build_candidates` and
    `make_batch` do.
    """
    drawn = draw_audit(ws, project_slug, plan.choice, plan.sample, plan.seed, strata, by)
    plan = replace(plan, audit=drawn)
    check_plan(ws, project_slug, plan, by)
    build_candidates(ws, project_slug, progress, spec=BLIND, by=by, only=drawn.labels.keys())
    return make_batch(ws, project_slug, plan, by)


@dataclass(frozen=True, slots=True)
class _Build:
    """A build from a snapshot, by the method asked for, and that of audited items."""

    project_id: int
    snapshot_id: int
    usual: CandidateMethod
    blind: CandidateMethod
    audited: Collection[int]

    def of(self, item_id: int) -> CandidateMethod:
        """Return the method for an item: blind for audited ones."""
        return self.blind if item_id in self.audited else self.usual

    def split(
        self, items: Sequence[ItemQuestion]
    ) -> Iterator[tuple[CandidateMethod, Sequence[ItemQuestion]]]:
        """Yield each method with its items."""
        for way in dict.fromkeys((self.usual.name, self.blind.name)):
            some = [each for each in items if self.of(each.item_id).name == way]
            if some:
                yield self.of(some[0].item_id), some

    def plan(
        self, session: Session, items: Sequence[ItemQuestion]
    ) -> tuple[list[ItemQuestion], list[Want]]:
        """Return the items to build, and the candidates that decisions wait for.

        The latter come first, as the newest set is shown.
        """
        newest = newest_methods(session, self.project_id)
        ways = {each.item_id: self.of(each.item_id).name for each in items}
        lacking = {
            item for item, way in ways.items() if newest.get(item) != (self.snapshot_id, way)
        }
        wants = [
            each
            for each in sets_to_compare(session, self.project_id, self.snapshot_id)
            if each.item_id in ways
            and (each.method != ways[each.item_id] or each.item_id not in lacking)
        ]
        lacking |= {each.item_id for each in wants}
        return [each for each in items if each.item_id in lacking], wants


def _store_wanted(
    ws: Workspace,
    build: _Build,
    todo: Sequence[ItemQuestion],
    ready: Mapping[int, Made],
    for_decisions: Mapping[Want, Made],
) -> tuple[list[CandidateSet], int]:
    """Store the proposals still wanted; return them and the number stored for decisions.

    Another build may have ended meanwhile, whose equal sets stay newest; or other law may be in
    use, and then none are wanted.
    """
    with keeping(), ws.writing() as session:
        if id_in_use(session, build.project_id) != build.snapshot_id:
            return [], 0
        now, wants = build.plan(session, todo)
        wanted = [(e.item_id, for_decisions[e]) for e in wants if e in for_decisions]
        shown = [(each.item_id, ready[each.item_id]) for each in now]
        also = keep_made(ws, session, build.snapshot_id, wanted)
        keep_made(ws, session, build.snapshot_id, shown)
        return [made.proposal for _, made in shown], also


def _by_reason(citations: Iterable[Resolution]) -> dict[str, dict[str, int]]:
    """Count the citations with a reason, by status and within it by reason, most frequent first."""
    known = (each for each in citations if each.reason is not None)
    counts = Counter((str(each.status), str(each.reason)) for each in known)
    ranked = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return nested((status, reason, count) for (status, reason), count in ranked)


def _missing_instruments(proposals: Sequence[CandidateSet]) -> list[MissingInstrument]:
    """Return the instruments missing in the corpus, by falling number of citing questions.

    Spellings that differ in spaces or brackets only count as one, under the most frequent.
    """
    spellings: dict[str, Counter[str]] = {}
    questions: Counter[str] = Counter()
    for proposal in proposals:
        here = set()
        for each in proposal.citations:
            if each.reason is Reason.NO_SUCH_INSTRUMENT:
                title = " ".join((each.instrument_title or each.citation.text).split())
                here.add(key := normal(title))
                spellings.setdefault(key, Counter())[title] += 1
        questions.update(here)
    ordered = sorted(spellings, key=lambda key: (-questions[key], -spellings[key].total(), key))
    return [
        MissingInstrument(
            min(spellings[key], key=lambda title: (-spellings[key][title], title)),
            spellings[key].total(),
            questions[key],
        )
        for key in ordered
    ]
