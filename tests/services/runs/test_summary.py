from __future__ import annotations

from services.runs.summary import Unanswered, unanswered


def test_counts_are_summed_over_the_methods_of_a_run() -> None:
    notes = {"expand.asked": 4, "expand.refused": 1, "refwalk.asked": 4, "refwalk.invalid": 2,
             "refwalk.failed": 1, "other.documents": 9}  # fmt: skip
    found = unanswered({"notes": notes, "fit_s": 1.0})
    assert found == Unanswered(asked=8, refused=1, invalid=2, failed=1)
    assert found.total == 4


def test_a_run_without_notes_asked_nobody() -> None:
    assert unanswered({}) == Unanswered()
    assert unanswered({"notes": {}}).total == 0
