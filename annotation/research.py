"""The form of research, the authorities under it, and its disputes.

A passage and a step of the trail are objects:

    {"collection": "statutes", "id": "건축법_64조", "start": 0, "end": 24, "quote": "…"}
    {"step": "query", "query": "…", "found": {"statutes": [3, 7]}}     # texts, matches
    {"step": "open", "collection": "cases", "id": "2019다1234"}

Offsets count characters (code points) of the authority's text, and `quote` is what stands there.
The trail only ever grows: each answer to it is the one before with one step more.

Authorities (provisions and court cases) and the question under research.

Disputes on researched questions: whether there is a passage, and where.

The provisions that a researched question rests on: those with gold passages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NoReturn

from sqlmodel import Session, col, select

from annotation.forms.disputes import Disputes
from annotation.forms.form import Answers
from annotation.forms.submissions import answers_in
from annotation.gold.resting import Resting, Rests, Scope, Via
from annotation.people.roles import ProjectMember, annotator
from annotation.tasks.form import DeclaredForm
from annotation.tasks.reading import packaged
from annotation.tasks.spec import StageSpec
from annotation.work.queue_service import ItemView
from annotation.work.submissions import checked_text, is_current, says_something
from errors import UserError, Where
from retrieval.connectors.query import LONGEST
from storage.cases import case_named
from storage.db.workspace import Workspace
from storage.law.passages import placed_passages_named
from storage.tables.core import CandidateSet, Item, QuestionRow
from storage.tasks import Task, of_task

STATUTES, CASES = "statutes", "cases"
COLLECTIONS = (STATUTES, CASES)


@dataclass(frozen=True, slots=True)
class Researched:
    """A question as its researcher sees it; `choices` may be empty."""

    external_id: str
    text: str
    choices: tuple[str, ...]
    answer: str
    language: str
    area: str


def own_question(ws: Workspace, person_id: int, item: ItemView) -> Researched:
    """Return the question of the item that the person has open.

    Raises UserError for a person who does not annotate.
    """
    with ws.reading() as session:
        who = annotator(session, person_id)
        return question_in(session, who.project_id, item.subject_id)


def question_in(session: Session, project_id: int, question_id: int) -> Researched:
    """Return a question of the project. Raises UserError for any other."""
    row = session.get(QuestionRow, question_id)
    if row is None or row.project_id != project_id:
        raise UserError("research_question", id=question_id)
    source = row.source
    choices = source.get("choices") or source.get("options") or ()
    columns = source.get("columns") or {}
    area = source.get("area") or (columns.get("area") if isinstance(columns, dict) else "")
    return Researched(
        row.external_id,
        row.text,
        tuple(map(_choice_text, choices)) if isinstance(choices, list | tuple) else (),
        row.answer,
        row.language,
        str(area or ""),
    )


def _choice_text(choice: object) -> str:
    """Return a choice of a question as text, after its label if it has one."""
    if isinstance(choice, dict):
        label, text = str(choice.get("label", "")), str(choice.get("text", ""))
        return f"{label}. {text}" if label else text
    return str(choice)


def shown_snapshots(session: Session, item_id: int) -> Sequence[int]:
    """Return the ids of the snapshots that an item has shown, newest first, deduplicated."""
    query = select(CandidateSet.snapshot_id).where(CandidateSet.item_id == item_id)
    return list(dict.fromkeys(session.exec(query.order_by(col(CandidateSet.id).desc()))))


def authority_text(
    session: Session, project_id: int, snapshot_id: int, collection: str, name: str
) -> str | None:
    """Return the text of a provision or court case, None where there is none of that id."""
    if collection == CASES:
        try:
            return case_named(session, project_id, name).text
        except UserError:
            return None
    found = placed_passages_named(session, snapshot_id, [name]).get(name)
    return None if found is None else found.passage.text


RULE, TERMS, OUTCOME, PASSAGES, TRAIL = "rule", "terms", "outcome", "passages", "trail"
FOUND, NONE = "found", "none"
QUERY, OPEN = "query", "open"
MOST_PASSAGES = 10
MOST_STEPS = 1_000
LONGEST_PASSAGE = 10_000  # characters
_PASSAGE = {"collection", "id", "start", "end", "quote"}


class Research(DeclaredForm):
    """The form of research."""

    def check(self, field: str, value: Any, answers: Answers) -> Any:
        """Return the value in its stored form; a trail is the one before with one step more."""
        kept = super().check(field, value, answers)
        if field == TRAIL and kept[:-1] != list(answers.get(TRAIL, ())):
            raise UserError("research_trail", Where(field=field))
        return kept

    def record(self, field: str, value: Any) -> Any:
        """Return a text, passages, or the trail in their stored form."""
        if field in (RULE, TERMS):
            return checked_text(value if isinstance(value, str) else _refuse(field, value), field)
        return _passages(field, value) if field == PASSAGES else _trail(field, value)

    def known(self, session: Session, item: Item, field: str, value: Any, answers: Answers) -> Any:
        """Return a checked value; passages must match the law that was shown."""
        if field == PASSAGES:
            _refuse_mismatch(session, item, value)
        return value

    def clear(self, field: str, answers: Answers) -> None:
        """Raise UserError for the trail, which cannot be cleared."""
        if field == TRAIL:
            raise UserError("research_trail", Where(field=field))

    def refuse_unanswered(self, answers: Answers, stage: StageSpec | None = None) -> None:
        """Raise UserError without an outcome, and for one that does not go with the rest."""
        super().refuse_unanswered(answers, stage)
        found, passages = answers[OUTCOME] == FOUND, bool(answers.get(PASSAGES))
        if found and not passages:
            raise UserError("research_no_passage", Where(field=PASSAGES))
        if not found and passages:
            raise UserError("research_passage_none", Where(field=OUTCOME))
        if found and not says_something(answers.get(RULE, "")):
            raise UserError("research_no_rule", Where(field=RULE))

    def decided(self, session: Session, item: Item, answers: Answers) -> dict[str, Any]:
        """Return an adjudicator's answers in their stored form, without a trail."""
        return super().decided(session, item, {k: v for k, v in answers.items() if k != TRAIL})

    def read_back(self, session: Session, item: Item, field: str, value: Any) -> Any:
        """Return a value read from a file in its stored form."""
        return self.known(session, item, field, self.checked(field, value), {})

    def options_named(self, field: str, value: Any) -> tuple[str, ...]:
        """Return the outcome, or the authorities of passages."""
        if field == PASSAGES:
            return authorities_in(value)
        return (str(value),) if field == OUTCOME else ()

    def with_options_replaced(self, value: Any, becomes: Mapping[str, str]) -> Any:
        """Return the outcome with its option replaced; passages have none."""
        return becomes.get(value, value) if isinstance(value, str) else value

    def graded(self, answers: Answers) -> dict[str, Any]:
        """Return the outcome and the authorities; passages may be cut differently."""
        authorities = list(authorities_in(answers.get(PASSAGES, ())))
        return {OUTCOME: answers.get(OUTCOME), PASSAGES: authorities}


