from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import unicodedata
from datetime import UTC, datetime, timedelta
from pathlib import Path
from signal import SIGKILL
from typing import Any

import pytest
from sqlmodel import col, select

from annotation.adjudication.disputes import decide
from annotation.agreement.overview import report
from annotation.agreement.report import odd_times
from annotation.check.project import check
from annotation.exchange.files import annotations_bytes, import_annotations
from annotation.exchange.label_writing import write_labels
from annotation.gold.derivation import derive
from annotation.history.reading import Filter, everything, read
from annotation.mapping import commands as mapping_commands
from annotation.people.members import set_naming
from annotation.start.waiting import own_pace
from annotation.work import commands, queue_service
from services.exchange.label_import import (
    SET,
    LabelsRefusedError,
    bring_in,
    import_labels,
)
from services.exchange.label_lookup import LabelsReport, look_up
from services.gold.datasheet import Sheet
from services.gold.export import export_gold
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project
from storage.tables.core import Annotation, AnnotationLabel, DraftEvent, Item
from storage.tables.exchange import ImportedLabel, LabelFile
from storage.tables.people import Lease
from tests.annotation.house import SLUG, House, build, propose, question, statute
from tests.conftest import FakeClock
from tests.services.exchange.label_studio import annotation, chose, record, result, task
from tests.support.refusals import code_of, refused

FIXTURES = Path(__file__).parents[2] / "fixtures" / "labels"
DECISIONS = {
    "Article 1": {"unit": "lake-act_article-1", "decision": "accept"},
    "not Article 2": {"unit": "lake-act_article-2", "decision": "reject"},
    "Article 5": {"unit": "lake-act_article-5", "decision": "unsure"},
    "Nothing": {"no_provision": True},
}
DOCCANO = {"choices": "label", "comment": "Comments"}
PEOPLE = {"10": "Ann", "11": "Ben", "ben@example.org": "Ben"}


def guide(folder: Path, **changes: Any) -> Path:
    said = {"item": "question_id", "choices": "provisions", "comment": "why"}
    path = folder / "guide.json"
    path.write_text(json.dumps({**said, "people": PEOPLE, "decisions": DECISIONS} | changes))
    return path


def submitted(house: House) -> dict[tuple[str | None, str | None], Any]:
    kinds = ("submission.submit",)
    found = reversed(read(house.ws, SLUG, Filter(kinds=kinds), limit=1000).entries)
    return {
        (each.person, each.item): (
            each.details.get("labels", {}),
            each.details["no_provision"],
            each.details["comment"],
        )
        for each in found
    }


@pytest.mark.parametrize(
    ("file", "fields", "comment", "report", "bens"),
    [
        ("label_studio.json", {}, "lamp 1\n둘째 줄", (2, 0, 1, 0), ("skipped", "todo")),
        ("argilla_sdk2.json", {"item": "id"}, "lamp 1", (3, 0, 0, 0), ("submitted", "todo")),
        ("argilla_server.jsonl", {}, "lamp 1", (2, 1, 1, 0), ("draft", "skipped")),
        ("potato.jsonl", {"item": "instance_id"}, "lamp 1", (3, 0, 0, 0), ("submitted", "todo")),
        ("prodigy.jsonl", {"choices": "accept"}, "lamp 1", (2, 0, 1, 0), ("skipped", "todo")),
        ("doccano.jsonl", DOCCANO, "lamp 1", (2, 0, 0, 0), ("todo", "todo")),
    ],
)
def test_labels_come_in_as_if_given_here(
    house: House,
    tmp_path: Path,
    file: str,
    fields: dict[str, str],
    comment: str,
    report: tuple[int, int, int, int],
    bens: tuple[str, str],
) -> None:
    tool = Path(file).stem.removesuffix("_sdk2").removesuffix("_server").replace("_", "-")
    people = PEOPLE | {"doccano": "Ann", "11": "Ben"}
    said = (house.ws, SLUG, FIXTURES / file, tool, guide(tmp_path, people=people, **fields))
    assert import_labels(*said) == LabelsReport(*report)
    found = submitted(house)
    labels = {"lake-act_article-1": "accept", "lake-act_article-2": "reject"}
    assert found["Ann", "q1"] == (labels, False, comment)
    assert found["Ann", "q2"] == ({}, True, "")
    states = {each.external_id: each.status for each in queue_service.queue(house.ws, house.ben)}
    assert (states["q1"], states["q2"]) == bens
    assert check(house.ws, SLUG) == []
    assert import_labels(*said) == LabelsReport(already=sum(report))
    assert submitted(house) == found


