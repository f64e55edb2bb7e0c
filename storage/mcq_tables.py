"""Multiple-choice questions, how they came to be, and what models chose."""

from __future__ import annotations

# Triggers of migration 0007 refuse UPDATE and DELETE on these.
MCQ_APPEND_ONLY: tuple[str, ...] = ()
