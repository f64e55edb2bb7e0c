from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotation.people.members import PersonView, list_people
from corpus.graph.model import EdgeType
from pages.law.corpus import View
from pages.law.graph_panel import Walk
from services.law.graph.citation_graph import build
from services.ocr.publishing import publish_pages
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.law_with_graph import ACT, DECREE, project_with_graph
from tests.pages.small_project import HOSTILE, empty_project, page, shown
from tests.services.ocr.pages_project import SLUG, pages_project, paragraph
from tests.support.drawn_pages import drawn, png, scanned


@pytest.fixture
def workspace(tmp_path: Path, clock: FakeClock) -> Workspace:
    return Workspace(tmp_path / "ws", clock)


def opened(
    workspace: Workspace, person: PersonView, unit: str = "", language: str = "en"
) -> AppTest:
    at = page("corpus", workspace, person, language)
    if unit:
        at.query_params["unit"] = unit
    return at.run()


def told(at: AppTest) -> list[dict[str, Any]]:
    """Return what each part was told: the tree, then the unit and its graph."""
    parts = at.get("bidi_component")
    return [json.loads(part.proto.json)["told"] for part in parts]


def test_without_law_it_says_so(workspace: Workspace):
    ara, _ = empty_project(workspace)
    at = opened(workspace, ara)
    assert "Data page" in at.info[0].value
    assert not at.exception
    assert not at.error


def test_the_tree_lists_statutes_by_tier_and_asks_to_pick(workspace: Workspace):
    at = opened(workspace, project_with_graph(workspace))
    assert not at.exception
    (tree,) = told(at)
    assert [(t["tier"], [s["id"] for s in t["statutes"]]) for t in tree["tiers"]] == [
        (1, [ACT]),
        (2, [DECREE]),
    ]
    assert "Select a provision" in at.info[0].value
    assert "2 statutes" in shown(at)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_unit_stands_beside_what_it_cites_and_what_cites_it(workspace: Workspace, language: str):
    at = opened(workspace, project_with_graph(workspace), f"{ACT}_2조", language)
    assert not at.exception
    tree, unit, graph = told(at)
    assert tree["current"] == f"{ACT}_2조"
    assert [chapter["path"] for chapter in tree["open"][ACT]] == [["제1장 총칙"], ["제2장 벌칙"]]
    cites, cited_by = unit["sides"]
    assert [g["type"] for g in cites["groups"]] == ["delegates_to"]
    assert {g["type"] for g in cited_by["groups"]} == {"references", "specifies"}
    assert graph["centre"] == f"{ACT}_2조"
    assert {node["id"] for node in graph["nodes"]} == {f"{ACT}_2조", f"{ACT}_3조", f"{DECREE}_1조"}


def test_citations_stand_in_the_text_with_what_became_of_them(workspace: Workspace):
    at = opened(workspace, project_with_graph(workspace), f"{ACT}_3조")
    unit = told(at)[1]
    text = "\n".join("".join(part for part, _ in line) for line in unit["lines"])
    assert text == f"제2조를 위반한 자는 과태료를 낸다. {HOSTILE}"
    assert [piece for line in unit["lines"] for piece in line if piece[1] is not None] == [
        ["제2조", 0]
    ]
    assert unit["references"][0]["status"] == "resolved"
    assert unit["references"][0]["targets"] == [f"{ACT}_2조"]


def test_a_typed_citation_finds_its_article(workspace: Workspace):
    at = opened(workspace, project_with_graph(workspace))
    at.text_input(key="corpus-search").set_value("나루안전법 3조").run()
    assert not at.exception
    hits = told(at)[0]["hits"]
    assert (hits[0]["id"], hits[0]["cited"]) == (f"{ACT}_3조", True)


def test_words_find_the_text_and_are_marked(workspace: Workspace):
    at = opened(workspace, project_with_graph(workspace))
    at.text_input(key="corpus-search").set_value("과태료").run()
    hit = told(at)[0]["hits"][0]
    assert hit["id"] == f"{ACT}_3조"
    assert "과태료" in "".join(text for text, marked in hit["snippet"] if marked)