def test_what_does_not_fit_is_refused_before_anything_is_kept(house: House, tmp_path: Path) -> None:
    file = FIXTURES / "label_studio.json"
    unknown = DECISIONS | {"Article 1": {"unit": "x", "decision": "accept"}}
    both = DECISIONS | {"not Article 2": {"no_provision": True}}
    for changes, error in (
        ({"item": "number"}, "labels_shape"),
        ({"people": {"10": "Ann"}}, "labels_person"),
        ({"people": PEOPLE | {"10": "Judge"}}, "labels_person"),
        ({"people": PEOPLE | {"10": "Ben"}}, "labels_twice"),
        ({"decisions": {"Nothing": {"no_provision": True}}}, "labels_choice"),
        ({"decisions": unknown}, "labels_unit"),
        ({"decisions": {"Article 1": {"unit": "x"}}}, "labels_guide"),
        ({"decisions": DECISIONS | {"Nothing": DECISIONS["not Article 2"]}}, "labels_empty"),
        ({"decisions": both}, "accept_beside_none"),
        ({"choices": ""}, "labels_guide"),
        ({"unit_ids": "yes"}, "labels_guide"),
    ):
        words = guide(tmp_path, **changes)
        with refused(error) as caught:
            import_labels(house.ws, SLUG, file, "label-studio", words)
        assert caught.value.where.file
    other = tmp_path / "other.json"
    other.write_text("{")
    for tool, error in (("label-studio", "labels_json"), ("paper", "labels_tool")):
        assert code_of(import_labels, house.ws, SLUG, other, tool, guide(tmp_path)) == error
    assert read(house.ws, SLUG, Filter(kinds=("draft", "submission"))).total == 0


ACCEPTS = chose("Article 1")
TAG = {"labels": ["x"], "start": 0, "end": 1}


def studio(*results: Any, user: Any = 10, question: Any = "q1") -> dict[str, Any]:
    """Return a question that a user of Label Studio has labelled."""
    return task(question, annotation(user, *results))


def test_spans_and_relations_are_no_labels(house: House, tmp_path: Path) -> None:
    more: tuple[dict[str, Any], ...] = (
        {"type": "relation", "from_id": "r1", "to_id": "r2", "direction": "right"},
        {"type": "relation", "from_id": "r1", "to_id": "r2", "labels": ["cites"]},
        result("span", "labels", **TAG),
        result("stars", "rating", rating=3),
        result("provisions", "labels", **TAG),
        {"id": "r9"},
    )
    file = tmp_path / "labels.json"
    file.write_text(json.dumps([studio(ACCEPTS, *more), task("q2")]))
    done = import_labels(house.ws, SLUG, file, "label-studio", guide(tmp_path))
    assert done == LabelsReport(submitted=1)
    assert submitted(house)["Ann", "q1"][0] == {"lake-act_article-1": "accept"}


def answer(user: Any, value: Any = "Article 1", **changes: Any) -> dict[str, Any]:
    """Return a response of Argilla's server."""
    values = {"provisions": {"value": value}}
    return {"user_id": user, "status": "submitted", "values": values} | changes


def answered(*responses: Any, question: str = "q1") -> dict[str, Any]:
    return {"fields": {}, "metadata": {"question_id": question}, "responses": list(responses)}


GOOD = {
    "label-studio": studio(ACCEPTS, question="q2"),
    "argilla": answered(answer("10"), question="q2"),
}


UNFIT: dict[str, list[tuple[Any, str]]] = {
    "label-studio": [
        (studio(ACCEPTS, user=None), "labels_person"),
        (task("q1", {"result": [ACCEPTS]}), "labels_person"),
        (studio(ACCEPTS, user={"email": ""}), "labels_person"),
        (studio(ACCEPTS, user=99), "labels_person"),
        (studio(ACCEPTS, user=[1]), "labels_person"),
        (studio(result("provisions", "choices")), "labels_shape"),
        (studio(chose(3)), "labels_shape"),
        (studio(chose("Article 9")), "labels_choice"),
        (task("q1", "x"), "labels_shape"),
        (studio(question=None), "labels_shape"),
        (studio(ACCEPTS, question="q7"), "labels_item"),
        ({"data": {}, "annotations": []}, "labels_shape"),
        ("x", "labels_shape"),
        (task("q3", annotation(10, result=None)), "labels_empty"),
    ],
    "argilla": [
        (answered(answer(None)), "labels_person"),
        (answered(answer("99")), "labels_person"),
        (answered(answer(True)), "labels_person"),
        (answered(answer("10", [{"start": 0}])), "labels_shape"),
        (answered(answer("10", status="lost")), "labels_shape"),
        ({"fields": {}, "metadata": {}}, "labels_shape"),
        (answered(answer(None), answer("11", "Nothing"), question="q3"), "labels_person"),
    ],
}


