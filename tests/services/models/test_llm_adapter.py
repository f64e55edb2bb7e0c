"""Methods that ask a language model, run in a workspace against a scripted server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from annotation.people.members import add_person
from errors import UserError
from retrieval.core.method import ModelPrompt, ModelReply
from services.gold import gold_set
from services.models.llm_adapter import ProjectAsker
from services.models.prompts import packaged_body, save_prompt
from services.runs.methods.run_key import VERSION
from services.runs.retrieving import retrieve
from services.runs.rows import Unanswered, run_unanswered
from services.runs.scoring import score_run
from storage.db.workspace import Workspace
from storage.runs.run_store import run_by_id
from tests.conftest import FakeClock
from tests.llm.server import Server, Step, scripted
from tests.projects.small_law import ACT, SLUG, small_workspace
from tests.services.mcq.mcq_project import point_at, serving

LAMP = f"{ACT}_4조"
EXPAND = {"method": "expand", "base": {"method": "bm25"}}


class Gold:
    """A decided question without gold, which is all that retrieval looks at."""

    settled, units, pending, no_provision, outcome = True, (), (), True, "agreed"

    def __init__(self, external_id: str) -> None:
        self.external_id = external_id


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    decided = [Gold("q1"), Gold("q2")]
    monkeypatch.setattr(gold_set, "derive", lambda *_: decided)
    return small_workspace(tmp_path / "ws", clock)


def paraphrases(*questions: str) -> list[ModelPrompt]:
    return [ModelPrompt("expand_paraphrase", "en", {"question": each}) for each in questions]


def problems(told: Sequence[ModelReply]) -> list[str]:
    return [each.problem for each in told]


def test_a_run_asks_once_and_finds_by_what_the_model_said(ws: Workspace) -> None:
    with serving(ws) as server:
        server.says = lambda _: "<think>밤?</think>등불을 켜야 한다"
        run = retrieve(ws, SLUG, EXPAND, k=5)
        assert len(server.seen) == 2
        assert any(hit[0] == LAMP for hit in score_run(ws, run).hits["q1"])
        deeper = retrieve(ws, SLUG, EXPAND, k=6)
        assert deeper != run
        assert len(server.seen) == 2
        assert "밤?" not in str(score_run(ws, run).hits)
        assert retrieve(ws, SLUG, EXPAND, k=5) == run


def test_a_question_is_anchored_and_walked_from(ws: Workspace) -> None:
    anchor = json.dumps({"topic": "등불", "actor": "나룻배", "temporal": "밤"})
    bm25 = {"method": "bm25"}
    spec = {"method": "refwalk", "base": bm25, "reranker": bm25, "views": ["wide"]}
    with serving(ws) as server:
        server.says = lambda _: anchor
        run = retrieve(ws, SLUG, spec, k=5)
    assert [hits[0][0] for hits in score_run(ws, run).hits.values()] == [LAMP, LAMP]
    assert all("JSON" in seen.body["messages"][-1]["content"] for seen in server.seen)
    assert run_unanswered(ws, run) == Unanswered(asked=2)


def test_another_model_or_wording_is_another_run(ws: Workspace) -> None:
    with serving(ws) as server:
        first = retrieve(ws, SLUG, EXPAND, k=5)
        body = packaged_body("expand_structured", "ko")
        save_prompt(ws, SLUG, "expand_structured", "ko", f"{body}\n짧게 쓰세요.", "shorter", 1)
        second = retrieve(ws, SLUG, EXPAND, k=5)
        point_at(ws, server, "max_tokens = 99")
        third = retrieve(ws, SLUG, EXPAND, k=5)
    assert len({first, second, third}) == 3
    with ws.reading() as session:
        version = str(run_by_id(session, first).key.params[VERSION])
    assert "@m:" in version


def test_questions_that_the_model_leaves_are_stated_with_the_run(ws: Workspace) -> None:
    with serving(ws) as server:
        server.on("lamp", Step("refuse", text="I will not"))
        run = retrieve(ws, SLUG, EXPAND, k=5)
    assert run_unanswered(ws, run) == Unanswered(asked=2, refused=1)


def test_what_came_of_each_question_is_told_apart(ws: Workspace) -> None:
    with serving(ws) as server:
        server.on("bad", Step("error", status=400, message="no"))
        server.on("rude", Step("refuse", text="I will not"))
        server.on("mute", Step(text="<think>nothing to say</think>"))
        told = ProjectAsker(ws)(paraphrases("good", "bad", "rude", "mute", "good"))
    assert problems(told) == ["", "failed", "refused", "invalid", ""]
    assert told[0] == told[4] == ModelReply("ok")


def test_what_a_model_says_to_itself_is_not_searched_for(ws: Workspace) -> None:
    with serving(ws) as server:
        server.on("closed", Step(text="so be it</think>\n lamps"))
        server.on("open", Step(text="<think>on and on"))
        told = ProjectAsker(ws)(paraphrases("closed", "open"))
    assert told == [ModelReply("lamps"), ModelReply(problem="invalid")]


def test_a_form_is_read_strictly_after_one_repair(ws: Workspace) -> None:
    anchored = json.dumps({"topic": "lamps", "actor": "ferry"})
    with serving(ws) as server:
        server.on("was not in the form", Step(text=anchored))
        asked = [ModelPrompt("query_anchor", each, {"question": "등불?"}) for each in ("ko", "en")]
        server.on("등불", Step(text="no JSON"), Step(text=anchored))
        korean, english = ProjectAsker(ws, SLUG)(asked)
    assert json.loads(english.text) == {
        "topic": "lamps", "actor": "ferry", "temporal": "unspecified",
        "magnitude": "unspecified", "situational": "unspecified",
    }  # fmt: skip
    assert korean.problem == "invalid"  # the Korean repair is said in other words


def test_it_may_be_asked_where_an_event_loop_runs(ws: Workspace) -> None:
    async def within() -> list[ModelReply]:
        return ProjectAsker(ws)(paraphrases("good"))

    with serving(ws):
        assert asyncio.run(within()) == [ModelReply("ok")]


def dead(server: Server) -> None:
    server.on("", Step("error", status=400, message="down"))


def closed(server: Server) -> None:
    server.on("", Step("error", status=401, message="key"))


@pytest.mark.parametrize("way", [dead, closed])
def test_a_model_that_says_nothing_at_all_makes_no_run(ws: Workspace, way) -> None:
    with scripted() as server:
        way(server)
        point_at(ws, server)
        with pytest.raises(UserError) as caught:
            retrieve(ws, SLUG, EXPAND, k=5)
    assert caught.value.code == "asking_ended"


def test_the_budget_ends_the_asking(ws: Workspace) -> None:
    with serving(ws, "[budget]\ncalls = 1") as server:
        with pytest.raises(UserError) as caught:
            ProjectAsker(ws)(paraphrases("one", "two"))
        assert caught.value.code == "asking_ended"
        assert len(server.seen) <= 1


def test_who_may_not_have_models_run_has_what_is_there_and_nothing_new(ws: Workspace) -> None:
    adjudicator = add_person(ws, SLUG, "Cho", "adjudicator").id
    with serving(ws) as server:
        with pytest.raises(UserError) as caught:
            retrieve(ws, SLUG, {"method": "rrf", "of": [EXPAND]}, by=adjudicator)
        assert caught.value.code == "not_allowed"
        assert server.seen == []
        made = retrieve(ws, SLUG, EXPAND)
        assert retrieve(ws, SLUG, EXPAND, by=adjudicator) == made
    assert retrieve(ws, SLUG, by=adjudicator) != made


def test_without_a_model_the_role_is_named(ws: Workspace) -> None:
    with pytest.raises(UserError) as caught:
        retrieve(ws, SLUG, EXPAND, k=5)
    assert caught.value.code == "models_role_unset"
