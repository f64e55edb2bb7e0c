"""Gold, derived from submissions and adjudications on every call and never stored.

The rule, in order: an item on which an adjudicator decided is gold by that decision; a complete
item whose submissions agree, and are neither unsure nor flagged, is gold by agreement (``single``
if an item takes only one), or by ``consensus`` if it had been sent back and everybody has answered
since; every other item is pending, with its reasons. Unsure never counts as accepting.

Gold applies to one snapshot of the law, the one in use unless another is given. If it does not hold
for that snapshot (see `annotation.gold.validity`), the item is pending with the reason ``amended``,
or with ``no_candidates`` if that is unknown until candidates have been built from it.

The gold of a question admitted from curation follows from the curation alone
(`annotation.gold.curated`).

Annotators see the gold of the items that they have submitted and can no longer change
(`annotation.work.visibility`); every other item is pending: as ``unseen`` if they have not
submitted it, whatever its outcome, else with what they can do about it. For a disputed one they see
only ``adjudication``.

Judged negatives: provisions that all who decided a question explicitly rejected.

A provision counts as rejected if each submission on a settled question rejects it, or if
submissions label it relevant or unsure and the adjudicator leaves it out. A provision without a
label was not judged and is no negative; nor is anything of a question that inherits its gold, on
which nobody decided.

Number of final and pending questions, as shown on every page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal
from weakref import WeakKeyDictionary

from sqlalchemy import String, cast, exists
from sqlalchemy.pool import Pool
from sqlmodel import Session, col, func, select

from annotation.adjudication.decisions import Cause, Settled, current_decisions, reasons
from annotation.gold.lineage import (
    DECIDED,
    SUBMITTED,
    LineageEntry,
    Outcome,
    WhyCurated,
    lineage_of,
    rejected_by_all,
)
from annotation.gold.validity import GoldBasis, lost_gold
from annotation.people.roles import Act, reading_as
from annotation.work.discussions import Discussion, discussions
from annotation.work.submissions import (
    Decision,
    Submission,
    complete,
    is_current,
    shared_evidence,
)
from annotation.work.visibility import answered, is_blind, reopened, sent_back_to, submitted_by
from corpus.model import Question
from storage.db.engines import WRITE
from storage.db.workspace import Workspace
from storage.law.corpus import SnapshotView, id_in_use, project_snapshots, question_of, units_called
from storage.law.counterparts import counterparts
from storage.overlap import curated
from storage.projects import ProjectView
from storage.reformulation import Parentage, parentages
from storage.tables.core import Annotation, Item, QuestionRow
from storage.tasks import Task

Unheld = Literal["amended", "no_candidates"]
Pending = Literal[
    Cause,
    Unheld,
    WhyCurated,
    "not_begun",
    "waiting",
    "sent_back",
    "given_back",
    "unseen",
    "adjudication",
]
# Reasons that reveal nothing of decisions.
_OPEN_TO_ALL = ("not_begun", "waiting", "sent_back", "amended", "no_candidates")


@dataclass(frozen=True, slots=True)
class GoldItem:
    """The gold of one item.

    `units` are semantic ids, ascending, of the snapshot `snapshot_id`; empty while pending and for
    "no provision". `pending` has the reasons why an item is pending: no submission yet, waiting for
    more, sent back, causes for adjudication, an amendment, or missing candidates; `amended` then
    names the units that differ from what was judged, and `snapshot_id` is still that of the law
    judged. `lineage` are the decisions that the gold rests on, in order of time; empty until the
    item is complete, as nobody may read them before.

    `grades` are graded relevance values from the question's source. `rejected` are the units that
    all who decided rejected (`annotation.gold.derivation`), ascending. For a question made of an
    option of another, `inherited` names that one: all but its id and text is the other's, including
    `item_id`, since that is what people decided on. `evidence` has the words of units that answer
    (`annotation.mapping.evidence`): as adjudicated, else what all who marked any have in common.
    """

    item_id: int
    external_id: str
    question: str
    outcome: Outcome
    no_provision: bool = False
    units: tuple[str, ...] = ()
    pending: tuple[Pending, ...] = ()
    snapshot_id: int | None = None
    lineage: tuple[LineageEntry, ...] = ()
    amended: tuple[str, ...] = ()
    inherited: Parentage | None = None
    grades: Mapping[str, int] = field(default_factory=dict)
    rejected: tuple[str, ...] = ()
    evidence: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def settled(self) -> bool:
        """True if the item is gold."""
        return self.outcome != "pending"

    def withheld(self, pending: tuple[Pending, ...], **more: Any) -> GoldItem:
        """Return the item as pending for these reasons, without its gold."""
        none: dict[str, Any] = {"no_provision": False, "units": (), "rejected": (), "evidence": {}}
        return replace(self, outcome="pending", pending=pending, **none, **more)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A project's gold as it was decided, on whatever law, and what that was read from.

    `items` are in order, `bases` what the settled ones rest on. `questions` are all of the project
    by external id, `made` has the origin of those made of options, `laws` the snapshots by id.
    `submitted` and `talks` are the complete submissions and the discussions, by item.
    """

    items: Sequence[GoldItem]
    bases: Sequence[GoldBasis]
    questions: Mapping[str, Question]
    made: Mapping[str, Parentage]
    laws: Mapping[int, SnapshotView]
    submitted: Mapping[int, list[Submission]]
    talks: Mapping[int, Discussion]


