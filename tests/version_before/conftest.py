from __future__ import annotations

from functools import cache

import pytest
from typer import main

_get_command = cache(main.get_command)


@pytest.fixture(autouse=True)
def make_commands_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the tree of commands once, not for each of hundreds: it takes a tenth of a second."""
    monkeypatch.setattr(main, "get_command", _get_command)
