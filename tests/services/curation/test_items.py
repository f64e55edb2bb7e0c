""""""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from annotation.adjudication.giving_back import give_back
from annotation.adjudication.tasks import undo
from annotation.check.project import check
from annotation.closure.gold_sets import gold_cases
from annotation.curation.passages import passages
from annotation.curation.state import DISPUTES
from annotation.gold.amended_items import amended
from annotation.gold.derivation import GoldItem, derive
from annotation.work.commands import submit, take_back
from annotation.work.queue_service import open_item, queue
from corpus.model import Question
from errors import UserError
from services.curation.items import admit, give_to_curation, question_lines
from services.gold.export import export_gold
from services.law.overview import law_counts
from services.mapping.candidates import build_candidates
from services.runs.strata import strata_of
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use, load_items
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import find_project
from storage.tables.augmentation import LayerResult, Restoration
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
from tests.support.refusals import code_of


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> CurationHouse:
    return build(tmp_path / "workspace", clock, number=1)


def stages(ws: Workspace) -> dict[str, str]:
    return {each.external_id: each.stage for each in question_lines(ws, SLUG)}


def test_those_that_have_come_through_are_given_once(house: CurationHouse) -> None:
    written(house.ws, "aug-0002")
    done = give_to_curation(house.ws, SLUG)
    assert (done.items, done.before, done.unchecked, done.renewed) == (1, 1, 0, 0)
    assert give_to_curation(house.ws, SLUG).items == 0
    assert stages(house.ws) == {"aug-0001": "waiting", "aug-0002": "waiting"}


@pytest.mark.parametrize("outcomes", [("rejected",), ("passed", "rejected"), ("unjudged",)])
def test_what_a_layer_holds_is_not_given(house: CurationHouse, outcomes: tuple[str, ...]) -> None:
    written(house.ws, "aug-0002", outcomes)
    done = give_to_curation(house.ws, SLUG, unchecked=True)
    assert (done.items, done.held) == (0, 1)
    assert stages(house.ws)["aug-0002"] == "held"


def test_what_no_layer_looked_at_is_given_only_when_asked(house: CurationHouse) -> None:
    written(house.ws, "aug-0002", ())
    done = give_to_curation(house.ws, SLUG)
    assert (done.items, done.unseen) == (0, 1)
    assert stages(house.ws)["aug-0002"] == "unseen"
    done = give_to_curation(house.ws, SLUG, unchecked=True)
    assert (done.items, done.unchecked, done.unseen) == (1, 1, 0)


def test_what_somebody_restored_is_given_until_that_is_withdrawn(house: CurationHouse) -> None:
    number = written(house.ws, "aug-0002", ("rejected",))
    assert not through(house.ws, number)
    restore(house.ws, number, "restore")
    assert through(house.ws, number)
    assert stages(house.ws)["aug-0002"] == "through"
    restore(house.ws, number, "withdraw")
    assert not through(house.ws, number)


def through(ws: Workspace, number: int) -> bool:
    with ws.reading() as session:
        return passages(session, find_project(session, SLUG).id)[number].through


def restore(ws: Workspace, number: int, kind: str) -> None:
    with ws.writing() as session:
        query = select(LayerResult.id).where(LayerResult.augmented_question_id == number)
        session.add(
            Restoration(
                augmented_question_id=number,
                layer_result_id=session.exec(query).first() or 0,
                kind=kind,
                reason="good all the same",
                at=ws.clock(),
            )
        )


def test_other_law_in_use_is_shown_from_then_on(house: CurationHouse) -> None:
    keep_statutes(house.ws, SLUG, [statute(" (개정)")], "second")
    assert give_to_curation(house.ws, SLUG).renewed == 1
    assert give_to_curation(house.ws, SLUG).renewed == 0


EDIT = {"question": "난간은 얼마나 높아야 합니까?", "answer": "1.2미터 이상입니다."}


@pytest.fixture
def house_of_admission(tmp_path: Path, clock: FakeClock) -> CurationHouse:
    return build(tmp_path / "workspace", clock)


def both(house: CurationHouse, at: int, mine: dict[str, Any], other: dict[str, Any]) -> None:
    for who, said in ((house.ann, mine), (house.ben, other)):
        submitted(house, who, house.items[at], **said)


def gold(house: CurationHouse, name: str = "aug-0001") -> GoldItem:
    return next(each for each in derive(house.ws, SLUG) if each.external_id == name)


