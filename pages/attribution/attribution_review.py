"""Page of attribution review: which gold claim each claim states, and its legal support.

Annotators judge claims; leads create items from answers, set when suggested labels are visible, and
read the corrected scores.

Adjudication pane of attribution: the disputed claims of an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from annotation.attribution.form import (
    CRITERIA,
    GOLD,
    LABEL,
    LABELS,
    NONE,
    SPEC,
    UNCITED,
    ReviewCase,
    ReviewedClaim,
    field_of,
    own_case,
    own_suggestions,
)
from annotation.attribution.suggestion_setting import set_suggestions
from annotation.forms.disputes import FormDisputeView
from annotation.forms.suggestions import Suggestions
from annotation.guidelines.codebook_tree import Option
from annotation.people.roles import Act
from annotation.work.queue_service import ItemView
from evaluation.judging.accuracy import LEAST_RATED
from messages import say
from pages.attribution.corrected_part import draw_corrected
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded
from pages.shell.plain_text import text_pieces
from pages.task.declared import WORDS, declared_viewer, form_data, stage_of
from pages.task.declared_pane import DeclaredPane
from pages.task.documents import options_of
from pages.task.page import TaskPage, draw_link
from pages.task.viewer import ui_words
from services.attribution.items import ReviewSettings, make_review_items, review_settings
from storage.attribution.review import AFTER, Cited
from storage.db.workspace import Workspace
from storage.tasks import Task

REVIEW = declared_viewer("attribution")


def fixed_part(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    """Return question, both answers, claims with citations, and the form."""
    options = options_of(ws, person_id, Task.ATTRIBUTION, language)
    shown = review_panes(own_case(ws, person_id, item), options, language)
    after = item.shown["suggestions"] == AFTER and item.shown["labels"]
    later = say("attribution.ui.model_later", language) if after else ""
    return {"suggestsLater": later, **shown}


def moving_part(ws: Workspace, person_id: int, item: ItemView, _language: str) -> dict[str, Any]:
    """Return the person's own answers, and the model's labels visible so far."""
    told = {
        str(number): {field_of(criterion, number): label for criterion, label in said.items()}
        for number, said in own_suggestions(ws, person_id, item).items()
    }
    return {"answers": dict(item.answers), "suggested": told}


def review_panes(case: ReviewCase, options: Sequence[Option], language: str) -> dict[str, Any]:
    """Return an answer as panes, its claims as parts with their form."""
    words = ui_words("attribution", language, *WORDS)
    whole = [
        ["folded", {"name": name, "title": words[name], "text": text}]
        for name, text in (("reference", case.reference), ("answer", case.answer))
    ]
    question = {"name": "question", "title": words["question"], "text": case.question}
    return {
        "language": case.language,
        "panes": [["texts", [question]]],
        "law": {"title": words["provisions"], "units": [], "below": whole},
        "parts": [_claim_part(*each, words) for each in enumerate(case.claims, 1)],
        "form": _form_part(case, words, options, language),
    }


def _form_part(
    case: ReviewCase, words: Mapping[str, str], options: Sequence[Option], language: str
) -> dict[str, Any]:
    """Return the form for these claims; nothing can support one that cites no provision."""
    gold = [
        [at, text, None, words["gold_number"].format(number=at)]
        for at, text in enumerate(case.gold, 1)
    ]
    own: dict[str, dict[str, Any]] = {
        each: {"clause": [words[f"ask_{each}"]], "short": words.get(f"{each}_short")}
        for each in SPEC.fields
    }
    own[GOLD] |= {"kind": "choice", "options": gold, "long": True, "idle": True}
    form = form_data(SPEC.repeated(len(case.claims)), words, options, language, more=own)
    for number, claim in enumerate(case.claims, 1):
        label, gold_, supported = (field_of(each, number) for each in CRITERIA)
        implied: dict[str, dict[str, Any]] = {NONE: {gold_: None}}
        if not claim.cited:
            fields = form["fields"][supported]
            fields["options"] = [each for each in fields["options"] if each[0] == UNCITED]
            implied = {each: implied.get(each, {}) | {supported: UNCITED} for each in LABELS}
        form["fields"][label]["implies"] = implied
    return form


def _claim_part(number: int, claim: ReviewedClaim, words: Mapping[str, str]) -> dict[str, Any]:
    """Return a claim with the provisions it cites."""
    cites = "cites_nothing" if not claim.cited else "" if claim.own else "cites_by_answer"
    return {
        "text": claim.text,
        "title": words["cited_by"].format(number=number),
        "note": words.get(cites, ""),
        "units": [_cited_part(each, words) for each in claim.cited],
    }


def _cited_part(cited: Cited, words: Mapping[str, str]) -> dict[str, Any]:
    """Return a cited provision with its text."""
    otherwise = cited.text and cited.unit != cited.written
    return {
        "unit": cited.written,
        "head": cited.head or cited.written,
        "pieces": text_pieces(cited.text, (), ()),
        "roles": [words["written"].format(id=cited.written)] if otherwise else [],
        "missing": not cited.text,
    }


_FIRST = 20  # default number of answers to add
PAGE = TaskPage(
    Task.ATTRIBUTION, REVIEW, fixed_part, stage_of(SPEC), moving=moving_part, words=WORDS
)


def render(context: Context) -> None:
    """Draw the page, with links to the disputes and, for leads, forms to create items."""
    PAGE.render(context)
    draw_link(context, Task.ATTRIBUTION)
    if context.may(Act.MAKE_ITEMS):
        _making(context)
        draw_corrected(context)


def _making(context: Context) -> None:
    """Draw the form that makes review items."""
    found = review_settings(*context.here, by=context.by)
    counts = found.counts
    st.header(context.say("attribution_review.making.title"), anchor=False)
    told = {"items": counts.items, "waiting": counts.waiting, "empty": counts.empty}
    st.markdown(context.say("attribution_review.making.counts", **told))
    chosen = _setting(context, found)
    if counts.waiting:
        _sample(context, found, chosen)


def _setting(context: Context, settings: ReviewSettings) -> str:
    """Draw when suggested labels are visible, with a button for items made before; return it.

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
    """Draw the form of systems and number of review items; make the items when it is sent."""
    words, waiting = "attribution_review.making", settings.counts.waiting
    fields = Fields(context, words, "attribution")
    with st.form("attribution-making", width="content"):
        systems = fields.several(
            "systems", settings.systems, placeholder=context.say(f"{words}.systems_all")
        )
        needed = context.say("attribution_review.making.each_system", needed=LEAST_RATED)
        each = fields.tick("each_system", label=needed)
        limit = fields.number("limit", 1, waiting, min(_FIRST, waiting))
        seed = fields.number("seed", 0, None, 0)
        judge = st.selectbox(
            context.say("attribution_review.making.judge"), settings.judges, index=None
        )
        if st.form_submit_button(context.say("attribution_review.making.make"), type="primary"):
            make = partial(make_review_items, *context.here, each_system=each, by=context.by)
            with guarded(context.language):
                make(limit, seed, setting, judge, systems)
            st.rerun()


def _case_panes(context: Context, case: FormDisputeView) -> dict[str, Any]:
    """Return the panes of the disputed answer."""
    where = context.workspace, context.person.id, Task.ATTRIBUTION, context.language
    shown = review_panes(case.question, options_of(*where), context.language)
    gold = "\n".join(f"{at}. {text}" for at, text in enumerate(case.question.gold, 1))
    title = context.say("attribution_settle.gold_claims")
    listed = ["texts", [{"name": "gold", "title": title, "text": gold, "quiet": True}]]
    return shown | {"panes": [*shown["panes"], listed]}


class _Pane(DeclaredPane):
    """Adjudication pane of attribution; sums up a decision by the number of claims per label."""

    def summary(self, context: Context, form: Mapping[str, Any], answers: Mapping[str, Any]) -> str:
        """Return the number of claims with each label as text, "" if no claim has one."""
        places = {field: SPEC.place(field)[0] for field in answers}
        counts = Counter(value for field, value in answers.items() if places[field] == LABEL)
        told = {each: counts[each] for each in LABELS}
        return context.say("attribution_settle.decided", **told) if counts else ""


PANE = _Pane(Task.ATTRIBUTION, SPEC, "attribution_settle", lambda _context: {}, _case_panes)
