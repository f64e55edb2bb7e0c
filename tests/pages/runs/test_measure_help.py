from __future__ import annotations

from pathlib import Path

import pytest

from annotation.people.members import PersonView
from evaluation.ranking.measures import OFFERED
from pages.runs.measure_help import measure_help
from pages.shell.context import Context
from storage.db.workspace import Workspace


def reader(language: str) -> Context:
    who = PersonView(1, "Lee Sora", "researcher", True, None)
    return Context(Workspace(Path("nowhere")), "fire", who, language)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_measure_that_is_offered_is_explained(language: str):
    said = {each: measure_help(reader(language), repr(each)) for each in OFFERED}
    assert all(each.cutoff is None or str(each.cutoff) in said[each] for each in OFFERED)
    assert all("95 %" in text for text in said.values())


def test_a_measure_without_a_cut_off_looks_at_all_that_is_kept():
    assert "all that are kept" in measure_help(reader("en"), "AP")
    alone = measure_help(reader("en"), "Recall@10", interval=False)
    assert alone == "Share of a question's gold provisions that are among the first 10."
