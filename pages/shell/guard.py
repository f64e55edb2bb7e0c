"""Error display: user errors with a remedy, defects with an id, never a traceback."""

from __future__ import annotations

import logging
import secrets
import string
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec

import streamlit as st

from errors import UserError
from messages import say

if TYPE_CHECKING:
    from pages.shell.context import Context

_P = ParamSpec("_P")
_LOG = logging.getLogger("touchstone")
_BUTTON = (
    "display: inline-block; padding: 6px 12px; border: 1px solid currentColor; border-radius: 6px;"
    " color: inherit; text-decoration: none"
)


@contextmanager
def guarded(language: str) -> Iterator[None]:
    """Show errors raised in the block in plain words of `language`.

    A :class:`UserError` shows its place, what is wrong and the remedy. Anything else is a defect of
    ours: the screen shows an id under which the log has the traceback.
    """
    try:
        yield
    except UserError as error:
        show(error, language)
    except Exception:
        _show_defect(language)


def crashed(_error: Exception, language: str) -> bool:
    """Draw an uncaught error instead of its traceback (Streamlit's `on_script_error` hook).

    Such an error comes from a callback, which runs before the page and its guard, or from the frame
    of the page. The page may be blank, so a reload link is drawn too.
    """
    _show_defect(language)
    return True


def fragment(
    draw: Callable[Concatenate[Context, _P], None],
) -> Callable[Concatenate[Context, _P], None]:
    """Make a drawing function a Streamlit fragment with its own error guard."""

    @st.fragment
    @wraps(draw)
    def drawn(context: Context, /, *args: _P.args, **kwargs: _P.kwargs) -> None:
        """Draw, showing an error in place."""
        with guarded(context.language):
            draw(context, *args, **kwargs)

    return drawn


def show(error: UserError, language: str) -> None:
    """Draw a user error with its remedy."""
    place = error.where.render(language)
    lead = f"{place}: " if place else ""
    first, *others = (lead + error.what(language)).split("\n")
    lines = [md_literal(first), *(f"- {md_literal(each)}" for each in others)]
    st.error("\n".join(lines), icon=":material/error:")
    st.markdown(md_literal(error.remedy(language)))


def failed(error: BaseException, language: str) -> None:
    """Draw an error from another thread: a user error, or a defect with its id."""
    if isinstance(error, UserError):
        show(error, language)
        return
    try:
        raise error
    except BaseException:  # logged under the id that the screen shows
        _show_defect(language)


def _show_defect(language: str) -> None:
    """Log the current exception; draw its id and a link that reloads the page.

    A button would run the script, which may fail before the click is handled.
    """
    st.error(defect(language), icon=":material/bug_report:")
    st.html(f'<a href="" style="{_BUTTON}">{say("app.reload", language)}</a>', width="content")


def defect(language: str) -> str:
    """Log the current exception and return the message for the user, with its id."""
    identity = secrets.token_hex(4)
    _LOG.exception("defect %s", identity)
    return say("app.defect", language, id=identity)


def md_literal(text: str) -> str:
    """Escape `text` so that Streamlit's Markdown shows it as it is, ``&lt;`` and ``===`` too."""
    return "".join(f"\\{mark}" if mark in string.punctuation else mark for mark in text)