def read_evidence(session: Session, project: ProjectView, *, sources: bool = False) -> Evidence:
    """Read what the project's gold is derived from; of incomplete items no submission.

    `sources`: with the citations and imported files that the decisions go back to.
    """
    begun = exists().where(col(Annotation.item_id) == col(Item.id), is_current())
    query = (
        select(QuestionRow, Item.id, begun, curated())
        .outerjoin(Item)
        .where(QuestionRow.project_id == project.id)
        .order_by(col(Item.order), col(QuestionRow.id))
    )
    rows = [(question_of(row), *rest) for row, *rest in session.exec(query)]
    laws = {each.id: each for each in project_snapshots(session, project)}
    admitted: dict[int, tuple[dict[str, Any], GoldBasis]] = {}
    if any(from_curation for *_, from_curation in rows):
        from annotation.gold.curated import curated_gold  # loaded only if there are any

        admitted = curated_gold(session, project.id, laws)
    submitted, decided = complete(session, project.id), current_decisions(session, project.id)
    talks = discussions(session, project.id, task=Task.CITATION_MAPPING)
    lineage = lineage_of(session, project.id, submitted, decided, talks, laws, sources)
    items, bases = [], []
    for question, number, has_submission, _ in rows:
        if number is None:  # made of an option of another
            continue
        item = GoldItem(number, question.external_id, question.text, "pending")
        if number in admitted:
            gold, basis = admitted[number]
            item = replace(item, **gold)
        else:
            item = replace(item, grades=dict(question.grades), lineage=lineage.get(number, ()))
            said, talk = submitted.get(number, []), talks.get(number)
            item, basis = _gold_and_basis(item, said, decided.get(number), has_submission, talk)
        items.append(item)
        if item.settled:
            bases.append(basis)
    questions = {question.external_id: question for question, *_ in rows}
    made = parentages(session, project.id)
    return Evidence(items, bases, questions, made, laws, submitted, talks)


_MAX_CACHED = 2  # states of a database; the evidence of 10,000 questions takes some megabytes
# By the connections to the database, which are new when another file takes its place.
_cached: WeakKeyDictionary[Pool, dict[tuple[object, ...], Evidence]] = WeakKeyDictionary()


def evidence_of(session: Session, project: ProjectView) -> Evidence:
    """Return :func:`read_evidence`, read once per state of the database; not to be changed."""
    from storage.tables.every import newest_rows

    bind = session.get_bind()
    if bind.get_execution_options().get(WRITE):  # may yet be rolled back
        return read_evidence(session, project)
    known = _cached.setdefault(bind.engine.pool, {})
    key = (project, newest_rows(session), _length_of_questions(session))
    found = known.get(key)
    if found is None:
        found = read_evidence(session, project)
        for old in list(known)[: 1 - _MAX_CACHED]:
            known.pop(old, None)
        known[key] = found
    return found


def _length_of_questions(session: Session) -> object:
    """Return a value that changes when a question gains an answer, which adds no row."""
    lengths = (col(each) for each in (QuestionRow.answer, QuestionRow.jurisdiction))
    source = func.length(cast(col(QuestionRow.source), String))
    query = select(func.sum(source), *(func.sum(func.length(each)) for each in lengths))
    return tuple(session.exec(query).one())


