"""`mcq generate`, `import`, `solve`, `report` and `export`, from drafts to figures."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from storage.db.workspace import Workspace
from tests.commands.called import printed
from tests.llm.serving import serving
from tests.services.mcq.mcq_project import (
    ACT,
    DECREE,
    knows,
    make,
    writes,
    written,
)

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path / "w")
    make(workspace)
    return workspace


@pytest.fixture
def run(ws: Workspace) -> Run:
    return partial(printed, ws.folder)


def test_from_pairs_to_figures(ws: Workspace, run: Run, tmp_path: Path) -> None:
    assert json.loads(run("--json", "mcq", "generate", "--count")[1]) == {"pairs": 6}
    assert run("mcq", "generate", "--count", "--tiers", "1:3")[1] == "0 pairs of provisions.\n"
    with serving(ws) as server:
        writes(server, 6)
        code, out, _ = run("mcq", "generate", "--number", "6", "--seed", "3")
        assert code == 0
        assert "Asked about 6 of 6 pairs; 0 had been asked about before." in out
        server.rules.clear()
        server.says = knows
        code, out, _ = run("mcq", "solve")
        assert code == 0
        assert "6 questions, 24 calls; 0 were known before." in out
        said = json.loads(run("--json", "mcq", "solve", "--setting", "a", "--setting", "ab")[1])
        assert (said["calls"], said["recalled"], said["states"]) == (
            12,
            12,
            {"abstained_option": 6, "answered": 6},
        )
    code, out, _ = run("mcq", "report")
    assert code == 0
    assert "6 questions (all that nobody dropped)." in out
    assert "Always “cannot be determined”" in out
    rows = json.loads(run("--json", "mcq", "report")[1])["rows"]
    assert [row["of"] for row in rows[:8]] == ["all"] * 4 + ["readable"] * 4
    assert [row["accuracy"]["value"] for row in rows[:4]] == [0.0, 1.0, 1.0, 1.0]
    assert run("mcq", "report", "--output", str(tmp_path / "report.csv"))[0] == 0
    out = run("mcq", "replies", "--setting", "a", "--outcome", "abstained_option")[1]
    assert out.endswith("\n6 replies.\n")
    found = json.loads(run("--json", "mcq", "replies", "--model", "m")[1])["replies"]
    assert len(found) == 24
    assert {(each["rule"], each["quote"]) for each in found if each["option"] == 5} == {
        ("label", "5")
    }
    assert json.loads(run("--json", "mcq", "replies", "--checked")[1]) == {"replies": []}
    code, out, _ = run("mcq", "export", str(tmp_path / "out"), "--unchecked")
    assert (code, "6 of 6 questions and 24 votes" in out) == (0, True)


def test_what_ends_early_says_so(ws: Workspace, run: Run) -> None:
    with serving(ws, "concurrency = 1\n[budget]\ncalls = 3") as server:
        writes(server, 6)
        code, out, _ = run("mcq", "generate")
        assert code == 3
        assert "The budget is used up" in out
        assert "no answer" in out


def test_questions_from_a_file_and_methods_that_search_for_both_provisions(
    run: Run, tmp_path: Path
) -> None:
    file, methods = tmp_path / "q.jsonl", tmp_path / "methods.yaml"
    file.write_text('{"query": 1}\n', "utf-8")
    code, _, err = run("mcq", "import", str(file))
    assert code == 3
    assert "q.jsonl, line 1" in err
    ends = ({"a": f"{ACT}_{n}조", "b": f"{DECREE}_{n}조"} for n in (1, 2))
    drafts = [json.loads(written(n)) | pair for n, pair in enumerate(ends, 1)]
    file.write_text("".join(json.dumps(each) + "\n" for each in drafts), "utf-8")
    assert "Read 2 questions; 0 were there before." in run("mcq", "import", str(file))[1]
    lines = ("{name: words, method: bm25}", "{name: model, method: dense, model: none/such}")
    measured = "measures: [Recall@1, Recall@100, nDCG@10]"
    text = "name: both\n{}\nmethods:\n- {}\n- {}\n".format(measured, *lines)
    methods.write_text(text, "utf-8")
    code, out, _ = run("--json", "mcq", "retrieve", str(methods))
    said = json.loads(out)
    (row,) = said["rows"]
    assert (code, said["questions"], said["outside"], row["line"]) == (0, 2, 0, "words")
    assert row["Recall@100"]["n"] == row["nDCG@10"]["n"] == 2
    assert any('"model": ' in note and "none/such" in note for note in said["notes"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("generate", "--edge", "part_of"), "delegates_to, references, applies"),
        (("generate", "--tiers", "1-2"), "is not a pair of authority tiers"),
        (("solve", "--setting", "c"), "zero, a, b, ab"),
        (("report", "--before", "m"), "--before and --after"),
        (("replies", "--outcome", "silent"), "abstained_words"),
    ],
)
def test_what_a_user_can_mend(run: Run, words: tuple[str, ...], said: str) -> None:
    code, _, err = run("mcq", *words)
    assert code == 3
    assert said in " ".join(err.split())
