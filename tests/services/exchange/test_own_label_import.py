"""Labels of other tools as answers of an own task: checked whole, kept whole, counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.check.project import check
from annotation.exchange.foreign_tools import Value
from annotation.history.reading import everything
from annotation.work.commands import submit, take_back
from annotation.work.queue_service import open_item
from errors import UserError
from services.exchange.label_guides import FieldGuide, FormGuide
from services.exchange.label_import import import_labels
from services.exchange.label_lookup import LabelsReport, look_up
from services.exchange.label_names import characters
from storage.tasks import Task
from tests.annotation.exchange.test_inception import cas
from tests.conftest import FakeClock
from tests.projects import curation_project
from tests.projects.curation_project import LAMP, RAIL
from tests.projects.own_project import SLUG, TASK, OwnHouse, build
from tests.services.exchange.label_studio import annotation, chose, result, task
from tests.support.refusals import refused

GUIDE = {
    "item": "id",
    "people": {"10": "Ann", "b@x.org": "Ben"},
    "comment": "note",
    "fields": {
        "relevance": {"from": "rating", "values": {"4": 3}},
        "evidence": {"from": "parts", "column": "provision", "values": {"yes": "answers"}},
        "why": {"from": "why"},
    },
}


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> OwnHouse:
    return build(tmp_path / "workspace", clock)


def studio(item: str, user: Any, *results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return task(item, annotation(user, *results, **more), key="id")


RATED = result("rating", "rating", rating=4)
SPAN = result("parts", "labels", start=0, end=2, text="난간", labels=["yes"])
NONE = (result("rating", "rating", rating=0), result("why", "textarea", text=["Not it."]))


def brought(house: OwnHouse, folder: Path, *tasks: dict[str, Any], **more: Any) -> LabelsReport:
    file, guide = folder / "labels.json", folder / "guide.json"
    file.write_text(json.dumps(tasks))
    guide.write_text(json.dumps(GUIDE | more.pop("guide", {})))
    return import_labels(house.ws, SLUG, file, "label-studio", guide, task=TASK, **more)


def test_labels_are_answers_of_their_people_with_where_they_came_from(
    house: OwnHouse, tmp_path: Path
) -> None:
    said = (
        studio("p1", 10, RATED, SPAN, result("note", "textarea", text=["Clear."])),
        studio("p1", {"email": "b@x.org"}, *NONE),
        studio("p2", 10, RATED, was_cancelled=True),
    )
    assert brought(house, tmp_path, *said) == LabelsReport(submitted=2, skipped=1)
    item = open_item(house.ws, house.ann, house.items[0])
    assert (item.status, item.comment) == ("submitted", "Clear.")
    span = {"column": "provision", "start": 0, "end": 2, "label": "answers"}
    assert item.answers == {"relevance": 3, "evidence": [span]}
    other = open_item(house.ws, house.ben, house.items[0])
    assert other.answers == {"relevance": 0, "why": "Not it."}
    assert check(house.ws, SLUG) == []
    submits = [each for each in everything(house.ws, SLUG) if each.kind == "submission.submit"]
    assert len(submits) == 2
    again = brought(house, tmp_path, *said)
    assert (again.already, again.begun, again.submitted) == (2, 0, 0)


def test_what_a_person_has_begun_here_is_left_alone(house: OwnHouse, tmp_path: Path) -> None:
    brought(house, tmp_path, studio("p1", 10, *NONE))
    changed = brought(house, tmp_path, studio("p1", 10, RATED, SPAN))
    assert (changed.begun, changed.submitted) == (1, 0)
    file, words = tmp_path / "labels.json", tmp_path / "guide.json"
    ready = look_up(house.ws, SLUG, file, "label-studio", words, task=TASK)
    assert (ready.jobs, ready.report.begun) == ((), 1), (
        "an answer is not replaced by a later file's"
    )
    take_back(house.ws, house.ann, house.items[0])
    submit(house.ws, house.ann, house.items[0])


def test_a_label_that_does_not_fit_is_refused_and_nothing_is_kept(
    house: OwnHouse, tmp_path: Path
) -> None:
    odd = result("parts", "labels", start=0, end=2, labels=["odd"])
    far = result("parts", "labels", start=0, end=99, labels=["yes"])
    good = studio("p2", 10, *NONE)
    for labels, guide, code, field in (
        (studio("p1", 10, *NONE), {"fields": {"boat": {"from": "rating"}}}, "own_field", None),
        (studio("p1", 10, *NONE), {"fields": {}}, "labels_guide", None),
        (studio("p1", 10, RATED, far), {"people": {"10": "Cho"}}, "labels_person", None),
        (studio("p1", 77, *NONE), {}, "labels_person", None),
        (studio("p9", 10, *NONE), {}, "labels_item", None),
        (studio("p1", 10, RATED), {}, "own_unanswered", "evidence"),
        (studio("p1", 10, result("rating", "rating", rating=9)), {}, "own_value", "relevance"),
        (studio("p1", 10, RATED, SPAN | {"value": {"labels": ["x"]}}), {}, "labels_shape", None),
        (studio("p1", 10, RATED, odd), {}, "own_value", "evidence"),
    ):
        with refused(code) as caught:
            brought(house, tmp_path, good, labels, guide=guide)
        assert caught.value.render("ko")
        assert field is None or caught.value.where.field == f"[2].{field}"
    assert open_item(house.ws, house.ann, house.items[1]).status == "todo"
    done = brought(house, tmp_path, good, labels, leave_out=True)
    assert (done.submitted, len(done.refused)) == (1, 1)


def test_offsets_of_label_studio_are_those_of_utf_16() -> None:
    units, plain = Value([], "spans", units="utf-16"), Value([], "spans")
    assert (characters("🚒 fire", 3, units), characters("🚒 fire", 3, plain)) == (2, 3)


def test_a_task_of_ours_takes_labels_by_the_same_guide(tmp_path: Path, clock: FakeClock) -> None:
    ours = curation_project.build(tmp_path / "workspace", clock)
    criteria = {name: {"from": name} for name in ("voice", "context", "framing", "one_view")}
    more = {"difficulty": {"from": "level"}, "verdict": {"from": "verdict"}}
    gold = {"gold": {"from": "gold", "values": {"rail": RAIL, "no lamp": {LAMP: "no"}}}}
    guide = {"item": "id", "people": {"10": "Ann"}, "fields": {**criteria, **more, **gold}}
    chosen = dict.fromkeys(("voice", "context", "framing", "one_view"), "yes")
    chosen |= {"level": "L2", "verdict": "keep"}
    said = [chose(each, name=name) for name, each in chosen.items()]
    said.append(chose("rail", "no lamp", name="gold"))
    unsure = chose("maybe", name="verdict")
    file, meant = tmp_path / "labels.json", tmp_path / "guide.json"
    file.write_text(json.dumps([studio("aug-0001", 10, *said), studio("aug-0002", 10, unsure)]))
    meant.write_text(json.dumps(guide))
    words = (ours.ws, curation_project.SLUG, file, "label-studio", meant)
    done = import_labels(*words, task=Task.CURATION, leave_out=True)
    assert (done.submitted, [each.code for each in done.refused]) == (1, ["curation_unanswered"])
    item = open_item(ours.ws, ours.ann, ours.items[0])
    assert (item.status, item.answers["gold"]) == ("submitted", {RAIL: "yes", LAMP: "no"})
    assert check(ours.ws, curation_project.SLUG) == []
    again = import_labels(*words, task=Task.CURATION, leave_out=True)
    assert (again.submitted, again.already) == (0, 1)
    with pytest.raises(UserError, match="mapping"):
        import_labels(*words)
    with pytest.raises(UserError):
        import_labels(*words, task=Task.FACTOR_TAGGING)


def test_spans_of_another_text_are_refused(house: OwnHouse, tmp_path: Path) -> None:
    text = "난간은 1.2미터 이상으로 한다."
    for name in ("p1", "p2"):  # another text is in the project under the second name
        folder = tmp_path / "export" / "annotation" / name
        folder.mkdir(parents=True)
        (folder / "kim.json").write_text(json.dumps(cas(text, 0, 2)))
    fields = {"relevance": FieldGuide("Verdict.grade")}
    fields["evidence"] = FieldGuide("Part.role", {"who": "answers"}, "provision")
    guide = FormGuide("document", {"kim": "Ann"}, fields)
    words = (house.ws, SLUG, tmp_path / "export", "inception", guide)
    done = import_labels(*words, task=TASK, leave_out=True)
    assert (done.submitted, [each.code for each in done.refused]) == (1, ["labels_text"])
    answers = open_item(house.ws, house.ann, house.items[0]).answers
    span = {"column": "provision", "start": 0, "end": 2, "label": "answers"}
    assert answers == {"relevance": 3, "evidence": [span]}