def test_it_is_said_where_more_was_found_than_is_shown(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    ara = project_with_graph(workspace)
    for most, words in ((4, "4 found"), (3, "The best 3 are shown; there are more")):
        monkeypatch.setattr("pages.law.corpus._HITS", most)
        at = opened(workspace, ara)
        at.text_input(key="corpus-search").set_value("구명조끼 과태료 안전").run()
        assert words in shown(at)
        assert len(told(at)[0]["hits"]) == most


def test_an_unknown_unit_is_said_and_can_be_left(workspace: Workspace):
    at = opened(workspace, project_with_graph(workspace), "nothing_1조")
    assert not at.exception
    assert "nothing\\_1조" in at.info[0].value
    at.query_params["unit"] = f"{ACT}_2조"
    at.run()
    assert told(at)[1]["unit"] == f"{ACT}_2조"


def test_back_in_the_browser_opens_the_unit_before(workspace: Workspace):
    at = opened(workspace, project_with_graph(workspace), f"{ACT}_2조")
    at.query_params["unit"] = f"{ACT}_3조"
    at.run()
    assert told(at)[1]["unit"] == f"{ACT}_3조"
    at.query_params["unit"] = f"{ACT}_2조"
    at.run()
    assert told(at)[1]["unit"] == f"{ACT}_2조"
    del at.query_params["unit"]  # as the sidebar's links do
    at.run()
    assert told(at)[1]["unit"] == f"{ACT}_2조"
    assert at.query_params["unit"] == f"{ACT}_2조"


def test_where_there_is_no_graph_it_can_be_built(workspace: Workspace):
    at = opened(workspace, project_with_graph(workspace, built=False), f"{ACT}_2조")
    assert "have not been read" in at.info[0].value
    at.button(key="corpus-build").click().run()
    assert not at.exception
    assert not at.error
    assert len(told(at)) == 3


def test_a_view_follows_what_parts_ask_and_nothing_else():
    view = View("mine", Walk(""))
    view.act({"kind": "open", "statute": "a"})
    view.act({"kind": "go", "unit": "b_1조"})
    assert view.opened == ["a", "b"]
    view.act({"kind": "close", "statute": "a"})
    view.act({"kind": "close", "statute": "unknown"})
    view.act({"kind": "filter", "text": " 건축 "})
    assert (view.opened, view.wanted) == (["b"], "건축")
    refused: list[Any] = [None, 3, [], {}, {"kind": "go", "unit": 5}, {"kind": "hops", "hops": 99}]
    for wish in refused:
        view.act(wish)
    assert view.walk == Walk("b_1조")
    view.act({"kind": "hops", "hops": 2})
    view.act({"kind": "types", "types": ["applies", "no_such_type", 7]})
    assert view.walk == Walk("b_1조", (EdgeType.APPLIES,), 2)


def test_a_unit_that_was_read_from_a_page_shows_its_image(tmp_path: Path, clock: FakeClock):
    here = pages_project(Workspace(tmp_path / "ws", clock), tmp_path / "files")
    here.bring("scan.png", png(scanned(drawn(), 0)))
    here.correct(1, [paragraph("소화설비")])
    here.verify(1, [paragraph("소화설비")])
    publish_pages(here.ws, SLUG)
    build(here.ws, SLUG)
    ann = next(each for each in list_people(here.ws, SLUG) if each.id == here.ann)
    at = page("corpus", here.ws, ann, "en", project=SLUG)
    at.query_params["unit"] = "scan_p1"
    at.run()
    assert not at.get("image")
    at.pills(key="corpus-page-1").select(1).run()
    assert not at.exception
    assert len(at.get("image")) == 1


@pytest.mark.parametrize("language", ["en", "ko"])
def test_citations_of_a_pasted_text_are_marked_and_explained(workspace: Workspace, language: str):
    at = opened(workspace, project_with_graph(workspace), language=language)
    next(each for each in at.button_group if str(each.key).startswith("corpus-side")).set_value(
        "citations"
    ).run()
    text = "「나루안전법」 제2조에 따라\n<b>[x]</b> 「없는법」 제3조"
    at.text_area("corpus-citations-text").set_value(text)
    next(each for each in at.button if "corpus-citations" in str(each.key)).click().run()
    assert not at.exception
    marked = "".join(each.value for each in at.markdown)
    assert ":green-background[" in marked and ":red-background[" in marked
    assert "\\<b\\>" in marked
    explained = at.expander[0].markdown[0].value.splitlines()
    assert [line[:2] for line in explained] == ["- ", "  "] * 2
    assert "나루안전법\\_2조" in explained[0], "the unit"
    assert "나루안전법" in explained[1] and "없는법" in explained[3], "and why, in whole"
