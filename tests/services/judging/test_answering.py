"""Asking a model the project's questions, against the scripted server."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from annotation.judging.state import CaseState, states_of
from errors import UserError
from llm.batch import End, Progress
from services.background.tasks import watched
from services.judging.answering import Answering, Setting, answer_questions, plan_answers
from storage.db.workspace import Workspace
from tests.annotation.crew import submit
from tests.annotation.house import SLUG, House, build
from tests.conftest import FakeClock
from tests.llm.server import Server, Step, scripted


@pytest.fixture
def server() -> Iterator[Server]:
    with scripted() as running:
        yield running


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock, server: Server) -> House:
    """Three questions, the first of them with gold."""
    found = build(tmp_path / "workspace", clock)
    text = f'base_url = "{server.base_url}"\nmodel = "gpt"\nattempts = 1\n'
    (found.ws.folder / "models.toml").write_text(text, "utf-8")
    for person in (found.ann, found.ben):
        submit(found, person, found.items[0], 1)
    return found


def _answered(ws: Workspace, plan: Answering) -> Progress:
    work = partial(answer_questions, ws, plan_answers(ws, SLUG, plan))
    return watched(work, lambda done, total: None)


def _answers(house: House) -> dict[tuple[str, str], CaseState]:
    return {(e.case.external_id, e.case.system): e for e in states_of(house.ws, SLUG)}


def test_every_question_is_asked_once_and_its_answer_waits_to_be_judged(
    house: House, server: Server
) -> None:
    server.on("case 2", Step("refuse", text="No."))
    server.on("case 3", Step(text="  "))
    server.on("", Step(text=" Boats with one lamp. "))
    done = _answered(house.ws, Answering())
    assert (done.total, done.end) == (3, End.DONE)
    found = _answers(house)
    assert list(found) == [("q1", "gpt (closed)")]
    case = found["q1", "gpt (closed)"].case
    assert case.answer == "Boats with one lamp."
    assert case.question == "Which boats need a lamp, case 1?"
    assert case.reference.startswith("See 「Lake Act」")
    assert case.provisions[0]["unit"] == "lake-act_article-1"
    assert found["q1", "gpt (closed)"].rating_item is not None
    assert "Boats need lamp 1" not in server.seen[0].body["messages"][-1]["content"]
    asked = len(server.seen)
    again = _answered(house.ws, Answering())
    assert again.recalled == again.total == 2
    assert len(server.seen) == asked
    assert list(_answers(house)) == list(found)


def test_with_provisions_only_questions_with_gold_are_asked(house: House, server: Server) -> None:
    server.on("", Step(text="Boats."))
    done = _answered(house.ws, Answering(Setting.CONTEXT, "reader"))
    assert done.total == 1
    said = server.seen[0].body["messages"][-1]["content"]
    assert "Lake Act Article 1 (Lamps)\n(1) Boats need lamp 1." in said
    assert list(_answers(house)) == [("q1", "reader")]


def test_where_there_is_nothing_to_ask_it_says_so(
    tmp_path: Path, clock: FakeClock, server: Server
) -> None:
    bare = build(tmp_path / "bare", clock)
    text = f'base_url = "{server.base_url}"\nmodel = "gpt"\n'
    (bare.ws.folder / "models.toml").write_text(text, "utf-8")
    with pytest.raises(UserError) as caught:
        _answered(bare.ws, Answering(Setting.CONTEXT))
    assert caught.value.code == "judging_no_questions"
    with pytest.raises(UserError) as caught:
        _answered(bare.ws, Answering(system="x" * 201))
    assert caught.value.code == "judging_name_long"
    assert server.seen == []
