"""Differences between two snapshots, and a comparison made once for each database."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from corpus.compare.compare import compare
from corpus.compare.model import Status, StatuteStatus
from corpus.model import Level, Statute, Tier, Unit
from storage.db.workspace import ByDatabase, Workspace
from storage.law import counterparts
from storage.law.corpus import load_statutes
from storage.law.counterparts import Differing, compared, differing
from storage.law.imports import keep_statutes
from tests.corpus.compare.law import FARE, LAMP, LAWS, VEST, article, statute
from tests.projects.bare_project import bare_project

SLUG = "lake"
LAKE = statute(article("1", FARE), title="호수법")


def _law(*texts: str) -> Statute:
    units = tuple(
        Unit(f"lake_{n}", "lake", Level.ARTICLE, f"Article {n}", heading="", text=text, order=n)
        for n, text in enumerate(texts, 1)
    )
    return Statute("lake", "Lake Act", "act", Tier.ACT, "en", units, file="lake.md")


def kept(ws: Workspace, *laws: list[Statute]) -> list[int]:
    return [keep_statutes(ws, SLUG, law, "law").snapshot_id for law in laws]


def _amended(folder: Path, *texts: str) -> Workspace:
    ws = bare_project(folder, SLUG)
    kept(ws, [_law("Boats need a lamp.", "Nets are free.")], [_law(*texts)])
    return ws


def _counts(ws: Workspace) -> dict[Status, int]:
    return dict(compared(ws, 1, 2).comparison.counts)


def test_a_second_workspace_object_finds_the_comparison_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = _amended(tmp_path / "a", "Boats need a lamp.")
    first = compared(ws, 1, 2)
    monkeypatch.setattr(counterparts, "compare", lambda *_: pytest.fail("compared again"))

    assert compared(Workspace(tmp_path / "a"), 1, 2) is first
    assert ByDatabase.of(Workspace(tmp_path / "a")) == ByDatabase.of(ws)


def test_two_databases_are_told_apart(tmp_path: Path) -> None:
    one = _amended(tmp_path / "a", "Boats need a lamp.")
    other = _amended(tmp_path / "b", "Boats need a lamp.", "Nets are free.", "Rods too.")

    assert _counts(one) == {Status.UNCHANGED: 1, Status.REMOVED: 1}
    assert _counts(other) == {Status.UNCHANGED: 2, Status.ADDED: 1}


def between(ws: Workspace, old: int, new: int) -> Differing:
    with ws.reading() as session:
        return differing(session, old, new)


def test_statutes_that_say_the_same_are_only_counted(ws: Workspace) -> None:
    river = statute(article("1", LAMP), article("2", VEST))
    old, new = kept(
        ws,
        [river, LAKE, statute(title="옛법")],
        [statute(article("1", LAMP), title="나루법"), LAKE, statute(title="새법")],
    )
    expected = Differing(("나루법", "새법", "옛법"), same_statutes=1, same_units=1)
    assert between(ws, old, new) == between(ws, new, old) == expected
    with ws.reading() as session:
        assert [each.title for each in load_statutes(session, new, ["나루법"])] == ["나루법"]


def test_whatever_a_unit_says_counts_and_its_order_does_not(ws: Workspace) -> None:
    unit = article("1", LAMP)
    others = [
        replace(unit, heading="등불"),
        replace(unit, text=VEST),
        replace(unit, deleted=True),
        replace(unit, text_missing=True),
        replace(unit, order=7),
    ]
    first, *rest = kept(ws, [statute(unit)], *([statute(each)] for each in others))
    found = [between(ws, first, each).statutes for each in rest]
    assert found == [("나루법",)] * 4 + [()]


@given(LAWS.filter(bool), LAWS.filter(bool))
@settings(max_examples=15, deadline=None)
def test_it_finds_what_the_comparison_finds(
    tmp_path_factory, old: list[Statute], new: list[Statute]
) -> None:
    ws = bare_project(tmp_path_factory.mktemp("w"), SLUG)
    found = between(ws, *kept(ws, old, new))
    same = {
        each.statute.semantic_id
        for each in compare(old, new).statutes
        if each.status is StatuteStatus.UNCHANGED
    }
    names = {each.semantic_id for law in (old, new) for each in law}
    assert names - set(found.statutes) <= same
    assert found.same_statutes == len(names - set(found.statutes))