def authorities_in(passages: Any) -> tuple[str, ...]:
    """Return the authorities of passages as ``<collection>:<id>``, sorted and deduplicated."""
    return tuple(sorted({f"{each['collection']}:{each['id']}" for each in passages}))


def _refuse_mismatch(session: Session, item: Item, passages: list[dict[str, Any]]) -> None:
    """Raise UserError for a passage that does not match the text of its authority."""
    snapshots = shown_snapshots(session, item.id or 0)
    for each in passages:
        texts = (
            authority_text(session, item.project_id, number, each["collection"], each["id"])
            for number in snapshots
        )
        if not any(
            text is not None and text[each["start"] : each["end"]] == each["quote"]
            for text in texts
        ):
            raise UserError("research_elsewhere", Where(field=PASSAGES), id=each["id"])


def _refuse(field: str, value: Any) -> NoReturn:
    """Raise the error of an invalid value."""
    raise UserError("research_value", Where(field=field), value=str(value)[:60])


def _passages(field: str, value: Any) -> list[dict[str, Any]]:
    """Check the passages of an answer; duplicates are dropped."""
    if not isinstance(value, list) or len(value) > MOST_PASSAGES:
        raise UserError("research_passages", Where(field=field), most=MOST_PASSAGES)
    place = itemgetter("collection", "id", "start", "end")
    kept = {place(each): each for each in (_passage(field, each) for each in value)}
    return [kept[each] for each in sorted(kept)]


