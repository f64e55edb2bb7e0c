"""A kept index is built once, survives damage, and does not mind other builders."""

from __future__ import annotations

import os
import shutil
import threading
import time
from pathlib import Path

import pytest

from errors import UserError
from retrieval.core.method import Method
from retrieval.core.model import Corpus, Document, Query
from retrieval.core.registry import make
from services.runs.methods import index_cache as module
from services.runs.methods.index_cache import saved_index as saved

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


def test_it_is_built_once_and_then_read(folder):
    build = Builder()
    assert saved_index(folder, build) is saved_index(folder, build)
    forget()
    assert answers(saved_index(folder, build)) == ["a"]
    assert build.times == 1
    assert [path.name for path in folder.parent.iterdir()] == ["one"]


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


def test_a_folder_that_was_removed_is_made_again(folder):
    build = Builder()
    saved_index(folder, build)
    shutil.rmtree(folder)
    assert answers(saved_index(folder, build)) == ["a"]
    assert build.times == 2 and folder.is_dir()


def test_a_failed_build_leaves_nothing(folder):
    def fail() -> Method:
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        saved_index(folder, fail)
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
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(answers(saved_index(folder, build))))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
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


def test_only_so_many_stay_open(tmp_path):
    for number in range(module.OPEN_AT_ONCE + 3):
        saved_index(tmp_path / str(number), Builder())
    assert len(module._open) == module.OPEN_AT_ONCE


def test_an_index_that_cannot_be_written_is_the_users_to_mend(folder):
    folder.parent.parent.mkdir(exist_ok=True)
    folder.parent.write_text("a file where the folder should be")
    with pytest.raises(UserError) as caught:
        saved_index(folder, Builder())
    assert caught.value.code == "index_unwritten"
    assert caught.value.where.file == str(folder)
