"""Jurisdictions of statutes and questions as short keys: ``kr``, ``us-ny``, ``de``.

A key is made of small letters, digits and hyphens; other spellings are normalized (``US NY`` and
``us_ny`` are ``us-ny``). "" means unknown. Keys are compared as a whole: ``us-ny`` is no part of
``us``.
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
    """Normalize a jurisdiction to its key, "" for a blank one.

    Raises UserError for anything but letters A to Z, digits and separators, and for a key of more
    than CHARACTERS characters.
    """
    key = _SEPARATORS.sub("-", written.strip().lower())
    if key and (len(key) > CHARACTERS or _FORM.fullmatch(key) is None):
        raise UserError("jurisdiction_form", where, value=written[:60], limit=CHARACTERS)
    return key


def in_jurisdiction(statutes: Iterable[Statute], jurisdiction: str) -> tuple[Statute, ...]:
    """Return the statutes, with this jurisdiction for those without one."""
    return tuple(
        each if each.jurisdiction else replace(each, jurisdiction=jurisdiction) for each in statutes
    )
