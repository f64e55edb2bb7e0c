"""Migration of answers to a new version: mapping, preview, execution."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st

from annotation.guidelines.documents import TASK
from annotation.guidelines.migration import (
    REASON_LIMIT,
    Choices,
    Outcome,
    choices,
    migrate_answers,
    preview,
)
from annotation.guidelines.versions import list_versions
from annotation.mapping.commands import ANSWERS, NO_PROVISION
from annotation.work.rules import AGAIN, FATES, SAME, Why
from pages.guidelines.versions import version_name
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded
from pages.shell.notices import remember
from pages.shell.widgets import draw_table
from pages.task.documents import answer_name, answer_names


@dataclass(frozen=True, slots=True)
class _Step:
    """A migration from one version of a document to another."""

    kind: str
    task: str
    start: int
    end: int

    @property
    def key(self) -> str:
        """Prefix of its widget keys."""
        return "-".join((self.task, self.kind, str(self.start), str(self.end)))


def draw_migration(context: Context, kind: str, task: str, notice: str) -> None:
    """Draw the mapping form and a preview of the migration."""
    say = context.say
    st.markdown(say("guidelines.migrate_lead" if task == TASK else "guidelines.migrate_form_lead"))
    views = list_versions(*context.here, kind, task, context.by)
    newest = next(view.number for view in views if view.current)
    old = [view.number for view in views if view.submissions and view.number < newest]
    if not old:
        st.info(say("guidelines.nothing_to_migrate"), icon=":material/check:")
        return
    left, right = Fields(context, "guidelines", "guidelines").row(2)
    named = partial(version_name, context)
    start = left.pick("from", old, named, key=f"from-{task}-{kind}")
    later = [view.number for view in views if view.known and view.number > start]
    end = right.pick("to", later, named, key=f"to-{task}-{kind}")
    _draw_step(context, _Step(kind, task, start, end), notice)


def _draw_step(context: Context, step: _Step, notice: str) -> None:
    """Draw the choices of a migration, its outcome and the button that carries it out."""
    say, names, items = context.say, dict[str, str](), list[str]()
    fields = Fields(context, "guidelines", "guidelines")
    where = (*context.here, step.kind, step.task, step.start, step.end)
    if step.task == TASK:
        answers = _answers(context, step.kind)
    else:
        names = answer_names(context, step.task)
        found = choices(*where, context.by)
        answers = _form_answers(context, step, found, names)
        shown = {"placeholder": "", "key": f"items-{step.key}"}
        items = fields.several("again_items", found.items, **shown)
    outcome = preview(*where, answers, context.by, items)
    draw_outcome(context, outcome, names)
    reason = fields.text("reason", max_chars=REASON_LIMIT, key=f"reason-{step.kind}")
    words = say("guidelines.migrate", count=outcome.moved)
    if fields.press("migrate", label=words, type="primary", disabled=not outcome.moved):
        with guarded(context.language):
            done = migrate_answers(*where, answers, reason, context.by, items)
            counts = {"moved": done.moved, "again": done.counts["again"]}
            remember(notice, say("guidelines.migrated", number=step.end, **counts))
            st.rerun()


def _answers(context: Context, kind: str) -> dict[str, str]:
    """Draw the choice of each answer's replacement; return the mapping."""
    fields = Fields(context, "mapping.ui", f"guidelines-answer-{kind}").row(len(ANSWERS))
    chosen = {}
    for answer, field in zip(ANSWERS, fields, strict=True):
        others = () if answer == NO_PROVISION else ANSWERS[:-1]
        options = [SAME, *(other for other in others if other != answer), AGAIN]
        chosen[answer] = field.pick(answer, options, "guidelines.becomes", key=answer)
    return chosen


def _form_answers(
    context: Context, step: _Step, choices: Choices, names: dict[str, str]
) -> dict[str, str]:
    """Draw which answers must be given again, and replacements of removed ones."""
    say, fields = context.say, Fields(context, "guidelines", "guidelines")
    reworded = [answer for answer in choices.answers if choices.changed.get(answer) == AGAIN]
    gone = [each for each in reworded if _is_gone(choices, each)]
    again = fields.several(
        "again_answers",
        [answer for answer in choices.answers if answer not in gone],
        partial(answer_name, names),
        [each for each in reworded if each not in gone],
        placeholder="",
        key=f"again-{step.key}",
    )
    chosen: dict[str, str] = dict.fromkeys(again, AGAIN)
    chosen |= {each: SAME for each in reworded if each not in (*again, *gone)}
    for name in gone:
        field = name.partition(".")[0]
        words = {AGAIN: say("guidelines.becomes.again")}
        words |= {each: answer_name(names, f"{field}.{each}") for each in choices.options[field]}
        label = say("guidelines.becomes_other", what=answer_name(names, name))
        shown = {"label": label, "key": f"gone-{step.key}-{name}"}
        chosen[name] = fields.pick("becomes_other", words, words.__getitem__, **shown)
    return chosen


def _is_gone(choices: Choices, name: str) -> bool:
    """Return True if the new version lacks the option."""
    field, _, option = name.partition(".")
    return bool(option) and option not in choices.options.get(field, (option,))


def draw_outcome(context: Context, outcome: Outcome, names: dict[str, str]) -> None:
    """Draw the submissions by outcome; `names` are display names of a form's answers."""
    say = context.say
    shown = [fate for fate in FATES if outcome.counts[fate]]
    for fate, place in zip(shown, st.columns(max(len(shown), 1)), strict=False):
        place.metric(say(f"guidelines.fate.{fate}"), outcome.counts[fate])
    for fate in shown:
        if fate not in ("same", "mapped"):
            st.caption(f"{say(f'guidelines.fate.{fate}')}: {say(f'guidelines.fate_help.{fate}')}")
    lines = outcome.lines
    columns = {
        "question": [line.external_id for line in lines],
        "who": [line.person for line in lines],
        "becomes_what": [say(f"guidelines.fate.{line.fate or 'hidden'}") for line in lines],
    }
    if names:
        reasons = [[_reason_text(context, why, names) for why in line.why] for line in lines]
        columns["why_again"] = [", ".join(each) for each in reasons]
    draw_table(context, "guidelines", columns, "guidelines-outcome")


def _reason_text(context: Context, why: Why, names: dict[str, str]) -> str:
    what = f"{why.field}.{why.option}" if why.option else why.field
    return context.say(f"guidelines.why.{why.code}", what=answer_name(names, what))
