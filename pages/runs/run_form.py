"""Form that runs a retrieval method: choose a preset, change its parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st
import yaml

from errors import UserError
from pages.law.snapshot_choice import searched_caption
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import fragment, md_literal, show
from pages.shell.task_progress import begin, start_button
from retrieval.core.model import MAX_DEPTH, Parameter, Spec
from retrieval.core.own import own_methods
from retrieval.core.presets import (
    PRESETS,
    choice_of,
    describe,
    help_of,
    label_of,
    title_of,
    values_of,
)
from retrieval.core.registry import BUILT_IN, complete, parameters, with_effect
from retrieval.core.spec_file import parse_spec
from services.background.retrieval import Made, start_run
from services.background.tasks import TaskKind
from services.runs.rows import Board, other_name

NOTICE = "leaderboard-notice"
_ACROSS = 4  # parameters on one line
_WHOLE, _FINE = 1, 0.05
_DEPTH = 100


@fragment
def draw_form(context: Context, board: Board) -> None:
    """Draw the form that runs a method; a new run is announced at the top of the redrawn page."""
    say = context.say
    if not board.gold.items:
        st.info(say("leaderboard.no_gold"), icon=":material/hourglass_empty:")
    which, how = Fields(context, "run_form", "run").row([3, 2], vertical_alignment="bottom")
    preset = which.pick(
        "method", PRESETS, lambda name: title_of(name, context.language), key="preset"
    )
    as_text = how.switch("as_text")
    spec = _text(context, preset) if as_text else _widgets(context, preset)
    searched_caption(context)
    _submit(context, board, spec)
    _draw_broken_methods(context)


def _draw_broken_methods(context: Context) -> None:
    """Draw which of the operator's own methods are unusable, and why."""
    problems = [each.problem for each in own_methods() if each.problem is not None]
    if not problems:
        return
    words = context.say("own_method.broken", count=len(problems))
    with st.expander(words, icon=":material/extension_off:"):
        for problem in problems:
            show(problem, context.language)


def _submit(context: Context, board: Board, spec: Spec | None) -> None:
    """Draw label, depth and the button that starts the run."""
    say = context.say
    fields = Fields(context, "run_form", "run")
    named, depth, button = fields.row([3, 1, 1.4], vertical_alignment="bottom")
    label = named.text("label", placeholder=describe(spec) if spec else "", max_chars=100)
    k = depth.number("depth", 1, MAX_DEPTH, _DEPTH)
    with button.place:
        sent = start_button(
            context,
            TaskKind.RUN,
            say("run_form.run"),
            not board.questions or spec is None,
            type="primary",
            icon=":material/play_arrow:",
            width="stretch",
            key="run-go",
        )
    if sent and spec is not None:
        begin(context, start_run, spec, k, label.strip(), board.gold.name)


def notices_of_run(context: Context, done: Made) -> Sequence[str]:
    """Return the lines on a finished run: its id, and its name if it was there under another."""
    called = other_name(context.workspace, done.run_id, done.label, context.by)
    before = context.say("leaderboard.was_there", name=called) if called else ""
    return context.say("leaderboard.done", run=done.run_id), before


def _text(context: Context, preset: str) -> Spec | None:
    """Draw the spec as YAML; return the edited spec, or None if it is invalid."""
    started = yaml.safe_dump(complete(PRESETS[preset]), sort_keys=False, allow_unicode=True)
    fields = Fields(context, "run_form", "run")
    written = fields.lines("text", started, height=260, key=f"text-{preset}")
    try:
        return parse_spec(written)
    except UserError as error:
        show(error, context.language)
        return None


def _widgets(context: Context, preset: str) -> Spec | None:
    """Draw the parameters of a method that have an effect; return the spec, None if invalid.

    Nested methods and parameters without effect keep the preset's values.
    """
    started = complete(PRESETS[preset])
    method = started["method"]
    within = [each for each in parameters(method) if each.kind in ("method", "methods")]
    for each in within:
        value = started[each.name]
        parts = value if isinstance(value, list) else [value]
        st.caption(
            context.say("run_form.within", methods=" + ".join(describe(part) for part in parts))
        )
    values = dict(started)
    now = {name: st.session_state.get(_key(preset, name), values[name]) for name in values}
    shown = [each for each in with_effect(now) if each not in within]
    for start in range(0, len(shown), _ACROSS):
        columns = st.columns(_ACROSS)
        for column, each in zip(columns, shown[start : start + _ACROSS], strict=False):
            with column:
                values[each.name] = _widget(context, each, started[each.name], preset, method)
    try:
        return complete(values)
    except UserError as error:
        show(error, context.language)
        return None


def _key(preset: str, name: str) -> str:
    """Return the session key of a parameter."""
    return f"run-{preset}-{name}"


def _widget(context: Context, parameter: Parameter, value: Any, preset: str, method: str) -> Any:
    """Draw the widget of a parameter; return its value."""
    name, label = parameter.name, label_of(method, parameter, context.language)
    shared: dict[str, Any] = {
        "key": _key(preset, name),
        "help": _help(context, parameter, method),
    }
    called = partial(choice_of, method, parameter, language=context.language)
    if parameter.kind == "bool":
        return st.toggle(label, value, **shared)
    if parameter.kind == "choice":
        return st.selectbox(
            label,
            parameter.choices,
            parameter.choices.index(value),
            format_func=called,
            **shared,
        )
    if parameter.kind in ("int", "float"):
        return _number(parameter, label, value, shared)
    if parameter.kind == "texts" and parameter.choices:
        return st.multiselect(label, parameter.choices, list(value), format_func=called, **shared)
    if parameter.kind in ("texts", "numbers"):
        return _parsed_values(parameter, st.text_input(label, ", ".join(map(str, value)), **shared))
    return st.text_input(label, value, **shared)


def _help(context: Context, parameter: Parameter, method: str) -> str:
    """Return the help text of a parameter."""
    said = help_of(method, parameter, context.language)
    values = md_literal(values_of(parameter, context.language))
    named = [context.say("parameter.in_specs", name=parameter.name)]
    if method in BUILT_IN:
        named += [
            f"`{choice}`: {md_literal(choice_of(method, parameter, choice, context.language))}"
            for choice in parameter.choices
        ]
    return f"{md_literal(said)}\n\n{values}\n\n{'; '.join(named)}"


def _number(parameter: Parameter, label: str, value: float, shared: Mapping[str, Any]) -> float:
    """Draw the widget of a number; return it."""
    kind = int if parameter.kind == "int" else float
    low = kind(parameter.low) if math.isfinite(parameter.low) else None
    high = kind(parameter.high) if math.isfinite(parameter.high) else None
    step = kind(_WHOLE if kind is int or value >= 10 else _FINE)
    return st.number_input(label, low, high, kind(value), step, **shared)


def _parsed_values(parameter: Parameter, written: str) -> list[Any]:
    """Parse values separated by commas; what is no number stays text, to be refused later."""
    said = [each.strip() for each in written.split(",") if each.strip()]
    if parameter.kind == "texts":
        return said
    numbers: list[Any] = []
    for each in said:
        try:
            numbers.append(float(each))
        except ValueError:
            numbers.append(each)  # the spec parser reports it
    return numbers
