from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import streamlit_agraph
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from annotation.people.members import add_person
from corpus.graph.model import EdgeType
from corpus.model import Statute, Tier
from pages.law.law_map import INK, PAPER, STROKES, TIERS, label_of, labels_of
from services.law.graph.citation_graph import build
from services.law.graph.law_map import TYPES, MapNode
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project
from tests.pages.law_with_graph import ACT, DECREE, law, project_with_graph
from tests.pages.screens import opened, table
from tests.pages.small_project import HOSTILE, SLUG, shown

SCREENS = {"corpus": "corpus-side-0", "graph_report": "graph-report-view"}


@pytest.fixture
def canvas(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """Stand in for the browser: keep what it was told, and press a node."""
    held: dict[str, Any] = {"pressed": None}

    def agraph(nodes: list[Any], edges: list[Any], config: Any) -> str | None:
        held["nodes"] = [node.to_dict() for node in nodes]
        held["edges"] = [edge.to_dict() for edge in edges]
        json.dumps([held["nodes"], held["edges"], config.__dict__])
        ids = [node["id"] for node in held["nodes"]]
        return held["pressed"] if held["pressed"] in (*ids, "browser's word") else None

    monkeypatch.setattr(streamlit_agraph, "agraph", agraph)
    yield held


def with_map(workspace: Workspace, screen: str) -> AppTest:
    at = opened(screen, workspace, project_with_graph(workspace))
    assert not at.get("component_instance")  # drawn only when asked for
    return at.segmented_control(key=SCREENS[screen]).set_value("map").run()


def test_the_map_its_legend_and_a_table_say_the_same(workspace: Workspace):
    at = with_map(workspace, "graph_report")
    assert not at.error
    (frame,) = at.get("component_instance")
    told = json.loads(json.loads(frame.proto.json_args)["data"])
    assert {node["id"] for node in told["nodes"]} == {ACT, DECREE}
    legend = json.loads(at.get("bidi_component")[-1].proto.json)
    assert len(legend["tiers"]) == 2 and len(legend["types"]) == 3
    nodes = table(at, "Name")
    assert nodes["Name"].tolist() == ["나루안전법", "나루안전법 시행령"]
    assert nodes["Links"].tolist() == [1, 1]
    assert len(table(at, "From", "To")) == len(told["edges"]) == 3
    assert "All matching statutes (2) are drawn" in shown(at)


@pytest.mark.parametrize("screen", SCREENS)
def test_a_press_on_a_statute_shows_its_units_and_on_one_opens_it(
    workspace: Workspace, canvas: dict[str, Any], screen: str
):
    at = with_map(workspace, screen)
    press(at, canvas, "browser's word")
    assert {node["id"] for node in canvas["nodes"]} == {ACT, DECREE}, "what it makes up is nothing"
    press(at, canvas, ACT)
    assert {node["id"] for node in canvas["nodes"]} == {f"{ACT}_{n}조" for n in (1, 2, 3)}
    press(at, canvas, f"{ACT}_3조")
    if screen == "graph_report":
        assert at.session_state["screen_wanted"] == ("corpus", {"unit": f"{ACT}_3조"})
        return
    assert at.query_params["unit"] in (f"{ACT}_3조", [f"{ACT}_3조"])
    assert json.loads(at.get("bidi_component")[1].proto.json)["told"]["unit"] == f"{ACT}_3조"
    # Back on the map it is as it was, and the same node can be pressed again.
    canvas["pressed"] = None
    (side,) = [each for each in at.segmented_control if "corpus-side" in str(each.key)]
    side.set_value("map").run()
    assert {node["id"] for node in canvas["nodes"]} == {f"{ACT}_{n}조" for n in (1, 2, 3)}
    press(at, canvas, f"{ACT}_3조")
    assert json.loads(at.get("bidi_component")[1].proto.json)["told"]["unit"] == f"{ACT}_3조"


def press(at: AppTest, canvas: dict[str, Any], node: str) -> None:
    canvas["pressed"] = node
    at.run()


def test_filters_narrow_the_map_and_are_kept(
    workspace: Workspace, canvas: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    at = with_map(workspace, "graph_report")
    monkeypatch.setattr("pages.law.law_map._LARGE", 3)
    at.segmented_control(key="law-map-0-scope").set_value("community").run()
    assert "4 provisions" in at.info[0].value, "a large one is asked about first"
    at.button(key="law-map-0-community-find").click().run()
    cited = {f"{ACT}_2조", f"{ACT}_3조", f"{DECREE}_1조"}
    assert {node["id"] for node in canvas["nodes"]} == cited

    at.segmented_control(key="law-map-0-scope").set_value("statute").run()
    assert len(canvas["nodes"]) == 4  # of all statutes
    at.pills(key="law-map-0-types").set_value([EdgeType.DELEGATES_TO]).run()
    assert len(canvas["edges"]) == 1
    at.text_input(key="law-map-0-text").set_value("벌칙").run()
    at.segmented_control(key=SCREENS["graph_report"]).set_value("figures").run()
    at.segmented_control(key=SCREENS["graph_report"]).set_value("map").run()
    assert [node["id"] for node in canvas["nodes"]] == [f"{ACT}_3조"]
    at.text_input(key="law-map-0-text").set_value("no such name").run()
    assert "Nothing matches" in at.info[0].value


def test_hostile_names_are_labels_alone(workspace: Workspace, canvas: dict[str, Any]):
    """A node's title would be HTML, and an address on a double click."""
    names = [HOSTILE, "javascript:alert(1)", "가" * 900, "\u202eevil\u202c law\n2", ""]
    names.append(unicodedata.normalize("NFD", "나루안전법 시행령"))
    statutes = [_named(f"law{at}", title or "x") for at, title in enumerate(names)]
    migrate(workspace)
    create_project(workspace, SLUG, "Small project")
    keep_statutes(workspace, SLUG, statutes, "law")
    build(workspace, SLUG)
    at = opened("graph_report", workspace, add_person(workspace, SLUG, "Kim Ara", "annotator"))
    at.segmented_control(key=SCREENS["graph_report"]).set_value("map").run()
    assert not at.error
    assert len(canvas["nodes"]) == len(names)
    for node in canvas["nodes"]:
        assert not node["title"] and not node["div"]["innerHTML"]
        assert len(node["label"]) <= 18
        assert not {unicodedata.category(mark)[0] for mark in node["label"]} & {"C"}
    assert "나루안전법 시행령" in {node["label"] for node in canvas["nodes"]}
    assert HOSTILE in table(at, "Name")["Name"].tolist()


def _named(name: str, title: str) -> Statute:
    """Return the act under another name."""
    act = law()[0]
    units = tuple(
        replace(each, statute_id=name, semantic_id=each.semantic_id.replace(ACT, name))
        for each in act.units
    )
    return replace(act, semantic_id=name, title=title, units=units)


@given(*[st.text(max_size=60)] * 3, st.sampled_from(["title", "place"]))
def test_a_label_is_one_bounded_line(statute: str, place: str, heading: str, named: str):
    label = label_of(MapNode("x", statute, place, heading, Tier.ACT, 1, 0, 0), named)
    assert len(label) <= 18 and label == " ".join(label.split())
    assert all(unicodedata.category(mark)[0] != "C" for mark in label)


def test_statutes_are_named_by_what_is_their_own():
    act, rule = "Gaon Fire Safety Act", "Enforcement Rule of the Gaon Fire Safety Act"
    titles = (act, rule, "가온 기본법", "가온 기본법 시행령", "가온 기본법 시행규칙", "")
    nodes = [MapNode(title, title, "", "", Tier.ACT, 1, 0, 0) for title in titles]
    units = [MapNode("u", "가온 기본법 시행령", "제3조", "", Tier.DECREE, 1, 0, 0)]
    shown = ["Gaon Fire…ety Act", "Enforcement Rule …", "가온 기본법", "… 시행령", "… 시행규칙", ""]
    assert labels_of([*nodes, *units], "title") == [*shown, "가온 기본법 시행령 제3조"]
    long = MapNode("x", "소방시설 설치 및 관리에 관한 법률 시행규칙", "", "", Tier.RULE, 1, 0, 0)
    assert label_of(long, "title") == "소방시설 설치 및…법률 시행규칙"


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _contrast(one: str, other: str) -> float:
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def test_colours_stand_out_on_either_paper_and_no_two_tiers_or_types_look_alike():
    """WCAG 2.1: 3 to 1 for what is drawn, 4.5 to 1 for letters."""
    drawn = [colour for colour, _ in (*TIERS.values(), *STROKES.values())]
    for theme, paper in PAPER.items():
        assert min(_contrast(colour, paper) for colour in drawn) >= 3
        assert _contrast(INK[theme], paper) >= 4.5
    assert set(TIERS) == set(Tier) and set(STROKES) == set(TYPES)
    for looks in (TIERS, STROKES):
        for part in (0, 1):
            assert len({each[part] for each in looks.values()}) == len(looks)
