"""How long one thread of the server works before another gets its turn.

Everybody's pages are drawn by threads of one process, and a retrieval method that is fitted to
200,000 texts is one of them. Each time another thread comes back from the database it waits for its
turn anew, and drawing one item asks the database many times.
"""

from __future__ import annotations

import sys

TURN_SECONDS = 0.001  # Python's own 0.005 makes opening an item beside such work half as slow again


def take_short_turns() -> None:
    """Let threads change places often enough that nobody feels the work of others."""
    sys.setswitchinterval(TURN_SECONDS)
