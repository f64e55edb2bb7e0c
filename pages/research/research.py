"""Page of research: which passage of a statute or case states the rule that answers this?

Annotators search and mark passages; leads create items and export the passages.

Viewer of research: its files, data and search.

Adjudication pane of research: each researcher's passages, and the gold choice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import streamlit as st

from annotation.forms.disputes import Dispute, FormDisputeView
from annotation.guidelines.codebook_tree import Option
from annotation.people.roles import Act
from annotation.research import (
    DISPUTES,
    FORM,
    NONE,
    OUTCOME,
    PASSAGES,
    RULE,
    TERMS,
    TRAIL,
    own_question,
)
from annotation.work.queue_service import ItemView
from annotation.work.submissions import Submission
from errors import UserError
from pages.shell import draft_state
from pages.shell.context import Context
from pages.shell.guard import guarded, md_literal
from pages.shell.plain_text import plain_text
from pages.task.acts import Act as TaskAct
from pages.task.acts import Handler, TaskSession
from pages.task.decision_bar import Chosen, draw_talk
from pages.task.declared import WORDS, declared_viewer, form_data, stage_of
from pages.task.form_pane import AnswerLine, draw_side, draw_sides
from pages.task.page import TaskPage, draw_link
from pages.task.viewer import ui_words
from services.research.search import (
    Authority,
    AuthorityHit,
    Collection,
    CollectionFound,
    excerpt,
    look_for_item,
    make_research_items,
    marked,
    merge_overlapping,
    open_for_item,
    research_counts,
    search_for_item,
)
from storage.db.workspace import Workspace
from storage.tasks import Task

_PANES = ("reader", "search", "finding", "passages")
_WIDTH = 240  # characters shown around the matches of a text
_MARKS = 500  # maximum of marked matches when a text is opened

RESEARCH = declared_viewer(
    "research",
    tuple(f"research/frontend/{name}" for name in _PANES),
    ("research/frontend/research",),
)
RESEARCH_WORDS = (*WORDS, "research")  # here one searches for authorities, not to add a provision


def form_part(
    words: Mapping[str, str], outcomes: Sequence[Option], language: str
) -> dict[str, Any]:
    """Return the form as the viewer's data; digits choose the outcome."""
    (stage,) = FORM.spec.stages
    own: dict[str, dict[str, Any]] = {
        RULE: {"kind": "text", "rows": 3, "clause": [words["clause_rule"]]},
        TERMS: {"kind": "text", "rows": 2, "clause": [words["clause_rule"]], "shown": False}
        | {"action": "terms"},
        PASSAGES: {"kind": "passages"},
        TRAIL: {"kind": "trail", "shown": False},
        stage.key: {"fields": [RULE, TERMS, PASSAGES, OUTCOME]},
    }
    form = form_data(
        FORM.spec, words, outcomes, language, more=own, actions={NONE: "none"}, plain=True
    )
    return {**form, "digits": OUTCOME}


