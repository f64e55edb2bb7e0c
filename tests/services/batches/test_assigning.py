from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from annotation.agreement.calibration import Known
from services.batches import (
    deadline_of,
    ids_in,
    import_known,
    people_named,
    read_ids,
    read_known,
    take_known,
)
from tests.annotation.crew import submit
from tests.annotation.house import SLUG, House
from tests.support.refusals import code_of, fault_of


def test_a_list_of_ids_has_remarks_and_no_repeats(tmp_path: Path) -> None:
    file = tmp_path / "ids.txt"
    file.write_text("\ufeffq2\r\n# remark\r\n\r\n q1 # first\r\nq2\n", "utf-8")
    assert read_ids(file) == ("q2", "q1")
    assert ids_in(file.read_bytes(), "ids.txt") == ("q2", "q1")
    file.write_text("# nothing\n", "utf-8")
    assert code_of(read_ids, file) == "rows_empty"


def test_known_answers_come_from_a_file_all_or_none(house: House, tmp_path: Path) -> None:
    file = tmp_path / "known.jsonl"
    good = '{"question_id": "q1", "units": ["lake-act_article-1"], "explanation": "Lamps."}\n'
    file.write_text(good + '{"question_id": "q2", "no_provision": true}\n', "utf-8")
    assert read_known(file)[0] == Known("q1", ("lake-act_article-1",), explanation="Lamps.", line=1)
    assert import_known(house.ws, SLUG, file) == 2
    assert import_known(house.ws, SLUG, file) == 0
    file.write_text(good + '\n{"question_id": "q9", "no_provision": true}\n', "utf-8")
    fault = fault_of(import_known, house.ws, SLUG, file)
    assert fault == ("questions_unknown", 3, "question_id")


def test_a_line_of_another_shape_is_named(tmp_path: Path) -> None:
    file = tmp_path / "known.jsonl"
    for line in (
        '{"units": ["a"]}',
        '{"question_id": "q1", "units": "a"}',
        '{"question_id": "q1", "units": [1]}',
        '{"question_id": "q1", "no_provision": "yes"}',
        '{"question_id": "q1", "no_provision": true, "explanation": 1}',
        '{"question_id": "q1", "no_provision": true, "unit": []}',
    ):
        file.write_text(line, "utf-8")
        assert fault_of(read_known, file)[:2] == ("known_answer_field", 1)


def test_settled_gold_is_taken(house: House) -> None:
    submit(house, house.ann, house.items[0], 1)
    submit(house, house.ben, house.items[0], 1)
    assert take_known(house.ws, SLUG) == 1
    assert take_known(house.ws, SLUG) == 0


def test_people_by_name_and_days_by_date(house: House) -> None:
    assert people_named(house.ws, SLUG, ["Ben", "Ann"]) == (house.ben, house.ann)
    assert code_of(people_named, house.ws, SLUG, ["Zoe"]) == "person_name_unknown"
    assert deadline_of(" 2026-02-28") == datetime(2026, 2, 28, 23, 59, 59, tzinfo=UTC)
    assert code_of(deadline_of, "2026-02-30") == "deadline_unreadable"
