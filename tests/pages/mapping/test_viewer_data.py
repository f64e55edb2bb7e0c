"""What the mapping viewer is told: texts cut into pieces, words, guideline."""

from __future__ import annotations

import json
from typing import Any

import pytest

from annotation.guidelines.documents import TASK, text_of
from annotation.mapping.candidate_views import CitationView, WhyView
from annotation.work import commands, queue_service
from corpus.citations.model import Reason, Status
from corpus.model import Tier
from messages import catalogue, say
from pages.mapping.citation_mapping import (
    PAGE,
    _citation,
    _reasons,
    decided_part,
    fixed_part,
    graph_part,
)
from pages.task.acts import TaskSession, carry_out
from pages.task.page import documents_part, item_key
from pages.task.viewer import frame_part
from storage.db.workspace import Workspace
from storage.tables.people import Document
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.gold.test_rechecks import amend
from tests.annotation.house import SLUG, House, propose
from tests.pages.law_with_graph import ACT, DECREE, project_with_graph
from tests.pages.small_project import SLUG as SMALL
from tests.pages.small_project import Small, small_project


def test_an_item_is_told_whole_and_as_json(workspace: Workspace):
    small = small_project(workspace)
    item, other = (
        queue_service.open_item(workspace, small.ara.id, small.items[each]) for each in ("q1", "q2")
    )
    fixed = fixed_part(workspace, small.ara.id, item, "en")
    assert "".join(piece for piece, _ in fixed["answer"]) == item.answer
    cited = [piece for piece, index in fixed["answer"] if index is not None]
    assert cited == [citation.text for citation in item.citations]
    for told, candidate in zip(fixed["candidates"], item.candidates, strict=True):
        assert "".join(piece for piece, _ in told["pieces"]) == candidate.text
        meant = [each.index for each in item.citations if told["unit"] in each.unit_ids]
        assert told["citations"] == meant, "cards and citations are tied"
    assert any(each.unit_ids for each in item.citations)
    decided = decided_part(workspace, small.ara.id, item, "en")
    assert json.loads(json.dumps([fixed, decided])) == [fixed, decided]
    shown = (item, "en"), (item, "ko"), (other, "en")
    assert len({item_key(PAGE, *each) for each in shown}) == 3


def test_every_reason_is_told_in_words_of_its_own():
    for reason in Reason:
        status = Status.AMBIGUOUS if reason is Reason.SEVERAL_MATCH else Status.UNRESOLVED
        citation = CitationView(0, "「건축법」 제5조", 0, 10, status, reason, "건축법", (1, 2))
        told = _citation(citation, "en")["reason"]
        assert told == say(f"mapping.reason.{reason}", title="건축법", count=2)


def test_former_law_that_the_project_keeps_is_told_with_its_snapshot():
    reason = Reason.FORMER_VERSION
    cited = CitationView(
        0, "구 건축법 제5조", 0, 9, "unresolved", reason, "건축법", (1,), "law of 2005"
    )
    assert "snapshot law of 2005" in _citation(cited, "en")["reason"]


def test_every_tier_has_a_name():
    assert {f"mapping.tier.{int(tier)}" for tier in Tier} <= set(catalogue())


def test_reasons_that_read_the_same_are_told_once():
    cited = WhyView("citation", None, None, "「건축법」\n제5조", "")
    ranked = WhyView("title", 2, 1.5, "「건축법」 제5조", "")
    chips = _reasons([cited, cited, ranked], "en")
    assert [chip["text"] for chip in chips] == ["cited as “「건축법」 제5조”", "Found by title, #2"]


@pytest.fixture
def small(workspace: Workspace) -> Small:
    return small_project(workspace)


def test_the_viewer_is_told_the_current_text_and_what_changed_since(small: Small):
    ws, person, item = small.workspace, small.ara.id, small.items["q1"]
    commands.set_comment(ws, person, item, "begun")
    first = documents_part(ws, person, PAGE, queue_service.open_item(ws, person, item), "en")[
        "guideline"
    ]
    assert first["changes"] == []
    assert first["meanings"]["accept"].startswith("The answer rests")
    with ws.writing() as session:
        where = {"project_id": 1, "kind": "guideline", "task": TASK, "number": 2}
        text = "# Citation mapping\n\n<script>alert(1)</script> **only**"
        row = Document.model_validate(
            where | {"language": "en", "text": text, "note": "shorter", "at": ws.clock()}
        )
        session.add(row)
    view = queue_service.open_item(ws, person, item)
    told = documents_part(ws, person, PAGE, view, "en")["guideline"]
    assert told["version"].startswith("2-")
    assert told["blocks"][1]["pieces"] == [["<script>alert(1)</script> ", False], ["only", True]]
    assert (told["note"], told["since"][:28]) == ("shorter", "What changed since version 1")
    came = "".join(piece for kind, piece in told["changes"] if kind == "inserted")
    assert "</script>" in came


