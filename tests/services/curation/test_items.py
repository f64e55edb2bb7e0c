"""Questions that a model wrote: given to curation, admitted, and the gold that follows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.adjudication.giving_back import give_back
from annotation.adjudication.tasks import undo
from annotation.check.project import check
from annotation.closure.gold_sets import gold_cases
from annotation.curation.state import DISPUTES
from annotation.gold.amended_items import amended
from annotation.gold.derivation import GoldItem, derive
from annotation.work.commands import submit, take_back
from annotation.work.queue_service import open_item, queue
from corpus.model import Question
from errors import UserError
from services.curation.items import admit, give_to_curation, question_lines
from services.gold.export import export_gold
from services.mapping.candidates import build_candidates
from services.runs.strata import strata_of
from storage.db.workspace import Workspace
from storage.law.corpus import load_items
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import find_project
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.projects.curation_project import (
    CRANE,
    GOLD,
    LAMP,
    RAIL,
    SLUG,
    CurationHouse,
    build,
    statute,
    submitted,
    written,
)
from tests.projects.project_cache import kept_project
from tests.support.refusals import code_of


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> CurationHouse:
    return build(tmp_path / "workspace", clock, number=1)


def stages(ws: Workspace) -> dict[str, str]:
    return {each.external_id: each.stage for each in question_lines(ws, SLUG)}


def test_what_came_through_is_given_once_and_what_nobody_saw_when_asked(
    house: CurationHouse,
) -> None:
    rows = ("passed",), ("rejected",), ("passed", "rejected"), ("unjudged",), ()
    for number, outcomes in enumerate(rows, 2):
        written(house.ws, f"aug-{number:04d}", outcomes)
    assert stages(house.ws)["aug-0002"] == "through"
    done = give_to_curation(house.ws, SLUG)
    assert (done.items, done.before, done.held, done.unseen, done.renewed) == (1, 1, 3, 1, 0)
    assert give_to_curation(house.ws, SLUG).items == 0
    assert list(stages(house.ws).values()) == ["waiting"] * 2 + ["held"] * 3 + ["unseen"]
    done = give_to_curation(house.ws, SLUG, unchecked=True)
    assert (done.items, done.unchecked, done.unseen) == (1, 1, 0)


def test_other_law_in_use_is_shown_from_then_on(house: CurationHouse) -> None:
    keep_statutes(house.ws, SLUG, [statute(" (개정)")], "second")
    assert give_to_curation(house.ws, SLUG).renewed == 1
    assert give_to_curation(house.ws, SLUG).renewed == 0


EDIT = {"question": "난간은 얼마나 높아야 합니까?", "answer": "1.2미터 이상입니다."}
REJECTED: dict[str, Any] = {"verdict": "reject", "cause": "unclear"}
EDITED: dict[str, Any] = {
    **{"verdict": "edit", "edit": EDIT, "cause": "unclear", "difficulty": "L3"},
    "gold": {RAIL: "yes", LAMP: "yes"},
}


@pytest.fixture
def admitted(tmp_path: Path, clock: FakeClock) -> CurationHouse:
    """Three questions: the first kept, the second edited by an adjudicator, the third rejected."""
    ws = Workspace(tmp_path / "workspace", clock)
    return kept_project("admitted questions", ws, lambda: _admitted(ws.folder, clock))


def _admitted(folder: Path, clock: FakeClock) -> CurationHouse:
    house = build(folder, clock)
    both(house, 0, {}, {})
    both(house, 1, {"gold": {**GOLD, CRANE: "yes"}}, {"difficulty": "L3"})
    DISPUTES.decide(house.ws, house.judge, house.items[1], EDITED, "Shorter.")
    both(house, 2, REJECTED, REJECTED)
    done = admit(house.ws, SLUG, by=house.lead)
    assert (done.admitted, done.rejected, done.waiting) == (("aug-0001", "aug-0002"), 1, 0)
    return house


def both(house: CurationHouse, at: int, mine: dict[str, Any], other: dict[str, Any]) -> None:
    for who, said in ((house.ann, mine), (house.ben, other)):
        submitted(house, who, house.items[at], **said)


def gold(house: CurationHouse, name: str = "aug-0001") -> GoldItem:
    return next(each for each in derive(house.ws, SLUG) if each.external_id == name)


def test_what_people_let_stand_becomes_questions_with_lineage(
    admitted: CurationHouse,
) -> None:
    with admitted.ws.reading() as session:
        items = load_items(session, find_project(session, SLUG).id)
    first, second = (each.question for each in items)
    assert second.text == EDIT["question"]
    assert dict(first.columns) == {
        "origin": "augmented",
        "type": "exception-paired",
        "difficulty": "L2",
        "target_difficulty": "L3",
        "domain": "quay",
        "facet_lifecycle": "building",
    }
    assert admit(admitted.ws, SLUG).admitted == ()
    assert queue(admitted.ws, admitted.ann) == []  # nobody has to map it
    assert build_candidates(admitted.ws, SLUG).items == 0
    with pytest.raises(UserError):
        open_item(admitted.ws, admitted.ann, items[0].item_id)
    with admitted.ws.reading() as session:
        cases = gold_cases(session, find_project(session, SLUG))
    assert [(each.kind, each.external_id) for each in cases] == [
        ("question", "aug-0001"),
        ("question", "aug-0002"),
    ]


def test_gold_follows_from_what_people_decided(admitted: CurationHouse) -> None:
    found = gold(admitted)
    assert (found.outcome, found.units, found.no_provision) == ("agreed", (RAIL,), False)
    assert [(each.kind, each.person) for each in found.lineage] == [
        ("curation", "Ann"),
        ("curation", "Ben"),
    ]
    assert {(e.unit, e.label) for e in found.lineage[0].labels} == {
        (RAIL, "accept"),
        (LAMP, "reject"),
    }
    second = gold(admitted, "aug-0002")
    assert (second.outcome, second.units) == ("adjudicated", (RAIL, LAMP))
    assert second.lineage[-1].kind == "curation_decision"
    assert second.lineage[-1].reason == "Shorter."
    assert check(admitted.ws, SLUG) == []


def test_it_goes_through_the_export_and_splits_figures(
    admitted: CurationHouse, tmp_path: Path
) -> None:
    report = export_gold(admitted.ws, SLUG, tmp_path / "out")
    assert (report.questions, report.pairs, report.pending) == (2, 3, 0)
    lines = [json.loads(line) for line in (tmp_path / "out" / "gold.jsonl").open()]
    gold_lines = [line for line in lines if line["relevance"]]
    assert {(line["question_id"], line["unit_id"]) for line in gold_lines} == {
        ("aug-0001", RAIL),
        ("aug-0002", LAMP),
        ("aug-0002", RAIL),
    }
    assert report.rejected == len(lines) - len(gold_lines) == 2
    assert {d["kind"] for line in lines for d in line["decisions"]} == {
        "curation",
        "curation_decision",
    }
    sheet = (tmp_path / "out" / "datasheet.json").read_text("utf-8")
    assert '"adjudicated": 1' in sheet
    labelling = json.loads(sheet)["labelling"]
    assert "agreement over all complete questions" not in labelling, "nobody mapped anything"
    alike = labelling["agreement of curators over all complete questions"]
    [gold_alike] = [figure for name, figure in alike.items() if name.startswith("gold (")]
    assert gold_alike["n"] == 2
    assert any(name.startswith("voice (") for name in alike)
    found = strata_of(admitted.ws, SLUG)
    assert found["difficulty"] == {"L2": ("aug-0001",), "L3": ("aug-0002",)}
    assert found["gold_difficulty"] == {"L1": ("aug-0001",), "L2": ("aug-0002",)}
    assert "origin" not in found, "it splits nothing yet"
    line = json.loads((tmp_path / "out" / "queries.jsonl").read_text("utf-8").splitlines()[0])
    told = {name: line["metadata"][name] for name in ("origin", "difficulty", "target_difficulty")}
    assert told == {"origin": "augmented", "difficulty": "L2", "target_difficulty": "L3"}
    text = (tmp_path / "out" / "datasheet.md").read_text("utf-8")
    assert "that a model wrote and people curated" in text


def test_another_decision_makes_its_gold_pending_and_one_on_gold_alone_changes_it(
    admitted: CurationHouse,
) -> None:
    item = admitted.ws, admitted.judge, admitted.items[1]
    undo(*item)
    found = gold(admitted, "aug-0002")
    assert (found.outcome, found.pending, found.units) == ("pending", ("differ",), ())
    assert check(admitted.ws, SLUG) == []
    for now in (
        REJECTED,
        {"verdict": "keep", "difficulty": "L3", "gold": EDITED["gold"]},
        EDITED | {"edit": {**EDIT, "answer": "1미터."}},
        EDITED | {"difficulty": "L4"},
    ):
        DISPUTES.decide(*item, now, "I was wrong.")
        assert gold(admitted, "aug-0002").pending == ("recurated",)
        assert check(admitted.ws, SLUG) == []
    other = EDITED | {"gold": {RAIL: "yes", LAMP: "no", CRANE: "yes"}}
    DISPUTES.decide(*item, other, "The crane.")
    assert gold(admitted, "aug-0002").units == (RAIL, CRANE)
    assert check(admitted.ws, SLUG) == []


def test_amended_law_makes_its_gold_pending_and_is_watched(admitted: CurationHouse) -> None:
    keep_statutes(admitted.ws, SLUG, [statute(" (개정)")], "second")
    found = gold(admitted)
    assert (found.pending, found.amended) == (("amended",), (RAIL,))
    [watched] = amended(admitted.ws, SLUG, [Task.CURATION])
    assert {(each.external_id, each.unit, each.via) for each in watched.entries} == {
        ("aug-0001", RAIL, ("gold",)),
        ("aug-0002", RAIL, ("gold",)),
        ("aug-0003", RAIL, ("source",)),
    }
    [own] = amended(admitted.ws, SLUG, [Task.CURATION], by=admitted.ann)
    assert {each.via for each in own.entries} == {("source",)}, "others' gold is theirs"
    give_to_curation(admitted.ws, SLUG)
    assert check(admitted.ws, SLUG) == []


def test_only_what_was_kept_can_be_named_and_under_an_id_of_its_own(
    tmp_path: Path, clock: FakeClock
) -> None:
    house = build(tmp_path / "workspace", clock)
    keep_questions(house.ws, SLUG, [Question("aug-0001", "Which?", "This.", "en")], "q.jsonl")
    both(house, 0, {}, {})
    both(house, 1, {}, {})
    assert code_of(admit, house.ws, SLUG) == "curation_id_taken"
    assert code_of(admit, house.ws, SLUG, only=["aug-0003"]) == "curation_not_kept"
    assert admit(house.ws, SLUG, only=["aug-0002"]).admitted == ("aug-0002",)
    assert admit(house.ws, SLUG, only=["aug-0002"]).admitted == ()


def test_given_back_it_is_pending_until_that_is_answered(admitted: CurationHouse) -> None:
    item = admitted.items[0]
    give_back(admitted.ws, admitted.judge, item, admitted.ann, "Look again.")
    assert gold(admitted).pending == ("given_back",)
    assert check(admitted.ws, SLUG) == []
    take_back(admitted.ws, admitted.ann, item)
    assert gold(admitted).pending == ("given_back",)
    assert check(admitted.ws, SLUG) == []
    submit(admitted.ws, admitted.ann, item)
    assert gold(admitted).outcome == "consensus"
    assert check(admitted.ws, SLUG) == []


def test_who_annotates_is_told_nothing_of_its_gold(admitted: CurationHouse) -> None:
    for item in derive(admitted.ws, SLUG, by=admitted.ann):
        assert (item.pending, item.units, item.lineage) == (("unseen",), (), ())


def test_a_single_submission_is_told_as_such(tmp_path: Path, clock: FakeClock) -> None:
    house = build(tmp_path / "single", clock, number=1, overlap=1)
    submitted(house, house.ann, house.items[0])
    admit(house.ws, SLUG)
    assert gold(house).outcome == "single"
    assert check(house.ws, SLUG) == []
