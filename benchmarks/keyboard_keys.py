"""Which keys an action has in a task: for `benchmarks/keyboard.py`."""

from __future__ import annotations

EVERYWHERE = {
    "accept": "a",
    "reject": "r",
    "unsure": "u",
    "none": "x",
    "evidence": "e",
    "part_next": "j",
    "place_next": "]",
    "go_on": "Enter",
    "comment": "c",
    "flag": "f",
    "skip": "s",
    "undo": "z",
    "submit": "Control+Enter",
    "sure": "4",
    "search": "/",
    "read": "a",
    "reason 1": "Shift+Tab Shift+Tab Shift+Tab Enter",
    "reason 2": "Shift+Tab Shift+Tab Enter",
    "reason 3": "Shift+Tab Enter",
}
OWN = {
    "citation_mapping": {"none": "n"},
    "ocr_correction": {"accept": "x", "kind": "b"},
    "judge_review": {"fair": "e", "reason": "n", "prompts": "p"},
    "attribution_review": {"sure": "Alt+4"},
    "research": {"evidence": "m", "reason": "r"},
}


def keys_of(task: str, action: str) -> list[str]:
    """Return the keys that do an action in a task, one after the other."""
    return (OWN.get(task, {}).get(action) or EVERYWHERE[action]).split()
