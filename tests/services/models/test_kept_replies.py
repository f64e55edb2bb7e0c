"""What models said before, read from the calls that are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from llm.roles import Role
from retrieval.core.method import ModelPrompt, ModelReply
from services.models.kept_replies import NOT_ASKED, KeptReplies, past_models
from services.models.llm_adapter import ProjectAsker
from services.models.workspace_models import load_settings
from storage.db.workspace import Workspace
from storage.models.llm_calls import AskedModel, models_asked
from tests.conftest import FakeClock
from tests.llm.server import Step
from tests.projects.small_law import SLUG, small_workspace
from tests.services.mcq.mcq_project import point_at, serving

PROMPT = "expand_paraphrase"


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    return small_workspace(tmp_path / "ws", clock)


def asked(*questions: str, language: str = "en") -> list[ModelPrompt]:
    return [ModelPrompt(PROMPT, language, {"question": each}) for each in questions]


def test_words_without_a_form_are_found_again_and_nothing_is_asked(ws: Workspace) -> None:
    with serving(ws) as server:
        server.says = lambda _: "<think>?</think> 등불을 켠다"
        server.on("declined", Step("refuse", text="no"))
        server.on("broken", Step("drop"))
        questions = asked("lamp?", "declined?", "broken?")
        ProjectAsker(ws, SLUG)(questions)
        made = len(server.seen)
        endpoint = load_settings(ws).of(Role.GENERATE)
        kept = KeptReplies(ws, SLUG, endpoint)
        told = kept([*asked("never?"), *questions, *asked("lamp?", language="ko")])
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


def test_models_that_were_asked_a_prompt_in_the_order_of_their_first_call(ws: Workspace) -> None:
    assert past_models(ws, [PROMPT]) == []
    with serving(ws, "max_tokens = 9\nparameters = {temperature = 0.5}") as server:
        ProjectAsker(ws, SLUG)(asked("a", "b"))
        point_at(ws, server)
        ProjectAsker(ws, SLUG)(asked("a"))
        ProjectAsker(ws, SLUG)(asked("a", language="ko"))
    with ws.reading() as session:
        found = models_asked(session, [f"{PROMPT}.en", f"{PROMPT}.ko"])
        assert models_asked(session, ["read_atoms.ko"]) == []
    server_address = found[0].server
    assert found == [
        AskedModel(
            "generate",
            server_address,
            "m",
            {"max_tokens": 9, "temperature": 0.5},
            frozenset({f"{PROMPT}.en"}),
        ),
        AskedModel(
            "generate",
            server_address,
            "m",
            {"max_tokens": 1024},
            frozenset({f"{PROMPT}.en", f"{PROMPT}.ko"}),
        ),
    ]
    past = past_models(ws, [PROMPT])
    assert [each.endpoint.max_tokens for each in past] == [9, 1024]
    assert [dict(each.endpoint.parameters) for each in past] == [{"temperature": 0.5}, {}]
    assert {each.prompts for each in past} == {frozenset({PROMPT})}


def test_a_local_model_whose_files_have_gone_is_left_out(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = AskedModel("generate", "local:/nowhere#0123456789ab", "x.gguf", {}, frozenset())
    monkeypatch.setattr("services.models.kept_replies.models_asked", lambda *_: [gone])
    assert past_models(ws, [PROMPT]) == []
