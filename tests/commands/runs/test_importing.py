"""Runs of other systems on the command line."""

from __future__ import annotations

import json

from services.gold import gold_set
from tests.commands.called import command_line
from tests.projects.small_law import small_workspace
from tests.services.small_gold import FIRST, LAMP


def test_a_run_file_becomes_a_run(tmp_path, clock, monkeypatch):
    monkeypatch.setattr(gold_set, "derive", lambda *_: FIRST)
    small_workspace(tmp_path / "w", clock).engine.dispose()
    file = tmp_path / "their.run"
    file.write_text(f"q2 Q0 {LAMP} 1 2.0 theirs\nq2 Q0 x 2 1.0 theirs\n", "utf-8")

    refused = command_line(tmp_path / "w", "run", "import", str(file))
    assert refused.returncode == 3 and f"{file}, line 2" in refused.stderr

    done = command_line(tmp_path / "w", "run", "import", str(file), "--unknown", "keep")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "Run 1 (theirs) is kept: 1 question.",
        "2 settled questions are not in the file; they score 0.",
        "1 rank is held by a unit that the snapshot lacks.",
    ]
    told = json.loads(
        command_line(
            tmp_path / "w", "--json", "run", "import", str(file), "--unknown", "keep"
        ).stdout
    )
    assert (told["run"], told["was_there"], told["unknown_units"]) == (1, True, 1)
    scores = json.loads(command_line(tmp_path / "w", "--json", "evaluate", "1").stdout)
    assert scores["MRR@10"]["value"] == 0.5 and scores["MRR@10"]["n"] == 2


def test_run_files_are_scored_and_tested_against_each_other(tmp_path):
    (tmp_path / "qrels").write_text("".join(f"q{at} 0 u 1\n" for at in range(6)))
    (tmp_path / "good").write_text("".join(f"q{at} Q0 u 1 1 t\n" for at in range(6)))
    (tmp_path / "poor").write_text("q0 Q0 u 1 1 t\n")
    words = ("evaluate", "--qrels", str(tmp_path / "qrels"), "--run-file", str(tmp_path / "good"))
    more = ("--measure", "RR@10", "--measure", "FullCov@5", "--against", str(tmp_path / "poor"))
    told = command_line(tmp_path / "w", *words, *more)
    # Five differences of one sign: 2 of the 32 sign patterns are as far from zero.
    assert told.stdout.splitlines()[0] == (
        "RR@10        1.000  n=6  difference 0.833 [0.500, 1.000]  p=0.0625  5 won, 1 tied, 0 lost"
    )
    found = json.loads(command_line(tmp_path / "w", "--json", *words, *more).stdout)
    assert list(found) == ["RR@10", "FullCov@5"]
    assert found["RR@10"]["against"]["p"] == 0.0625 and found["RR@10"]["against"]["wins"] == 5
    wrong = command_line(tmp_path / "w", "evaluate", "1", "--against", str(tmp_path / "poor"))
    assert wrong.returncode == 3
