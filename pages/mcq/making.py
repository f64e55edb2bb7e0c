"""Making and solving questions: written by a model, brought in from a file, answered by models."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st

from construction.mcq.filters import PRESETS, FilterChoice, Reason
from construction.mcq.model import LEADING, PairFilter
from corpus.graph.model import EdgeType
from corpus.model import Tier
from evaluation.mcq.votes import Setting
from llm.roles import Role
from pages.shell.context import Context
from pages.shell.draft_state import kept_choices, kept_place, kept_value
from pages.shell.guard import fragment
from pages.shell.notices import remember
from pages.shell.task_progress import begin, draw_end, draw_model, draw_task
from pages.shell.uploads import PLAIN_MB
from services.background.tasks import TaskKind
from services.law.overview import current_snapshot, statutes
from services.mcq import generation
from services.mcq.generation import Generated, GenerationOptions, count_pairs, start_writing
from services.mcq.importing import import_mcqs
from services.mcq.solving import MOST_REPEATS, Solved, SolvingOptions, start_solving
from services.mcq.vote_importing import import_votes
from services.models.workspace_models import roles
from services.uploads import Upload, staged_file

_Asked = TypeVar("_Asked")
_TIERS = tuple((a, b) for a in Tier for b in Tier if a <= b)


def draw_making(context: Context, notice: str) -> None:
    """Draw the tab; what an import came to is remembered under `notice`."""
    with st.container(border=True):
        _head(context, "generate")
        if draw_model(context, Role.GENERATE) and not _work(context, TaskKind.GENERATE_MCQ):
            _write_form(context)
    with st.container(border=True):
        _head(context, "solve")
        if draw_model(context, Role.SOLVE) and not _work(context, TaskKind.SOLVE_MCQ):
            _solve_form(context)
    with st.container(border=True):
        _head(context, "import")
        _import(context, notice)
    with st.container(border=True):
        _head(context, "votes")
        _import_votes(context, notice)


def _head(context: Context, name: str) -> None:
    st.header(context.say(f"mcq_report.make.{name}"), anchor=False)
    st.caption(context.say(f"mcq_report.make.{name}_help"))


def _work(context: Context, kind: TaskKind) -> bool:
    words = _generated if kind is TaskKind.GENERATE_MCQ else _solved

    def ended(done: Any) -> None:
        draw_end(context, words(context, done), done.end, done.reason)

    return draw_task(context, kind, "mcq_report.make.progress", ended)


def _generated(context: Context, done: Generated) -> str:
    out = sum(done.outcomes.values()) - done.kept
    counts = {"out": out} | {
        name: getattr(done, name) for name in ("drawn", "already", "kept", "unanswered")
    }
    return context.say(
        "mcq_report.make.generated", **{name: f"{count:,}" for name, count in counts.items()}
    )


def _solved(context: Context, done: Solved) -> str:
    states = done.states
    counts = {name: states.get(name, 0) for name in ("answered", "refused", "unreadable")}
    counts["abstained"] = sum(states.get(f"abstained_{how}", 0) for how in ("option", "words"))
    counts |= {"calls": done.calls, "failed": done.failed}
    counts["made"] = sum(states.values()) + done.failed
    return context.say(
        "mcq_report.make.solved", **{name: f"{count:,}" for name, count in counts.items()}
    )


@fragment
def _write_form(context: Context) -> None:
    wish = _wish(context)
    with st.container(horizontal=True):
        run = st.button(
            context.say("mcq_report.make.run_generate"),
            type="primary",
            icon=":material/edit_note:",
            key="mcq-write",
        )
        count = st.button(context.say("mcq_report.make.count"), key="mcq-count")
    if count:
        pairs = count_pairs(*context.here, wish.wanted, context.by)
        st.info(context.say("mcq_report.make.counted", count=f"{pairs:,}"))
    if run:
        begin(context, start_writing, wish)


def _form(context: Context) -> str:
    """Return the name under which what is entered is kept: it is wanted again to go on."""
    return f"mcq-make-{context.project}"


def _wish(context: Context) -> GenerationOptions:
    say, form = context.say, _form(context)
    edges, tiers, law = st.columns([2, 2, 3])
    types = edges.multiselect(
        say("mcq_report.make.edges"),
        sorted(LEADING),
        format_func=lambda each: say(f"corpus.edge.{each}"),
        **kept_choices(form, "mcq-edges", sorted(LEADING), [EdgeType.DELEGATES_TO]),
    )
    pairs = tiers.multiselect(
        say("mcq_report.make.tiers"),
        _TIERS,
        format_func=lambda each: _tier_words(context, *each),
        placeholder=say("mcq_report.make.any"),
        **kept_choices(form, "mcq-tiers", _TIERS, []),
    )
    titles = _titles(context)
    chosen = law.multiselect(
        say("mcq_report.make.statutes"),
        list(titles),
        format_func=lambda each: titles[each],
        placeholder=say("mcq_report.make.any"),
        **kept_choices(form, "mcq-statutes", list(titles), []),
    )
    wanted = PairFilter(frozenset(types), tuple(pairs), tuple(chosen))
    number, seed, per_a = _numbers(context)
    return GenerationOptions(wanted, number, seed, per_a or None, _filters(context, _form(context)))


def _filters(context: Context, form: str) -> FilterChoice:
    """Draw which filters drafts pass; return the choice."""
    say = context.say
    first, second = st.columns([2, 5])
    preset = first.selectbox(
        say("mcq_report.make.filters"),
        list(PRESETS),
        format_func=lambda name: say(f"mcq_report.make.filters_{name}"),
        help=say("mcq_report.make.filters_help"),
        **kept_place(form, f"{form}-filters", PRESETS, "standard"),
    )
    off = second.multiselect(
        say("mcq_report.make.without"),
        [reason for reason in Reason if reason not in PRESETS[preset].off],
        format_func=lambda reason: say(f"mcq_report.filter.{reason}"),
        placeholder=say("mcq_report.make.without_none"),
        **kept_choices(
            form,
            f"{form}-{preset}-without",
            [reason for reason in Reason if reason not in PRESETS[preset].off],
            [],
        ),
    )
    return FilterChoice(preset, tuple(off))


def _tier_words(context: Context, a: Tier, b: Tier) -> str:
    return " → ".join(context.say(f"mapping.tier.{int(each)}") for each in (a, b))


def _titles(context: Context) -> dict[str, str]:
    snapshot = current_snapshot(*context.here, context.by)
    return {line.statute_id: line.title for line in statutes(context.workspace, snapshot.id)}


def _numbers(context: Context) -> tuple[int, int, int]:
    say, form = context.say, _form(context)
    first, second, third = st.columns(3)
    number = first.number_input(
        say("mcq_report.make.number"), 1, generation.MOST, **kept_value(form, "mcq-number", 100)
    )
    seed = second.number_input(
        say("mcq_report.make.seed"),
        0,
        2**31,
        help=say("mcq_report.make.seed_help"),
        **kept_value(form, "mcq-seed", 0),
    )
    per_a = third.number_input(
        say("mcq_report.make.per_a"),
        0,
        1000,
        help=say("mcq_report.make.per_a_help"),
        **kept_value(form, "mcq-per-a", 0),
    )
    return int(number), int(seed), int(per_a)


@fragment
def _solve_form(context: Context) -> None:
    say, form = context.say, _form(context)
    models, settings, repeats = st.columns([3, 3, 1])
    names = models.text_input(
        say("mcq_report.make.models"),
        placeholder=_solver(context),
        help=say("mcq_report.make.models_help"),
        max_chars=500,
        **kept_value(form, "mcq-models", ""),
    )
    chosen = settings.multiselect(
        say("mcq_report.make.settings"),
        list(Setting),
        format_func=lambda each: say(f"mcq_report.setting.{each}"),
        **kept_choices(form, "mcq-settings", list(Setting), list(Setting)),
    )
    often = repeats.number_input(
        say("mcq_report.make.repeats"), 1, MOST_REPEATS, **kept_value(form, "mcq-repeats", 1)
    )
    run = st.button(
        say("mcq_report.make.run_solve"),
        type="primary",
        icon=":material/psychology:",
        key="mcq-solve",
    )
    if run:
        ask = SolvingOptions(tuple((names or "").split(",")), tuple(chosen), int(often))
        begin(context, start_solving, ask)


def _solver(context: Context) -> str:
    found = next(role for role in roles(context.workspace) if role.role is Role.SOLVE)
    return found.endpoint.model if found.endpoint else ""


@fragment
def _import(context: Context, notice: str) -> None:
    def take(path: Path, filters: FilterChoice) -> dict[str, int]:
        done = import_mcqs(*context.here, path, by=context.by, filters=filters)
        out = sum(done.outcomes.values()) - done.kept
        return {"read": done.read, "kept": done.kept, "out": out, "already": done.already}

    place = f"mcq-import-{context.project}"
    _from_file(context, notice, "import", lambda: _filters(context, place), take)


@fragment
def _import_votes(context: Context, notice: str) -> None:
    def take(path: Path, _: None) -> dict[str, int]:
        done = import_votes(*context.here, path, by=context.by)
        return {"read": done.read, "new": done.read - done.already, "already": done.already}

    _from_file(context, notice, "votes", lambda: None, take)


def _from_file(
    context: Context,
    notice: str,
    what: str,
    ask: Callable[[], _Asked],
    take: Callable[[Path, _Asked], dict[str, int]],
) -> None:
    """Draw a file to bring in, what is asked beside it, and the button; say what it came to."""
    make = "mcq_report.make"
    given = st.file_uploader(
        context.say(f"{make}.{what}_file"),
        ["jsonl"],
        max_upload_size=PLAIN_MB,
        key=f"mcq-{what}-file",
    )
    asked = ask()
    run = st.button(
        context.say(f"{make}.run_{what}"),
        icon=":material/upload_file:",
        disabled=given is None,
        key=f"mcq-{what}",
    )
    if given is None or not run:
        return
    given.seek(0)
    with staged_file(Upload(given.name, given), ".jsonl") as path:
        counts = take(path, asked)
    remember(notice, context.say(f"{make}.{what}_done", **counts))
    st.rerun()
