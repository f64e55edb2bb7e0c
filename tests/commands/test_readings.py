"""Readings on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from storage.db.workspace import Workspace
from tests.commands.called import command_line
from tests.conftest import FakeClock
from tests.llm.serving import serving
from tests.projects.project_cache import kept
from tests.projects.readings_law import ACT, project


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace = Workspace(tmp_path / "workspace", clock)
    kept("readings", workspace, lambda: project(workspace))
    return workspace


def test_a_unit_is_shown_as_the_stand_in_read_it(ws: Workspace) -> None:
    done = command_line(ws.folder, "readings", "show", f"{ACT}_2조", "--kind", "triples")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "나루법 제2조 (등불)",
        "triples by the stand-in: read",
        "  나루법 제2조 · 규정 사항 · 등불",
        "  나루법 제2조 · 위임 · 나루법 시행령 제1조",
        "  나루법 제2조 · 준용 · 나루법 제3조",
        "  등불 · 관련 용어 · 나루터지기",
    ]
    told = json.loads(command_line(ws.folder, "--json", "readings", "show", f"{ACT}_2조").stdout)
    assert [each["kind"] for each in told["readings"]] == ["graph", "phrases", "triples", "atoms"]


def server_said(asked: str) -> str:
    unfit = "배를 매어" in asked or "형식이 아닙니다" in asked  # the provision, and the repair
    return "no JSON" if unfit else '{"questions": ["누가?"]}'


def test_units_are_read_ahead_counted_and_shown(ws: Workspace) -> None:
    assert "No model has read" in command_line(ws.folder, "readings", "counts").stdout
    with serving(ws) as server:
        server.says = server_said
        done = command_line(ws.folder, "readings", "ask", "atoms", "--statute", ACT)
    assert done.stdout.splitlines()[0] == "4 units: 1 invalid, 3 read."
    assert done.stdout.splitlines()[1].startswith("5 calls, ")
    counts = command_line(ws.folder, "readings", "counts", "--stand-in").stdout.splitlines()
    assert counts[0].startswith("graph by the stand-in: 5 of 5 units (1 empty, 4 read); ")
    assert counts[4:] == [
        "atoms by m: 4 of 5 units (1 invalid, 3 read); 3 atoms; 5 calls",
        f"{ACT}_3조  atoms  m: invalid (form)",
    ]


def test_what_is_not_there_is_said(ws: Workspace) -> None:
    for words, said in (
        (("show", "nothing_1조"), "no provision nothing_1조"),
        (("show", f"{ACT}_2조", "--kind", "words"), "words is not a kind of reading"),
        (("ask", "words"), "graph, phrases, triples, atoms"),
    ):
        done = command_line(ws.folder, "readings", *words)
        assert done.returncode != 0
        assert said in done.stderr