@pytest.mark.parametrize("tool", UNFIT)
def test_every_label_that_does_not_fit_is_listed_and_the_others_come_in_if_asked(
    house: House, tmp_path: Path, tool: str
) -> None:
    file = tmp_path / "labels.json"
    file.write_text(json.dumps([*(record for record, _ in UNFIT[tool]), GOOD[tool]]))
    arguments = (house.ws, SLUG, file, tool, guide(tmp_path))
    with pytest.raises(LabelsRefusedError) as caught:
        import_labels(*arguments)
    listed = [(code, f"[{at}]") for at, (_, code) in enumerate(UNFIT[tool], 1)]
    assert [(each.code, each.where.field) for each in caught.value.refused] == listed
    assert submitted(house) == {}
    done = import_labels(*arguments, leave_out=True)
    assert [(each.code, each.where.field) for each in done.refused] == listed
    beside = {("Ben", "q3")} if tool == "argilla" else set()
    assert submitted(house).keys() == beside | {("Ann", "q2")}
    assert done.submitted == len(submitted(house))


def test_what_no_longer_fits_is_left_out_and_reported(house: House, tmp_path: Path) -> None:
    ready = look_up(*_said(house, tmp_path))
    assert ready.report == LabelsReport(2, 0, 1, 0), "nothing stands in the way yet"
    for person in (house.ben, house.cho):  # both places of the first question are taken meanwhile
        queue_service.open_item(house.ws, person, house.items[0])
        mapping_commands.set_no_provision(house.ws, person, house.items[0], True)
        commands.submit(house.ws, person, house.items[0])
    done = bring_in(house.ws, ready)
    assert (done.submitted, done.skipped, done.already) == (1, 0, 1)
    assert [(each.code, each.where.field) for each in done.refused] == [("item_full", "[1]")]
    assert check(house.ws, SLUG) == []


def test_the_third_label_of_a_file_finds_no_place_on_its_question(
    house: House, tmp_path: Path
) -> None:
    file = tmp_path / "labels.json"
    file.write_text(json.dumps([task("q1", *(annotation(user, ACCEPTS) for user in (10, 11, 12)))]))
    words = guide(tmp_path, people=PEOPLE | {"12": "Cho"})
    assert code_of(import_labels, house.ws, SLUG, file, "label-studio", words) == "item_full"


def many(folder: Path, house: House, count: int) -> tuple[Path, Path]:
    """Add questions to the project; return a file in which two people label each, and a guide."""
    keep_questions(house.ws, SLUG, [question(n) for n in range(4, count + 1)], "more.jsonl")
    with house.ws.reading() as session:
        house.items[:] = sorted(n for n in session.exec(select(Item.id)) if n)
    propose(house, 1)
    file = folder / "many.json"
    file.write_text(json.dumps([record(n) for n in range(1, count + 1)]))
    return file, guide(folder)


