from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.cases.reader import places
from services.cases.importing import import_court_cases
from services.cases.views import list_court_cases
from storage.db.workspace import Workspace
from tests.corpus.cases.texts import CHINESE, ENGLISH, KOREAN
from tests.pages.screens import opened, press, table
from tests.pages.small_project import HOSTILE, SLUG, empty_project, leader, shown

ROWS: list[dict[str, Any]] = [
    {"id": "ko-1", "whole": KOREAN},
    {"id": "en-1", "whole": ENGLISH, "note": HOSTILE},
    {"id": "zh-1", "whole": CHINESE},
]


@pytest.fixture
def ws(workspace: Workspace) -> Workspace:
    empty_project(workspace)
    return workspace


def written(folder: Path, *rows: dict[str, Any]) -> Path:
    file = folder / "cases.jsonl"
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return file


def bring(at: AppTest, file: Path) -> AppTest:
    at = at.button_group(key="court-cases-tab").set_value("bring").run()
    at.text_input(key="data-court_cases-path").set_value(str(file))
    return press(at, "Preview")


def choose(at: AppTest, field: str, column: str) -> AppTest:
    """Choose the column of a field in the form as it stands."""
    boxes = [each for each in at.selectbox if f"-column-{field}-" in str(each.key)]
    return boxes[-1].set_value(column).run()


def test_cases_are_found_and_read(ws: Workspace, tmp_path: Path) -> None:
    rows = [{"id": row["id"], "text": row["whole"]} for row in ROWS]
    import_court_cases(ws, SLUG, written(tmp_path, *rows))
    person = leader(ws)
    at = opened("court_cases", ws, person)
    assert table(at, "Case number")["Id"].tolist() == ["ko-1", "en-1", "zh-1"]
    at.text_input(key="court-cases-words").set_value("repayment").run()
    assert table(at, "Case number")["Id"].tolist() == ["en-1"]
    assert "Criminal Act" in shown(at).replace("\\", "")
    assert any(each.value.startswith("en\\-1 · ") for each in at.caption)
    at.text_input(key="court-cases-words").set_value("no such words").run()
    assert not at.dataframe
    at.text_input(key="court-cases-words").set_value("").run()
    at.selectbox(key="court-cases-charge").set_value("사기").run()
    assert table(at, "Case number")["Id"].tolist() == ["ko-1"]


def test_a_file_is_mapped_looked_at_and_kept(ws: Workspace, tmp_path: Path) -> None:
    at = bring(opened("court_cases", ws, leader(ws)), tmp_path / "none.jsonl")
    assert "no such file" in shown(at).replace("\\", "")
    at = bring(at, written(tmp_path, *ROWS))
    assert "No column is mapped to the full text" in shown(at).replace("\\", "")
    at = choose(at, "text", "whole")
    assert "3 judgments (en 1, ko 1, zh 1)" in shown(at)
    assert "Columns not read" in shown(at).replace("\\", "")
    found = table(at, "Field")["Found in the text"].tolist()
    assert found == [3, 3, 2, 3, 3, 3], "all but one date"
    at.text_area[0].set_value("[en.sections]\nfacts = ['(']").run()
    assert "is not a regular expression" in shown(at).replace("\\", "")
    at.text_area[0].set_value("").run()
    at.button(key="court-cases-keep").click().run()
    assert "3 new court cases" in at.success[0].value.replace("\\", "")
    assert list_court_cases(ws, SLUG).total == 3


def test_an_uploaded_table_is_read_again_to_be_kept(ws: Workspace) -> None:
    at = opened("court_cases", ws, leader(ws))
    at = at.button_group(key="court-cases-tab").set_value("bring").run()
    at = at.button_group(key="data-court_cases-from").set_value("upload").run()
    raw = f'id,facts,order,charge\nc1,"{HOSTILE}",Guilty.,"Fraud; Theft"\n'.encode()
    at.file_uploader(key="data-court_cases-upload").set_value([("CASES.CSV", raw, "text/csv")])
    press(at, "Preview")
    assert table(at, "Section")["Judgments"].tolist() == [0, 1, 0, 0, 0, 1, 0]
    at.button(key="court-cases-keep").click().run()
    (line,) = list_court_cases(ws, SLUG).lines
    assert line.charges == ("Fraud", "Theft")
    assert [name for name, *_ in line.sections] == ["facts", "conclusion"]
    at = at.button_group(key="court-cases-tab").set_value("cases").run()


def test_words_are_marked_in_either_case_and_as_themselves() -> None:
    assert places("A.b a.B axb", "a.b") == [(0, 3), (4, 7)]
    assert places("text", "") == []
    assert len(places("a" * 5_000, "a")) == 2_000
