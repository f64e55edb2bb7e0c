"""Methods of a notebook's own."""

from __future__ import annotations

from retrieval.core import own
from retrieval.core.method import Method
from retrieval.core.presets import OURS


def register(kind: type[Method]) -> type[Method]:
    """Make a method of this process known under its `NAME`; works as a decorator of its class.

    It takes the place of one that was registered under that name before, as when a cell of a
    notebook is run again. Raises UserError for a class that is no method, and for a name that is no
    name or is taken.
    """
    own.reserve(OURS)
    return own.register(kind)
