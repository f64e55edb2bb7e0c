"""What a report screen derives is kept for one version of the data."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from pages.shell.reports import cached


def test_what_is_derived_is_kept_until_version_or_arguments_change() -> None:
    context: Any = SimpleNamespace(here=("ws", "p"), project="p")
    context.workspace = SimpleNamespace(place="test_what_is_derived")
    calls: list[tuple[object, ...]] = []

    def derive(*args: object, **options: object) -> int:
        calls.append((*args, *options.items()))
        return len(calls)

    assert cached(context, "1", derive, "a", split="x") == 1
    assert cached(context, "1", derive, "a", split="x") == 1
    assert cached(context, "1", derive, "a", split="y") == 2
    assert cached(context, "2", derive, "a", split="x") == 3
    assert calls[0] == ("ws", "p", "a", ("split", "x"))
