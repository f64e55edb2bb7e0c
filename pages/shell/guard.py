"""What the screen shows when something fails: never a traceback."""

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
    """Show what goes wrong inside the block in plain words of `language`.

    A :class:`UserError` shows its place, what is wrong and the remedy. Anything else is a defect
    of ours: the screen shows an id under which the log has the traceback.
    """
    try:
        yield
    except UserError as error:
        show(error, language)
    except Exception:
        _show_defect(language)


def crashed(_error: Exception, language: str) -> bool:
    """Draw what nothing else has caught, as Streamlit asks of `on_script_error`: not its traceback.

    That is an error in a callback, which runs before the page and its guard, or in the frame of the
    page. Nothing of the page may be left, so the way to reload is drawn too.
    """
    _show_defect(language)
    return True


def fragment(
    draw: Callable[Concatenate[Context, _P], None],
) -> Callable[Concatenate[Context, _P], None]:
    """Make what draws a part of a page a fragment, guarded when it alone is drawn anew."""

    @st.fragment
    @wraps(draw)
    def drawn(context: Context, /, *args: _P.args, **kwargs: _P.kwargs) -> None:
        with guarded(context.language):
            draw(context, *args, **kwargs)

    return drawn


def show(error: UserError, language: str) -> None:
    """Draw a user's error with its remedy."""
    place = error.where.render(language)
    lead = f"{place}: " if place else ""
    first, *others = (lead + error.what(language)).split("\n")
    lines = [plain(first), *(f"- {plain(each)}" for each in others)]
    st.error("\n".join(lines), icon=":material/error:")
    st.markdown(plain(error.remedy(language)))


def failed(error: BaseException, language: str) -> None:
    """Draw what ended work in another thread: a user's error, or a defect with its id."""
    if isinstance(error, UserError):
        show(error, language)
        return
    try:
        raise error
    except BaseException:  # logged under the id that the screen shows
        _show_defect(language)


def _show_defect(language: str) -> None:
    """Log the exception being handled; draw its id, and a link that has the browser load anew.

    A button would run the script, which may fail before the button is heard.
    """
    st.error(defect(language), icon=":material/bug_report:")
    st.html(f'<a href="" style="{_BUTTON}">{say("app.reload", language)}</a>', width="content")


def defect(language: str) -> str:
    """Log the exception being handled and return what to tell the user, with its id."""
    identity = secrets.token_hex(4)
    _LOG.exception("defect %s", identity)
    return say("app.defect", language, id=identity)


def plain(text: str) -> str:
    """Escape `text` so that Streamlit's Markdown shows it as it is, ``&lt;`` and ``===`` too."""
    return "".join(f"\\{mark}" if mark in string.punctuation else mark for mark in text)
