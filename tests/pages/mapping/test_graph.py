from __future__ import annotations

from pages.mapping.citation_mapping import PAGE
from pages.mapping.graph import graph_part, look
from pages.task.acts import TaskSession, carry_out
from storage.db.workspace import Workspace
from tests.pages.law_with_graph import ACT, DECREE, project_with_graph
from tests.pages.small_project import SLUG, small_project


def test_a_unit_is_seen_with_its_text_and_the_neighbours_that_are_chosen(workspace: Workspace):
    project_with_graph(workspace)
    seen = look(workspace, 1, {"node": f"{ACT}_2조"})
    part = graph_part(seen, "ko")
    assert part["node"] == f"{ACT}_2조"
    assert f"{DECREE}_1조" in {node["id"] for node in part["told"]["nodes"]}
    assert part["text"].startswith("① 나룻배에는")
    act = {"node": f"{ACT}_2조", "types": ["delegates_to"], "hops": 2}
    told = graph_part(look(workspace, 1, act), "en")["told"]
    assert {edge["type"] for edge in told["edges"]} == {"delegates_to"}
    assert told["hops"] == 2


def test_a_graph_that_is_not_there_is_told_and_holds_up_no_decision(workspace: Workspace):
    small = small_project(workspace)
    unit = small.unit("q1", "제1조")
    item = small.items["q1"]
    sitting = TaskSession(SLUG, small.ara.id, item)
    acts = [
        {"seq": 1, "kind": "graph", "item": item, "node": "화재안전법_1조"},
        {"seq": 2, "kind": "label", "item": item, "unit": unit, "decision": "accept"},
    ]
    message = {"client": "c", "person": small.ara.id, "acts": acts}
    carry_out(workspace, sitting, message, "en", PAGE.handlers)
    assert sitting.failed == []
    assert "no citation graph" in sitting.told["graph"]["error"]
