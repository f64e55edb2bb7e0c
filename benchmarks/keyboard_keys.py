"""Which keys an action has: for `benchmarks/keyboard.py`. They are those of the one map of keys."""

from __future__ import annotations

from pages.shell.navigation import key_map

SURE = 4  # of the five
REASON = "reason "  # and the number of a reason at hand


def keys_of(task: str, action: str) -> list[str]:
    """Return the keys that do an action in a task, one after the other."""
    del task  # in which a key means what it means everywhere
    if action.startswith(REASON):  # a digit, and no way by Tab any more
        return [action.removeprefix(REASON)]
    keys = key_map()[action].keys
    return [keys[SURE - 1] if action == "sure" else keys[0]]