def derive(
    ws: Workspace, project_slug: str, snapshot_id: int | None = None, by: int | None = None
) -> list[GoldItem]:
    """Return every item of a project, in order, with its gold for a snapshot.

    The questions made of options come last, with the gold of their parents. The snapshot is the one
    in use unless `snapshot_id` gives another of the project. `by` is the reader (None: the
    operator). Raises UserError for an unknown project or person.
    """
    with reading_as(ws, project_slug, by, Act.SEE_GOLD) as (session, project, who):
        evidence = read_evidence(session, project, sources=True)
        items = derived(session, evidence, snapshot_id or id_in_use(session, project.id))
        if who is None or not is_blind(who):
            return items
        talks = sent_back_to(session, who)
        again = reopened(session, who, talks=talks)
        shown = answered(session, who, again)
        # The pending reason shown for each of the person's own submitted items.
        own: dict[int, Pending] = dict.fromkeys(submitted_by(session, who), "waiting")
        own |= dict.fromkeys(again, "amended")
        own |= {item: _discussion_reason(talk) for item, talk in talks.items()}
    return [
        _as_blind(item, shown is None or item.item_id in shown, own.get(item.item_id))
        for item in items
    ]


def derived(session: Session, evidence: Evidence, snapshot_id: int | None) -> list[GoldItem]:
    """`derive` for the operator, from `evidence`, for a snapshot (None: before the first)."""
    lost = {} if snapshot_id is None else lost_gold(session, evidence.bases, snapshot_id)
    items = {item.item_id: item for item in evidence.items}
    for number, why in lost.items():
        pending: Pending = "no_candidates" if why.waiting else "amended"
        items[number] = items[number].withheld((pending,), amended=why.units)
    made = (
        replace(
            items[of.item_id],
            external_id=name,
            question=evidence.questions[name].text,
            inherited=of,
            rejected=(),
        )
        for name, of in evidence.made.items()
    )
    return [*items.values(), *made]


def gold_in(session: Session, project: ProjectView) -> list[GoldItem]:
    """Return every item with its gold for the law in use, without inheriting questions."""
    items = derived(session, evidence_of(session, project), id_in_use(session, project.id))
    return [item for item in items if item.inherited is None]


def _discussion_reason(talk: Discussion) -> Pending:
    return "given_back" if talk.alone else "sent_back"


def _as_blind(item: GoldItem, may_see: bool, own: Pending | None) -> GoldItem:
    """Return the item as shown to an annotator.

    `may_see`: whether they may see its outcome; `own` is the pending reason shown otherwise.
    """
    if item.settled and may_see:
        return item
    pending = item.pending
    if not may_see:
        pending = (own or "unseen",)
    elif pending == ("given_back",):  # hides that it was sent back to one person alone
        pending = ("sent_back",)
    elif not set(pending) <= set(_OPEN_TO_ALL):
        pending = ("adjudication",)
    amended = item.amended if may_see else ()
    return item.withheld(pending, amended=amended, snapshot_id=None, lineage=())


def _gold_and_basis(
    item: GoldItem,
    submissions: Sequence[Submission],
    decision: Settled | None,
    begun: bool,
    talk: Discussion | None,
) -> tuple[GoldItem, GoldBasis]:
    """Return an item's gold from submissions or the adjudicator's decision, and what it rests on.

    `item` has its question and lineage.
    """
    outcome, pending = _outcome(submissions, decision, begun, talk)
    item = replace(item, outcome=outcome, pending=pending)
    if decision is not None:
        gold: dict[str, Any] = {
            "no_provision": decision.no_provision,
            "units": {each.semantic_id for each in decision.units},
            "evidence": {e.semantic_id: e.evidence for e in decision.units if e.evidence},
            "snapshot_id": decision.snapshot_id,
        }
        numbers, sets = decision.unit_ids, [decision.candidate_set_id]
    elif item.settled:
        gold = {
            "no_provision": submissions[0].no_provision,
            "units": submissions[0].accepted,
            "evidence": {**shared_evidence(submissions)},
            "snapshot_id": max(each.snapshot_id for each in submissions),
        }
        said = (label for each in submissions for label in each.labels)
        numbers = tuple(each.unit_id for each in said if each.label == Decision.ACCEPT)
        sets = [each.candidate_set_id for each in submissions]
    else:
        return item, GoldBasis(item.item_id, (), ())
    rejected = rejected_by_all(item.lineage, gold["units"])
    gold["units"] = tuple(sorted(gold["units"]))
    return replace(item, rejected=rejected, **gold), GoldBasis(item.item_id, numbers, tuple(sets))


