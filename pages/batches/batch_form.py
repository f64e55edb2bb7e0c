"""Form that creates a batch, with a live count of matching items."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import streamlit as st

from annotation.batches.commands import SEQUENCES, BatchPlan, batched, make_batch
from annotation.batches.sampling import STRATA, Choice, Match, preview
from annotation.people.members import list_people
from annotation.people.roles import Act, may
from annotation.tasks.own import all_tasks
from corpus.files.rows import STATUTE_FILE_BYTES
from errors import UserError
from messages import LANGUAGES
from pages.shell.context import Context
from pages.shell.guard import guarded, md_literal, show
from pages.shell.notices import remember
from pages.shell.uploads import megabytes
from pages.shell.widgets import choose_task
from services.batches import deadline_of, ids_in
from services.mapping.candidates import make_audit
from storage.projects import OVERLAPS
from storage.tasks import Task

_SHOWN = 5  # items in the preview
_LENGTH = 70  # characters of each of them
_ANY = "any"


@st.fragment
def draw_form(context: Context, notice: str) -> None:
    """Draw the form, as a fragment: a recount redraws nothing else."""
    with guarded(context.language):  # the app's error guard does not cover a fragment's own rerun
        _form(context, notice)


def _form(context: Context, notice: str) -> None:
    """Draw the form that makes a batch."""
    say = context.say
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(f"**{say('assignment.form.items')}**")
        tasks = batched(all_tasks(*context.here))
        task = choose_task(context, "assignment.form.task", tasks, "assign-task")
        questions = task == Task.CITATION_MAPPING
        practice = st.toggle(
            say("assignment.form.practice"),
            help=say("assignment.form.practice_help"),
            key="assign-practice",
        )
        choice = _choice(context, task)
        fitting, labelled = _matching_items(context, choice, practice)
        first, second = st.columns(2)
        size = first.number_input(
            *(say("assignment.form.sample"), 0, max(len(fitting), 1), 0),
            help=say("assignment.form.sample_help"),
            key="assign-sample",
        )
        seed = second.number_input(say("assignment.form.seed"), 0, 2**31 - 1, 0, key="assign-seed")
        audit = _audit_strata(context) if labelled and not practice else ""
    with right:
        st.markdown(f"**{say('assignment.form.work')}**")
        work = _work_settings(context, practice, questions)
    plan = BatchPlan(choice=choice, sample=int(size) or None, seed=int(seed), **work)
    pressed = st.button(
        say("assignment.form.create", count=plan.sample or len(fitting)),
        type="primary",
        key="assign-create",
        disabled=not fitting,
    )
    if pressed:
        _create(context, plan, audit, notice)


def _audit_strata(context: Context) -> str:
    """Draw the choice of a blind audit of the source's labels; return its strata, "" for none."""
    return st.selectbox(
        context.say("assignment.form.audit"),
        ["", *STRATA],
        format_func=lambda each: context.say(f"assignment.form.strata.{each or 'none'}"),
        help=context.say("assignment.form.audit_help"),
        key="assign-audit",
    )


def _choice(context: Context, task: str) -> Choice:
    """Draw the choice of items; return it."""
    say = context.say
    language, unresolved, gold = None, None, None
    if task == Task.CITATION_MAPPING:
        first, second, third = st.columns(3)
        language = first.selectbox(
            say("assignment.form.language"),
            [_ANY, *LANGUAGES],
            format_func=lambda each: LANGUAGES.get(each, say("assignment.form.any")),
            key="assign-language",
        )
        told = say("assignment.form.unresolved_help")
        unresolved = _optional_bool(second, context, "unresolved", told)
        gold = _optional_bool(third, context, "gold")
    file = st.file_uploader(
        say("assignment.form.ids"),
        type=["txt", "csv"],
        max_upload_size=megabytes(STATUTE_FILE_BYTES),
        help=say("assignment.form.ids_help"),
        key="assign-ids",
    )
    ids = None if file is None else ids_in(file.getvalue(), file.name)
    return Choice(None if language == _ANY else language, unresolved, gold, ids, task)


