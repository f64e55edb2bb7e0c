"""The two entry scripts are plain modules, which the import linter cannot hold; this does."""

from __future__ import annotations

import ast

import pytest

from tests.conftest import ROOT

FORBIDDEN = {
    "app.py": {"sqlmodel", "sqlalchemy", "alembic", "commands", "touchstone"},
    "touchstone.py": {"sqlmodel", "sqlalchemy", "alembic", "pages", "app", "streamlit"},
}


def imported(name: str) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse((ROOT / name).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
    return found


@pytest.mark.parametrize("entry", sorted(FORBIDDEN))
def test_an_entry_reaches_neither_the_database_nor_its_sibling(entry: str) -> None:
    assert imported(entry)
    assert imported(entry) & FORBIDDEN[entry] == set()
