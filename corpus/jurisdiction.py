"""Whose law a statute is and a question asks about, as a short key: ``kr``, ``us-ny``, ``de``.

A key is made of small letters, digits and hyphens; what a source writes otherwise is brought to
that form (``US NY`` and ``us_ny`` are ``us-ny``). "" stands for what nobody has said. Keys are
compared as a whole: ``us-ny`` is no part of ``us``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from corpus.model import Statute
from errors import UserError, Where

FIELD = "jurisdiction"
CHARACTERS = 40
_FORM = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SEPARATORS = re.compile(r"[\s_-]+")


def jurisdiction_of(written: str, where: Where | None = None) -> str:
    """Return the key of a jurisdiction as written, "" for a blank one.

    Raises UserError for anything but letters A to Z, digits and what parts them, and for a key of
    more than CHARACTERS characters.
    """
    key = _SEPARATORS.sub("-", written.strip().lower())
    if key and (len(key) > CHARACTERS or _FORM.fullmatch(key) is None):
        raise UserError("jurisdiction_form", where, value=written[:60], limit=CHARACTERS)
    return key


def in_jurisdiction(statutes: Iterable[Statute], jurisdiction: str) -> tuple[Statute, ...]:
    """Return the statutes, those of which nobody has said it with this jurisdiction."""
    return tuple(
        each if each.jurisdiction else replace(each, jurisdiction=jurisdiction) for each in statutes
    )