def admitted(house: CurationHouse) -> None:
    """Let the first be kept, the second edited by an adjudicator, the third rejected."""
    both(house, 0, {}, {})
    both(house, 1, {"gold": {**GOLD, CRANE: "yes"}}, {"difficulty": "L3"})
    answers = {"verdict": "edit", "edit": EDIT, "cause": "unclear", "difficulty": "L3"}
    answers |= {"gold": {RAIL: "yes", LAMP: "yes"}}
    DISPUTES.decide(house.ws, house.judge, house.items[1], answers, "Shorter.")
    rejected = {"verdict": "reject", "cause": "unclear"}
    both(house, 2, rejected, rejected)
    done = admit(house.ws, SLUG, by=house.lead)
    assert (done.admitted, done.rejected, done.waiting) == (("aug-0001", "aug-0002"), 1, 0)


def test_what_people_let_stand_becomes_questions_with_lineage(
    house_of_admission: CurationHouse,
) -> None:
    admitted(house_of_admission)
    with house_of_admission.ws.reading() as session:
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
    assert admit(house_of_admission.ws, SLUG).admitted == ()


def test_gold_follows_from_what_people_decided(house_of_admission: CurationHouse) -> None:
    admitted(house_of_admission)
    found = gold(house_of_admission)
    assert (found.outcome, found.units, found.no_provision) == ("agreed", (RAIL,), False)
    assert [(each.kind, each.person) for each in found.lineage] == [
        ("curation", "Ann"),
        ("curation", "Ben"),
    ]
    assert {(e.unit, e.label) for e in found.lineage[0].labels} == {
        (RAIL, "accept"),
        (LAMP, "reject"),
    }
    second = gold(house_of_admission, "aug-0002")
    assert (second.outcome, second.units) == ("adjudicated", (RAIL, LAMP))
    assert second.lineage[-1].kind == "curation_decision"
    assert second.lineage[-1].reason == "Shorter."
    assert check(house_of_admission.ws, SLUG) == []


def test_it_goes_through_the_export_and_splits_figures(
    house_of_admission: CurationHouse, tmp_path: Path
) -> None:
    admitted(house_of_admission)
    report = export_gold(house_of_admission.ws, SLUG, tmp_path / "out")
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
    found = strata_of(house_of_admission.ws, SLUG)
    assert found["difficulty"] == {"L2": ("aug-0001",), "L3": ("aug-0002",)}
    assert found["gold_difficulty"] == {"L1": ("aug-0001",), "L2": ("aug-0002",)}
    assert "origin" not in found, "it splits nothing yet"


def test_nobody_has_to_map_it(house_of_admission: CurationHouse) -> None:
    admitted(house_of_admission)
    assert queue(house_of_admission.ws, house_of_admission.ann) == []
    assert build_candidates(house_of_admission.ws, SLUG).items == 0
    with house_of_admission.ws.reading() as session:
        number = load_items(session, find_project(session, SLUG).id)[0].item_id
    with pytest.raises(UserError):
        open_item(house_of_admission.ws, house_of_admission.ann, number)


def test_a_decision_that_is_withdrawn_makes_its_gold_pending(
    house_of_admission: CurationHouse,
) -> None:
    admitted(house_of_admission)
    undo(house_of_admission.ws, house_of_admission.judge, house_of_admission.items[1])
    found = gold(house_of_admission, "aug-0002")
    assert (found.outcome, found.pending, found.units) == ("pending", ("differ",), ())
    assert check(house_of_admission.ws, SLUG) == []


@pytest.mark.parametrize(
    "now",
    [
        {"verdict": "reject", "cause": "unclear"},
        {"verdict": "keep"},
        {"verdict": "edit", "edit": {**EDIT, "answer": "1미터."}, "cause": "unclear"},
        {"verdict": "edit", "edit": EDIT, "cause": "unclear", "difficulty": "L4"},
    ],
)
def test_another_decision_makes_its_gold_pending(
    house_of_admission: CurationHouse, now: dict[str, Any]
) -> None:
    admitted(house_of_admission)
    said = {"difficulty": "L3", "gold": {RAIL: "yes", LAMP: "yes"}, **now}
    if now["verdict"] == "reject":
        said = now
    DISPUTES.decide(
        house_of_admission.ws,
        house_of_admission.judge,
        house_of_admission.items[1],
        said,
        "I was wrong.",
    )
    assert gold(house_of_admission, "aug-0002").pending == ("recurated",)
    assert check(house_of_admission.ws, SLUG) == []


def test_a_decision_for_other_gold_changes_the_gold(house_of_admission: CurationHouse) -> None:
    admitted(house_of_admission)
    answers = {"verdict": "edit", "edit": EDIT, "cause": "unclear", "difficulty": "L3"}
    answers |= {"gold": {RAIL: "yes", LAMP: "no", CRANE: "yes"}}
    DISPUTES.decide(
        house_of_admission.ws,
        house_of_admission.judge,
        house_of_admission.items[1],
        answers,
        "The crane.",
    )
    assert gold(house_of_admission, "aug-0002").units == (RAIL, CRANE)
    assert check(house_of_admission.ws, SLUG) == []