def test_an_import_that_is_killed_keeps_whole_sets_and_goes_on(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, words = many(tmp_path, house, 40)
    said = (house.ws, SLUG, file, "label-studio", words)
    house.ws.engine.dispose()
    written = write_labels
    sets: list[int] = []

    def killed_in_the_third(session: Any, plans: Any, *more: Any) -> None:
        sets.append(len(plans))
        written(session, plans, *more)
        if len(sets) == 3:
            os.kill(os.getpid(), SIGKILL)  # all rows of the set are written, none is committed

    monkeypatch.setattr("services.exchange.label_import.write_labels", killed_in_the_third)
    child = multiprocessing.get_context("fork").Process(target=import_labels, args=said)
    child.start()
    child.join(100)
    assert child.exitcode == -SIGKILL
    monkeypatch.undo()
    assert len(submitted(house)) == 2 * SET
    assert check(house.ws, SLUG) == [], "what is in hangs together"
    ready = look_up(*said)
    assert (ready.report.submitted, ready.report.already) == (80 - 2 * SET, 2 * SET)
    assert bring_in(house.ws, ready) == LabelsReport(80 - 2 * SET, 0, 0, 2 * SET)
    assert len(submitted(house)) == 80
    with house.ws.reading() as session:
        (kept,) = session.exec(select(LabelFile)).all()
        assert kept.labels == len(session.exec(select(ImportedLabel)).all()) == 80
    before = everything_kept(house)
    assert import_labels(*said) == LabelsReport(already=80)
    assert everything_kept(house) == before
    assert check(house.ws, SLUG) == []


def test_a_stopped_import_says_what_waits(house: House, tmp_path: Path) -> None:
    file, words = many(tmp_path, house, 40)
    heard: list[tuple[int, int]] = []
    ready = look_up(house.ws, SLUG, file, "label-studio", words)
    done = bring_in(house.ws, ready, lambda *at: heard.append(at), stopped=lambda: len(heard) == 2)
    assert heard == [(0, 80), (SET, 80)]
    assert (done.submitted, done.waiting) == (SET, 80 - SET)
    assert import_labels(house.ws, SLUG, file, "label-studio", words).submitted == 80 - SET


def test_a_changed_file_supersedes_what_it_changed_and_nothing_else(
    house: House, tmp_path: Path
) -> None:
    file = tmp_path / "labels.json"
    file.write_text(json.dumps([record(1), record(2)]))
    said = (house.ws, SLUG, file, "label-studio", guide(tmp_path))
    assert import_labels(*said) == LabelsReport(4, 0, 0, 0)
    changed = studio(chose("Article 5"), question="q2")
    file.write_text(json.dumps([record(1), changed, studio(ACCEPTS, question="q3")]))
    assert import_labels(*said) == LabelsReport(2, 0, 0, 2, changed=1)
    found = submitted(house)
    assert found["Ann", "q2"] == ({"lake-act_article-5": "unsure"}, False, "")
    with house.ws.reading() as session:
        chain = select(Annotation).where(
            Annotation.person_id == house.ann, Annotation.item_id == house.items[1]
        )
        rows = session.exec(chain.order_by(col(Annotation.id))).all()
        assert [row.kind for row in rows] == ["submit", "withdraw", "submit"]
        assert [row.supersedes_id for row in rows] == [None, rows[0].id, rows[1].id]
    assert check(house.ws, SLUG) == []


def test_what_an_adjudicator_has_decided_on_stays(house: House, tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    two = annotation(10, chose("Nothing")), annotation(11, ACCEPTS)
    file.write_text(json.dumps([task("q1", *two)]))
    said = (house.ws, SLUG, file, "label-studio", guide(tmp_path))
    import_labels(*said)
    decide(house.ws, house.judge, house.items[0], [house.units[1]], False, "Read again.", 1.0)
    file.write_text(json.dumps([record(1)]))
    with refused("item_settled") as caught:
        import_labels(*said)
    assert caught.value.where.field == "[1]"
    assert check(house.ws, SLUG) == []


def test_drafts_and_what_was_set_aside_follow_the_file(house: House, tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    words = guide(tmp_path, item="id")

    def write(status: str, choices: list[str], comment: str) -> None:
        values: dict[str, dict[str, Any]] = {
            "provisions": {"value": choices},
            "why": {"value": comment},
        }
        response: dict[str, Any] = {"user_id": "10", "values": values, "status": status}
        for each in values.values():
            each["status"] = status
        file.write_text(json.dumps({"id": "q1", "fields": {}, "responses": [response]}))

    said = (house.ws, SLUG, file, "argilla", words)
    steps: list[tuple[str, list[str], str, str]] = [
        ("draft", ["Article 1", "not Article 2"], "first", "draft"),
        ("discarded", ["Article 1"], "first", "skipped"),
        ("draft", ["Article 1"], "first", "draft"),
        ("discarded", ["Article 5"], "anew", "skipped"),
        ("discarded", ["Article 1"], "anew", "skipped"),
        ("draft", [], "", "draft"),
        ("submitted", ["Article 5"], "at last", "submitted"),
        ("discarded", ["Article 5"], "at last", "skipped"),
    ]
    for status, choices, comment, stands in steps:
        write(status, choices, comment)
        assert import_labels(*said).new == 1
        assert import_labels(*said) == LabelsReport(already=1)
        view = queue_service.open_item(house.ws, house.ann, house.items[0])
        decided = {each.semantic_id for each in view.candidates if each.decision}
        assert (view.status, view.comment, len(decided)) == (stands, comment, len(choices))
        assert check(house.ws, SLUG) == []


def test_work_begun_here_is_left_alone_and_counted(house: House, tmp_path: Path) -> None:
    queue_service.open_item(house.ws, house.ann, house.items[0])
    commands.set_comment(house.ws, house.ann, house.items[0], "mine")
    queue_service.open_item(house.ws, house.ann, house.items[1])  # looked at, nothing done
    done = import_labels(*_said(house, tmp_path))
    assert done == LabelsReport(1, 0, 1, 0, begun=1)
    assert queue_service.open_item(house.ws, house.ann, house.items[0]).comment == "mine"
    assert check(house.ws, SLUG) == []


def test_choices_that_are_unit_ids_need_no_line_each(house: House, tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    file.write_text(json.dumps([record(1, "lake-act_article-4"), record(2, "Article 5")]))
    words = guide(tmp_path, unit_ids="accept")
    said = (house.ws, SLUG, file, "label-studio", words)
    assert import_labels(*said).submitted == 4
    assert submitted(house)["Ann", "q1"] == ({"lake-act_article-4": "accept"}, False, "")
    assert submitted(house)["Ann", "q2"] == ({"lake-act_article-5": "unsure"}, False, "")
    file.write_text(json.dumps([record(3, "lake-act_article-9")]))
    assert code_of(import_labels, *said) == "labels_choice"


def test_an_import_takes_no_seconds_from_who_is_at_work(
    house: House, tmp_path: Path, clock: FakeClock
) -> None:
    began = clock.now
    queue_service.open_item(house.ws, house.ann, house.items[2])
    clock.now = began + timedelta(seconds=21)
    import_labels(*_said(house, tmp_path))
    clock.now = began + timedelta(seconds=51)
    mapping_commands.set_no_provision(house.ws, house.ann, house.items[2], True)
    commands.submit(house.ws, house.ann, house.items[2])
    with house.ws.reading() as session:
        mine = select(Annotation.seconds).where(Annotation.item_id == house.items[2])
        seconds = session.exec(mine).one()
        assert seconds is not None and 51 <= seconds <= 55, (
            "what the file brought is no act of theirs"
        )


def test_rows_are_those_that_the_acts_would_have_made(
    house: House, tmp_path: Path, clock: FakeClock
) -> None:
    other = build(tmp_path / "by-acts", clock)
    file = tmp_path / "labels.json"
    said = (
        chose("not Article 2", "Article 1", "Article 5"),
        result("why", "textarea", text=["Lamps."]),
    )
    file.write_text(json.dumps([studio(*said)]))
    import_labels(house.ws, SLUG, file, "label-studio", guide(tmp_path))
    at = (other.ws, other.ann, other.items[0])
    queue_service.open_item(*at)
    mapping_commands.label(*at, other.units[2], "reject")
    mapping_commands.label(*at, other.units[1], "accept")
    mapping_commands.add_unit(*at, other.units[5])
    mapping_commands.label(*at, other.units[5], "unsure")
    commands.set_comment(*at, "Lamps.")
    commands.submit(*at)
    assert rows(house) == rows(other)


def rows(house: House) -> list[list[dict[str, Any]]]:
    """Return what the log and the submissions say, but for times."""
    left_out = {"at", "seconds"}
    with house.ws.reading() as session:
        return [
            [row.model_dump(exclude=left_out) for row in session.exec(select(table))]
            for table in (DraftEvent, Annotation, AnnotationLabel, Lease)
        ]


def test_where_labels_came_from_is_told_everywhere_and_no_seconds_are_invented(
    house: House, tmp_path: Path
) -> None:
    file = tmp_path / unicodedata.normalize("NFD", "라벨.json")
    file.write_text(json.dumps([record(1)]))
    import_labels(house.ws, SLUG, file, "label-studio", guide(tmp_path))
    sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
    with house.ws.reading() as session:
        assert [row.seconds for row in session.exec(select(Annotation))] == [None, None]
    origin = {
        "tool": "label-studio",
        "file": "라벨.json",
        "sha256": sha256,
        "user": "10",
        "made_at": "2024-05-01T09:00:00+00:00",
    }
    (first, *_) = derive(house.ws, SLUG)
    mine = next(each for each in first.lineage if each.person == "Ann").as_dict()
    assert (mine["imported"], mine["seconds"]) == (origin, None)
    told = read(house.ws, SLUG, Filter(person_id=house.ann), limit=100).entries
    assert [each.details.get("imported") for each in told if each.kind != "person.added"] == [
        origin | {"by": None}
    ] * 3
    progress = {each.person: each for each in report(house.ws, SLUG).progress}
    assert (progress["Ann"].imported, progress["Ann"].median_seconds) == (1, None)
    assert (progress["Cho"].imported, progress["Cho"].submitted) == (0, 0)
    assert own_pace(house.ws, house.ann, datetime(2025, 1, 1, tzinfo=UTC)).submitted == 0
    assert odd_times(house.ws, SLUG).people == ()

    out = tmp_path / "gold"
    for person in (house.ann, house.ben):
        set_naming(house.ws, person, True)
    export_gold(house.ws, SLUG, out, sheet=Sheet("MIT", names=True))
    facts = json.loads((out / "datasheet.json").read_text())
    (came,) = facts["collection"]["decisions made in other tools"]
    assert (came["submissions"], came["people"], came["sha256"]) == (2, "Ann, Ben", sha256)
    assert facts["labelling"]["median seconds per submission"] is None
    assert facts["labelling"]["submissions whose seconds nobody measured"] == 2
    hidden = tmp_path / "hidden"
    export_gold(house.ws, SLUG, hidden, sheet=Sheet("MIT"))
    for each in hidden.rglob("*"):
        assert not each.is_file() or "라벨.json" not in each.read_text("utf-8", "replace")
    line = json.loads((hidden / "gold.jsonl").read_text().splitlines()[0])
    assert line["decisions"][0]["imported"].keys() == {"tool", "sha256", "made_at"}


def test_a_file_of_annotations_carries_where_labels_came_from(
    house: House, tmp_path: Path, clock: FakeClock
) -> None:
    import_labels(*_said(house, tmp_path))
    whole = annotations_bytes(house.ws, SLUG)
    assert b'"type": "imported_label"' in whole
    file = tmp_path / "annotations.jsonl"
    file.write_bytes(whole)
    there = Workspace(tmp_path / "there", clock)
    migrate(there)
    create_project(there, SLUG, "Lake law")
    keep_statutes(there, SLUG, [statute()], "first")
    keep_questions(there, SLUG, [question(n) for n in range(1, 4)], "questions.jsonl")
    import_annotations(there, SLUG, file)
    assert annotations_bytes(there, SLUG) == whole
    said = (there, *_said(house, tmp_path)[1:])
    assert import_labels(*said) == LabelsReport(already=3), "the labels are known there, too"


def test_two_users_of_one_name_are_told_apart(house: House, tmp_path: Path) -> None:
    people = {"kim@a.example": "Ann", "kim@b.example": "Ben"}
    users = ({"email": user, "first_name": "Kim"} for user in people)
    file = tmp_path / "labels.json"
    file.write_text(json.dumps([task("q1", *(annotation(user, ACCEPTS) for user in users))]))
    words = guide(tmp_path, people=dict.fromkeys(people, "Ann"))
    assert code_of(import_labels, house.ws, SLUG, file, "label-studio", words) == "labels_twice"
    words = guide(tmp_path, people=people)
    assert import_labels(house.ws, SLUG, file, "label-studio", words).submitted == 2
    with house.ws.reading() as session:
        emails = session.exec(select(ImportedLabel.source_user).order_by(col(ImportedLabel.id)))
        assert list(emails) == list(people)
    file.write_text(json.dumps([studio(ACCEPTS, user=None, question="q2")]))
    deleted = guide(tmp_path, people={"null": "Ann"})  # a deleted user may be somebody here
    assert import_labels(house.ws, SLUG, file, "label-studio", deleted).submitted == 1


def _said(house: House, folder: Path) -> tuple[Workspace, str, Path, str, Path]:
    return house.ws, SLUG, FIXTURES / "label_studio.json", "label-studio", guide(folder)


def everything_kept(house: House) -> list[dict[str, Any]]:
    return [each.as_dict() for each in everything(house.ws, SLUG)]
