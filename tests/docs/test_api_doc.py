"""The page of the library says what is there, and the notebook of docs runs as it is written."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

import pytest

import touchstone
from library import PUBLIC
from scripts.api_doc import members, public, words
from tests.conftest import ROOT

NOTEBOOK = ROOT / "docs" / "notebook.ipynb"
MOST = 20  # lines of code: "about fifteen"


def _cells() -> list[str]:
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def test_all_that_is_public_says_what_it_is() -> None:
    for name, thing in public():
        assert words(thing), name
        if inspect.isclass(thing):
            silent = [each for each, member in members(thing) if not words(member)]
            assert not silent, (name, silent)


def test_type_checkers_are_told_every_public_name() -> None:
    text = (ROOT / "touchstone.py").read_text("utf-8")
    told = re.findall(r"from ([\w.]+) import (\w+) as \2", text)
    direct = re.findall(r"^from (errors) import (UserError)$", text, re.MULTILINE)
    assert {name: module for module, name in [*told, *direct]} == PUBLIC


def test_the_notebook_finds_and_tests_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cells = _cells()
    code = [line for cell in cells for line in cell.splitlines() if line.strip()]
    assert len(code) <= MOST
    space: dict[str, Any] = {}
    for cell in cells:
        exec(compile(cell, str(NOTEBOOK), "exec"), space)  # noqa: S102  (what the page says)
    result = space["result"]
    assert isinstance(result, touchstone.Result) and result.name == "SAR over BM25"
    figure, test = result.figures["MRR@10"], result.tests["BM25"]["MRR@10"]
    assert figure.n == test.n == 22 and len(space["questions"]) == 24
    assert figure.low is not None and 0 < (test.p or 0) <= 1
    assert list(tmp_path.iterdir()) == []


def test_the_notebook_is_kept_without_what_it_came_to() -> None:
    book = json.loads(NOTEBOOK.read_text("utf-8"))
    assert all(not cell.get("outputs") for cell in book["cells"])
    assert json.dumps(book, ensure_ascii=False, indent=1) + "\n" == NOTEBOOK.read_text("utf-8")
