"""A command's imports are its own alone: starting one pays for no other."""

from __future__ import annotations

import ast
import inspect
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from commands.shell.registry import COMMANDS, Command, Group, Members
from tests.conftest import ROOT

HEAVY = {"sqlalchemy", "sqlmodel", "streamlit", "pandas", "numpy", "pymupdf", "scipy", "pydantic"}
HELP = """
import json, sys

import touchstone
try:
    touchstone.app(["--help"])
except SystemExit:
    helped = list(sys.modules)
for name in sys.argv[1:]:
    __import__(name)
print()
print(json.dumps([helped, list(sys.modules)]))
"""


def functions(members: Members) -> Iterator[str]:
    for member in members.values():
        if isinstance(member, Group):
            yield from functions(member.members)
        else:
            yield member.function if isinstance(member, Command) else member


MODULES = sorted({function.partition(":")[0] for function in functions(COMMANDS)})


def test_help_imports_no_command_and_a_command_nothing_heavy() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HELP, *MODULES],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    helped, commands = map(set, json.loads(done.stdout.splitlines()[-1]))
    assert helped & (HEAVY | set(MODULES)) == set()
    assert set(MODULES) <= commands
    assert commands & HEAVY == set()


@pytest.mark.parametrize("name", MODULES)
def test_a_command_imports_no_other_commands_module(name: str) -> None:
    found = find_spec(name)
    assert found is not None and found.origin is not None
    tree = ast.parse(Path(found.origin).read_text(encoding="utf-8"))
    imported = {
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for name in (node.module, *(f"{node.module}.{each.name}" for each in node.names))
    }
    imported |= {
        each.name for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names
    }
    assert imported & set(MODULES) == set()


def test_the_first_page_says_what_each_command_says_of_itself() -> None:
    for name, member in COMMANDS.items():
        if isinstance(member, Command):
            module, _, attribute = member.function.partition(":")
            said = inspect.getdoc(getattr(import_module(module), attribute)) or ""
            assert member.summary == " ".join(said.split("\n\n")[0].split()), name
