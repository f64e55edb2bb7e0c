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
from annotation.work.submissions import beginning
from corpus.files.rows import STATUTE_FILE_BYTES
from messages import LANGUAGES
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.notices import redraw_with
from pages.shell.uploads import megabytes
from pages.shell.widgets import choose_task
from services.batches import deadline_of, ids_in
from services.mapping.candidates import make_audit
from storage.projects import OVERLAPS
from storage.tasks import Task

_SHOWN = 5  # items in the preview
_LENGTH = 70  # characters of each of them
_ANY = "assignment.form.any"


@fragment
def draw_form(context: Context, notice_key: str) -> None:
    """Draw the form that makes a batch, as a fragment: a recount redraws nothing else.

    `notice_key` is the key of the message shown after an act.
    """
    say, fields = context.say, _fields(context)
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(f"**{say('assignment.form.items')}**")
        tasks = batched(all_tasks(*context.here))
        task = choose_task(context, "assignment.form.task", tasks, "assign-task")
        practice = fields.switch("practice")
        choice = _choice(context, task)
        fitting, labelled = _matching_items(context, choice, practice)
        first, second = fields.row(2)
        size = first.number("sample", 0, max(len(fitting), 1), 0)
        seed = second.number("seed", 0, 2**31 - 1, 0)
        audit = _audit_strata(context) if labelled and not practice else ""
    with right:
        st.markdown(f"**{say('assignment.form.work')}**")
        work = _work_settings(context, practice, task == Task.CITATION_MAPPING)
    plan = BatchPlan(choice=choice, sample=size or None, seed=seed, **work)
    words = say("assignment.form.create", count=plan.sample or len(fitting))
    if fields.press("create", label=words, type="primary", disabled=not fitting):
        _create(context, plan, audit, notice_key)


def _fields(context: Context) -> Fields:
    return Fields(context, "assignment.form", "assign")


def _audit_strata(context: Context) -> str:
    """Draw the choice of a blind audit of the source's labels; return its strata, "" for none."""
    none = "assignment.form.strata.none"
    return _fields(context).pick("audit", STRATA, "assignment.form.strata", none=none)


def _choice(context: Context, task: str) -> Choice:
    """Draw the choice of items; return it, with the ids of an uploaded file if there is one."""
    fields = _fields(context)
    language, unresolved, gold = "", None, None
    if task == Task.CITATION_MAPPING:
        first, second, third = fields.row(3)
        language = first.pick("language", LANGUAGES, LANGUAGES.__getitem__, none=_ANY)
        unresolved = _optional_bool(second, "unresolved")
        gold = _optional_bool(third, "gold")
    file = fields.file("ids", ["txt", "csv"], max_upload_size=megabytes(STATUTE_FILE_BYTES))
    ids = None if file is None else ids_in(file.getvalue(), file.name)
    return Choice(language or None, unresolved, gold, ids, task)


def _optional_bool(fields: Fields, name: str) -> bool | None:
    """Draw a choice of any, with or without; return None, True or False."""
    chosen = fields.pick(name, ["yes", "no"], "assignment.form", none=_ANY)
    return {"yes": True, "no": False}.get(chosen)


def _matching_items(
    context: Context, choice: Choice, practice: bool
) -> tuple[Sequence[Match], bool]:
    """Draw how many items match; return them, and whether a source labelled questions.

    Practice takes only items with a known answer. Also returned is whether the project has labels
    of a source, which can be audited. After an error there are no items.
    """
    with guarded(context.language):
        seen = preview(*context.here, choice, context.by)
        fitting = seen.known if practice else seen.items
        counts = {"count": len(fitting), "known": len(seen.known)}
        words = "assignment.form.fit_practice" if practice else "assignment.form.fit"
        st.markdown(f":material/filter_alt: {context.say(words, **counts)}")
        first = [
            f"{md_literal(each.external_id)} · {md_literal(_on_one_line(each.question))}"
            for each in fitting[:_SHOWN]
        ]
        if len(fitting) > _SHOWN:
            first.append(context.say("assignment.form.more", count=len(fitting) - _SHOWN))
        st.caption("  \n".join(first))
        return fitting, seen.labelled
    return (), False


def _on_one_line(question: str) -> str:
    """Return the beginning of a question, on one line."""
    return beginning(" ".join(question.split()), _LENGTH)


def _work_settings(context: Context, practice: bool, of_mapping: bool) -> dict[str, Any]:
    """Draw the fields for name, people, overlap, order and deadline of a batch; return them."""
    say, fields = context.say, _fields(context)
    named = Fields(context, "assignment", "assign")
    workers = people_who_annotate(context)
    name = named.text("name", max_chars=80)
    hint = say("assignment.change.choose")
    people = fields.several("people", workers, workers.__getitem__, list(workers), placeholder=hint)
    first, second = fields.row(2)
    label, bounds = say("assignment.overlap"), (min(OVERLAPS), max(OVERLAPS), 2)
    overlap = first.number("overlap", *bounds, label=label, disabled=practice)
    share = second.number("calibration", 0, 50, 0, disabled=practice)
    orders = SEQUENCES if of_mapping else [each for each in SEQUENCES if each != "informative"]
    label = say("assignment.order")
    order = first.pick("order", orders, "assignment.orders", label=label)
    day: date | None = second.place.date_input(
        say("assignment.deadline"),
        value=None,
        min_value=context.workspace.clock().date() + timedelta(days=1),
        help=say("assignment.form.deadline_help"),
        key="assign-deadline",
    )
    return {
        "name": name,
        "people": tuple(people),
        "overlap": overlap,
        "calibration": 0.0 if practice else share / 100,
        "sequence": order,
        "deadline": None if day is None else deadline_of(day.isoformat()),
        "practice": practice,
    }


def people_who_annotate(context: Context) -> dict[int, str]:
    """Return the name of each active person who may annotate, by id."""
    people = list_people(*context.here)
    return {e.id: e.name for e in people if e.active and may(e.role, Act.ANNOTATE)}


def _create(context: Context, plan: BatchPlan, audit: str, notice_key: str) -> None:
    """Make the batch or, if `audit` names strata, a blind audit of the source's labels."""
    with guarded(context.language):
        if audit:
            with st.spinner(context.say("data.candidates.run")):
                make_audit(*context.here, plan, audit, context.by)
        else:
            make_batch(*context.here, plan, context.by)
        st.session_state.pop("assign-name", None)
        redraw_with(notice_key, context.say("assignment.form.made", name=plan.name))