def _passage(field: str, value: Any) -> dict[str, Any]:
    """Check a passage: authority, span and quote."""
    if not isinstance(value, dict) or value.keys() != _PASSAGE:
        _refuse(field, value)
    start, end, quote = value["start"], value["end"], value["quote"]
    if type(start) is not int or type(end) is not int or not 0 <= start < end:
        _refuse(field, value)
    if not isinstance(quote, str) or not 0 < len(quote) <= LONGEST_PASSAGE:
        _refuse(field, value)
    return {**_authority(field, value), "start": start, "end": end, "quote": quote}


def _authority(field: str, value: Mapping[str, Any]) -> dict[str, str]:
    """Check an authority: its collection and id."""
    collection, name = value.get("collection"), value.get("id")
    if collection not in COLLECTIONS or not isinstance(name, str) or not 0 < len(name) <= 500:
        _refuse(field, value)
    return {"collection": str(collection), "id": name}


def _trail(field: str, value: Any) -> list[dict[str, Any]]:
    """Check the search trail of an answer."""
    if not isinstance(value, list) or not 0 < len(value) <= MOST_STEPS:
        raise UserError("research_steps", Where(field=field), most=MOST_STEPS)
    return [_step(field, each) for each in value]


def _step(field: str, value: Any) -> dict[str, Any]:
    """Check a step of the search trail: an authority opened, or a search."""
    if isinstance(value, dict) and value.get("step") == OPEN:
        if value.keys() != {"step", "collection", "id"}:
            _refuse(field, value)
        return {"step": OPEN, **_authority(field, value)}
    if not isinstance(value, dict) or value.keys() != {"step", "query", "found"}:
        _refuse(field, value)
    query, found = value["query"], value["found"]
    if value["step"] != QUERY or not isinstance(query, str) or not 0 < len(query) <= 2 * LONGEST:
        _refuse(field, value)
    if not isinstance(found, dict) or not all(map(_is_valid_count, found.items())):
        _refuse(field, value)
    return {"step": QUERY, "query": query, "found": dict(sorted(found.items()))}


def _is_valid_count(each: tuple[Any, Any]) -> bool:
    """Return True for a collection with its two counts of results."""
    name, counts = each
    numbers = isinstance(counts, list) and len(counts) == 2
    return name in COLLECTIONS and numbers and all(type(n) is int and n >= 0 for n in counts)


FORM = Research(packaged(Task.RESEARCH))


class ResearchDisputes(Disputes):
    """Research disputes: a decision names the gold passages; trails stay as submitted."""

    def question(self, session: Session, who: ProjectMember, item: Item) -> Researched:
        """Return the question as its researchers see it."""
        return question_in(session, who.project_id, item.subject_id or 0)


DISPUTES = ResearchDisputes(Task.RESEARCH)


class ResearchResting(Resting):
    """The reader of `annotation.gold.resting` for researched questions."""

    def rests(self, scope: Scope, items: Sequence[Item]) -> list[Rests]:
        """Return the provisions of each question's passages, in the law they were marked in."""
        marked = _passage_places(scope)
        return [Rests(each.id or 0, places=tuple(marked.get(each.id or 0, ()))) for each in items]


def _passage_places(scope: Scope) -> dict[int, list[tuple[str, int, Via]]]:
    """Return [unit, snapshot, how] of the passages that the reader may see, by item."""
    rows = scope.current_submissions(Task.RESEARCH)
    here = of_task(scope.project_id, Task.RESEARCH)
    found: dict[int, set[tuple[str, int, Via]]] = {}
    for number, said in answers_in(scope.session, here, is_current()).items():
        if number not in rows:
            continue
        item, snapshot = rows[number]
        for each in said.get(PASSAGES, ()):
            if each["collection"] == STATUTES:
                found.setdefault(item, set()).add((each["id"], snapshot, "gold"))
    return {item: sorted(places) for item, places in found.items()}


RESTS = ResearchResting()
