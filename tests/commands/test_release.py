"""Releases on the command line: the fields asked for, the question before names, the files."""

from __future__ import annotations

import json
from functools import partial

import pytest

from tests.commands.called import printed
from tests.projects.split_project import SLUG, harbour

ABOUT = ("release", "harbour-law", "--release-version", "1.0", "--description", "Harbour law.")


@pytest.fixture
def run(tmp_path, clock):
    harbour(tmp_path / "w", clock).engine.dispose()

    return partial(printed, tmp_path / "w", "--project", SLUG)


def test_what_is_missing_is_asked_for_and_then_it_is_written(run, tmp_path):
    out = str(tmp_path / "out")
    code, _, said = run(*ABOUT, "--output", out)
    assert code == 3 and "lacks: licence, authors" in said and "--licence, --author" in said
    full = (*ABOUT, "--output", out, "--licence", "MIT", "--author", "Kim", "--author", "Lee")
    code, said, _ = run("--json", *full)
    done = json.loads(said)
    assert code == 0 and done["about"]["authors"] == ["Kim", "Lee"]
    assert done["about"]["date"] and done["report"]["questions"] > 0
    assert all((tmp_path / "out" / name).is_file() for name in done["files"])
    code, _, said = run(*full)
    assert code == 3 and "must be empty" in said
    code, said, _ = run(*ABOUT, "--output", f"{out}-2", "--since", out)
    assert code == 0 and "0 added, 0 changed, 0 reworded, 0 withdrawn" in said


def test_names_are_asked_for_again(run, tmp_path):
    full = (*ABOUT, "--licence", "MIT", "--author", "Kim", "--names", "--output")
    code, _, said = run(*full, str(tmp_path / "one"))
    assert code == 3 and "Agreed to be named: –" in said
    people = json.loads(run("--json", "person", "list")[1])["people"]
    name = people[0]["name"]
    assert run("person", "naming", name, "--agree")[0] == 0
    code, _, said = run(*full, str(tmp_path / "two"))
    assert code == 3 and f"Agreed to be named: {name}" in said
    assert run(*full, str(tmp_path / "three"), "--yes")[0] == 0
    assert name in (tmp_path / "three" / "README.md").read_text("utf-8")
