"""Upload budget: bytes of uploads held per person and in total."""

from __future__ import annotations

import os
from dataclasses import dataclass

from errors import UserError, Where

MIB = 1 << 20
SESSION_VARIABLE = "TOUCHSTONE_SESSION_UPLOAD_MIB"
SERVER_VARIABLE = "TOUCHSTONE_SERVER_UPLOAD_MIB"
_DIGITS = 7


@dataclass(frozen=True, slots=True)
class Budget:
    """Maximum bytes of uploads held per person (`session`) and on the `server`."""

    session: int = 256 * MIB
    server: int = 1024 * MIB


def budget() -> Budget:
    """Return the upload limits in bytes; variables set them in MiB. Raises UserError if invalid."""
    return Budget(
        _bytes_set(SESSION_VARIABLE, Budget().session), _bytes_set(SERVER_VARIABLE, Budget().server)
    )


def _bytes_set(variable: str, default: int) -> int:
    """Return the bytes that a variable sets in MiB, else `default`. Raises UserError if invalid."""
    said = os.environ.get(variable, "").strip()
    if not said:
        return default
    if not (said.isascii() and said.isdigit() and len(said) <= _DIGITS and int(said)):
        raise UserError("upload_budget_bad", Where(field=variable), said=said[:40])
    return int(said) * MIB
