"""Answers screen: ask models, see each system's results, open an answer with its context.

Systems by state of their answers, and one answer beside its context.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from annotation.people.roles import Act
from annotation.work.submissions import beginning
from pages.answers.asking import draw_asking, draw_under_way
from pages.shell.context import Context
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.notices import allowed, draw_head
from pages.shell.plain_text import plain_text
from pages.shell.widgets import choose, draw_table, pick_row
from services.answers.views import (
    PROBLEMS,
    AnswerDetail,
    AnswerLine,
    ShownPassage,
    SystemLine,
    answers_of,
    counts,
    read_answer,
    reason_in_words,
    reason_of,
    systems,
)

_ALL = "all"
_TALL = 320  # pixels of a text before it folds


@fragment
def draw_systems(context: Context, systems: Sequence[SystemLine]) -> None:
    """Draw the systems with their answers counted by state; of the picked one the answers."""
    say = context.say
    columns: dict[str, list[object]] = {
        "system": [each.run.system for each in systems],
        "context": [say(f"answers.kind.{each.context.kind}") for each in systems],
        "format": [say(f"answers.format.{each.run.format}") for each in systems],
        "questions": [each.questions for each in systems],
    }
    if any(each.not_asked for each in systems):
        columns["not_asked"] = [each.not_asked for each in systems]
    for name in counts(systems):
        columns[_state_name(context, name)] = [_count(each, name) for each in systems]
    columns["cost"] = [_digits(each.cost, 4) for each in systems]
    columns["seconds"] = [_digits(each.seconds, 2) for each in systems]
    hint = "answers.read.pick"
    row = pick_row(context, "answers.column", columns, "answers-systems", hint, wide="system")
    if row is not None:
        _answers(context, systems[row])


def _digits(value: float | None, places: int) -> str:
    """Return a number with its decimal places, a dash for none."""
    return "–" if value is None else f"{value:,.{places}f}"


def _state_name(context: Context, name: str) -> str:
    """Return the display name of a state or problem, capitalised."""
    kind = "problem" if name in PROBLEMS else "state"
    words = context.say(f"answers.{kind}.{name}")
    return words[:1].upper() + words[1:]


def _count(line: SystemLine, name: str) -> int:
    """Return the number of a system's answers with a state or problem."""
    return line.problems.get(name, 0) if name in PROBLEMS else line.states.get(name, 0)


def _answers(context: Context, line: SystemLine) -> None:
    """Draw a system's answers, filtered by state."""
    say, system = context.say, line.run.system
    st.header(md_literal(system), anchor=False)
    said = {"model": line.run.model, "prompt": line.run.prompt_version, "seed": line.run.seed}
    st.caption(md_literal(say("answers.read.setting", **said)))
    if line.not_asked:
        whole = line.questions + line.not_asked
        counted = {"count": f"{line.not_asked:,}", "of": f"{whole:,}"}
        st.caption(say("answers.list.not_asked", **counted))
    if untold := line.states.get("no_logprobs"):
        st.warning(
            say("answers.no_logprobs", count=f"{untold:,}"), icon=":material/visibility_off:"
        )
    names = [_ALL, *counts([line])]

    def words(name: str) -> str:
        """Return a state's name with its number of answers."""
        if name == _ALL:
            return f"{say('answers.read.all')} ({line.answers:,})"
        return f"{_state_name(context, name)} ({_count(line, name):,})"

    key = f"answers-{line.run.id}"
    state = choose(context, "answers.read.state", names, words, f"{key}-state")
    shown = answers_of(*context.here, system, "" if state == _ALL else state, context.by)
    row = _table(context, shown, f"{key}-{state}")
    if row is not None:
        picked = shown[row].external_id, shown[row].passage
        _draw(context, read_answer(*context.here, system, *picked, context.by))


def _table(context: Context, shown: Sequence[AnswerLine], key: str) -> int | None:
    """Draw answers as a table; return the index of the picked row, None without one."""
    columns: dict[str, list[object]] = {"id": [each.external_id for each in shown]}
    if any(each.passage for each in shown):
        columns["passage"] = [each.passage for each in shown]
    columns["question"] = [beginning(" ".join(each.question.split())) for each in shown]
    columns["state"] = [_state_text(context, each.state, each.problems) for each in shown]
    columns["answer"] = [beginning(" ".join(_answer_text(context, each).split())) for each in shown]
    return pick_row(
        context, "answers.column", columns, key, "answers.read.pick_answer", wide="answer"
    )


def _state_text(context: Context, state: str, problems: Iterable[str]) -> str:
    """Return the state of an answer with its problems."""
    said = [f"state.{state}", *(f"problem.{name}" for name in problems)]
    return ", ".join(context.say(f"answers.{each}") for each in said)


def _answer_text(context: Context, line: AnswerLine) -> str:
    if line.choice is not None:
        return f"{line.choice}. {line.answer}"
    return line.answer or reason_in_words(line.reason, context.language)


