"""Runs of other systems on the command line."""

from __future__ import annotations

import json

from jobs import gold_set
from tests.commands.called import command_line
from tests.jobs.test_retrieve import FIRST, LAMP
from tests.small_law import small_workspace


def test_a_run_file_becomes_a_run(tmp_path, clock, monkeypatch):
    monkeypatch.setattr(gold_set, "derive", lambda *_: FIRST)
    small_workspace(tmp_path / "w", clock).engine.dispose()
    file = tmp_path / "their.run"
    file.write_text(f"q2 Q0 {LAMP} 1 2.0 theirs\nq2 Q0 x 2 1.0 theirs\n", "utf-8")

    refused = command_line(tmp_path / "w", "run", "import", str(file))
    assert refused.returncode == 3 and f"{file.name}" in refused.stderr and "2" in refused.stderr

    done = command_line(tmp_path / "w", "run", "import", str(file), "--unknown", "keep")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "Run 1 (theirs) is kept: 1 questions.",
        "2 settled questions that the file leaves out; they score 0.",
        "1 ranks held by units that the snapshot lacks.",
    ]
    told = json.loads(
        command_line(
            tmp_path / "w", "--json", "run", "import", str(file), "--unknown", "keep"
        ).stdout
    )
    assert (told["run"], told["was_there"], told["unknown_units"]) == (1, True, 1)
    scores = json.loads(command_line(tmp_path / "w", "--json", "evaluate", "1").stdout)
    assert scores["MRR@10"]["value"] == 0.5 and scores["MRR@10"]["n"] == 2
