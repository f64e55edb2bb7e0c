"""LightRAG and PIKE-RAG in a workspace: by rules, and by a scripted server and its failures."""

from __future__ import annotations

import json
from typing import Any

import pytest

from services.models.workspace_models import calls
from services.runs.retrieving import retrieve
from services.runs.scoring import score_run
from storage.db.workspace import Workspace
from storage.runs.experiments import records_of
from tests.llm.server import Server, Step
from tests.projects.small_law import SLUG
from tests.services.mcq.mcq_project import serving
from tests.services.small_gold import LIFE_JACKETS
from tests.support.refusals import code_of

pytestmark = pytest.mark.usefixtures("decided")

LSA = {"method": "lsa", "dimensions": 8, "min_df": 1}
LIGHT: dict[str, Any] = {"method": "lightrag", "base": LSA}
PIKE: dict[str, Any] = {"method": "pikerag", "base": LSA}
UNREADABLE = {
    "refused": Step("refuse", text="I will not"),
    "invalid": Step(text="no JSON"),
    "cut off": Step(text='{"high": ["a"], "low": [', finish="length"),
    "empty": Step(text=""),
}
# What tells the prompts apart, in Korean and in English.
KEYWORDS, PROPOSE, CHOOSE = ('"low"', '"questions"', '"choice"')


def notes_of(ws: Workspace, run: int) -> dict[str, int]:
    with ws.reading() as session:
        found: dict[str, int] = records_of(session, [run])[run].cost["notes"]
    return found


def says(text: str) -> str:
    """Read every provision as one thing called boat, and go through one round of the loop."""
    if '"entities"' in text:
        boat = {"name": "boat", "type": "thing", "description": text[-20:]}
        return json.dumps({"entities": [boat], "relations": []})
    if CHOOSE in text:
        return json.dumps({"choice": 1})
    if PROPOSE in text:
        known = "\n–" not in text and ("Found so far" in text or "지금까지" in text)
        return json.dumps({"questions": [] if known else ["구명조끼"]})
    return json.dumps({"high": ["구명조끼"], "low": ["boat"]})


@pytest.mark.parametrize("spec", [LIGHT, PIKE])
def test_by_rules_they_run_without_a_model_and_say_what_was_read(ws: Workspace, spec: Any) -> None:
    run = retrieve(ws, SLUG, spec, k=5)
    assert score_run(ws, run).hits["q1"][0][0] == LIFE_JACKETS
    read = {name: n for name, n in notes_of(ws, run).items() if ".read_" in name}
    assert read[f"{spec['method']}.read_read"] >= 4
    assert retrieve(ws, SLUG, spec, k=5) == run
    # another run over the index that was kept says the same of it
    assert notes_of(ws, retrieve(ws, SLUG, spec, k=4)) == notes_of(ws, run)


def test_a_loop_without_a_model_is_refused_with_a_way_out(ws: Workspace) -> None:
    assert code_of(retrieve, ws, SLUG, PIKE | {"loop": True}) == "pikerag_loop_needs_model"


def test_what_was_read_is_asked_once_and_serves_every_mode(ws: Workspace) -> None:
    with serving(ws) as server:
        server.says = says
        first = retrieve(ws, SLUG, LIGHT | {"reader": "model", "mode": "local"}, k=5)
        asked = len(server.seen)
        second = retrieve(ws, SLUG, LIGHT | {"reader": "model", "mode": "mix"}, k=5)
        assert len(server.seen) == asked
    assert first != second
    assert notes_of(ws, first)["lightrag.asked"] == 4  # keywords of all four questions
    assert notes_of(ws, first)["lightrag.read_read"] == notes_of(ws, second)["lightrag.read_read"]


@pytest.mark.parametrize("name", UNREADABLE)
def test_keywords_that_cannot_be_read_are_counted_and_the_question_is_searched(
    ws: Workspace, name: str
) -> None:
    spec = LIGHT | {"keywords": "model"}
    with serving(ws) as server:
        script(server, KEYWORDS, UNREADABLE[name])
        run = retrieve(ws, SLUG, spec, k=5)
    notes = notes_of(ws, run)
    problem = "refused" if name == "refused" else "invalid"
    assert (notes["lightrag.asked"], notes[f"lightrag.{problem}"]) == (4, 4)
    assert score_run(ws, run).hits["q1"][0][0] == LIFE_JACKETS


@pytest.mark.parametrize("name", UNREADABLE)
@pytest.mark.parametrize("prompt", [PROPOSE, CHOOSE])
def test_a_loop_that_cannot_be_read_ends_and_is_counted(
    ws: Workspace, prompt: str, name: str
) -> None:
    with serving(ws) as server:
        script(server, prompt, UNREADABLE[name])
        run = retrieve(ws, SLUG, PIKE | {"loop": True}, k=5)
    notes = notes_of(ws, run)
    assert notes["pikerag.ended_unread"] == 4
    assert "pikerag.chosen" not in notes
    assert score_run(ws, run).hits == score_run(ws, retrieve(ws, SLUG, PIKE, k=5)).hits


def test_the_loop_chooses_and_what_it_chose_comes_first(ws: Workspace) -> None:
    with serving(ws) as server:
        server.says = says
        run = retrieve(ws, SLUG, PIKE | {"loop": True, "loop_cosine": 0.1}, k=5)
    assert notes_of(ws, run)["pikerag.chosen"] == 4
    assert {hits[0][0] for hits in score_run(ws, run).hits.values()} == {LIFE_JACKETS}
    assert calls(ws)


def script(server: Server, mark: str, step: Step) -> None:
    """Let the server answer what has `mark`, and being asked to repair it, by `step`."""
    server.says = says
    server.on(mark, step)
    for repair in ("not in the form", "형식"):
        server.on(repair, step)