def _draw(context: Context, found: AnswerDetail) -> None:
    """Draw an answer beside the model's context."""
    say, answer = context.say, found.answer
    key = f"answer-{answer.id}"
    left, right = st.columns(2, gap="medium")
    with left:
        st.caption(say("answers.one.question"))
        plain_text(found.question, f"{key}-question", "lead", found.language)
        st.caption(say("answers.one.answer", system=md_literal(found.run.system)))
        _draw_state(context, found)
        why = reason_in_words(reason_of(answer), context.language)
        text = why or answer.answer or answer.raw
        if text:
            plain_text(text, f"{key}-text", "body", found.language, _TALL)
        _options(context, found)
        if found.reference:
            st.caption(say("answers.one.reference"))
            plain_text(found.reference, f"{key}-reference", "quiet", found.language, _TALL)
        if answer.raw and not why and answer.raw != text:
            with st.expander(say("answers.one.raw"), icon=":material/data_object:"):
                plain_text(answer.raw, f"{key}-raw", "body", found.language)
        told = {
            "prompt": answer.prompt_version,
            "cost": _digits(answer.cost, 6),
            "seconds": _digits(answer.seconds, 2),
            "parameters": found.parameters,
        }
        st.caption(md_literal(say("answers.one.call", **told)))
    with right:
        st.caption(say("answers.one.context", count=len(found.shown)))
        if not found.shown:
            st.text(say("answers.one.nothing_shown"))
        if found.anchor:
            st.caption(md_literal(say("answers.one.anchor", anchor=found.anchor)))
        for place, each in enumerate(found.shown, 1):
            _passage(context, each, place, f"{key}-{place}", found.language)
        if found.gold_missing:
            missing = ", ".join(found.gold_missing)
            st.warning(md_literal(say("answers.one.gold_missing", labels=missing)))


def _draw_state(context: Context, detail: AnswerDetail) -> None:
    """Draw the state and problems of an answer, unless it is in order."""
    say, form = context.say, detail.form
    if detail.answer.state == "answered" and not detail.problems:
        return
    words = _state_text(context, detail.answer.state, detail.problems)
    told = [words[:1].upper() + words[1:]]
    if form is not None and form.missing:
        told.append(say("answers.one.missing", ids=", ".join(form.missing)))
    if form is not None and form.unknown:
        told.append(say("answers.one.unknown", ids=", ".join(form.unknown)))
    st.warning(md_literal("\n\n".join(told)), icon=":material/report:")


def _options(context: Context, found: AnswerDetail) -> None:
    """Draw a question's options, chosen and correct ones marked, log-probabilities if known."""
    if not found.options:
        return
    say, logs = context.say, found.answer.logprobs or {}
    columns: dict[str, list[object]] = {
        "option": [f"{each.label}. {each.text}" for each in found.options],
        "chosen": ["✓" if each.label == found.answer.choice else "" for each in found.options],
        "correct": ["✓" if each.correct else "" for each in found.options],
    }
    if logs:
        columns["logprob"] = [_digits(logs.get(each.label), 3) for each in found.options]
    draw_table(context, "answers.column", columns, f"answer-{found.answer.id}-options", "option")
    if logs and len(logs) < len(found.options):
        st.caption(say("answers.one.logprobs_some"))


def _passage(context: Context, each: ShownPassage, place: int, key: str, language: str) -> None:
    """Draw a passage with the claims that cite it; the first, gold and cited ones are open."""
    say = context.say
    marks = [say(f"answers.origin.{each.origin}")]
    if each.gold and each.origin != "gold":
        marks.append(say("answers.origin.gold"))
    label = each.label or say("answers.origin.pseudo")
    head = f"**{place}. {md_literal(label)}** · {md_literal(' · '.join(marks))}"
    with st.expander(head, expanded=place == 1 or each.gold or bool(each.claims)):
        if each.unit:
            st.caption(md_literal(each.unit))
        for claim in each.claims:
            st.markdown(f"- {md_literal(claim)}")
        if not each.text:
            st.caption(say("answers.one.text_gone" if each.text is None else "answers.one.no_text"))
        else:
            plain_text(each.text, f"{key}-text", "quiet", language, _TALL)


TABS = ("read", "ask")


def render(context: Context) -> None:
    """Draw the page."""
    draw_head(context, "answers")
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    with guarded(context.language):
        found = systems(*context.here, context.by)
        asks = context.may(Act.MAKE_ITEMS)
        first = "read" if found or not asks else "ask"
        tabs = TABS if asks else TABS[:1]
        tab = choose(context, "answers.tab.label", tabs, "answers.tab", "answers-tab", first)
        if asks:
            draw_under_way(context)
        if tab == "ask":
            draw_asking(context)
        elif found:
            draw_systems(context, found)
        else:
            st.info(context.say("answers.list.none"), icon=":material/info:")
