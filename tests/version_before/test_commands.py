"""Every command and option of the version before still answers, or says what it is called now."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.called import command_line
from tests.version_before.kept import kept_commands

COMMANDS = kept_commands()
# Old name → new name, of commands and of options ("mcq settle --verdict") that had to change.
RENAMED: dict[str, str] = {}
# How many arguments a command has got since then, which may be left out.
ADDED = {"methods": 1}


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print help without frames, which takes a tenth of the time, and cut nothing of it off."""
    monkeypatch.setattr("typer.core.HAS_RICH", False)
    monkeypatch.setenv("COLUMNS", "250")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_still_there_with_its_options(name: str, tmp_path: Path) -> None:
    done = command_line(tmp_path, *name.split(), "--help")
    if name in RENAMED:
        assert RENAMED[name] in done.stdout + done.stderr
        return
    assert done.returncode == 0, done.stderr
    words = done.stdout.replace(",", " ").replace("/", " ").split()
    for option in COMMANDS[name]["options"]:
        new = RENAMED.get(f"{name} {option}".strip(), option)
        assert new in words, f"{name} has no {new}"
    assert _arguments(done.stdout) == COMMANDS[name]["arguments"] + ADDED.get(name, 0)


def _arguments(text: str) -> int:
    """Return how many arguments a help text's first line names."""
    _, found, after = text.partition("[OPTIONS]")
    assert found
    words = after.partition("\n\n")[0].split()
    return len(words) - ("COMMAND" in words) * 2  # of a group: COMMAND [ARGS]...


def test_an_unknown_command_is_refused(tmp_path: Path) -> None:
    done = command_line(tmp_path, "vanished", "--help")
    assert done.returncode == 2
