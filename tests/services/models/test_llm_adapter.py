"""Methods that ask a language model, run in a workspace against a scripted server."""

from __future__ import annotations

import asyncio
import json
from datetime import date
from pathlib import Path

import pytest
from sqlmodel import select

from annotation.people.members import add_person
from llm.roles import Role
from retrieval.core.method import ModelPrompt, ModelReply
from retrieval.core.model import Query, Run
from services.gold import gold_set
from services.models.llm_adapter import (
    NOT_ASKED,
    KeptReplies,
    ProjectAsker,
    WorkspaceEmbedder,
    past_models,
)
from services.models.prompts import packaged_body, save_prompt
from services.models.workspace_models import calls, load_settings
from services.runs.methods.preparation import VERSION, corpus_of, ready, resources
from services.runs.retrieving import retrieve
from services.runs.scoring import score_run
from storage.db.workspace import Workspace
from storage.models import AskedModel
from storage.runs.run_store import run_by_id
from storage.tables.core import Snapshot
from storage.tables.models import LlmCall
from tests.conftest import FakeClock
from tests.llm.server import Server, Step
from tests.llm.serving import point_at, serving
from tests.projects.small_law import ACT, SLUG, small_workspace
from tests.services.small_gold import Gold
from tests.support.refusals import code_of, refused

LAMP = f"{ACT}_4조"
EXPAND = {"method": "expand", "base": {"method": "bm25"}}
EXPANSION = "expand_structured"


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setattr(gold_set, "derived", lambda *_: [Gold("q1"), Gold("q2")])
    return small_workspace(tmp_path / "ws", clock)


PROMPT = "expand_paraphrase"


def paraphrases(*questions: str, language: str = "en") -> list[ModelPrompt]:
    return [ModelPrompt(PROMPT, language, {"question": each}) for each in questions]


def test_a_run_asks_once_and_finds_by_what_the_model_said(ws: Workspace) -> None:
    with serving(ws) as server:
        server.says = lambda _: "<think>밤?</think>등불을 켜야 한다"
        run = retrieve(ws, SLUG, EXPAND, k=5)
        assert len(server.seen) == 4
        assert any(hit[0] == LAMP for hit in score_run(ws, run).hits["q1"])
        deeper = retrieve(ws, SLUG, EXPAND, k=6)
        assert deeper != run
        assert len(server.seen) == 4
        assert "밤?" not in str(score_run(ws, run).hits)
        assert retrieve(ws, SLUG, EXPAND, k=5) == run


def test_a_rollout_is_asked_for_in_the_jurisdiction_and_year_of_the_law(ws: Workspace) -> None:
    with serving(ws) as server:
        values = {"question": "등불?", "jurisdiction": "us-ny"}
        ProjectAsker(ws, SLUG, "2021")([ModelPrompt("expand_structured", "ko", values)])
        with ws.writing() as session:
            session.get_one(Snapshot, 1).effective = date(2019, 1, 1)
        retrieve(ws, SLUG, EXPAND, k=5)
    first, *others = (each.body["messages"][-1]["content"] for each in server.seen)
    assert "us-ny 법령" in first and "2021년" in first
    assert others and all("2019" in text for text in others)


def test_another_model_or_wording_is_another_run(ws: Workspace) -> None:
    assert past_models(ws, [EXPANSION]) == []
    with serving(ws) as server:
        first = retrieve(ws, SLUG, EXPAND, k=5)
        body = packaged_body(EXPANSION, "ko")
        save_prompt(ws, SLUG, EXPANSION, "ko", f"{body}\n짧게 쓰세요.", "shorter", 2)
        second = retrieve(ws, SLUG, EXPAND, k=5)
        point_at(ws, server, "max_tokens = 99\nparameters = {temperature = 0.5}")
        third = retrieve(ws, SLUG, EXPAND, k=5)
    assert len({first, second, third}) == 3
    with ws.reading() as session:
        version = str(run_by_id(session, first).key.params[VERSION])
    assert "@m:" in version
    past = past_models(ws, [EXPANSION, "read_atoms"])  # in the order of their first call
    assert [each.endpoint.max_tokens for each in past] == [1024, 99]
    assert [dict(each.endpoint.parameters) for each in past] == [{}, {"temperature": 0.5}]
    assert {each.prompts for each in past} == {frozenset({EXPANSION})}


def test_what_came_of_each_question_is_told_apart(ws: Workspace) -> None:
    with serving(ws) as server:
        server.on("bad", Step("error", status=400, message="no"))
        server.on("rude", Step("refuse", text="I will not"))
        server.on("mute", Step(text="<think>nothing to say</think>"))
        server.on("open", Step(text="<think>on and on"))
        server.on("closed", Step(text="so be it</think>\n lamps"))
        told = ProjectAsker(ws)(paraphrases("good", "bad", "rude", "mute", "open", "closed"))
    assert [each.problem for each in told] == ["", "failed", "refused", "invalid", "invalid", ""]
    assert (told[0], told[5]) == (ModelReply("ok"), ModelReply("lamps"))


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


