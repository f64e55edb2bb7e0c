"""A comparison of two snapshots is made once for each database."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.compare.model import Status
from corpus.model import Level, Statute, Tier, Unit
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.db.workspace_key import ByDatabase
from storage.law import comparison
from storage.law.comparison import compared
from storage.law.imports import keep_statutes
from storage.projects import create_project


def _law(*texts: str) -> Statute:
    units = tuple(
        Unit(f"lake_{n}", "lake", Level.ARTICLE, f"Article {n}", heading="", text=text, order=n)
        for n, text in enumerate(texts, 1)
    )
    return Statute("lake", "Lake Act", "act", Tier.ACT, "en", units, file="lake.md")


def _amended(folder: Path, *texts: str) -> Workspace:
    ws = Workspace(folder)
    migrate(ws)
    create_project(ws, "p", "P")
    keep_statutes(ws, "p", [_law("Boats need a lamp.", "Nets are free.")], "old")
    keep_statutes(ws, "p", [_law(*texts)], "new")
    return ws


def _counts(ws: Workspace) -> dict[Status, int]:
    return dict(compared(ws, 1, 2).comparison.counts)


def test_a_second_workspace_object_finds_the_comparison_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = _amended(tmp_path / "a", "Boats need a lamp.")
    first = compared(ws, 1, 2)
    monkeypatch.setattr(comparison, "compare", lambda *_: pytest.fail("compared again"))

    assert compared(Workspace(tmp_path / "a"), 1, 2) is first
    assert ByDatabase.of(Workspace(tmp_path / "a")) == ByDatabase.of(ws)


def test_two_databases_are_told_apart(tmp_path: Path) -> None:
    one = _amended(tmp_path / "a", "Boats need a lamp.")
    other = _amended(tmp_path / "b", "Boats need a lamp.", "Nets are free.", "Rods too.")

    assert _counts(one) == {Status.UNCHANGED: 1, Status.REMOVED: 1}
    assert _counts(other) == {Status.UNCHANGED: 2, Status.ADDED: 1}