def _optional_bool(
    place: Any, context: Context, name: str, tooltip: str | None = None
) -> bool | None:
    """Draw a choice of any, with or without; return None, True or False."""
    chosen = place.selectbox(
        context.say(f"assignment.form.{name}"),
        [_ANY, "yes", "no"],
        format_func=lambda each: context.say(f"assignment.form.{each}"),
        help=tooltip,
        key=f"assign-{name}",
    )
    return {"yes": True, "no": False}.get(chosen)


def _matching_items(
    context: Context, choice: Choice, practice: bool
) -> tuple[Sequence[Match], bool]:
    """Draw the number of items that match and the first ones; return them.

    With them whether the project has labels of a source, which can be audited.
    """
    try:
        seen = preview(context.workspace, context.project, choice, context.person.id)
    except UserError as error:
        show(error, context.language)
        return (), False
    fitting = seen.known if practice else seen.items
    counts = {"count": len(fitting), "known": len(seen.known)}
    words = "assignment.form.fit_practice" if practice else "assignment.form.fit"
    st.markdown(f":material/filter_alt: {context.say(words, **counts)}")
    first = [
        f"{md_literal(each.external_id)} · {_beginning(each.question)}" for each in fitting[:_SHOWN]
    ]
    if len(fitting) > _SHOWN:
        first.append(context.say("assignment.form.more", count=len(fitting) - _SHOWN))
    st.caption("  \n".join(first))
    return fitting, seen.labelled


def _beginning(question: str) -> str:
    """Return the beginning of a question, on one line."""
    line = " ".join(question.split())
    return md_literal(line if len(line) <= _LENGTH else f"{line[:_LENGTH]}…")


def _work_settings(context: Context, practice: bool, questions: bool) -> dict[str, Any]:
    """Draw the fields for name, people, order and deadline of a batch; return them."""
    say = context.say
    workers = {
        each.id: each.name
        for each in list_people(context.workspace, context.project)
        if each.active and may(each.role, Act.ANNOTATE)
    }
    name = st.text_input(say("assignment.name"), max_chars=80, key="assign-name")
    people = st.multiselect(
        say("assignment.form.people"),
        list(workers),
        default=list(workers),
        format_func=workers.__getitem__,
        placeholder=say("assignment.change.choose"),
        key="assign-people",
    )
    first, second = st.columns(2)
    overlap = first.number_input(
        *(say("assignment.overlap"), min(OVERLAPS), max(OVERLAPS), 2),
        help=say("assignment.form.overlap_help"),
        key="assign-overlap",
        disabled=practice,
    )
    share = second.number_input(
        *(say("assignment.form.calibration"), 0, 50, 0),
        help=say("assignment.form.calibration_help"),
        key="assign-calibration",
        disabled=practice,
    )
    order = first.selectbox(
        say("assignment.order"),
        SEQUENCES if questions else [each for each in SEQUENCES if each != "informative"],
        format_func=lambda each: say(f"assignment.orders.{each}"),
        help=say("assignment.form.order_help"),
        key="assign-order",
    )
    day: date | None = second.date_input(
        say("assignment.deadline"),
        value=None,
        min_value=context.workspace.clock().date() + timedelta(days=1),
        help=say("assignment.form.deadline_help"),
        key="assign-deadline",
    )
    return {
        "name": name,
        "people": tuple(people),
        "overlap": int(overlap),
        "calibration": 0.0 if practice else share / 100,
        "sequence": order,
        "deadline": None if day is None else deadline_of(day.isoformat()),
        "practice": practice,
    }


def _create(context: Context, plan: BatchPlan, audit: str, notice: str) -> None:
    """Make the batch, or the audit."""
    try:
        if audit:
            with st.spinner(context.say("data.candidates.run")):
                make_audit(*context.here, plan, audit, context.by)
        else:
            make_batch(*context.here, plan, context.by)
    except UserError as error:
        show(error, context.language)
        return
    remember(notice, context.say("assignment.form.made", name=plan.name))
    st.session_state.pop("assign-name", None)
    st.rerun()
