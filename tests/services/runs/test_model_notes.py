"""What runs have to say of models: who read their units, and where a model said nothing."""

from __future__ import annotations

import pytest

from messages import LANGUAGES
from retrieval.core.presets import PRESETS
from retrieval.core.registry import complete
from retrieval.readings.model import State
from services.runs.model_notes import Named, Unanswered, UnitsRead, reading_notes, unanswered

BY_RULE, BY_MODEL = complete(PRESETS["lightrag"]), complete(PRESETS["hipporag2_paper"])
READ = {"notes": {"hipporag2.read_read": 90, "hipporag2.read_empty": 2, "hipporag2.read_refused": 5,
                  "hipporag2.read_invalid": 4, "hipporag2.read_failed": 1,
                  "hipporag2.dense_ranking": 3, "hipporag2.phrases": 12}}  # fmt: skip


def test_calls_without_a_usable_answer_are_said_by_reason_and_with_what_was_done_without() -> None:
    notes = {"expand.asked": 9, "expand.refused": 1, "expand.invalid": 2, "expand.failed": 1}
    assert unanswered({"notes": notes}).said("Run 1") == (
        "Run 1: the model said nothing usable in 4 of 9 calls about questions (1 refused, "
        "2 unreadable, 1 failed); there the plain question was searched."
    )


@pytest.mark.parametrize(
    ("method", "done"),
    [
        ("hipporag2", "the dense base ranked alone"),
        ("nativerag", "behind those that the model said yes to"),
        ("pikerag", "the loop ended"),
        ("keller", "sentences of the question"),
        ("gone_since", "the plain question was searched"),
    ],
)
def test_what_was_done_without_an_answer_is_what_the_method_does(method: str, done: str) -> None:
    found = unanswered({"notes": {f"{method}.asked": 5, f"{method}.refused": 2}})
    assert done in found.said("Run 1")
    both = unanswered({"notes": {f"{method}.refused": 2, "expand.invalid": 1, "lsa.failed": 0}})
    assert done in both.said("Run 1") and "plain question" in both.said("Run 1")


def test_nothing_is_said_where_every_call_was_of_use() -> None:
    assert Unanswered(asked=9).said("Run 1") == ""


def test_counts_are_summed_over_the_methods_of_a_run() -> None:
    notes = {"expand.asked": 4, "expand.refused": 1, "refwalk.asked": 4, "refwalk.invalid": 2,
             "refwalk.failed": 1, "other.documents": 9, "pikerag.read_refused": 7}  # fmt: skip
    found = unanswered({"notes": notes, "fit_s": 1.0})
    assert found == Unanswered(asked=8, refused=1, invalid=2, failed=1)
    assert (found.total, found.methods) == (4, ("expand", "refwalk"))


def test_a_run_without_notes_asked_nobody() -> None:
    assert unanswered({}) == Unanswered()
    assert unanswered({"notes": {}}).total == 0


def test_who_read_is_found_in_whatever_a_method_builds_on() -> None:
    assert UnitsRead.of(BY_RULE, {}).reader == "stand_in"
    assert UnitsRead.of({"method": "rrf", "of": [BY_RULE, BY_MODEL]}, {}).reader == "model+stand_in"
    nobody = UnitsRead.of(complete({"method": "bm25"}), {})
    assert (nobody.reader, nobody.unread) == (None, None)


def test_units_are_counted_by_what_came_of_reading_them() -> None:
    read = UnitsRead.of(BY_MODEL, READ)
    assert read.unread == 10
    assert dict(read.states) == dict(zip(State, (90, 2, 5, 4, 1), strict=True))
    assert UnitsRead.of(BY_MODEL, {}).unread is None  # nobody counted: not nothing


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_in_a_model_s_place_are_said_whatever_a_run_is_called(language: str) -> None:
    named: list[Named] = [
        ("Mine", BY_RULE, {}),
        ("BM25", {"method": "bm25"}, {}),
        ("Theirs", BY_RULE, {}),
    ]
    (note,) = reading_notes(named, language)
    assert "reader: stand_in" in note and "Mine; Theirs" in note and "BM25" not in note
    assert reading_notes([("BM25", {"method": "bm25"}, {})], language) == []
    all_kept = {"notes": {"hipporag2.not_recognised": 3}}
    notes = reading_notes([("Mine", BY_RULE, all_kept)], language)
    assert len(notes) == 2 and "recognition: none" in notes[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_units_that_were_not_read_are_said_with_why(language: str) -> None:
    unread, alone = reading_notes([("Mine", BY_MODEL, READ)], language)
    assert unread.startswith("Mine: ") and alone.startswith("Mine: ")
    for count in ("102", "10", "90", "2", "5", "4", "1"):
        assert count in unread
    assert "3" in alone
    every = {"notes": {"hipporag2.read_read": 90, "hipporag2.read_empty": 2}}
    assert reading_notes([("Mine", BY_MODEL, every)], language) == []
