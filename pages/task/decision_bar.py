"""Sticky bar below a dispute: reason, decide, send back.

Working time on an answer, as text.

Discussion of a dispute that was sent back: state, rounds and thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from annotation.adjudication.decisions import DisputeCase, RoundView
from annotation.adjudication.tasks import recall
from annotation.forms.disputes import Dispute
from annotation.work.submissions import plausible_seconds
from annotation.work.threads import Message, say, thread
from errors import UserError
from pages.shell import draft_state
from pages.shell.context import Context
from pages.shell.guard import guarded, md_literal, show
from pages.shell.navigation import key_map, shortcut

_STYLE = """<style>
*:has(> .st-key-decision-bar) { position: sticky; bottom: 0; z-index: 50; }
.st-key-decision-bar { padding: 0.5rem 0.75rem; background: var(--case-paper, #fff);
  border: 1px solid var(--case-line); border-radius: 6px;
  box-shadow: 0 -4px 12px rgba(0, 0, 0, 0.08); }
.st-key-case-reason { position: relative; }
.st-key-case-missing { position: absolute; left: 0; top: 100%; z-index: 3; width: max-content;
  padding: 0 0.25rem; background: var(--case-paper, #fff); pointer-events: none; }
.st-key-case-missing p { font-size: 0.8rem; line-height: 1.3; }
.st-key-case-reason:has(textarea:not(:placeholder-shown))
  .st-key-case-missing:not(:has(.st-key-case-carried)) { display: none; }
@media (max-width: 640px) { /* a phone has no keys to name */
  .st-key-decision-bar kbd { display: none; }
  .st-key-decision-bar [data-testid="stHorizontalBlock"] > :first-child { flex-basis: 80%; }
  .st-key-decision-bar .stButton button { padding: 0.25rem 0.5rem; }
  .st-key-decision-bar .stButton button p { font-size: 0.8rem; }
  :is([class*="st-key-case-decide"], [class*="st-key-case-back"])
    span:has(> [data-testid="stIconMaterial"]) { display: none; }
}
@media (max-width: 1100px) {
  .st-key-case-undo-entry [data-testid="stMarkdownContainer"] {
    position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%); }
}
@media (max-height: 500px) { *:has(> .st-key-decision-bar) { position: static; } }
</style>"""
_DIGITS = key_map()["option"].keys[:9]  # each takes a side's answers


@dataclass(frozen=True, slots=True)
class Chosen:
    """The adjudicator's choices on a dispute so far, and whether they can be decided.

    `answers` are in the task's own form, `note` is a line about them. `reason` is that of the
    earlier decision; `alike` identifies the choice, so that its reason is offered again for the
    next case. `ready` says whether it can be decided, `back` whether the case can be sent back for
    discussion.
    """

    answers: dict[str, Any] = field(default_factory=dict)
    note: str = ""
    reason: str = ""
    alike: str = ""
    ready: bool = True
    back: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A click on decide, or on send `back`.

    `field` is where an error about the reason is shown. `reason` is empty if the one in the field
    was `carried` over from another case: it would not be a question to these annotators.
    """

    reason: str
    back: bool
    field: DeltaGenerator
    carried: bool


def case_name(context: Context, item_id: int) -> str:
    """Return the key of a case's unsaved input."""
    return f"case-{context.person.id}-{item_id}"


def draw_bar(
    context: Context, entry: Dispute, chosen: Chosen, name: str, refused: UserError | None
) -> Asked | None:
    """Draw the bar, with the error that `refused` the last click; return this run's click."""
    say, last = context.say, f"adjudication-last-{chosen.alike}"
    st.html(_STYLE)
    with st.container(key="decision-bar", gap="small"):
        with st.container():
            if refused is not None:
                show(refused, context.language)
        row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
        box = row.container(gap="xxsmall", key="case-reason")
        offers = chosen.alike and entry.state == "open"
        offered = st.session_state.get(last, "") if offers and not chosen.reason else ""
        reason = box.text_area(
            say("adjudication.reason"),
            help=say("adjudication.reason_help"),
            height=68,
            placeholder=" ",  # lets the style recognise an empty field
            **draft_state.kept_value(name, f"{name}-reason", chosen.reason or offered),
        ).strip()
        field = box.container()
        row.button(
            say("adjudication.undo_entry"),
            key="case-undo-entry",
            icon=":material/undo:",
            type="tertiary",
            disabled=not draft_state.can_undo(name),
            help=say("adjudication.key.undo"),
            on_click=draft_state.undo,
            args=(name,),
        )
        again = entry.state == "decided"
        # A separate button per case: a click on the previous one must not decide this one.
        sent = row.button(
            say("adjudication.redecide" if again else "adjudication.decide"),
            key=f"case-decide__{entry.item_id}",
            type="primary",
            icon=":material/gavel:",
            shortcut=shortcut("submit"),
            disabled=not chosen.ready,
        )
        back = chosen.back and row.button(
            say("cases.send_back"),
            key=f"case-back__{entry.item_id}",
            icon=":material/reply:",
            shortcut=shortcut("send_back"),
            disabled=entry.state != "open",
            help=say("cases.send_back_help"),
        )
        if chosen.note:
            st.caption(f"{md_literal(entry.external_id)} · {chosen.note}")
    if sent and chosen.alike:
        st.session_state[last] = reason
    carried = bool(back and reason and reason == offered)
    return Asked("" if carried else reason, bool(back), field, carried) if sent or back else None


def draw_take(
    context: Context, at: int, take: Callable[..., None], *args: Any, key: str = ""
) -> None:
    """Draw the button that copies the answers of side `at`; a digit key does the same.

    `key` identifies the button of a part of the case, which a digit triggers while that part has
    the focus.
    """
    st.button(
        context.say("adjudication.take_part" if key else "adjudication.take"),
        key=f"case-take-{at}" if not key else f"take-{key}",
        icon=":material/input:",
        type="tertiary",
        shortcut=_DIGITS[at] if at < len(_DIGITS) and not key else None,
        help=context.say("adjudication.take_help"),
        on_click=take,
        args=args,
    )


def missing_reason(context: Context, click: Asked) -> None:
    """Show at the reason field, which gets the focus, that a reason is missing."""
    words = context.say(f"adjudication.reason_{'carried' if click.carried else 'missing'}")
    place = click.field.container(key="case-missing")
    if click.carried:
        place = place.container(key="case-carried")
    place.markdown(f":red[:material/error: {words}]")


def spent(context: Context, seconds: float | None) -> str:
    """Return the working time as text, which may be "not timed" or "unknown"."""
    if seconds is None:  # not annotated here
        return context.say("adjudication.not_timed")
    known = plausible_seconds(seconds)
    if known is None:
        return context.say("adjudication.time_unknown")
    minutes, rest = divmod(round(known), 60)
    return context.say("adjudication.spent", minutes=minutes, seconds=rest)


def circumstances(context: Context, administrator: bool, conflict: bool) -> str:
    """Return the warning about who decided: an administrator, or one who labelled the item."""
    if administrator:
        return context.say(f"cases.administrator_{'conflict' if conflict else 'decided'}")
    return context.say("cases.conflict_decided") if conflict else ""


def draw_standing(context: Context, case: DisputeCase) -> bool:
    """Draw the state of a dispute; return whether the adjudicator recalled it."""
    words = context.say
    if case.own is not None:
        on = f"{case.own:%Y-%m-%d %H:%M}"
        st.warning(words("cases.conflict", on=on), icon=":material/balance:")
    if case.state == "agreed":
        st.success(words("cases.agreed_note"), icon=":material/handshake:")
    if case.state != "sent_back":
        return False
    waiting = ", ".join(md_literal(each) for each in case.rounds[-1].waiting)
    st.info(words("cases.waiting", people=waiting), icon=":material/forum:")
    if case.revising:
        st.caption(words("cases.revising"))
    if not st.button(words("cases.recall"), key="case-recall", icon=":material/undo:"):
        return False
    with guarded(context.language):
        recall(context.workspace, context.person.id, case.item_id)
        return True
    return False


def draw_talk(context: Context, case: DisputeCase, draw_side: Callable[[Any], None]) -> None:
    """Draw the rounds of discussion, the earlier answers (with `draw_side`), and the thread."""
    messages = thread(context.workspace, context.person.id, case.item_id)
    if case.rounds:
        with st.container(border=True, key="case-rounds"):
            st.header(context.say("cases.rounds"), anchor=False)
            for each in case.rounds:
                _round(context, each)
            if case.earlier:
                st.caption(context.say("cases.earlier"))
                for column, side in zip(st.columns(len(case.earlier)), case.earlier, strict=True):
                    with column, st.container(border=True, height="stretch"):
                        draw_side(side)
    label = context.say("cases.thread", count=len(messages))
    with st.expander(label, key=f"case-thread-{case.item_id}", expanded=bool(messages)):
        for message in messages:
            _message(context, message)
        _write(context, case)


def _round(context: Context, each: RoundView) -> None:
    """Draw a round of discussion."""
    say_ = context.say
    head = say_("cases.round", name=md_literal(each.person), at=f"{each.at:%Y-%m-%d %H:%M}")
    st.markdown(f":material/reply: **{head}**")
    st.text(each.reason)
    answered = [md_literal(name) for name in each.people if name not in each.waiting]
    if each.recalled is not None:
        st.caption(say_("cases.recalled_at", at=f"{each.recalled:%Y-%m-%d %H:%M}"))
        if each.recall_reason:
            st.text(each.recall_reason)
    elif each.waiting:
        names = ", ".join(answered) or "–"
        st.caption(say_("cases.answered_by", people=names))
    else:
        st.caption(say_("cases.all_answered"))


def _message(context: Context, message: Message) -> None:
    """Draw a message of the thread."""
    role = context.say(f"roles.role.{message.role}")
    st.markdown(f"**{md_literal(message.person)}** · {role}")
    st.caption(f"{message.at:%Y-%m-%d %H:%M} UTC")
    st.text(message.text)


def _write(context: Context, case: DisputeCase) -> None:
    """Draw the form that adds a message."""
    key = f"case-message-{case.item_id}"
    with st.form(f"{key}-form", clear_on_submit=True, border=False):
        text = st.text_input(context.say("cases.message"), key=key)
        sent = st.form_submit_button(context.say("cases.send"), icon=":material/send:")
    if sent:
        with guarded(context.language):
            say(context.workspace, context.person.id, case.item_id, text)
            st.rerun(scope="fragment")
