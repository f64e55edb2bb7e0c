"""A court case as its tagger may see it, and their progress by sub-factor.

Every query is filtered by the person. Models' suggestions are left out until they may be seen:
never if the project hides them, and if they are shown after answering, only those on sub-factors
that the person has answered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from annotation.forms.form import Answers
from annotation.people.roles import annotator, require_item
from annotation.tagging.codebook import book_of
from annotation.tagging.form import Asking, asking_of, asking_under
from annotation.tagging.suggestion_visibility import groups_shown
from annotation.tagging.tags import joined
from annotation.work.draft import fold, own_events
from annotation.work.open_item import line_up
from annotation.work.queue_service import ItemView
from annotation.work.submissions import is_current
from annotation.work.versioned_texts import TYPOLOGY
from construction.tagging.codebook import Factor, SubFactor, parts
from construction.tagging.likely import Span, likely_sentences
from corpus.cases.model import Judgment
from messages import LANGUAGES
from normalization.grouping import grouped
from storage.cases import case_of, judgment_of
from storage.db.columns import view_of
from storage.db.workspace import Workspace
from storage.subjects import shown_items, shown_of
from storage.tables.cases import FactorSuggestion
from storage.tables.core import Annotation, AnnotationAnswer, Item
from storage.tagging import suggested
from storage.tasks import Task

SHOWN, AFTER = "shown", "after"
DIGITS = 10  # options of a sub-factor that a digit can choose


@dataclass(frozen=True, slots=True)
class Suggested:
    """A model's suggestion for a sub-factor; `start` and `end` are the span of its quotation."""

    model: str
    state: str
    options: tuple[str, ...]
    quote: str
    start: int | None
    end: int | None


@dataclass(frozen=True, slots=True)
class TagCase:
    """A court case with its sub-factors, by factor in the codebook's order.

    `groups` are the names of its standard groups, by key and language: the key itself where the
    typology no longer has it. `joined` are those that it was put into since the person submitted
    it. `counts` is how often the person has given each option, for sub-factors with more options
    than there are digits. `anything_suggested`: models have suggestions for the case. `likely` are
    spans of sentences with the terms of a sub-factor: they follow from its words and the judgment,
    not from anybody's answer, so everybody may see them.
    """

    case: Judgment
    groups: Mapping[str, Mapping[str, str]]
    joined: tuple[str, ...]
    asked: tuple[tuple[Factor, tuple[SubFactor, ...]], ...]
    setting: str
    anything_suggested: bool
    suggestions: Mapping[str, tuple[Suggested, ...]]
    likely: Mapping[str, tuple[Span, ...]]
    counts: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Progress:
    """The number of the person's cases in which a sub-factor applies, and is answered."""

    factor: Factor
    sub: SubFactor
    done: int
    asked: int


def own_case(ws: Workspace, person_id: int, item: ItemView) -> TagCase:
    """Return the court case of the item that the person has open.

    Raises UserError for a person who does not annotate, and for a case of another project.
    """
    with ws.reading() as session:
        who = annotator(session, person_id)
        case = case_of(session, item.subject_id, who.project_id)
        asking = asking_of(session, session.get_one(Item, item.item_id))
        many = [key for key, sub in asking.subs.items() if len(sub.options) > DIGITS]
        names = parts(TYPOLOGY.current(session, who.project_id)[1])
        later = joined(session, who.project_id, who.person_id, item.item_id)
        return TagCase(
            case=judgment_of(case),
            groups={key: names.get(key, dict.fromkeys(LANGUAGES, key)) for key in asking.groups},
            joined=later[0].groups if later else (),
            asked=_by_factor(asking),
            setting=str(item.shown["suggestions"]),
            anything_suggested=bool(item.shown["suggested"]),
            suggestions=_visible_suggestions(session, item.subject_id, item.shown, item.answers),
            likely=likely_sentences(case.text, case.language, tuple(asking.subs.values())),
            counts=_own_counts(session, who.person_id, many),
        )


def suggestions_after(
    ws: Workspace, person_id: int, item_id: int
) -> Mapping[str, tuple[Suggested, ...]] | None:
    """Return the suggestions for the sub-factors that the person has answered so far.

    None if suggestions are not shown after answering, or if the case has none.
    """
    with ws.reading() as session:
        item = require_item(session, annotator(session, person_id), item_id)
        draft = fold(own_events(session, person_id, item_id))
        begun = draft.candidate_set_id
        shown = {} if begun is None else shown_of(session, begun)
        if shown.get("suggestions") != AFTER or not shown["suggested"]:
            return None
        return _visible_suggestions(session, item.subject_id or 0, shown, draft.answers)


