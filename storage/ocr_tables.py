"""Pages, what engines read on them, and the units they became."""

from __future__ import annotations

# Triggers of migration 0006 refuse UPDATE and DELETE on these.
OCR_APPEND_ONLY: tuple[str, ...] = ()
