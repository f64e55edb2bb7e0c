from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from services.judging.reading import (
    read_binary,
    read_cases,
    read_pairwise,
    read_ratings,
    read_verdicts,
)
from tests.support.refusals import fault_of

CASE = {"id": "q1", "system": "gpt", "question": "May I?", "reference": "Yes.", "answer": "No."}
SAID = {"id": "q1", "system": "gpt", "judge": "j"}


def written(folder: Path, *lines: Any) -> Path:
    file = folder / "lines.jsonl"
    text = "\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines)
    file.write_text(text, "utf-8")
    return file


def test_a_case_with_all_it_can_have(tmp_path: Path) -> None:
    provisions = [{"unit": "a_1", "label": "Article 1", "text": "No boats."}, "Lamps are lit."]
    full = CASE | {"provisions": provisions, "kind": "yes/no", "language": "ko"}
    [found] = read_cases(written(tmp_path, full))
    assert (found.external_id, found.system, found.kind) == ("q1", "gpt", "yes/no")
    assert (found.question, found.reference, found.answer) == ("May I?", "Yes.", "No.")
    assert found.language == "ko"
    assert found.provisions == (provisions[0], {"label": "", "text": "Lamps are lit."})


def test_what_a_case_may_leave_out(tmp_path: Path) -> None:
    [found] = read_cases(written(tmp_path, {"id": 7, "system": "gpt", "answer": "No."}))
    assert (found.external_id, found.question, found.language) == ("7", "", "")


def test_verdicts_in_their_spellings(tmp_path: Path) -> None:
    spelled = {1: "correct", False: "incorrect", "correct": "correct", "0": "incorrect"}
    spelled |= {"tie": "tie", "second": "second"}
    found = read_verdicts(written(tmp_path, *(SAID | {"verdict": each} for each in spelled)))
    assert [each.verdict for each in found] == list(spelled.values())
    assert [each.kind for each in found] == ["binary"] * 4 + ["pairwise"] * 2
    assert {each.state for each in found} == {"said"}


def test_without_a_verdict_what_was_written_is_read(tmp_path: Path) -> None:
    lines = [
        SAID | {"raw": "**1**"},
        SAID | {"raw": "I would say that it is correct."},
        SAID | {"raw": "A", "other": "exaone"},
        SAID | {"raw": "A", "other": "reference", "swapped": True},
        SAID | {"raw": "B", "kind": "pairwise"},
    ]
    found = read_verdicts(written(tmp_path, *lines))
    assert [(each.verdict, each.state) for each in found] == [
        ("correct", "said"),
        (None, "unread"),
        ("first", "said"),
        ("second", "said"),
        ("second", "said"),
    ]
    assert [each.other for each in found] == [None, None, "exaone", None, None]


def test_what_a_judge_writes_is_read_strictly() -> None:
    assert read_binary("0.") == ("incorrect", "said")
    assert read_binary("10") == (None, "unread")
    assert read_binary("") == (None, "unread")
    assert read_binary("I'm sorry, but I can't assist with that.") == (None, "refused")
    assert read_binary("죄송하지만 답변을 드릴 수 없습니다.") == (None, "refused")
    assert read_pairwise("I cannot help with that.", swapped=True) == (None, "refused")
    assert read_pairwise("B can't give legal advice; A is better.", swapped=False)[1] == "unread"
    assert read_pairwise("b", swapped=True) == ("first", "said")
    assert read_pairwise("A and B", swapped=False) == (None, "unread")


def test_a_rating(tmp_path: Path) -> None:
    line = {"id": "q1", "system": "gpt", "person": "Kim", "rating": 0, "comment": "Inverted."}
    [found] = read_ratings(written(tmp_path, line))
    assert (found.person, found.correct, found.comment) == ("Kim", False, "Inverted.")


def test_faults_are_named_with_their_place(tmp_path: Path) -> None:
    good: dict[Any, dict[str, Any]] = {read_cases: CASE, read_verdicts: SAID | {"verdict": 1}}
    good[read_ratings] = SAID | {"person": "Kim", "rating": 1}
    for read, change, code, field in (
        (read_cases, {"answer": " "}, "field_missing", "answer"),
        (read_cases, {"system": None}, "field_missing", "system"),
        (read_cases, {"id": "a b"}, "id_form", "id"),
        (read_cases, {"system": "x" * 201}, "judging_name_long", "system"),
        (read_cases, {"language": "fr"}, "language_unknown", "language"),
        (read_cases, {"provisions": "one"}, "judging_provisions", "provisions"),
        (read_cases, {"provisions": [{"label": "1"}]}, "judging_provisions", "provisions"),
        (read_cases, {"provisions": [["x"]]}, "judging_provisions", "provisions"),
        (read_verdicts, {"verdict": "maybe"}, "judging_value", "verdict"),
        (read_verdicts, {"verdict": 2}, "judging_value", "verdict"),
        (read_verdicts, {"verdict": [1]}, "judging_value", "verdict"),
        (read_verdicts, {"other": "x"}, "judging_one_or_two", "verdict"),
        (read_verdicts, {"swapped": True}, "judging_one_or_two", "verdict"),
        (read_verdicts, {"judge": ""}, "field_missing", "judge"),
        (read_verdicts, {"judge": "j" * 201}, "judging_name_long", "judge"),
        (read_verdicts, {"judge": "majority"}, "judging_name_taken", "judge"),
        (read_verdicts, {"verdict": "tie", "swapped": "no"}, "judging_flag", "swapped"),
        (read_verdicts, {"verdict": None}, "field_missing", "raw"),
        (read_ratings, {"rating": None}, "field_missing", "rating"),
        (read_ratings, {"person": None}, "field_missing", "person"),
    ):
        file = written(tmp_path, good[read], good[read] | change)
        assert fault_of(read, file) == (code, 2, field), change
