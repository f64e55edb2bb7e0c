"""Whether the server is for a team, which signs in, or for one person at this machine."""

from __future__ import annotations

import os

from errors import UserError


def team_mode() -> bool:
    """Return whether people sign in ($TOUCHSTONE_MODE is ``team``), or one person sits here.

    Raises UserError for any other value, lest a slip of the pen opens the door.
    """
    mode = os.environ.get("TOUCHSTONE_MODE", "single").strip().lower()
    if mode not in ("single", "team"):
        raise UserError("mode_unknown", mode=mode)
    return mode == "team"
