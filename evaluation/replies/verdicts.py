"""What a judge's answer says: a grade of one character, or which of two answers is better."""

from __future__ import annotations

import re

from evaluation.replies.option_labels import plain

_BEFORE = re.compile(r"^[\s\"'“‘(\[]++")
_AFTER = re.compile(r"(?<![\s\"'”’.)\]])[\s\"'”’.)\]]++$")
_LEAD = re.compile(
    r"^(?:grade|score|verdict|judge?ment|answer|채점|점수|판정|답변|답)\s*[:：=]?\s*", re.I
)


def read_grade(text: str) -> bool | None:
    """Return whether a binary judge finds the answer right; None for anything but 1 or 0."""
    return {"1": True, "0": False}.get(_bare(text))


def read_preference(text: str) -> str | None:
    """Return ``A`` or ``B``, the answer that a pairwise judge prefers; None for anything else."""
    said = _bare(text).upper()
    return said if said in ("A", "B") else None


def _bare(text: str) -> str:
    return _stripped(_LEAD.sub("", _stripped(plain(text))))


def _stripped(text: str) -> str:
    return _AFTER.sub("", _BEFORE.sub("", text))
