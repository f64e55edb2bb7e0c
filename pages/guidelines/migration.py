"""Taking answers over to a new version: what becomes of each, a preview, and then the act."""

from __future__ import annotations

import streamlit as st

from annotation.guidelines.builtin_documents import TASK
from annotation.guidelines.migration import REASON_LIMIT, Outcome, migrate_answers, preview
from annotation.guidelines.migration_plan import AGAIN, ANSWERS, FATES, NO_PROVISION, SAME
from annotation.guidelines.versions import list_versions
from pages.shell.context import Context
from pages.shell.guard import guarded
from pages.shell.notices import remember


def draw_migration(context: Context, kind: str, notice: str) -> None:
    """Draw the form and what it would do."""
    say = context.say
    st.markdown(say("guidelines.migrate_lead"))
    views = list_versions(*context.here, kind, TASK, context.by)
    newest = next(each.number for each in views if each.current)
    old = [each.number for each in views if each.submissions and each.number < newest]
    if not old:
        st.info(say("guidelines.nothing_to_migrate"), icon=":material/check:")
        return
    left, right = st.columns(2)
    start = left.selectbox(
        say("guidelines.from"),
        old,
        format_func=lambda number: say("guidelines.version", number=number),
        key=f"guidelines-from-{kind}",
    )
    later = [each.number for each in views if each.known and each.number > start]
    end = right.selectbox(
        say("guidelines.to"),
        later,
        format_func=lambda number: say("guidelines.version", number=number),
        key=f"guidelines-to-{kind}",
    )
    answers = _answers(context, kind)
    outcome = preview(*context.here, kind, TASK, start, end, answers, context.by)
    draw_outcome(context, outcome)
    reason = st.text_input(
        say("guidelines.reason"), max_chars=REASON_LIMIT, key=f"guidelines-reason-{kind}"
    )
    words = say("guidelines.migrate", count=outcome.moved)
    if st.button(words, type="primary", disabled=not outcome.moved, key="guidelines-migrate"):
        _migrate(context, kind, (start, end), answers, reason, notice)


def _answers(context: Context, kind: str) -> dict[str, str]:
    """Draw what becomes of each answer."""
    say = context.say
    chosen = {}
    for answer, place in zip(ANSWERS, st.columns(len(ANSWERS)), strict=True):
        others = () if answer == NO_PROVISION else ANSWERS[:-1]
        chosen[answer] = place.selectbox(
            say(f"mapping.ui.{answer}"),
            [SAME, *(each for each in others if each != answer), AGAIN],
            format_func=lambda each: say(f"guidelines.becomes.{each}"),
            key=f"guidelines-answer-{kind}-{answer}",
        )
    return chosen


def draw_outcome(context: Context, outcome: Outcome) -> None:
    """Draw how many submissions become what, and which."""
    say = context.say
    shown = [fate for fate in FATES if outcome.counts[fate]]
    for fate, place in zip(shown, st.columns(max(len(shown), 1)), strict=False):
        place.metric(say(f"guidelines.fate.{fate}"), outcome.counts[fate])
    for fate in shown:
        if fate not in ("same", "mapped"):
            st.caption(f"{say(f'guidelines.fate.{fate}')}: {say(f'guidelines.fate_help.{fate}')}")
    st.dataframe(
        {
            say("guidelines.question"): [each.external_id for each in outcome.lines],
            say("guidelines.who"): [each.person for each in outcome.lines],
            say("guidelines.becomes_what"): [
                say(f"guidelines.fate.{each.fate or 'hidden'}") for each in outcome.lines
            ],
        },
        hide_index=True,
        key="guidelines-outcome",
    )


def _migrate(
    context: Context,
    kind: str,
    step: tuple[int, int],
    answers: dict[str, str],
    reason: str,
    notice: str,
) -> None:
    where = (*context.here, kind, TASK, *step)
    with guarded(context.language):
        done = migrate_answers(*where, answers, reason, context.by)
        counts = {"moved": done.moved, "again": done.counts["again"]}
        remember(notice, context.say("guidelines.migrated", number=step[1], **counts))
        st.rerun()