@pytest.mark.parametrize("status", [400, 401])
def test_a_model_that_says_nothing_at_all_makes_no_run(ws: Workspace, status: int) -> None:
    with serving(ws) as server:
        server.on("", Step("error", status=status, message="down"))
        assert code_of(retrieve, ws, SLUG, EXPAND, k=5) == "asking_ended"


def test_the_budget_ends_the_asking(ws: Workspace) -> None:
    with serving(ws, "[budget]\ncalls = 1") as server:
        with refused("asking_ended"):
            ProjectAsker(ws)(paraphrases("one", "two"))
        assert len(server.seen) <= 1


def test_who_may_not_have_models_run_has_what_is_there_and_nothing_new(ws: Workspace) -> None:
    adjudicator = add_person(ws, SLUG, "Cho", "adjudicator").id
    with serving(ws) as server:
        with refused("not_allowed"):
            retrieve(ws, SLUG, {"method": "rrf", "of": [EXPAND]}, by=adjudicator)
        assert server.seen == []
        made = retrieve(ws, SLUG, EXPAND)
        assert retrieve(ws, SLUG, EXPAND, by=adjudicator) == made
    assert retrieve(ws, SLUG, by=adjudicator) != made


def test_without_a_model_the_role_is_named(ws: Workspace) -> None:
    assert code_of(retrieve, ws, SLUG, EXPAND, k=5) == "models_role_unset"
    assert code_of(found, ws) == "models_role_unset"


SPEC = {"method": "endpoint"}


def found(ws: Workspace, question: str = "구명조끼") -> Run:
    using = resources(ws, 1)
    return ready(ws, SPEC, corpus_of(ws, 1), using).search([Query("q", question)], 3)


def texts(server: Server) -> list[str]:
    return [text for seen in server.seen for text in seen.body["input"]]


def test_a_run_embeds_every_text_once(ws: Workspace) -> None:
    with serving(ws) as server:
        first = found(ws)
        assert len(first["q"]) == 3
        asked = texts(server)
        assert len(asked) == len(set(asked)) == len(corpus_of(ws, 1)) + 1
        assert found(ws) == first
        assert texts(server) == asked
        assert WorkspaceEmbedder(ws, "other").identity != WorkspaceEmbedder(ws).identity
    assert [(each.role, each.answered) for each in calls(ws)] == [("embed", 2)]
    with ws.reading() as session:  # vectors are kept by their text alone
        assert all(call.vectors == [] for call in session.exec(select(LlmCall)))


def test_many_texts_go_in_several_calls_and_come_back_in_order(ws: Workspace) -> None:
    with serving(ws) as server:
        made = WorkspaceEmbedder(ws)(["가" * n for n in range(1, 71)])
        assert made[:, 0].tolist() == list(range(1, 71))
        assert len(server.seen) == 3


@pytest.mark.parametrize(
    ("step", "code"),
    [
        (Step(vectors=[[1.0, 2.0], [1.0, 2.0, 3.0]]), "vectors_of_two_lengths"),
        (
            Step(do="malformed", text='{"data": [{"index": 0, "embedding": [NaN]}]}'),
            "embedding_ended",
        ),
        (Step(do="error", status=401), "embedding_ended"),
    ],
)
def test_a_server_that_gives_no_vectors_is_an_error_with_its_reason(
    ws: Workspace, step: Step, code: str
) -> None:
    with serving(ws) as server:
        server.on("", step)
        with refused(code):
            WorkspaceEmbedder(ws)(["가", "나"])


def test_queries_of_another_dimension_than_the_units_are_refused(ws: Workspace) -> None:
    with serving(ws) as server:
        server.on("wider", Step(vectors=[[1.0, 2.0, 3.0]]))
        assert code_of(found, ws, "wider") == "vectors_dimension"


def test_words_without_a_form_are_found_again_and_nothing_is_asked(
    ws: Workspace,
) -> None:
    with serving(ws) as server:
        server.says = lambda _: "<think>?</think> 등불을 켠다"
        server.on("declined", Step("refuse", text="no"))
        server.on("broken", Step("drop"))
        questions = paraphrases("lamp?", "declined?", "broken?")
        ProjectAsker(ws, SLUG)(questions)
        made = len(server.seen)
        endpoint = load_settings(ws).of(Role.GENERATE)
        kept = KeptReplies(ws, SLUG, endpoint)
        told = kept([*paraphrases("never?"), *questions, *paraphrases("lamp?", language="ko")])
        assert len(server.seen) == made
        assert kept.identity([PROMPT]) == ProjectAsker(ws, SLUG).identity([PROMPT])
    missing = ModelReply(problem="failed", reason=NOT_ASKED)
    assert told == [
        missing,
        ModelReply("등불을 켠다"),
        ModelReply(problem="refused", reason="declined"),
        ModelReply(problem="failed", reason="cut_off"),
        missing,
    ]
    assert [len(each.calls) for each in told] == [0, 1, 1, 1, 0]
    assert not any(each.passing for each in told)


def test_a_local_model_whose_files_have_gone_is_left_out(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = AskedModel("generate", "local:/nowhere#0123456789ab", "x.gguf", {}, frozenset())
    monkeypatch.setattr("services.models.llm_adapter.models_asked", lambda *_: [gone])
    assert past_models(ws, [PROMPT]) == []
