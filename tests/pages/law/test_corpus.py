from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotation.people.members import PersonView
from corpus.graph.model import EdgeType
from pages.law.corpus import View
from pages.law.graph_panel import Walk
from storage.db.workspace import Workspace
from tests.pages.law_with_graph import ACT, DECREE, project_with_graph
from tests.pages.small_project import HOSTILE, page, shown


def opened(workspace: Workspace, person: PersonView, unit: str = "") -> AppTest:
    at = page("corpus", workspace, person)
    if unit:
        at.query_params["unit"] = unit
    return at.run()


def told(at: AppTest) -> list[dict[str, Any]]:
    """Return what each part was told: the tree, then the unit and its graph."""
    parts = at.get("bidi_component")
    return [json.loads(part.proto.json)["told"] for part in parts]


def go(at: AppTest, unit: str) -> AppTest:
    """Open a unit as the browser's address does."""
    at.query_params["unit"] = unit
    at.run()
    return at


def search(at: AppTest, words: str) -> list[dict[str, Any]]:
    """Return what is found."""
    at.text_input(key="corpus-search").set_value(words).run()
    hits: list[dict[str, Any]] = told(at)[0]["hits"]
    return hits


def test_a_reader_goes_from_the_tree_to_a_unit_and_back(workspace: Workspace):
    at = opened(workspace, project_with_graph(workspace))
    (tree,) = told(at)
    tiers = [(tier["tier"], [law["id"] for law in tier["statutes"]]) for tier in tree["tiers"]]
    assert tiers == [(1, [ACT]), (2, [DECREE])]
    assert "Select a provision" in at.info[0].value
    assert "2 statutes" in shown(at)

    at = go(at, "nothing_1조")
    assert "nothing\\_1조" in at.info[0].value

    tree, unit, graph = told(go(at, f"{ACT}_2조"))
    assert tree["current"] == unit["unit"] == graph["centre"] == f"{ACT}_2조"
    assert [chapter["path"] for chapter in tree["open"][ACT]] == [["제1장 총칙"], ["제2장 벌칙"]]
    cites, cited_by = unit["sides"]
    assert [g["type"] for g in cites["groups"]] == ["delegates_to"]
    assert {g["type"] for g in cited_by["groups"]} == {"references", "specifies"}
    assert {node["id"] for node in graph["nodes"]} == {f"{ACT}_2조", f"{ACT}_3조", f"{DECREE}_1조"}

    unit = told(go(at, f"{ACT}_3조"))[1]
    assert unit["unit"] == f"{ACT}_3조"
    text = "\n".join("".join(part for part, _ in line) for line in unit["lines"])
    assert text == f"제2조를 위반한 자는 과태료를 낸다. {HOSTILE}"
    marked = [piece for line in unit["lines"] for piece in line if piece[1] is not None]
    assert marked == [["제2조", 0]]
    (reference,) = unit["references"]
    assert (reference["status"], reference["targets"]) == ("resolved", [f"{ACT}_2조"])

    assert told(go(at, f"{ACT}_2조"))[1]["unit"] == f"{ACT}_2조"  # back in the browser
    del at.query_params["unit"]  # as the sidebar's links do
    assert told(at.run())[1]["unit"] == f"{ACT}_2조"
    assert at.query_params["unit"] == f"{ACT}_2조"


def test_search_finds_citations_and_words(workspace: Workspace, monkeypatch: pytest.MonkeyPatch):
    at = opened(workspace, project_with_graph(workspace))
    first = search(at, "나루안전법 3조")[0]
    assert (first["id"], first["cited"]) == (f"{ACT}_3조", True)
    first = search(at, "과태료")[0]
    assert first["id"] == f"{ACT}_3조"
    assert "과태료" in "".join(text for text, marked in first["snippet"] if marked)
    for most, words in ((4, "4 found"), (3, "The best 3 are shown; there are more")):
        monkeypatch.setattr("pages.law.corpus._HITS", most)
        assert len(search(at, "구명조끼 과태료 안전")) == most
        assert words in shown(at)


def test_where_there_is_no_graph_it_can_be_built(workspace: Workspace):
    at = opened(workspace, project_with_graph(workspace, built=False), f"{ACT}_2조")
    assert "have not been read" in at.info[0].value
    at.button(key="corpus-build").click().run()
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


def test_citations_of_a_pasted_text_are_marked_and_explained(workspace: Workspace):
    at = opened(workspace, project_with_graph(workspace))
    next(each for each in at.button_group if str(each.key).startswith("corpus-side")).set_value(
        "citations"
    ).run()
    text = "「나루안전법」 제2조에 따라\n<b>[x]</b> 「없는법」 제3조"
    at.text_area("corpus-citations-text").set_value(text)
    next(each for each in at.button if "corpus-citations" in str(each.key)).click().run()
    marked = "".join(each.value for each in at.markdown)
    assert ":green-background[" in marked and ":red-background[" in marked
    assert "\\<b\\>" in marked
    explained = at.expander[0].markdown[0].value.splitlines()
    assert [line[:2] for line in explained] == ["- ", "  "] * 2
    assert "나루안전법\\_2조" in explained[0], "the unit"
    assert "나루안전법" in explained[1] and "없는법" in explained[3], "and why, in whole"
