"""Terms-and-connectors search on the command line."""

from __future__ import annotations

import json
from functools import partial

import pytest

from tests.commands.called import printed
from tests.projects.parallel_law import SLUG, parallel_workspace


@pytest.fixture
def run(tmp_path, clock):
    parallel_workspace(tmp_path / "w", clock)[0].engine.dispose()

    return partial(printed, tmp_path / "w", "--project", SLUG)


def test_a_query_is_answered_with_marks_and_counts(run):
    code, out, _ = run("search", "tc", "간접비 /s 직접비! % 대학", "--in", "statutes")
    assert code == 0 and "Read as: 간접비 /s 직접비! % 대학" in out
    assert "statutes: 2 of 7 texts, 4 matches" in out
    assert "«간접비를» «직접비의»" in out and "경비기준_20조, 2" in out
    assert "간접비  – 6 in 3 texts" in out


def test_the_same_as_json(run):
    code, out, _ = run("--json", "search", "tc", "간접비 /s 직접비", "--limit", "1")
    (found,) = json.loads(out)["collections"]
    assert code == 0 and (found["collection"], found["texts"], found["searched"]) == (
        "statutes",
        3,
        7,
    )
    (hit,) = found["hits"]
    assert [each["text"] for each in hit["spans"]] == ["간접비를", "직접비의"]
    assert found["parts"][0] == {"part": "간접비 /s 직접비", "depth": 0, "matches": 6, "texts": 3}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("간접비 /s",), "character 5"),
        (("a", "--in", "books"), "both, statutes, cases"),
        (("a", "--order", "age"), "matches, collection"),
    ],
)
def test_what_cannot_be_asked_is_refused(run, words, said):
    code, _, err = run("search", "tc", *words)
    assert code == 3 and said in err