def test_the_codebook_names_the_options(small: Small):
    ws, person = small.workspace, small.ara.id
    text = text_of(ws, person, "codebook", TASK, "ko").text.replace('"채택"', '"근거 있음"')
    with ws.writing() as session:
        where = {"project_id": 1, "kind": "codebook", "task": TASK, "number": 2}
        session.add(
            Document.model_validate(where | {"language": "mul", "text": text, "at": ws.clock()})
        )
    words = documents_part(ws, person, PAGE, None, "ko")["words"]
    assert (words["accept"], words["reject"]) == ("근거 있음", "제외")


def test_a_unit_is_seen_with_its_text_and_the_neighbours_that_are_chosen(workspace: Workspace):
    project_with_graph(workspace)
    part = graph_part(workspace, 1, {"node": f"{ACT}_2조"}, "ko")
    assert part["node"] == f"{ACT}_2조"
    assert f"{DECREE}_1조" in {node["id"] for node in part["told"]["nodes"]}
    assert part["text"].startswith("① 나룻배에는")
    act = {"node": f"{ACT}_2조", "types": ["delegates_to"], "hops": 2}
    told = graph_part(workspace, 1, act, "en")["told"]
    assert {edge["type"] for edge in told["edges"]} == {"delegates_to"}
    assert told["hops"] == 2


def send(ws: Workspace, sitting: TaskSession, *acts: dict[str, Any]) -> None:
    """Send acts on the open item, numbered from 1."""
    sent = [{"seq": at, "item": sitting.item_id} | act for at, act in enumerate(acts, 1)]
    message = {"client": "c", "person": sitting.person_id, "have": "", "acts": sent}
    carry_out(ws, sitting, message, "en", PAGE.handlers)


def test_a_graph_that_is_not_there_is_told_and_holds_up_no_decision(workspace: Workspace):
    small = small_project(workspace)
    unit = small.unit("q1", "제1조")
    item = small.items["q1"]
    sitting = TaskSession(SMALL, small.ara.id, item)
    graph, label = {"kind": "graph", "node": "화재안전법_1조"}, {"kind": "label", "unit": unit}
    send(workspace, sitting, graph, label | {"decision": "accept"})
    assert sitting.failed == []
    assert "no citation graph" in sitting.told["graph"]["error"]


def test_an_outrun_item_is_taken_up_by_an_act(house: House) -> None:
    item = house.items[0]
    submit(house, house.ann, item, (1, 2, 3, 4))
    amend(house)
    propose(house, 2, 1, 5)
    before = queue_service.open_item(house.ws, house.ann, item)
    assert frame_part(before)["outrun"]
    assert {
        each["since"] for each in fixed_part(house.ws, house.ann, before, "en")["candidates"]
    } == {""}
    sitting = TaskSession(SLUG, house.ann, item)
    for _ in range(2):
        send(house.ws, sitting, {"kind": "recheck", "externalId": "q1"})
    assert (sitting.failed, sitting.item_id) == ([], item)
    assert sitting.notice == {"what": "rechecked", "externalId": "q1", "item": item}
    after = queue_service.open_item(house.ws, house.ann, item)
    assert not frame_part(after)["outrun"]
    told = fixed_part(house.ws, house.ann, after, "en")
    assert told["dropped"] == ["Lake Act Article 3"]
    since = [each["since"] for each in told["candidates"] if each["since"]]
    assert since == ["amended since you decided", "decided before, unchanged", "formerly Article 2"]
    assert not any(each["added"] for each in told["candidates"])


def test_what_cannot_be_taken_up_is_said(house: House) -> None:
    item = house.items[0]
    submit(house, house.ann, item, (1,))
    amend(house)
    sitting = TaskSession(SLUG, house.ann, item)
    send(house.ws, sitting, {"kind": "recheck"})
    assert "Data page" in sitting.failed[0]["message"]
    assert queue_service.open_item(house.ws, house.ann, item).status == "submitted"
