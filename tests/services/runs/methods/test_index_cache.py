"""A kept index is built once, survives damage and can be removed; the search box uses it."""

from __future__ import annotations

import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from retrieval.core.method import Method
from retrieval.core.model import Corpus, Document, Query
from retrieval.core.registry import make
from services.runs.methods import index_cache as module
from services.runs.methods.index_cache import cache_bytes, clear_indexes, kept_indexes
from services.runs.methods.index_cache import saved_index as saved
from services.runs.methods.preparation import corpus_of, ready, resources
from services.runs.methods.unit_search import search_units, text_index, title_index
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from tests.projects.small_law import ACT, RULE, SLUG, law
from tests.support.refusals import code_of, refusal

CORPUS = Corpus.of([Document("a", body="소방 시설"), Document("b", body="건축")])


def made() -> Method:
    return make({"method": "bm25"})


def fitted(corpus: Corpus = CORPUS) -> Method:
    method = made()
    method.fit(corpus)
    return method


def load(folder: Path) -> Method:
    method = made()
    method.load(folder, CORPUS)
    return method


class Builder:
    """Builds a small index and counts how often."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> Method:
        self.times += 1
        return fitted()


@pytest.fixture(autouse=True)
def nothing_open(monkeypatch):
    monkeypatch.setattr(module, "_open", type(module._open)())


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "index" / "one"


def saved_index(folder, build):
    return saved(folder, build, load)


def forget():
    """Do as another process would: know nothing that is only in memory."""
    module._open.clear()


def answers(index):
    return [hit.unit_id for hit in index.search([Query("q", "소방")], 5)["q"]]


def test_it_is_built_once_then_read_and_only_so_many_stay_open(folder):
    build = Builder()
    assert saved_index(folder, build) is saved_index(folder, build)
    forget()
    assert answers(saved_index(folder, build)) == ["a"]
    assert build.times == 1
    assert [path.name for path in folder.parent.iterdir()] == ["one"]
    shutil.rmtree(folder)
    assert answers(saved_index(folder, build)) == ["a"]
    assert build.times == 2 and folder.is_dir()
    for number in range(module.OPEN_AT_ONCE + 3):
        saved_index(folder.with_name(str(number)), Builder())
    assert len(module._open) == module.OPEN_AT_ONCE


def test_damage_is_mended(folder):
    build = Builder()
    saved_index(folder, build)
    for name in sorted(path.name for path in folder.iterdir()):
        forget()
        (folder / name).write_bytes(b"x")
        assert answers(saved_index(folder, build)) == ["a"]
        forget()
        assert answers(saved_index(folder, Builder())) == ["a"]
    assert [path.name for path in folder.parent.iterdir()] == ["one"]


def test_a_failed_build_leaves_nothing(folder):
    with pytest.raises(ZeroDivisionError):
        saved_index(folder, lambda: 1 // 0)
    assert list(folder.parent.iterdir()) == []
    assert answers(saved_index(folder, Builder())) == ["a"]


def test_another_process_that_was_faster_wins(folder):
    def slow() -> Method:
        Builder()().save(folder)  # what another process does meanwhile
        return fitted(Corpus.of([Document("z", body="소방")]))

    assert answers(saved_index(folder, slow)) == ["a"]
    assert [path.name for path in folder.parent.iterdir()] == ["one"]


def test_threads_of_one_process_build_once(folder):
    build = Builder()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: answers(saved_index(folder, build)), range(8)))
    assert found == [["a"]] * 8 and build.times == 1


def test_what_killed_builds_left_is_removed_when_it_is_old(folder):
    folder.parent.mkdir(parents=True)
    old, fresh = folder.parent / ".building-old", folder.parent / ".building-fresh"
    old.mkdir()
    fresh.mkdir()
    long_ago = time.time() - module.ABANDONED_AFTER_S - 60
    os.utime(old, (long_ago, long_ago))
    saved_index(folder, Builder())
    assert sorted(path.name for path in folder.parent.iterdir()) == [".building-fresh", "one"]


def test_an_index_that_cannot_be_written_is_the_users_to_mend(folder):
    folder.parent.parent.mkdir(exist_ok=True)
    folder.parent.write_text("a file where the folder should be")
    error = refusal(saved_index, folder, Builder())
    assert (error.code, error.where.file) == ("index_unwritten", str(folder))


SPEC = {"method": "bm25"}
DAY = 24 * 3600


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
    used_days_ago(ws, method, 40)
    asked(ws)
    assert clear_indexes(ws, 30) == [], "it is used, though it was open already"
    assert len(clear_indexes(ws)) == 2 and kept_indexes(ws) == []
    assert list((ws.folder / "index").iterdir()) == []


def test_what_indexes_are_made_from_stays_and_what_is_no_index_is_not_shown(ws, tmp_path):
    (ws.folder / "cache").mkdir()
    (ws.folder / "cache" / "vectors").write_bytes(b"12345")
    (ws.folder / "index" / ".building-1").mkdir(parents=True)
    assert kept_indexes(ws) == clear_indexes(ws) == [] and cache_bytes(ws) == 5
    assert (ws.folder / "index" / ".building-1").is_dir()
    assert code_of(clear_indexes, Workspace(tmp_path / "none")) == "workspace_missing"


def found(index, query):
    return [hit.unit_id for hit in index.search(query, 10)]


def test_the_text_index_reads_texts_of_its_snapshot_and_the_title_index_titles(ws):
    texts, titles = text_index(ws, 1), title_index(ws, 1)
    assert len(texts) == len(titles) == 6
    assert f"{ACT}_별지1서식" not in found(texts, "나룻배 신고서")  # a form is not searched
    assert f"{ACT}_2조" in found(texts, "갖추어야")
    assert found(titles, "갖추어야") == []
    assert found(titles, "Whistles") == [f"{RULE}_article-2"]
    assert found(titles, "구명조끼")[0] in {f"{ACT}_2조", f"{ACT}_별표1"}
    keep_statutes(ws, SLUG, law(" 등대를 둔다."), "second")
    assert found(text_index(ws, 2), "등대") == [f"{ACT}_1조"]
    assert found(texts, "등대") == found(text_index(ws, 1), "등대") == []


@pytest.mark.parametrize("query", ["나루안전법 제4조", "나루안전법4조"])
def test_a_typed_citation_comes_first(ws, query):
    first = search_units(ws, 1, query)[0]
    assert (first.passage.unit_id, first.cited, first.score) == (f"{ACT}_4조", True, None)
    assert len(search_units(ws, 1, f"{query} 나룻배", 1)) == 1


def test_words_are_searched_and_rows_are_whole(ws):
    hits = search_units(ws, 1, "등불 나룻배", 3)
    first = hits[0].passage
    assert first.unit_id == f"{ACT}_4조"
    assert (first.statute, first.label, first.heading) == ("나루안전법", "제4조", "등불")
    assert first.text.startswith("밤에") and first.tier == 1 and first.kind == "act"
    assert not hits[0].cited and (hits[0].score or 0) > 0
    assert len({hit.passage.row_id for hit in hits}) == len(hits) == 3
    assert search_units(ws, 1, "나룻배", 0) == search_units(ws, 1, "나룻배", -5) == []
    assert len(search_units(ws, 1, "나룻배", 10**9)) <= 6
    for odd in ("   ", "'; DROP TABLE unit; --", "\x00"):
        assert search_units(ws, 1, odd) == []
