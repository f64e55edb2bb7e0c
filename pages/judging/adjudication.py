"""Adjudication pane of answer ratings: question, both answers, provisions."""

from __future__ import annotations

import streamlit as st

from annotation.forms.disputes import FormDisputeView
from annotation.judging.forms import RATING, Rating
from pages.shell.context import Context
from pages.shell.plain_text import Span, plain_text
from pages.task.form_pane import FormPane
from storage.tasks import Task

_HEIGHT = 320  # pixels of a long answer before it scrolls
_LONG = 500  # characters of a long answer


def _draw_rated_answer(context: Context, case: FormDisputeView) -> None:
    """Draw what the raters saw, blind to the answering system and to judges."""
    shown, key = case.question, f"rating-settle-{case.item_id}"
    for name in ("question", "reference", "answer"):
        words = getattr(shown, name)
        st.caption(context.say(f"rating_settle.{name}"))
        with st.container(border=True):
            height = _HEIGHT if len(words) > _LONG else None
            look = "lead" if name == "question" else "body"
            plain_text(words, f"{key}-{name}", look, shown.language, height=height)
    if not shown.provisions:
        return
    with st.expander(context.say("rating_settle.provisions", count=len(shown.provisions))):
        for at, each in enumerate(shown.provisions):
            spans = [Span(f"{each['label']}\n", ("title",)), Span(each["text"])]
            plain_text(spans, f"{key}-{at}", language=shown.language)


PANE = FormPane(
    task=Task.ANSWER_RATING,
    words="rating_settle",
    fields={RATING: tuple(Rating)},
    subject=_draw_rated_answer,
)