def fixed_part(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    """Return the question, its choices and its official answer."""
    asked = own_question(ws, person_id, item)
    words = ui_words("research", language, *RESEARCH_WORDS)

    def text(name: str, said: str, *, quiet: bool = False) -> list[Any]:
        """Return a text as a pane."""
        told = {"name": name, "title": words[name], "text": said, "quiet": quiet}
        return ["texts", [told]]

    chips = {"name": "area", "title": "", "chips": [["", asked.area]]}
    area = [["chips", chips]] if asked.area else []
    choices = [["choices", list(asked.choices)]] if asked.choices else []
    return {
        "language": asked.language,
        "panes": [
            *area,
            text("question", asked.text),
            *choices,
            text("answer", asked.answer, quiet=True),
        ],
        "beside": [["finding", {}]],
    }


def _search(ws: Workspace, session: TaskSession, act: TaskAct) -> None:
    """Search, and send the viewer the hits."""
    item = act["item"]
    done = search_for_item(ws, session.person_id, item, str(act.get("query", "")))
    found = [_collection(each) for each in done.found]
    session.told = {"found": {"item": item, "query": done.query, "collections": found}}


def _read(
    read: Callable[[Workspace, int, int, Collection, str], Authority],
    ws: Workspace,
    session: TaskSession,
    act: TaskAct,
) -> None:
    """Send the viewer the text of an authority, as `read` returns it."""
    item, collection, name = act["item"], act.get("collection"), str(act.get("id", ""))
    if collection not in list(Collection):
        raise UserError("research_authority", id=name[:80])
    found = read(ws, session.person_id, item, Collection(str(collection)), name)
    session.told = {"authority": {"item": item} | asdict(found)}


def _collection(collection: CollectionFound) -> dict[str, Any]:
    """Return the hits in a collection for the viewer."""
    parts = ("text", "depth", "matches", "texts")
    return {
        "collection": str(collection.collection),
        "searched": collection.searched,
        "texts": collection.texts,
        "matches": collection.matches,
        "parts": [{name: getattr(each, name) for name in parts} for each in collection.counts],
        "hits": [_hit(each) for each in collection.hits],
    }


def _hit(hit: AuthorityHit) -> dict[str, Any]:
    """Return a hit with its marks for the viewer."""
    title = hit.authority.title
    return {
        "id": hit.authority.id,
        "matches": hit.matches,
        "title": marked(title, merge_overlapping(hit.in_title), 0, len(title)),
        "excerpt": excerpt(hit, _WIDTH),
        "marks": merge_overlapping(hit.in_text)[:_MARKS],
    }


RESEARCH_ACTS: dict[str, Handler] = {
    "search": _search,
    "read": partial(_read, open_for_item),
    "look": partial(_read, look_for_item),
}


PAGE = TaskPage(
    Task.RESEARCH,
    RESEARCH,
    fixed_part,
    stage_of(FORM.spec),
    acts=RESEARCH_ACTS,
    words=RESEARCH_WORDS,
    form=form_part,
)


def render(context: Context) -> None:
    """Draw the page, with links to the disputes and, for leads, the form to create items."""
    PAGE.render(context)
    draw_link(context, Task.RESEARCH)
    if context.may(Act.MAKE_ITEMS):
        _making(context)


def _making(context: Context) -> None:
    """Draw the form that makes research items."""
    counts = research_counts(*context.here, by=context.by)
    st.header(context.say("research.making.title"), anchor=False)
    st.markdown(context.say("research.making.counts", items=counts.items, waiting=counts.waiting))
    if not counts.waiting:
        return
    with st.form("research-making", width="content"):
        limit = st.number_input(
            context.say("research.making.limit"), 1, counts.waiting, counts.waiting
        )
        seed = st.number_input(context.say("research.making.seed"), 0, value=0)
        if st.form_submit_button(context.say("research.making.make"), type="primary"):
            with guarded(context.language):
                make_research_items(*context.here, int(limit), int(seed), by=context.by)
            st.rerun()


def open_case(context: Context, item_id: int, _focus: str = "") -> FormDisputeView:
    """Return the dispute over a question, with all submissions."""
    found: FormDisputeView = DISPUTES.open_dispute(context.workspace, context.person.id, item_id)
    return found


def cause_words(context: Context, cause: str, _entries: Sequence[Dispute]) -> str:
    """Return the display name of a dispute's cause."""
    return context.say(f"adjudication.form_cause.{cause}")


def decided_line(context: Context, entry: Dispute) -> tuple[str, str]:
    """Return a decided question's title and the decision."""
    made = {} if entry.decision is None else entry.decision.answers
    return entry.title, _authority_ids(made) or _outcome_text(context, made)


def draw_case(context: Context, case: FormDisputeView, name: str) -> Chosen:
    """Draw a dispute; return the adjudicator's choice, one side's answers."""
    st.header(md_literal(case.external_id), anchor=False)
    asked = case.question
    plain_text(asked.text, f"research-settle-{case.item_id}-question", "lead", asked.language)
    for at, choice in enumerate(asked.choices):
        st.text(f"{at + 1}. {choice}")
    with st.expander(context.say("research.ui.answer")):
        plain_text(asked.answer, f"research-settle-{case.item_id}-answer", language=asked.language)
    lines = _answer_lines(context)
    draw_sides(
        context, case, lines, partial(_choose_side, name, case), partial(_draw_trail, context)
    )
    draw_talk(context, case, partial(draw_side, context, lines=lines, others=case.earlier))
    return _decision(context, case, name)


def _answer_lines(context: Context) -> list[AnswerLine]:
    """Return the rows that compare the sides: outcome, rule, passages."""
    say = context.say
    return [
        AnswerLine(say("research.ui.outcome"), (OUTCOME,), partial(_outcome_text, context)),
        AnswerLine(say("research.ui.rule"), (RULE,), lambda said: str(said.get(RULE, ""))),
        AnswerLine(say("research.ui.passages"), (PASSAGES,), _passages_text),
    ]


def _outcome_text(context: Context, answers: Mapping[str, Any]) -> str:
    value = answers.get(OUTCOME)
    return context.say(f"research.outcome.{value}") if value else ""


def _passages_text(answers: Mapping[str, Any]) -> str:
    return " / ".join(f"{each['id']}: “{each['quote']}”" for each in answers.get(PASSAGES, ()))


def _authority_ids(answers: Mapping[str, Any]) -> str:
    return ", ".join(dict.fromkeys(each["id"] for each in answers.get(PASSAGES, ())))


def _draw_trail(context: Context, side: Submission) -> None:
    """Draw the steps of a side's search."""
    steps = side.answers.get(TRAIL, ())
    if not steps:
        return
    with st.expander(context.say("research.ui.history", count=len(steps))):
        for step in steps:
            counts = ", ".join(
                f"{context.say(f'research.ui.short_{name}')} {texts}"
                for name, (texts, _) in step.get("found", {}).items()
            )
            opened = f"{context.say('research.ui.read')} {step.get('id', '')}"
            st.text(f"{step['query']}  ({counts})" if step["step"] == "query" else opened)


def _choose_side(name: str, case: FormDisputeView, answers: Mapping[str, Any]) -> None:
    """Choose the side that gave these answers."""
    chosen = next(each.annotation_id for each in case.sides if each.answers == answers)
    draft_state.enter(name, {f"{name}-side": chosen})


def _decision(context: Context, case: FormDisputeView, name: str) -> Chosen:
    """Draw the choice of the side whose passages hold; return it."""
    people = {each.annotation_id: each.person for each in case.sides}
    with st.container(border=True, key=f"part-{case.item_id}"):
        chosen = st.segmented_control(
            context.say("research.whose"),
            list(people),
            format_func=lambda each: md_literal(people[each]),
            **draft_state.kept_choice(name, f"{name}-side", people),
        )
    side = next((each for each in case.sides if each.annotation_id == chosen), None)
    answers = {} if side is None else {k: v for k, v in side.answers.items() if k != TRAIL}
    note = _authority_ids(answers) or _outcome_text(context, answers)
    return Chosen(
        answers=answers,
        note=note,
        reason=case.settled.reason if case.settled else "",
        ready=side is not None and not case.revising,
        back=case.settled is None,
    )
