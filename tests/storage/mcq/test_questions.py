"""Questions, attempts and votes come back as they were kept, and nothing is kept twice."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from construction.mcq.model import Mcq, Pair, item_of
from corpus.graph.model import EdgeType
from errors import UserError
from llm.reply import Problem, Reply, Status
from services.law.graph.citation_graph import build_snapshot
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.corpus import snapshot_in_use
from storage.law.imports import keep_statutes
from storage.mcq.questions import (
    Attempt,
    Linked,
    attempt_drafts,
    attempt_names,
    attempt_row,
    keep_making,
    linked,
    makings,
    outcomes,
    question_by_id,
    questions,
    tried_pairs,
)
from storage.mcq.votes import keep_votes, votes
from storage.models import CallStore, call_ids
from storage.projects import create_project
from storage.tables.mcq import McqMaking, McqVote
from tests.construction.mcq.law import GOOD
from tests.corpus.graph.ferry_law import ferry_law
from tests.projects.project_cache import kept
from tests.support.refusals import code_of

SLUG = "ferry"
AT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
DELEGATES = (EdgeType.DELEGATES_TO,)


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path / "workspace")
    kept("ferries of today", workspace, lambda: _made(workspace))
    return workspace


def _made(workspace: Workspace) -> None:
    migrate(workspace)
    create_project(workspace, SLUG, "Ferries")
    keep_statutes(workspace, SLUG, ferry_law(), "first")


def snapshot(ws: Workspace) -> int:
    with ws.reading() as session:
        found = snapshot_in_use(session, 1)
    assert found is not None
    return found.id


def joined(ws: Workspace) -> Linked:
    number = snapshot(ws)
    build_snapshot(ws, number)
    with ws.reading() as session:
        return linked(session, number, DELEGATES)


def attempt(found: Linked, place: int = 0, outcome: str = "kept", **more: Any) -> Attempt:
    edge = found.edges[place]
    pair = Pair(found.passages[edge.source], found.passages[edge.target], DELEGATES)
    item = item_of(GOOD["ko"], pair, seed=1)
    assert item is not None
    ends, source = (found.numbers[edge.source], found.numbers[edge.target]), more.pop("source", {})
    row = {"draft": {"query": item.query}, "prompt_version": "1-abc", "outcome": outcome, **more}
    made = attempt_row(str(row.pop("name", item.id)), ends, DELEGATES, **row)
    return Attempt(made, item if outcome == "kept" else None, source)


def keep(ws: Workspace, *attempts: Attempt) -> list[tuple[int, Mcq]]:
    making = McqMaking(
        project_id=1,
        kind="generate",
        snapshot_id=snapshot(ws),
        wanted={"number": 2},
        linked=5,
        seed=1,
        server="http://s/v1",
        model="writer",
        at=AT,
    )
    with ws.writing() as session:
        return keep_making(session, making, attempts)


def call(ws: Workspace, key: str, status: Status = Status.ANSWERED) -> int:
    problem = Problem.TIMEOUT if status is Status.FAILED else None
    reply = Reply(key, "solve", "p@1", "http://s/v1", "m", {}, status, AT, problem)
    CallStore(ws).put([reply])
    with ws.reading() as session:
        return call_ids(session, [key]).get(key, 0)


def vote(mcq: int, calling: int | None, **more: Any) -> McqVote:
    values: dict[str, Any] = {"setting": "a", "repeat": 0, "choice": 1, "state": "chosen"}
    values |= {"server": "http://s/v1", "model": "m", "raw": "2", "logprobs": None}
    return McqVote(mcq_id=mcq, llm_call_id=calling, wording="w", at=AT, **values | more)


def test_edges_join_provisions_that_have_a_text(ws: Workspace) -> None:
    found = joined(ws)
    assert found.edges
    assert {edge.type for edge in found.edges} == {EdgeType.DELEGATES_TO}
    assert {end for e in found.edges for end in (e.source, e.target)} <= found.passages.keys()
    assert all(passage.text for passage in found.passages.values())
    assert found.passages.keys() == found.numbers.keys()


def test_without_a_graph_there_are_no_pairs(ws: Workspace) -> None:
    with ws.reading() as session:
        assert code_of(linked, session, snapshot(ws), DELEGATES) == "graph_missing"


def test_a_question_comes_back_as_it_was_kept(ws: Workspace) -> None:
    one = attempt(joined(ws), source={"split": "train"})
    [(number, question)] = keep(ws, one)
    assert question == one.question
    with ws.reading() as session:
        [kept] = questions(session, 1)
        assert question_by_id(session, 1, number) == kept
        with pytest.raises(UserError):
            question_by_id(session, 2, number)
    assert kept.question == question
    assert (kept.id, kept.source, kept.prompt_version) == (number, {"split": "train"}, "1-abc")


def test_every_attempt_is_kept_with_what_it_came_to(ws: Workspace) -> None:
    found = joined(ws)
    out = attempt(found, 1, "meta", detail="the text")
    keep(ws, attempt(found), out, attempt(found, 1, "refused", name="other", draft=None))
    with ws.reading() as session:
        assert outcomes(session, 1) == {"kept": 1, "meta": 1, "refused": 1}
        assert len(questions(session, 1)) == 1
        assert attempt_names(session, 1) == attempt_drafts(session, 1).keys()
        assert attempt_drafts(session, 1)["other"] is None
        tried = tried_pairs(session, 1, "http://s/v1", "writer", ["1-abc"])
        assert tried == {
            (each.row.a_unit_id, each.row.b_unit_id) for each in (attempt(found), attempt(found, 1))
        }
        assert tried_pairs(session, 1, "http://s/v1", "another", ["1-abc"]) == set()
        assert tried_pairs(session, 1, "http://s/v1", "writer", ["2-abc"]) == set()
        assert [(each.linked, count) for each, count in makings(session, 1)] == [(5, 3)]


def test_the_newest_vote_counts_and_none_is_kept_twice(ws: Workspace) -> None:
    [(mcq, _)] = keep(ws, attempt(joined(ws)))
    first, second = call(ws, "k1"), call(ws, "k2")
    with ws.writing() as session:
        keep_votes(session, [vote(mcq, first), vote(mcq, first), vote(mcq, first, repeat=1)])
    with ws.writing() as session:
        keep_votes(session, [vote(mcq, first), vote(mcq, second, choice=None, state="several")])
    with ws.reading() as session:
        found = votes(session, 1)
        assert [(each.repeat, each.choice, each.state) for each in found] == [
            (0, None, "several"),
            (1, 1, "chosen"),
        ]
        assert votes(session, 1, mcq + 1) == []
        assert votes(session, 2) == []
