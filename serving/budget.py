"""How many bytes of uploads are held at once, for each person and in all."""

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
    """How many bytes of uploads one person may hold, and how many the server holds in all."""

    session: int = 256 * MIB
    server: int = 1024 * MIB


def budget() -> Budget:
    """Return the budget that the environment sets, in MiB. Raises UserError for no such number."""
    return Budget(
        _mebibytes(SESSION_VARIABLE, Budget().session), _mebibytes(SERVER_VARIABLE, Budget().server)
    )


def _mebibytes(variable: str, default: int) -> int:
    said = os.environ.get(variable, "").strip()
    if not said:
        return default
    if not (said.isascii() and said.isdigit() and len(said) <= _DIGITS and int(said)):
        raise UserError("upload_budget_bad", Where(field=variable), said=said[:40])
    return int(said) * MIB
