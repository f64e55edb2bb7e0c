"""Answers that judges judged, and their verdicts."""

from __future__ import annotations

# Triggers of migration 0008 refuse UPDATE and DELETE on these.
JUDGE_APPEND_ONLY: tuple[str, ...] = ()