def _outcome(
    submissions: Sequence[Submission],
    decision: Settled | None,
    begun: bool,
    talk: Discussion | None,
) -> tuple[Outcome, tuple[Pending, ...]]:
    """Return whether an item has gold (adjudicated, agreed), or is pending and why."""
    if decision is not None:
        return "adjudicated", ()
    if talk is not None and talk.open:
        return "pending", (_discussion_reason(talk),)
    if not submissions:
        return "pending", ("waiting",) if begun else ("not_begun",)
    if found := reasons(submissions, talk):
        return "pending", found
    if len(submissions) == 1:
        return "single", ()
    return ("agreed" if talk is None else "consensus"), ()


def rejections_for(
    session: Session, items: Iterable[GoldItem], snapshot_id: int
) -> dict[str, tuple[str, ...]]:
    """Return the rejected units per question whose wording in the snapshot is the one judged."""
    having = [item for item in items if item.rejected]
    laws = {item.external_id: _decision_snapshots(item) - {snapshot_id} for item in having}
    judged_on: dict[int, set[str]] = {}
    for item in having:
        for law in laws[item.external_id]:
            judged_on.setdefault(law, set()).update(item.rejected)
    changed = {law: _changed(session, law, judged_on[law], snapshot_id) for law in judged_on}
    found = {}
    for item in having:
        gone = {unit for law in laws[item.external_id] for unit in changed[law]}
        found[item.external_id] = tuple(unit for unit in item.rejected if unit not in gone)
    return {query: units for query, units in found.items() if units}


def judged_pairs(
    ws: Workspace, project_slug: str, items: Sequence[GoldItem], by: int | None = None
) -> dict[str, int]:
    """Return the numbers of relevant (``pairs``) and ``rejected`` pairs for the law in use."""
    with reading_as(ws, project_slug, by, Act.SEE_GOLD) as (session, project, _):
        law = id_in_use(session, project.id)
        rejected = {} if law is None else rejections_for(session, items, law)
    return {
        "pairs": sum(len(item.units) for item in items),
        "rejected": sum(map(len, rejected.values())),
    }


def _decision_snapshots(item: GoldItem) -> set[int]:
    """Return the ids of the snapshots on which an item was submitted or decided."""
    return {each.snapshot_id for each in item.lineage if each.kind in (*SUBMITTED, *DECIDED)}


def _changed(session: Session, law: int, semantic_ids: set[str], snapshot_id: int) -> set[str]:
    """Return which of the units of a law are gone or have another wording in the snapshot."""
    numbers = units_called(session, law, semantic_ids)
    there = counterparts(session, numbers.values(), snapshot_id)
    return {name for name in numbers if not there[numbers[name]].same}


@dataclass(frozen=True, slots=True)
class GoldCounts:
    """Numbers of questions by gold outcome.

    `outcomes` counts them by how they became final, or as ``pending``; together they are `total`.
    `no_provision` counts final ones without a provision in the corpus. `reasons` counts why
    questions are pending: one may have several. `inheriting` counts the questions made of options
    of others, which nobody decides on separately, `inheriting_final` those of them with final gold;
    neither is in any other count.
    """

    outcomes: Mapping[Outcome, int]
    no_provision: int
    reasons: Mapping[Pending, int]
    inheriting: int
    inheriting_final: int

    @property
    def total(self) -> int:
        """All questions that people decide on."""
        return sum(self.outcomes.values())

    @property
    def pending(self) -> int:
        """Questions that are not final."""
        return self.outcomes.get("pending", 0)

    @property
    def final(self) -> int:
        """Questions with gold, including "no provision"."""
        return self.total - self.pending


def count_gold(items: Iterable[GoldItem]) -> GoldCounts:
    """Count the items that `annotation.gold.derivation.derive` returns."""
    every = list(items)
    own = [item for item in every if item.inherited is None]
    made = [item for item in every if item.inherited is not None]
    return GoldCounts(
        outcomes=Counter(item.outcome for item in own),
        no_provision=sum(item.settled and item.no_provision for item in own),
        reasons=Counter(reason for item in own for reason in item.pending),
        inheriting=len(made),
        inheriting_final=sum(item.settled for item in made),
    )
