from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, given, settings

from corpus.compare.compare import compare
from corpus.compare.model import StatuteStatus
from corpus.model import Statute
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.corpus import load_statutes
from storage.law.imports import keep_statutes
from storage.law.statute_differences import Differing, differing
from storage.projects import create_project
from tests.conftest import FakeClock
from tests.corpus.compare.law import FARE, LAMP, LAWS, VEST, article, statute

SLUG = "p"
SHARED_CLOCK = [HealthCheck.function_scoped_fixture]
LAKE = statute(article("1", FARE), title="호수법")


def kept(ws: Workspace, *laws: list[Statute]) -> list[int]:
    return [keep_statutes(ws, SLUG, law, "law").snapshot_id for law in laws]


def made(folder: Path, clock: FakeClock) -> Workspace:
    ws = Workspace(folder, clock)
    migrate(ws)
    create_project(ws, SLUG, "P")
    return ws


def between(ws: Workspace, old: int, new: int) -> Differing:
    with ws.reading() as session:
        return differing(session, old, new)


def test_statutes_that_say_the_same_are_only_counted(tmp_path: Path, clock: FakeClock) -> None:
    ws = made(tmp_path / "w", clock)
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


def test_whatever_a_unit_says_counts_and_its_order_does_not(
    tmp_path: Path, clock: FakeClock
) -> None:
    ws = made(tmp_path / "w", clock)
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
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_it_finds_what_the_comparison_finds(
    tmp_path_factory, clock: FakeClock, old: list[Statute], new: list[Statute]
) -> None:
    ws = made(tmp_path_factory.mktemp("w"), clock)
    found = between(ws, *kept(ws, old, new))
    same = {
        each.statute.semantic_id
        for each in compare(old, new).statutes
        if each.status is StatuteStatus.UNCHANGED
    }
    names = {each.semantic_id for law in (old, new) for each in law}
    assert names - set(found.statutes) <= same
    assert found.same_statutes == len(names - set(found.statutes))
