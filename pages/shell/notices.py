"""Notices: progress of long work, its outcome after the redraw, and refused permissions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

import streamlit as st

from annotation.people.roles import Act, who_may
from pages.shell.context import Context
from pages.shell.guard import md_literal

_MIN_SECONDS = 0.1  # between two repaints of the bar: more would only slow the work down


def draw_head(context: Context, key_prefix: str, notice_key: str = "") -> None:
    """Draw a screen's title and lead, keys `key_prefix`.title and .lead, then a remembered notice.

    Below them stands what :func:`remember` keeps as `notice_key`.
    """
    st.title(context.say(f"{key_prefix}.title"), anchor=False)
    st.markdown(context.say(f"{key_prefix}.lead"))
    if notice_key:
        show_remembered(notice_key)


@contextmanager
def progress_bar(context: Context, message_key: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a ``(done, total)`` callback that draws a bar; the message has {done} and {total}."""
    place = st.empty()
    place.progress(0.0, context.say("notices.starting"))
    drawn = 0.0

    def report(done: int, total: int) -> None:
        """Draw the progress, not too often."""
        nonlocal drawn
        now = time.monotonic()
        if done < total and now - drawn < _MIN_SECONDS:
            return
        drawn = now
        share = min(done / total, 1.0) if total else 0.0
        place.progress(share, context.say(message_key, done=done, total=total))

    try:
        yield report
    finally:
        place.empty()


def remember(notice_key: str, *lines: str, link: str = "") -> None:
    """Keep the outcome of an action until the page is next drawn.

    `link` is trusted Markdown that leads on from there.
    """
    st.session_state[notice_key] = [line for line in lines if line]
    st.session_state[f"{notice_key}-link"] = link


def redraw_with(notice_key: str, *lines: str, link: str = "") -> NoReturn:
    """Redraw the page with the outcome of an action, as :func:`remember` keeps it."""
    remember(notice_key, *lines, link=link)
    st.rerun()


def show_remembered(notice_key: str) -> int:
    """Draw, once, the message of :func:`remember`; return how many were drawn in all.

    Its container exists without a message too, so that later elements keep their positions and open
    expanders stay open when the message goes.
    """
    lines = st.session_state.pop(notice_key, None)
    link = st.session_state.pop(f"{notice_key}-link", "")
    place = st.container()
    if lines:
        said = [
            f"- {md_literal(line[2:])}" if line.startswith("- ") else md_literal(line)
            for line in lines
        ]
        said += [link] if link else []
        place.success("\n\n".join(said), icon=":material/check_circle:")
        st.session_state[f"{notice_key}-told"] = st.session_state.get(f"{notice_key}-told", 0) + 1
    return int(st.session_state.get(f"{notice_key}-told", 0))


def allowed(context: Context, act: Act) -> bool:
    """Return whether the person may do `act`; if not, draw which roles may."""
    if context.may(act):
        return True
    roles = _listed(context, [context.say(f"roles.many.{role}") for role in who_may(act)])
    words = context.say("roles.only", act=context.say(f"roles.act.{act}"), roles=roles)
    st.caption(f":material/lock: {words}")
    return False


def _listed(context: Context, names: Sequence[str]) -> str:
    """Join names as a sentence does: ``a``, ``a and b``, ``a, b and c``."""
    if len(names) < 2:
        return "".join(names)
    return context.say("roles.and", names=", ".join(names[:-1]), last=names[-1])