def progress(ws: Workspace, person_id: int) -> list[Progress]:
    """Return the person's progress by sub-factor, in the codebook's order."""
    done, asked = Counter[str](), Counter[str]()
    named: dict[str, tuple[Factor, SubFactor]] = {}
    with ws.reading() as session:
        who = annotator(session, person_id)
        askings = _askings(session, who.project_id)
        for line in line_up(session, who, ws.clock(), task=Task.FACTOR_TAGGING):
            asking = askings[line.item_id]
            for factor, subs in _by_factor(asking):
                named |= {sub.key: (factor, sub) for sub in subs}
            answers = fold(own_events(session, person_id, line.item_id)).answers
            here = asking.applicable(answers)
            asked.update(here.keys())
            done.update(here.keys() & answers.keys())
        order = book_of(session, who.project_id)[0].order
    return [Progress(*named[key], done[key], asked[key]) for key in order if key in asked]


def next_along(ws: Workspace, person_id: int, item_id: int, field: str, step: int) -> int | None:
    """Return the id of the queue's next item with this sub-factor unanswered, wrapping around.

    With `step` below 0, the previous case in which it applies, answered or not. None if there is no
    other.
    """
    with ws.reading() as session:
        who = annotator(session, person_id)
        queue = line_up(session, who, ws.clock(), item_id, Task.FACTOR_TAGGING)
        places = [line.item_id for line in queue]
        at = places.index(item_id) if item_id in places else -1
        askings = _askings(session, who.project_id)
        round_trip = [*queue[at + 1 :], *queue[: max(at, 0)]]
        for line in round_trip if step > 0 else reversed(round_trip):
            answers = fold(own_events(session, person_id, line.item_id)).answers
            answered = field in answers or line.status == "submitted"
            if not (step > 0 and answered) and field in askings[line.item_id].applicable(answers):
                return line.item_id
    return None


def _askings(session: Session, project_id: int) -> dict[int, Asking]:
    """Return the sub-factors in scope of each item; cases in the same groups share them."""
    book, _ = book_of(session, project_id)
    items = shown_items(session, project_id, Task.FACTOR_TAGGING)
    shown = {each.item_id: groups_shown(each) for each in items}
    by_groups = {groups: asking_under(book, groups) for groups in {*shown.values()}}
    return {item: by_groups[groups] for item, groups in shown.items()}


def _by_factor(asking: Asking) -> tuple[tuple[Factor, tuple[SubFactor, ...]], ...]:
    """Group the sub-factors in scope by factor, in order of each factor's first."""
    places = asking.book.places
    found = grouped((places[key][0].key, sub) for key, sub in asking.subs.items())
    return tuple((places[subs[0].key][0], tuple(subs)) for subs in found.values())


def _visible_suggestions(
    session: Session, case_id: int, material: Mapping[str, Any], answers: Answers
) -> dict[str, tuple[Suggested, ...]]:
    """Return the suggestions that a person may see now, by sub-factor."""
    setting, until = str(material["suggestions"]), int(material["suggested"])
    if not until or setting not in (SHOWN, AFTER):
        return {}
    rows = suggested(session, case_id, until)
    seen = set(rows) if setting == SHOWN else set(rows) & set(answers)
    return {key: tuple(_suggested(row) for row in rows[key]) for key in sorted(seen)}


def _suggested(row: FactorSuggestion) -> Suggested:
    """Return a suggestion, without its quotation if that is not in the judgment."""
    quote = row.quote if row.state == "quoted" else ""
    return view_of(Suggested, row, options=tuple(row.options), quote=quote, end=row.stop)


def _own_counts(session: Session, person_id: int, fields: list[str]) -> dict[str, Counter[str]]:
    """Count how often the person chose each option of these sub-factors."""
    if not fields:
        return {}
    query: Any = (
        select(AnnotationAnswer.field, AnnotationAnswer.value)
        .join(Annotation)
        .join(Item)
        .where(Annotation.person_id == person_id, is_current(), Item.task == Task.FACTOR_TAGGING)
        .where(col(AnnotationAnswer.field).in_(fields))
    )
    found: dict[str, Counter[str]] = {}
    for field, value in session.exec(query):
        found.setdefault(field, Counter()).update(value["options"])
    return found
