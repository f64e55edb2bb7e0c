"""Indexes can be seen and removed, and are made again when somebody asks for them."""

from __future__ import annotations

import os

import pytest

from errors import UserError
from retrieval.core.model import Query
from services.runs.methods.index_inventory import cache_bytes, clear_indexes, kept_indexes
from services.runs.methods.preparation import corpus_of, ready, resources
from services.runs.methods.unit_search import search_units, title_index
from storage.db.workspace import Workspace
from tests.projects.small_law import small_workspace

SPEC = {"method": "bm25"}
DAY = 24 * 3600


@pytest.fixture
def ws(tmp_path, clock):
    return small_workspace(tmp_path / "ws", clock)


def asked(ws):
    method = ready(ws, SPEC, corpus_of(ws, 1), resources(ws, 1))
    return [hit.unit_id for hit in method.search([Query("q", "구명조끼")], 5)["q"]]


def used_days_ago(ws, index, days):
    stamp = ws.clock().timestamp() - days * DAY
    os.utime(ws.folder / "index" / index.name, (stamp, stamp))


def test_indexes_are_listed_the_last_used_first_and_removed_by_age(ws):
    found = asked(ws)
    [method] = kept_indexes(ws)
    search_units(ws, 1, "구명조끼")
    assert [each.name for each in kept_indexes(ws)] == [method.name], "the search box uses it too"
    title_index(ws, 1)
    [box] = [each for each in kept_indexes(ws) if each.name != method.name]
    assert method.method == box.method == "BM25 bigram"
    files = list((ws.folder / "index" / box.name).iterdir())
    assert box.bytes == sum(file.stat().st_size for file in files) > 0
    used_days_ago(ws, method, 40)
    used_days_ago(ws, box, 20)
    assert [each.name for each in kept_indexes(ws)] == [box.name, method.name]
    assert [each.name for each in clear_indexes(ws, 30)] == [method.name]
    assert [each.name for each in kept_indexes(ws)] == [box.name]
    assert asked(ws) == found, "made again, though this process had it open"
    assert len(clear_indexes(ws)) == 2 and kept_indexes(ws) == []
    assert list((ws.folder / "index").iterdir()) == []


def test_using_an_index_is_noted_though_it_is_open_already(ws):
    asked(ws)
    [index] = kept_indexes(ws)
    used_days_ago(ws, index, 40)
    asked(ws)
    assert kept_indexes(ws)[0].used >= index.used
    assert clear_indexes(ws, 30) == []


def test_what_indexes_are_made_from_stays_and_what_is_no_index_is_not_shown(ws):
    (ws.folder / "cache").mkdir()
    (ws.folder / "cache" / "vectors").write_bytes(b"12345")
    (ws.folder / "index" / ".building-1").mkdir(parents=True)
    assert kept_indexes(ws) == clear_indexes(ws) == [] and cache_bytes(ws) == 5
    assert (ws.folder / "index" / ".building-1").is_dir()


def test_without_a_workspace_there_is_nothing_to_clear(tmp_path):
    with pytest.raises(UserError) as refused:
        clear_indexes(Workspace(tmp_path / "none"))
    assert refused.value.code == "workspace_missing"
