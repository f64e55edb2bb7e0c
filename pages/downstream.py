"""Downstream screen: accuracy by context and model, and the questions behind a figure.

Questions behind a figure: options, choice, correct answer, context.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from annotation.people.roles import Act
from annotation.work.submissions import beginning
from evaluation.downstream import Of, Outcome
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.notices import allowed, draw_head
from pages.shell.plain_text import plain_text
from pages.shell.reports import draw_report
from pages.shell.widgets import choose, draw_table, pick_row
from services.downstream.questions import (
    PassageShown,
    QuestionDetail,
    question_detail,
    question_lines,
)
from services.downstream.reading import PEOPLE, Setting
from services.downstream.report import AGAINST, DownstreamReport, Wanted, downstream_report
from services.downstream.tables import as_report, reader_words

_EVERYTHING = "everything"
_HEIGHT = 220


def draw_questions(context: Context, report: DownstreamReport, setting: Setting) -> None:
    """Draw the questions of a row of the report, and the selected one."""
    say, wanted = context.say, report.wanted
    st.header(say("downstream.title_questions"), anchor=False)
    words = f"{reader_words(setting, context.language)}: {setting.words(context.language)}"
    st.caption(md_literal(words))
    here = *context.here, setting.name
    how = wanted.verdicts, wanted.tops, context.by
    lines = [each for each in question_lines(*here, *how) if each.external_id in setting.outcomes]
    there = [outcome for outcome in Outcome if any(each.outcome is outcome for each in lines)]
    label, key = "downstream.questions.outcome", f"downstream-outcome-{setting.name}"
    named = partial(_outcome_words, context)
    chosen = choose(context, label, [_EVERYTHING, *there], named, key)
    shown = [each for each in lines if chosen in (_EVERYTHING, each.outcome)]
    columns: dict[str, list[object]] = {
        "id": [each.external_id for each in shown],
        "outcome": [_outcome_words(context, each.outcome) for each in shown],
        "chosen": [each.chosen or "–" for each in shown],
        "right": [", ".join(each.right) or "–" for each in shown],
        "question": [beginning(each.question) for each in shown],
    }
    if setting.top:
        columns["passage"] = [each.passage or None for each in shown]
    key, hint = f"downstream-questions-{setting.name}-{chosen}", "downstream.pick_question"
    shape: dict[str, Any] = {"wide": "question", "placeholder": "–"}
    row = pick_row(context, "downstream.questions", columns, key, hint, **shape)
    if row is not None:
        _draw(context, question_detail(*here, shown[row].external_id, *how))


def _outcome_words(context: Context, name: str) -> str:
    if name == _EVERYTHING:
        return context.say("downstream.questions.everything")
    return context.say(f"downstream.outcome.{name}")


def _draw(context: Context, found: QuestionDetail) -> None:
    """Draw one question of a setting: options, passages, outcome."""
    say, key = context.say, f"downstream-question-{found.line.external_id}"
    with st.container(border=True):
        plain_text(found.line.question, f"{key}-question", "lead", found.language)
        left, right = st.columns(2, gap="medium")
        with left:
            if found.options:
                _option_table(context, found)
            st.caption(say("downstream.questions.answer"))
            plain_text(found.answer, f"{key}-answer", language=found.language, height=_HEIGHT)
            st.caption(say("downstream.questions.raw"))
            plain_text(found.raw or "–", f"{key}-raw", language=found.language, height=_HEIGHT)
        with right:
            st.caption(say("downstream.questions.context"))
            if not found.passages:
                st.markdown(say("downstream.questions.nothing"))
            for each in found.passages:
                _passage(context, found, each, f"{key}-{each.place}")


def _option_table(context: Context, found: QuestionDetail) -> None:
    columns: dict[str, list[object]] = {
        "chosen": [each.chosen for each in found.options],
        "right": [each.right for each in found.options],
        "label": [each.label for each in found.options],
        "option": [each.text for each in found.options],
    }
    if any(each.logprob is not None for each in found.options):
        columns["logprob"] = [each.logprob for each in found.options]
    ticked = st.column_config.CheckboxColumn(width=64)
    config = {
        **{"chosen": ticked, "right": ticked, "label": st.column_config.Column(width=48)},
        "logprob": st.column_config.NumberColumn(format="%.3f", width=110),
    }
    key = f"downstream-options-{found.line.external_id}"
    draw_table(context, "downstream.questions", columns, key, config=config, height="content")


def _passage(context: Context, found: QuestionDetail, each: PassageShown, key: str) -> None:
    """Draw a passage shown to the model, with its outcome."""
    say = context.say
    marks = [say(f"downstream.origin.{each.origin}")]
    if each.gold and each.origin != "gold":
        marks.append(say("downstream.questions.gold"))
    if each.state:
        sure = "" if each.logprob is None else f" ({each.logprob:.3f})"
        said = (each.choice or say(f"downstream.outcome.{each.state}")) + sure
        marks.append(say("downstream.questions.alone", said=said))
    if each.kept:
        marks.append(say("downstream.questions.kept"))
    head = f"{each.place}. {each.label}" if each.label else f"{each.place}."
    st.markdown(f"**{md_literal(head)}** · {md_literal(' · '.join(marks))}")
    text = each.text or say("downstream.questions.no_text")
    plain_text(text, key, language=found.language, height=_HEIGHT)


_TOPS = (1, 2, 3, 5, 10, 20)


def render(context: Context) -> None:
    """Draw the page."""
    draw_head(context, "downstream")
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    with guarded(context.language):
        _report(context)


@fragment
def _report(context: Context) -> None:
    """Draw the report with its choices."""
    first = downstream_report(*context.here, by=context.by)
    if not first.lines and not first.judges:
        st.info(context.say("downstream.empty"), icon=":material/info:")
        return
    wanted, of = _options(context, first)
    found = first if wanted == Wanted() else downstream_report(*context.here, wanted, context.by)
    if not found.lines:
        st.info(context.say("downstream.empty"), icon=":material/info:")
        return
    chosen = draw_report(context, as_report(found, context.language, of), "downstream")
    row = chosen["accuracy"]
    if row is None:
        st.caption(context.say("downstream.pick"))
    else:
        draw_questions(context, found, found.lines[row].setting)


def _options(context: Context, first: DownstreamReport) -> tuple[Wanted, Of]:
    """Draw the report's options; return the chosen ones."""
    words = "downstream.option"
    key = "downstream-of"
    of = choose(context, f"{words}.of", list(Of), "downstream.of", key, titled=True)
    with st.expander(context.say(f"{words}.more"), icon=":material/tune:"):
        left, right = Fields(context, words, "downstream").row(2)
        people = context.say("downstream.people")

        def judge_name(judge: str) -> str:
            """Return the display name of a judge."""
            return people if judge == PEOPLE else judge

        judges = [each for each in first.judges if each]
        verdicts = left.pick("verdicts", judges, judge_name, none=f"{words}.without")
        hint = context.say(f"{words}.tops_default")
        tops = left.several("tops", _TOPS, placeholder=hint)
        common = left.tick("common")
        split = right.pick("column", first.columns, none=f"{words}.no_column")
        with right.place:
            label, key = f"{words}.against", "downstream-against"
            against = choose(context, label, AGAINST, "downstream.against", key, titled=True)
    return Wanted(verdicts, tuple(sorted(tops)), None, split, common, against), Of(of)
