"""Units embedded by a server: asked once, counted, and refused where it gives no vectors."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import select

from errors import UserError
from retrieval.core.model import Query, Run
from services.models.embedder import WorkspaceEmbedder
from services.models.workspace_models import calls
from services.runs.methods.preparation import corpus_of, ready, resources
from storage.db.workspace import Workspace
from storage.tables.models import LlmCall
from tests.conftest import FakeClock
from tests.llm.server import Server, Step
from tests.projects.small_law import small_workspace
from tests.services.mcq.mcq_project import serving

SPEC = {"method": "endpoint"}


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    return small_workspace(tmp_path / "ws", clock)


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


def test_calls_count_and_their_vectors_are_kept_by_text_alone(ws: Workspace) -> None:
    with serving(ws):
        found(ws)
    assert [(each.role, each.answered) for each in calls(ws)] == [("embed", 2)]
    with ws.reading() as session:
        assert all(call.vectors == [] for call in session.exec(select(LlmCall)))


def test_another_model_of_the_server_embeds_anew(ws: Workspace) -> None:
    with serving(ws) as server:
        assert WorkspaceEmbedder(ws, "other").model == "other"
        WorkspaceEmbedder(ws, "other")(["가"])
        assert server.seen[-1].body["model"] == "other"
        assert WorkspaceEmbedder(ws, "other").identity != WorkspaceEmbedder(ws).identity


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
        (Step(do="error", status=400, message="maximum context length"), "embedding_ended"),
        (Step(do="error", status=401), "embedding_ended"),
    ],
)
def test_a_server_that_gives_no_vectors_is_an_error_with_its_reason(
    ws: Workspace, step: Step, code: str
) -> None:
    with serving(ws) as server:
        server.on("", step)
        with pytest.raises(UserError) as caught:
            WorkspaceEmbedder(ws)(["가", "나"])
        assert caught.value.code == code


def test_queries_of_another_dimension_than_the_units_are_refused(ws: Workspace) -> None:
    with serving(ws) as server:
        server.on("wider", Step(vectors=[[1.0, 2.0, 3.0]]))
        with pytest.raises(UserError) as caught:
            found(ws, "wider")
        assert caught.value.code == "vectors_dimension"


def test_without_a_model_it_says_so(ws: Workspace) -> None:
    with pytest.raises(UserError) as caught:
        found(ws)
    assert caught.value.code == "models_role_unset"
