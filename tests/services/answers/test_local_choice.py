"""Choosing by likelihood with a model in the process: every letter's probability is told."""

from __future__ import annotations

import math
from pathlib import Path

from construction.answers import Format
from llm.local import causal_model
from storage.law.corpus import load_questions
from tests.llm.local import tiny
from tests.projects.answers_project import answered, keep_choices, standing
from tests.projects.closure_project import ferry


def test_a_local_model_chooses_the_letter_that_it_finds_likeliest(tmp_path: Path) -> None:
    ws = ferry(tmp_path / "workspace").ws
    keep_choices(ws)
    tiny.make(tmp_path / "models" / "tiny", longest=512)
    text = f'base_url = "local:{(tmp_path / "models").as_posix()}"\nmodel = "tiny"\n'
    (ws.folder / "models.toml").write_text(text, "utf-8")
    done = answered(ws, formats=(Format.CHOICE_LIKELIHOOD,))
    assert dict(done.states) == {"answered": 2}
    with ws.reading() as session:
        questions = load_questions(session, 1)
    for row in standing(ws):
        labels = [each.label for each in questions[row.external_id].choices] or ["A", "B"]
        told = dict(row.logprobs or {})
        assert sorted(told) == labels
        assert all(math.isfinite(value) and value < 0 for value in told.values())
        assert row.choice == max(told, key=lambda label: told[label])
    assert answered(ws, formats=(Format.CHOICE_LIKELIHOOD,)).calls == 0
    causal_model._held.clear()
