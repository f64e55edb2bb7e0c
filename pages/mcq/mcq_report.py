"""MCQ report screen: outcome of questions, safety of models, making more."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from annotation.mcq.state import Fate
from annotation.people.roles import Act
from construction.mcq.model import Passage
from evaluation.mcq.votes import Setting
from evaluation.replies.outcomes import Outcome
from evaluation.reports.report import Words
from pages.mcq.figures import draw_figures
from pages.mcq.making import draw_making, tier_words
from pages.shell.context import Context
from pages.shell.guard import fragment, md_literal
from pages.shell.notices import allowed, draw_head
from pages.shell.plain_text import plain_text
from pages.shell.widgets import Views, choose, draw_table, draw_view, pick_row
from services.mcq.report_tables import cause_words
from services.mcq.views import ItemDetail, ItemLine, mcq_detail, mcq_lines

_EVERYTHING = "everything"
_TEXT_HEIGHT = 320
NOTICE = "mcq-report-notice"


@fragment
def draw_list(context: Context) -> None:
    """Draw the questions of a fate that the reader chooses, and the selected one."""
    say = context.say
    options, words = [_EVERYTHING, *Fate], partial(_filter_words, context)
    chosen = choose(context, "mcq_report.items.filter", options, words, "mcq-fate", titled=True)
    lines = mcq_lines(*context.here, context.by)
    lines = [line for line in lines if chosen in (_EVERYTHING, line.fate)]
    if not lines:
        st.info(say("mcq_report.items.none"), icon=":material/info:")
        return
    st.caption(say("mcq_report.items.order_note"))
    row = _table(context, lines, chosen)
    if row is not None:
        _detail(context, mcq_detail(*context.here, lines[row].id, context.by))


def _filter_words(context: Context, each: str) -> str:
    if each == _EVERYTHING:
        return context.say("mcq_report.items.everything")
    return context.say(f"mcq_report.fate.{each}")


def _table(context: Context, lines: Sequence[ItemLine], chosen: str) -> int | None:
    """Draw the questions as a table; return the index of the picked row, None without one."""
    say, words = context.say, "mcq_report.items"
    columns = {
        "query": [line.query for line in lines],
        "fate": [say(f"mcq_report.fate.{e.fate}") for e in lines],
        "tiers": [tier_words(context, *line.tiers) for line in lines],
        "right_a": [line.right_a for line in lines],
        "right_ab": [line.right_ab for line in lines],
        "id": [line.external_id for line in lines],
    }
    shares = {
        name: st.column_config.ProgressColumn(
            help=say(f"{words}.{name}_help"), min_value=0.0, max_value=1.0, format="percent"
        )
        for name in ("right_a", "right_ab")
    }
    shape: dict[str, Any] = {"wide": "query", "config": shares, "placeholder": "–"}
    return pick_row(context, words, columns, f"mcq-list-{chosen}", f"{words}.pick", **shape)


def _detail(context: Context, found: ItemDetail) -> None:
    """Draw a question with its provisions and votes."""
    say, item, state = context.say, found.standing.item, found.standing.state
    key, language = f"mcq-{found.standing.id}", item.pair.source.language
    with st.container(border=True):
        plain_text(item.query, f"{key}-query", "lead", language)
        if state.fix is not None:
            st.caption(say("mcq_report.items.fixed_note"))
        if state.causes:
            words = Words("mcq_report", context.language)
            causes = "; ".join(cause_words(cause, words).text for cause in state.causes)
            st.caption(md_literal(say("mcq_report.items.causes", causes=causes)))
        _options(context, found)
        left, right = st.columns(2, gap="medium")
        with left:
            _provision(context, "a", item.pair.source, key)
        with right:
            _provision(context, "b", item.pair.target, key)
        if item.explanation:
            st.markdown(f"**{say('mcq_report.items.explanation')}**")
            plain_text(item.explanation, f"{key}-explanation", "quiet", language)


def _options(context: Context, found: ItemDetail) -> None:
    """Draw the options with how often each was chosen."""
    item, places = found.standing.item, range(len(found.standing.item.options))
    columns: dict[str, list[object]] = {
        "stored": [place + 1 == item.answer for place in places],
        "option": list(item.options),
    }
    for setting in Setting:
        chosen = found.choices[setting]
        columns[f"mcq_report.setting.{setting}"] = [chosen.get(place, 0) for place in places]
    config, key = {"stored": st.column_config.CheckboxColumn(width=80)}, found.standing.id
    shape: dict[str, Any] = {"wide": "option", "config": config, "height": "content"}
    draw_table(context, "mcq_report.items", columns, f"mcq-options-{key}", **shape)
    if found.models:
        if told := _optionless_replies(context, found):
            st.caption(told)
        models = ", ".join(found.models)
        st.caption(md_literal(f"{context.say('mcq_report.column.model')}: {models}"))


def _optionless_replies(context: Context, found: ItemDetail) -> str:
    """Return in words how many replies chose no option, by setting and outcome; "" if none."""
    say, told = context.say, []
    for setting in Setting:
        counts = [
            f"{say(f'mcq_report.column.{outcome}')} {found.outcomes[setting][outcome]:,}"
            for outcome in (Outcome.ABSTAINED_WORDS, Outcome.REFUSED, Outcome.UNREADABLE)
            if found.outcomes[setting].get(outcome)
        ]
        if counts:
            told.append(f"{say(f'mcq_report.setting.{setting}')}: {', '.join(counts)}")
    return " · ".join(told)


def _provision(context: Context, side: str, passage: Passage, key: str) -> None:
    """Draw one of the two provisions."""
    st.markdown(f"**{context.say(f'mcq_report.items.{side}')}**")
    plain_text(passage.head, f"{key}-{side}-head", "lead", passage.language)
    plain_text(passage.text, f"{key}-{side}", "body", passage.language, _TEXT_HEIGHT)


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "mcq_report", NOTICE)
    if allowed(context, Act.READ_OTHERS_LABELS):
        making = partial(draw_making, notice_key=NOTICE)
        make = {"make": making} if context.may(Act.MAKE_ITEMS) else {}
        views: Views = {"report": draw_figures, **make, "items": draw_list}
        draw_view(context, "mcq_report.tab", "mcq-tab", views)