def test_given_back_it_is_pending_until_that_is_answered(house_of_admission: CurationHouse) -> None:
    admitted(house_of_admission)
    item = house_of_admission.items[0]
    give_back(
        house_of_admission.ws, house_of_admission.judge, item, house_of_admission.ann, "Look again."
    )
    assert gold(house_of_admission).pending == ("given_back",)
    assert check(house_of_admission.ws, SLUG) == []
    take_back(house_of_admission.ws, house_of_admission.ann, item)
    assert gold(house_of_admission).pending == ("given_back",)
    assert check(house_of_admission.ws, SLUG) == []
    submit(house_of_admission.ws, house_of_admission.ann, item)
    assert gold(house_of_admission).outcome == "consensus"
    assert check(house_of_admission.ws, SLUG) == []


def test_amended_law_makes_its_gold_pending(house_of_admission: CurationHouse) -> None:
    admitted(house_of_admission)
    keep_statutes(house_of_admission.ws, SLUG, [statute(" (개정)")], "second")
    found = gold(house_of_admission)
    assert (found.pending, found.amended) == (("amended",), (RAIL,))
    give_to_curation(house_of_admission.ws, SLUG)
    assert check(house_of_admission.ws, SLUG) == []
    with house_of_admission.ws.reading() as session:
        assert law_counts(
            house_of_admission.ws, id_in_use(session, find_project(session, SLUG).id) or 0
        )


def test_the_amendment_watch_names_what_was_curated_on_amended_law(
    house_of_admission: CurationHouse,
) -> None:
    admitted(house_of_admission)
    keep_statutes(house_of_admission.ws, SLUG, [statute(" (개정)")], "second")
    [found] = amended(house_of_admission.ws, SLUG, [Task.CURATION])
    assert {(each.external_id, each.unit, each.via) for each in found.entries} == {
        ("aug-0001", RAIL, ("gold",)),
        ("aug-0002", RAIL, ("gold",)),
        ("aug-0003", RAIL, ("source",)),
    }
    [own] = amended(house_of_admission.ws, SLUG, [Task.CURATION], by=house_of_admission.ann)
    assert {each.via for each in own.entries} == {("source",)}, (
        "what others took for gold is theirs"
    )


def test_who_annotates_is_told_nothing_of_its_gold(house_of_admission: CurationHouse) -> None:
    admitted(house_of_admission)
    for item in derive(house_of_admission.ws, SLUG, by=house_of_admission.ann):
        assert (item.pending, item.units, item.lineage) == (("unseen",), (), ())


def test_a_question_of_the_same_id_is_in_the_way(house_of_admission: CurationHouse) -> None:
    keep_questions(
        house_of_admission.ws, SLUG, [Question("aug-0001", "Which?", "This.", "en")], "q.jsonl"
    )
    both(house_of_admission, 0, {}, {})
    assert code_of(admit, house_of_admission.ws, SLUG) == "curation_id_taken"


def test_only_what_was_kept_can_be_named(house_of_admission: CurationHouse) -> None:
    both(house_of_admission, 0, {}, {})
    both(house_of_admission, 1, {}, {})
    assert code_of(admit, house_of_admission.ws, SLUG, only=["aug-0003"]) == "curation_not_kept"
    assert admit(house_of_admission.ws, SLUG, only=["aug-0002"]).admitted == ("aug-0002",)
    assert admit(house_of_admission.ws, SLUG, only=["aug-0002"]).admitted == ()


def test_a_single_submission_is_told_as_such(tmp_path: Path, clock: FakeClock) -> None:
    house = build(tmp_path / "single", clock, number=1, overlap=1)
    submitted(house, house.ann, house.items[0])
    admit(house.ws, SLUG)
    assert gold(house).outcome == "single"
    assert check(house.ws, SLUG) == []


def test_closure_counts_an_admitted_question_once_and_a_rejected_one_never(
    house_of_admission: CurationHouse,
) -> None:
    admitted(house_of_admission)
    with house_of_admission.ws.reading() as session:
        cases = gold_cases(session, find_project(session, SLUG))
    assert [(each.kind, each.external_id) for each in cases] == [
        ("question", "aug-0001"),
        ("question", "aug-0002"),
    ]


def test_the_export_says_what_a_question_was_written_for(
    house_of_admission: CurationHouse, tmp_path: Path
) -> None:
    admitted(house_of_admission)
    folder = tmp_path / "gold"
    export_gold(house_of_admission.ws, SLUG, folder)
    line = json.loads((folder / "queries.jsonl").read_text("utf-8").splitlines()[0])
    told = {name: line["metadata"][name] for name in ("origin", "difficulty", "target_difficulty")}
    assert told == {"origin": "augmented", "difficulty": "L2", "target_difficulty": "L3"}
    assert "that a model wrote and people curated" in (folder / "datasheet.md").read_text("utf-8")
