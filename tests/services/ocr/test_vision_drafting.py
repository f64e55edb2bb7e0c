from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from annotation.work.queue_service import queue
from llm.batch import End
from llm.reply import Problem
from services.background.tasks import watched
from services.models.prompts import packaged_body, save_prompt
from services.ocr.drafting import DraftReport
from services.ocr.report import ocr_report
from services.ocr.vision_drafting import draft_with_model, plan_vision, why
from storage.ocr import drafts
from storage.tasks import Task
from tests.llm.server import Server, Step, scripted
from tests.services.ocr.pages_project import SLUG, PagesProject, paragraph
from tests.support.drawn_pages import CELLS

ASKED = "image_url"  # stands in what is said with a picture


@pytest.fixture
def server(here: PagesProject) -> Iterator[Server]:
    with scripted() as running:
        settings = f'base_url = "{running.base_url}"\nmodel = "eyes"\nattempts = 1\n'
        (here.ws.folder / "models.toml").write_text(settings, "utf-8")
        yield running


def read(here: PagesProject, every: bool = False) -> DraftReport:
    ready = plan_vision(here.ws, SLUG, every, here.lead)
    return watched(lambda told, stop: draft_with_model(here.ws, ready, told, stop), lambda *_: None)


def answer(rows: list[list[str]]) -> str:
    blocks = [
        {"kind": "heading", "text": "범위 <b>굵게</b>", "rows": []},
        {"kind": "table", "text": "", "rows": rows},
        {"kind": "formula", "text": "Q = \\frac{A}{B}", "rows": []},
        {"kind": "paragraph", "text": " ", "rows": []},
    ]
    return f"```json\n{json.dumps({'blocks': blocks}, ensure_ascii=False)}\n```"


def rows() -> list[list[str]]:
    found = [["" for _ in range(4)] for _ in range(5)]
    for row, column, _, _, text in CELLS:
        found[row][column] = text
    return found


def blocks(here: PagesProject) -> list[dict[str, object]]:
    with here.ws.reading() as session:
        return list(drafts(session, here.project_id())[-1].blocks)


def test_a_model_reads_and_the_image_says_what_is_merged(
    here: PagesProject, server: Server
) -> None:
    here.bring_scan()
    server.on(ASKED, Step(text=answer(rows())))
    report = read(here)
    assert (report.pages, report.drafted, report.failed, report.end) == (1, 1, 0, End.DONE)
    assert "image_url" in json.dumps(server.seen[0].body)
    heading, table, formula = blocks(here)
    assert heading["text"] == "범위 <b>굵게</b>"
    assert formula["latex"] == "Q = \\frac{A}{B}"
    cells = table["cells"]
    assert isinstance(cells, list)
    found = {(c["row"], c["column"], c["row_span"], c["column_span"], c["text"]) for c in cells}
    assert found == set(CELLS)
    assert table["box"] is not None
    with here.ws.reading() as session:
        (draft,) = drafts(session, here.project_id())
    assert draft.name == "model eyes"
    assert len(queue(here.ws, here.ann, Task.OCR_CORRECTION)) == 1
    here.bring_blank("more.png")
    again = read(here, every=True)
    assert (again.pages, again.already, len(server.seen)) == (1, 1, 2), "nothing is asked twice"


@pytest.mark.parametrize("change", ["more columns", "text under a merged cell"])
def test_a_table_that_does_not_fit_the_lines_stays_as_written(
    here: PagesProject, server: Server, change: str
) -> None:
    here.bring_scan()
    said = rows()
    if change == "more columns":
        said = [[*row, "x"] for row in said]
    else:
        said[0][1] = "구분"
    server.on(ASKED, Step(text=answer(said)))
    read(here)
    cells = blocks(here)[1]["cells"]
    assert isinstance(cells, list)
    assert {(c["row_span"], c["column_span"]) for c in cells} == {(1, 1)}
    assert [[c["text"] for c in cells if c["row"] == 0]] == [said[0]]


def test_what_a_model_refuses_or_garbles_is_kept_as_failed(
    here: PagesProject, server: Server
) -> None:
    here.bring_scan()
    server.on(ASKED, Step("refuse", text="I will not"))
    report = read(here)
    assert (report.drafted, report.failed, report.problems) == (0, 1, {"declined": 1})
    assert ocr_report(here.ws, SLUG).states["new"] == 1
    here.correct(1, [paragraph("범위")])
    assert ocr_report(here.ws, SLUG).engines == (), "what failed is no draft of its engine"
    here.bring_blank("b.png")
    server.rules.clear()
    server.on("", Step(text="a page about fire safety"))
    again = read(here)
    assert again.problems["form"] == 1
    for language in ("en", "ko"):
        said = [why(str(problem), language) for problem in Problem]
        assert len(set(said)) == len(Problem) and not {str(each) for each in Problem} & set(said)
        assert why("Tesseract took too long.", language) == "Tesseract took too long."


def test_the_project_s_own_wording_is_what_is_asked(here: PagesProject, server: Server) -> None:
    here.bring_blank("a.png")
    for name, more in (("ocr_draft", "표는 줄마다 쓰세요."), ("json_repair", "Only JSON.")):
        language = "ko" if name == "ocr_draft" else "en"
        body = f"{packaged_body(name, language)}\n{more}"
        save_prompt(here.ws, SLUG, name, language, body, "ours", 1, here.lead)
    server.on("", Step(text="a page about fire safety"))
    read(here)
    first, repair = (json.dumps(seen.body, ensure_ascii=False) for seen in server.seen)
    assert "표는 줄마다 쓰세요." in first
    assert "Only JSON." in repair


def test_engines_are_compared_on_the_same_pages(here: PagesProject, server: Server) -> None:
    here.bring_annex()
    server.on(ASKED, Step(text=answer(rows())))
    read(here, every=True)
    here.correct(1, [paragraph("범위")])
    names = [line.name for line in ocr_report(here.ws, SLUG).engines]
    assert names == ["embedded PyMuPDF 2", "model eyes"]
