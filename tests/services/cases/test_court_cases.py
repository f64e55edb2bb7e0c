"""Court cases come in whole or not at all, and are listed and read as they came."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from corpus.cases.model import CaseRules
from errors import UserError
from services.cases.importing import (
    case_rules,
    import_court_cases,
    judgments_at,
    preview_court_cases,
)
from services.cases.views import CaseFilter, list_court_cases, read_court_case
from services.uploads import Upload
from storage.cases import case_of, count_cases, last_mapping, listed, texts
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from storage.tables.cases import CaseImport
from tests.conftest import FakeClock
from tests.corpus.cases.texts import CHINESE, ENGLISH, KOREAN
from tests.support.refusals import code_of, refused

SLUG = "courts"
ROWS: list[dict[str, Any]] = [
    {"id": "ko-1", "text": KOREAN},
    {"id": "en-1", "text": ENGLISH},
    {"id": "zh-1", "text": CHINESE},
]


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace = Workspace(tmp_path / "ws", clock)
    migrate(workspace)
    create_project(workspace, SLUG, "Courts")
    create_project(workspace, "other", "Other")
    return workspace


def written(folder: Path, rows: list[dict[str, Any]], name: str = "cases.jsonl") -> Path:
    file = folder / name
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return file


def rows_of(ws: Workspace) -> tuple[int, int]:
    with ws.reading() as session:
        return count_cases(session, 1), len(session.exec(select(CaseImport)).all())


def test_a_file_comes_in_once(ws, tmp_path):
    file = written(tmp_path, ROWS)
    with judgments_at(file) as path:
        assert path == file
    told: list[tuple[int, int]] = []
    with file.open("rb") as content, judgments_at(Upload("cases.jsonl", content)) as path:
        done = import_court_cases(ws, SLUG, path, progress=lambda *at: told.append(at))
    assert (done.new, done.unchanged, done.survey.judgments) == (3, 0, 3)
    assert told == [(3, 3)]
    again = import_court_cases(ws, SLUG, written(tmp_path, ROWS, "renamed.jsonl"))
    assert (again.new, again.unchanged) == (0, 3)
    assert rows_of(ws) == (3, 1)  # what brought nothing is no import
    more = import_court_cases(ws, SLUG, written(tmp_path, [*ROWS, ROWS[0] | {"id": "ko-2"}]))
    assert (more.new, more.unchanged, more.unread) == (1, 3, ())
    last = import_court_cases(ws, SLUG, written(tmp_path, [row | {"url": "x"} for row in ROWS]))
    assert last.unread == ("url",)


def test_what_came_is_read_back_as_it_was(ws, tmp_path):
    import_court_cases(ws, SLUG, written(tmp_path, ROWS))
    with ws.reading() as session:
        row = case_of(session, 1)
        assert row.text == KOREAN.strip()
        assert [row.text[start:end].split()[0] for _, start, end in row.sections] == [
            *("가온지방법원", "주문", "이유", "범죄사실", "증거의", "법령의"),
            *("피고인", "양형의", "판사"),
        ]
        assert row.provisions[0] == "형법 제347조 제1항"
        assert (row.source["file"], row.source["line"]) == ("cases.jsonl", 1)
        lines = listed(session, 1)
        assert [line.external_id for line in lines] == ["ko-1", "en-1", "zh-1"]
        whole = [KOREAN.strip(), ENGLISH.strip(), CHINESE]
        assert [line.characters for line in lines] == [len(text) for text in whole]
        assert texts(session, 1, [3, 1, 99]) == {1: KOREAN.strip(), 3: CHINESE}
        assert texts(session, 2, [1]) == {}
        assert last_mapping(session, 1) == CaseRules({"id": "id", "text": "text"}).as_dict()


def test_other_content_under_a_known_id_and_a_broken_line_are_refused_with_their_line(ws, tmp_path):
    import_court_cases(ws, SLUG, written(tmp_path, ROWS))
    new = {"id": "ko-9", "text": KOREAN}
    for change in ({"text": KOREAN + "덧붙임"}, {"court": "Elsewhere"}):
        more = written(tmp_path, [new, ROWS[0] | change], "more.jsonl")
        rules = CaseRules({"id": "id", "text": "text"} | {name: name for name in change})
        with refused("court_case_changed") as caught:
            import_court_cases(ws, SLUG, more, rules)
        assert (caught.value.where.file, caught.value.where.line) == ("more.jsonl", 2)
        assert next(iter(change)) in str(caught.value.params["fields"])
    with refused("court_case_no_text") as caught:
        import_court_cases(ws, SLUG, written(tmp_path, [new, {"id": "x", "text": ""}]))
    assert caught.value.where.line == 2
    assert rows_of(ws) == (3, 1)


def test_a_preview_says_what_becomes_of_columns_and_keeps_nothing(ws, tmp_path):
    file = written(tmp_path, [row | {"url": "x"} for row in ROWS])
    seen = preview_court_cases(ws, SLUG, file)
    assert seen.became == {"id": "id", "text": "text", "url": ""}
    assert (seen.whole, seen.survey.languages) == (True, {"en": 1, "ko": 1, "zh": 1})
    assert {each.name: each.pattern for each in seen.survey.fields}["date"] == 2
    part = preview_court_cases(ws, SLUG, file, limit=2)
    assert (part.whole, part.survey.judgments, len(part.first)) == (False, 2, 2)
    assert json.loads(json.dumps(seen.as_dict()))["survey"]["judgments"] == 3
    assert rows_of(ws) == (0, 0)


def test_the_mapping_of_the_last_import_holds_where_the_columns_are_there(ws, tmp_path):
    first = [{"id": row["id"], "body_of_it": row["text"]} for row in ROWS]
    rules = CaseRules({"id": "id", "text": "body_of_it"}, "", "[en.sections]\nrest = ['^FACTS$']")
    import_court_cases(ws, SLUG, written(tmp_path, first), rules)
    assert case_rules(ws, SLUG, written(tmp_path, first), None) == rules
    assert case_rules(ws, SLUG, written(tmp_path, ROWS), None).columns["text"] == "text"


def test_the_list_is_filtered(ws, tmp_path):
    import_court_cases(ws, SLUG, written(tmp_path, ROWS))

    def ids(**wanted: str) -> list[str]:
        found = list_court_cases(ws, SLUG, CaseFilter(**wanted))
        return [line.external_id for line in found.lines]

    assert ids() == ["ko-1", "en-1", "zh-1"]
    assert ids(words="REPAYMENT was") == ["en-1"]
    assert ids(words="100%") == []  # a wildcard of the database is an ordinary character
    assert ids(charge="사기") == ["ko-1"]
    assert ids(court="Gaon District Court") == ["en-1"]
    assert ids(language="zh") == ["zh-1"]
    assert ids(section="sentencing") == ["ko-1", "en-1"]
    found = list_court_cases(ws, SLUG)
    assert (found.total, found.charges[0], found.languages[0]) == (3, ("Fraud", 1), ("en", 1))


def test_a_case_is_read_in_its_sections(ws, tmp_path):
    import_court_cases(ws, SLUG, written(tmp_path, ROWS))
    by_number, by_name = read_court_case(ws, SLUG, 3), read_court_case(ws, SLUG, "zh-1")
    assert by_number == by_name
    assert by_name.text == CHINESE
    assert CHINESE[by_name.parts[1].start :].startswith("经审理查明")
    for name in (99, "none"):
        assert code_of(read_court_case, ws, SLUG, name) == "court_case_unknown"
    with pytest.raises(UserError):
        read_court_case(ws, "other", 3)
