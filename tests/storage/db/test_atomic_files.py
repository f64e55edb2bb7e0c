"""A publication is whole or absent, and leaves what it does not own alone."""

from __future__ import annotations

import pytest

from storage.db.atomic_files import published, published_file
from tests.support.refusals import refused


def everything(folder):
    """Return path → content of every file below a folder, hidden ones included."""
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


def write(folder, **files):
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


def test_files_appear_and_others_stay(tmp_path):
    target = tmp_path / "a" / "out"
    with published(target) as part:
        (part / "sub").mkdir()
        write(part, one="1", **{"sub/two": "2"})
        assert not target.exists()
    write(target, mine="keep")
    with published(target) as part:
        write(part, one="new")
    assert everything(tmp_path) == {
        "a/out/one": "new",
        "a/out/sub/two": "2",
        "a/out/mine": "keep",
    }


@pytest.mark.parametrize("there", [False, True])
def test_a_failure_changes_nothing(tmp_path, there):
    target = tmp_path / "out"
    if there:
        target.mkdir()
        write(target, one="old")
    before = everything(tmp_path)
    with pytest.raises(RuntimeError), published(target) as part:
        write(part, one="half")
        raise RuntimeError
    assert everything(tmp_path) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == (["out"] if there else [])


def test_a_file_in_the_way_is_named(tmp_path):
    write(tmp_path, out="a file")
    with refused("export_not_folder"), published(tmp_path / "out"):
        pass


def test_a_folder_in_the_way_stops_it_before_anything_moves(tmp_path):
    (tmp_path / "out" / "two").mkdir(parents=True)
    with refused("export_not_file"), published(tmp_path / "out") as part:
        write(part, one="1", two="2")
    assert everything(tmp_path) == {}


def test_an_error_of_the_system_is_one_the_user_can_mend(tmp_path):
    with refused("export_failed") as caught, published(tmp_path / "out"):
        raise OSError(28, "No space left on device")
    assert "No space left" in caught.value.what()


def test_one_file_is_replaced_at_once(tmp_path):
    write(tmp_path, run="old", other="keep")
    with published_file(tmp_path / "run") as part:
        part.write_text("new")
        assert (tmp_path / "run").read_text() == "old"
    assert everything(tmp_path) == {"run": "new", "other": "keep"}
