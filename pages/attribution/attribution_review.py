"""Page of attribution review: which gold claim each claim states, and its legal support.

Annotators judge claims; leads create items from answers, set when suggested labels are visible, and
read the corrected scores.

Viewer of attribution review: its files, and its data on an answer's claims.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from annotation.attribution.form import ReviewedClaim, own_case, own_suggestions
from annotation.attribution.suggestion_setting import Suggestions, set_suggestions
from annotation.people.roles import Act
from annotation.work.queue_service import ItemView
from evaluation.judging.accuracy import LEAST_RATED
from pages.attribution.corrected_part import draw_corrected
from pages.shell.bundle import STATUTE_TEXT
from pages.shell.context import Context
from pages.shell.guard import guarded
from pages.shell.plain_text import text_pieces
from pages.task.page import TaskPage, draw_link
from pages.task.viewer import ASK_SCRIPT, FORM_SCRIPTS, STEP_STYLES, Viewer
from services.attribution.items import ReviewSettings, make_review_items, review_settings
from storage.attribution.review import Cited
from storage.db.workspace import Workspace
from storage.tasks import Task

_SCRIPTS = ("law", "claims", "keys", "viewer", "mount")

REVIEW = Viewer(
    name="attribution_review",
    scripts=(
        *FORM_SCRIPTS,
        STATUTE_TEXT,
        ASK_SCRIPT,
        *(f"attribution/frontend/{name}" for name in _SCRIPTS),
    ),
    styles=(*STEP_STYLES, "attribution/frontend/attribution"),
)


def fixed_part(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    """Return the question, both answers, the claims with citations, and the gold claims."""
    case = own_case(ws, person_id, item)
    return {
        "question": case.question,
        "reference": case.reference,
        "answer": case.answer,
        "language": case.language,
        "claims": [claim_part(each) for each in case.claims],
        "gold": list(case.gold),
        "suggestions": item.shown["suggestions"],
        "suggestedAtAll": bool(item.shown["labels"]),
    }


def moving_part(ws: Workspace, person_id: int, item: ItemView, _language: str) -> dict[str, Any]:
    """Return the person's own answers, and the model's labels visible so far."""
    told = own_suggestions(ws, person_id, item)
    return {
        "answers": dict(item.answers),
        "suggested": {str(number): said for number, said in told.items()},
    }


def claim_part(claim: ReviewedClaim) -> dict[str, Any]:
    """Return the viewer data of a claim with its cited provisions."""
    cited = [_cited_part(each) for each in claim.cited]
    return {"text": claim.text, "cited": cited, "own": claim.own}


def _cited_part(cited: Cited) -> dict[str, Any]:
    return {
        "written": cited.written,
        "unit": cited.unit,
        "head": cited.head,
        "pieces": text_pieces(cited.text, (), ()),
        "missing": not cited.text,
    }


_FIRST = 20  # default number of answers to add
PAGE = TaskPage(Task.ATTRIBUTION, REVIEW, fixed_part, moving=moving_part)


def render(context: Context) -> None:
    """Draw the page, with links to the disputes and, for leads, forms to create items."""
    PAGE.render(context)
    draw_link(context, Task.ATTRIBUTION)
    if context.may(Act.MAKE_ITEMS):
        _making(context)
        draw_corrected(context)


def _making(context: Context) -> None:
    found = review_settings(*context.here, by=context.by)
    counts = found.counts
    st.header(context.say("attribution_review.making.title"), anchor=False)
    told = {"items": counts.items, "waiting": counts.waiting, "empty": counts.empty}
    st.markdown(context.say("attribution_review.making.counts", **told))
    chosen = _setting(context, found)
    if counts.waiting:
        _sample(context, found, chosen)


def _setting(context: Context, settings: ReviewSettings) -> str:
    """Draw the choice of when suggested labels are visible; return it.

    A button applies it to existing items.
    """
    chosen: str | None = st.segmented_control(
        context.say("attribution_review.making.suggestions"),
        list(map(str, Suggestions)),
        default=str(settings.suggestions),
        required=True,
        format_func=lambda each: context.say(f"attribution_review.setting.{each}"),
        help=context.say("attribution_review.making.suggestions_help"),
        key="attribution-suggestions",
    )
    setting = chosen or str(settings.suggestions)
    other = setting != settings.suggestions and settings.counts.items > 0
    words = context.say("attribution_review.making.show_so")
    if other and st.button(words, key="attribution-show"):
        with guarded(context.language):
            set_suggestions(*context.here, setting, by=context.by)
        st.rerun()
    return setting


def _sample(context: Context, settings: ReviewSettings, setting: str) -> None:
    say, waiting = context.say, settings.counts.waiting
    with st.form("attribution-making", width="content"):
        systems = st.multiselect(
            say("attribution_review.making.systems"),
            settings.systems,
            placeholder=say("attribution_review.making.systems_all"),
        )
        each = st.checkbox(
            say("attribution_review.making.each_system", needed=LEAST_RATED), value=False
        )
        first = min(_FIRST, waiting)
        limit = st.number_input(say("attribution_review.making.limit"), 1, waiting, first)
        seed = st.number_input(say("attribution_review.making.seed"), 0, value=0)
        judge = st.selectbox(say("attribution_review.making.judge"), settings.judges, index=None)
        if st.form_submit_button(say("attribution_review.making.make"), type="primary"):
            with guarded(context.language):
                make_review_items(
                    *context.here,
                    int(limit),
                    int(seed),
                    setting,
                    judge,
                    tuple(systems),
                    each_system=each,
                    by=context.by,
                )
            st.rerun()
