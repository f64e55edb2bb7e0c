"""A task that a project brings, from its file to its labels."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from annotation.adjudication.tasks import disputes_of, refer, to_send, undo
from annotation.agreement.known_forms import KnownForm, set_known_forms
from annotation.agreement.report import report
from annotation.batches.commands import BatchPlan, make_batch
from annotation.batches.sampling import Choice
from annotation.check.project import check
from annotation.exchange.files import export_annotations, import_annotations
from annotation.forms import form
from annotation.start.waiting import waiting_for
from annotation.tasks.own import own_subject
from annotation.tasks.reading import read_spec
from annotation.tasks.spec import Kind
from annotation.work import commands
from annotation.work.queue_service import open_item, queue
from errors import UserError
from services.agreement.task_progress import disputes_report, progress_report
from services.overview.report import agreement_lines, overview
from services.tasks.own_tasks import (
    add_task,
    export_labels,
    own_tasks,
    preview,
    template,
    templates,
)
from services.tasks.rows import example_task, read_task
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from storage.tasks import Task
from tests.annotation.house import SLUG as LAKE
from tests.annotation.house import House
from tests.annotation.house import build as build_lake
from tests.conftest import FakeClock
from tests.projects.own_project import (
    DECLARATION,
    HOSTILE,
    ROWS,
    SLUG,
    SPAN,
    TASK,
    OwnHouse,
    build,
    claims_item,
    own_task,
)


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> OwnHouse:
    return build(tmp_path / "workspace", clock)


@pytest.fixture
def lake(tmp_path: Path, clock: FakeClock) -> House:
    return build_lake(tmp_path / "lake", clock)


def said(house: OwnHouse, who: int, item: int, **answers: Any) -> None:
    for field, value in answers.items():
        form.answer(house.ws, who, item, field, value)
    commands.submit(house.ws, who, item)


def code(call: Any, *args: Any) -> tuple[str, str | None]:
    with pytest.raises(UserError) as caught:
        call(*args)
    assert caught.value.render("ko")
    return caught.value.code, caught.value.where.field


def test_it_is_answered_disputed_decided_and_written(house: OwnHouse, tmp_path: Path) -> None:
    first, second, _ = house.items
    choice = Choice(task=TASK)
    make_batch(house.ws, SLUG, BatchPlan("round", (house.ann, house.ben), choice), house.lead)
    assert [each.external_id for each in queue(house.ws, house.ann, TASK)] == ["p1", "p2", "p3"]
    seen = own_subject(house.ws, house.ann, open_item(house.ws, house.ann, second, TASK))
    assert seen.row == {"question": "등대 색은?", "provision": HOSTILE}
    for who in (house.ann, house.ben):
        said(house, who, first, relevance=3, evidence=[SPAN])
    said(house, house.ann, second, relevance=0, why="Only the colour of ships.")
    said(house, house.ben, second, relevance=2, evidence=[SPAN])
    assert waiting_for(house.ws, house.ann).tasks[0].task == TASK
    settling = waiting_for(house.ws, house.judge).disputes
    assert [(each.task, each.open) for each in settling] == [(TASK, 1)]
    disputes = disputes_of(TASK)
    [entry] = disputes.queue(house.ws, house.judge)
    assert (entry.external_id, tuple(entry.causes)) == ("p2", ("relevance",))
    disputes.decide(house.ws, house.judge, second, {"relevance": 0, "why": "No."}, "Off the point.")
    assert [each.state for each in disputes.queue(house.ws, house.judge)] == ["decided"]
    tables = report(house.ws, SLUG, task=TASK).tables
    assert {"relevance", "evidence"} <= {row.names[0] for each in tables for row in each.rows}
    [line] = agreement_lines(house.ws, SLUG, (TASK,))
    assert (line.task, line.fields, line.figure.n) == (TASK, 1, 2)
    assert "relevance" in str(disputes_report(house.ws, SLUG, "en"))
    assert progress_report(house.ws, SLUG, TASK, "ko").title == "Relevance of a provision"
    out = tmp_path / "labels.jsonl"
    assert export_labels(house.ws, SLUG, TASK, out) == 2
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [(each["item"], each["state"]) for each in lines] == [("p1", "agreed"), ("p2", "agreed")]
    decision = {
        "person": "Cho",
        "answers": {"relevance": 0, "why": "No."},
        "reason": "Off the point.",
    }
    assert lines[1]["decision"] == decision
    export_labels(house.ws, SLUG, TASK, out.with_suffix(".csv"))
    with out.with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        roles = [(row["item"], row["role"]) for row in csv.DictReader(file)]
    assert roles == [("p1", "annotator")] * 2 + [("p2", "annotator")] * 2 + [("p2", "adjudicator")]
    assert check(house.ws, SLUG) == []
    assert overview(house.ws, SLUG).tasks == (TASK,)


def test_a_field_is_asked_of_each_line_of_a_column(house: OwnHouse, tmp_path: Path) -> None:
    item, task = claims_item(house), Task("own:claims")
    assert code(form.answer, house.ws, house.ann, item, "supported_3", "yes")[0] == "own_field"
    assert code(form.answer, house.ws, house.ann, item, "supported", "yes")[0] == "own_field"
    form.answer(house.ws, house.ann, item, "supported_1", "yes")
    assert code(commands.submit, house.ws, house.ann, item) == ("own_unanswered", "supported")
    said(house, house.ann, item, supported_2="no", why_2="Of wood.")
    said(house, house.ben, item, supported_1="yes", supported_2="yes")
    disputes = disputes_of(task)
    [entry] = disputes.queue(house.ws, house.judge)
    assert entry.causes == ("supported",)
    decide = disputes.decide, house.ws, house.judge, item
    assert code(*decide, {"supported_2": "no"}, "Look again.")[0] == "own_unanswered"
    disputes.decide(*decide[1:], {"supported_2": "yes"}, "It is of steel.")
    out = tmp_path / "labels.jsonl"
    assert export_labels(house.ws, SLUG, task, out) == 1
    [line] = [json.loads(each) for each in out.read_text("utf-8").splitlines()]
    assert line["decision"]["answers"] == {"supported_1": "yes", "supported_2": "yes"}
    tables = report(house.ws, SLUG, task=task).tables
    assert "supported" in {row.names[0] for each in tables for row in each.rows}
    assert check(house.ws, SLUG) == []


def test_the_form_takes_what_the_declaration_says(house: OwnHouse) -> None:
    def answered(field: str, value: Any) -> tuple[str, str | None]:
        return code(form.answer, house.ws, house.ann, house.items[0], field, value)

    hidden = {**SPAN, "column": "id"}
    assert answered("evidence", [hidden]) == ("own_value", "evidence"), "a column not shown"
    assert answered("relevance", 4) == ("own_value", "relevance")
    assert answered("relevances", 1) == ("own_field", None)
    for wrong in ({**SPAN, "end": 99}, {**SPAN, "label": "title"}, {**SPAN, "start": 2}, "난간"):
        assert answered("evidence", [wrong]) == ("own_value", "evidence")
    submit = commands.submit, house.ws, house.ann, house.items[0]
    assert code(*submit) == ("own_unanswered", "relevance")
    form.answer(house.ws, house.ann, house.items[0], "relevance", 0)
    assert code(*submit) == ("own_unanswered", "why")
    form.answer(house.ws, house.ann, house.items[0], "relevance", 2)
    form.answer(house.ws, house.ann, house.items[0], "evidence", [])
    assert code(*submit) == ("own_none", "evidence")
    form.answer(house.ws, house.ann, house.items[0], "evidence", [SPAN, SPAN])
    commands.submit(house.ws, house.ann, house.items[0])


def test_a_decision_can_be_sent_back_withdrawn_and_known(house: OwnHouse) -> None:
    item = house.items[0]
    said(house, house.ann, item, relevance=3, evidence=[SPAN])
    said(house, house.ben, item, relevance=2, evidence=[SPAN])
    disputes = disputes_of(TASK)
    disputes.decide(house.ws, house.judge, item, {"relevance": 2}, "Half of it.")
    undo(house.ws, house.judge, item)
    refer(house.ws, house.judge, item, "Talk.", list(to_send(house.ws, house.judge, item)))
    assert [each.state for each in disputes.queue(house.ws, house.judge)] == ["sent_back"]
    known = KnownForm("p3", {"relevance": 0, "why": "No."})
    assert set_known_forms(house.ws, SLUG, TASK, [known], house.lead) == 1


def test_a_changed_file_is_another_version(house: OwnHouse, tmp_path: Path) -> None:
    said(house, house.ann, house.items[0], relevance=3, evidence=[SPAN])
    assert code(add_task, house.ws, SLUG, read_task(*own_task(tmp_path))) == ("task_there", "task")
    changed = DECLARATION.replace("most: 3", "most: 4")
    key = add_task(house.ws, SLUG, read_task(*own_task(tmp_path, changed)))
    assert [(each.key, each.items) for each in own_tasks(house.ws, SLUG)] == [(TASK, 3), (key, 3)]
    assert key == "own:relevance.2"
    said(house, house.ann, house.items[1], relevance=3, evidence=[SPAN])
    with pytest.raises(UserError):
        form.answer(house.ws, house.ann, house.items[2], "relevance", 4)


def test_answers_to_the_version_before_stand_in_the_form_of_the_next(
    house: OwnHouse, tmp_path: Path
) -> None:
    for item in house.items[:2]:
        said(house, house.ann, item, relevance=3, evidence=[SPAN])
    said(house, house.ben, house.items[0], relevance=0, why="No.")
    changed = DECLARATION.replace("[answers, limits]", "[carries, limits]")
    key = add_task(
        house.ws, SLUG, read_task(*own_task(tmp_path, changed, ROWS.replace("색", "빛")))
    )
    numbers = [each.item_id for each in queue(house.ws, house.ann, key)]

    def begun(who: int, item: int) -> dict[str, Any]:
        return dict(open_item(house.ws, who, item).answers)

    assert begun(house.ann, numbers[0]) == {"relevance": 3}, "an option is gone"
    assert begun(house.ann, numbers[1]) == {}, "the row has changed"
    assert begun(house.ben, numbers[0]) == {"relevance": 0, "why": "No."}
    commands.submit(house.ws, house.ben, numbers[0])
    commands.undo(house.ws, house.ann, numbers[0])
    assert begun(house.ann, numbers[0]) == {}
    assert check(house.ws, SLUG) == []


def test_annotations_of_it_go_out_and_come_in(house: OwnHouse, tmp_path: Path) -> None:
    for who, level in ((house.ann, 3), (house.ben, 2)):
        said(house, who, house.items[0], relevance=level, evidence=[SPAN])
    disputes_of(TASK).decide(house.ws, house.judge, house.items[0], {"relevance": 2}, "So.")
    file = tmp_path / "annotations.jsonl"
    export_annotations(house.ws, SLUG, file)
    other = Workspace(tmp_path / "other")
    migrate(other)
    create_project(other, SLUG, "Own", 2)
    add_task(other, SLUG, read_task(*own_task(tmp_path)))
    import_annotations(other, SLUG, file)
    again = tmp_path / "again.jsonl"
    export_annotations(other, SLUG, again)
    assert again.read_bytes() == file.read_bytes()


def test_what_is_wrong_with_the_files_is_named_and_nothing_is_made(
    house: OwnHouse, tmp_path: Path
) -> None:
    shortcut = DECLARATION.replace("[answers, ", "[{option: answers, key: h}, ")
    raised = DECLARATION.replace("kind: text, r", "kind: text, error: x, r")
    for text, rows, found in (
        (DECLARATION, ROWS.replace("provision\n", "text\n"), ("column_missing", "provision")),
        (DECLARATION, ROWS.replace("p2,", "p1,"), ("task_row_twice", "id")),
        (DECLARATION.replace("subject:", "subjects:"), ROWS, ("field_unknown", "subjects")),
        (DECLARATION.replace("file: pairs.csv, ", ""), ROWS, ("field_missing", "subject.file")),
        (DECLARATION + "codes: mcq\n", ROWS, ("task_ours", "codes")),
        (shortcut, ROWS, ("task_shortcut_taken", "evidence.options")),
        (raised, ROWS, ("task_ours", "why.error")),
    ):
        assert code(read_task, *own_task(tmp_path, text, rows)) == found
    assert len(own_tasks(house.ws, SLUG)) == 1


ASKED = """\
task: fit
subject: {kind: SUBJECT}
fields:
- {field: fits, kind: yes_no}
"""


@pytest.mark.parametrize(
    ("subject", "rows", "first"),
    [
        ("question", None, {"question": "Which boats need a lamp, case 1?"}),
        ("provision, show: [provision, text]", None, {"provision": "Article 1 Lamps"}),
        (
            "question, file: pairs.csv, id: name, show: [question, note]",
            "name,note\nq2,second\n",
            {"question": "Which boats need a lamp, case 2?", "note": "second"},
        ),
        (
            "text, file: pairs.csv, look_up: {asked: question, law: provision}",
            "asked,law\nq1,lake-act_article-2\n",
            {
                "asked": "Which boats need a lamp, case 1?",
                "law": "Lake Act Article 2 Lamps\n(1) Bo",
            },
        ),
    ],
)
def test_questions_and_provisions_of_the_project_are_asked_about(
    lake: House, tmp_path: Path, subject: str, rows: str | None, first: dict[str, str]
) -> None:
    files = own_task(tmp_path, ASKED.replace("SUBJECT", subject), rows or "")
    made = preview(lake.ws, LAKE, read_task(*files))
    shown = made.shown_first(next(iter(made.rows)))
    assert all(shown[column].startswith(text) for column, text in first.items())
    key = add_task(lake.ws, LAKE, read_task(*files))
    assert [each.items for each in own_tasks(lake.ws, LAKE)] == [len(made.rows)]
    assert code(add_task, lake.ws, LAKE, read_task(*files)) == ("task_there", "task")
    assert queue(lake.ws, lake.ann, key)[0].external_id == next(iter(made.rows))


def test_a_row_that_names_nothing_of_the_project_is_refused(lake: House, tmp_path: Path) -> None:
    files = own_task(
        tmp_path,
        ASKED.replace("SUBJECT", "text, file: pairs.csv, look_up: {law: provision}"),
        "law\nlake-act_article-1\nlake-act_article-99\n",
    )
    assert code(add_task, lake.ws, LAKE, read_task(*files)) == ("task_subject_unknown", "law")
    assert own_tasks(lake.ws, LAKE) == []


def test_a_declaration_without_rows_has_the_names_of_its_columns_for_texts(
    house: OwnHouse, tmp_path: Path
) -> None:
    text = DECLARATION.replace("show: [question, provision]", "show: [question, provision, note]")
    (file,) = own_task(tmp_path, text)
    made = example_task(file)
    assert made.is_example
    assert list(next(iter(made.rows.values()))) == ["id", "question", "provision", "note"]
    assert made.shown_first("1")["note"] == "‹note›"
    assert code(example_task, *own_task(tmp_path, text + "codes: mcq\n")) == ("task_ours", "codes")


@pytest.mark.parametrize("name", templates())
def test_a_template_is_a_task_of_which_an_item_can_be_answered(
    house: OwnHouse, tmp_path: Path, name: str
) -> None:
    text = template(name)
    subject = read_spec(text).subject
    assert subject is not None
    columns = list(dict.fromkeys(filter(None, [subject.id, subject.title, *subject.show])))
    file = tmp_path / "rows.csv"
    file.write_text(f"{','.join(columns)}\n{','.join('text' for _ in columns)}\n", "utf-8")
    key = add_task(house.ws, SLUG, read_task(*own_task(tmp_path, text), file))
    item = queue(house.ws, house.ann, key)[0].item_id
    spec = own_subject(house.ws, house.ann, open_item(house.ws, house.ann, item, key)).spec
    while names := spec.missing(answers := dict(open_item(house.ws, house.ann, item).answers)):
        each = spec.fields[names[0]]
        value: Any = (each.values or ("words",))[-1]
        if each.kind is Kind.SPANS:
            value = [{"column": subject.show[-1], "start": 0, "end": 4, "label": value}]
        elif each.kind is Kind.CHOICES:
            value = list(each.values)
        form.answer(house.ws, house.ann, item, names[0], value)
    assert answers
    commands.submit(house.ws, house.ann, item)


def test_a_later_stage_is_seen_by_nobody_who_has_not_reached_it(
    house: OwnHouse, tmp_path: Path
) -> None:
    text = """\
task: staged
subject: {kind: text, file: pairs.csv, id: id, title: provision}
stages:
- stage: alone
  fields: [{field: guess, kind: yes_no}]
  seal: revealed
- stage: told
  shows: [provision]
  fields: [{field: answer, kind: yes_no}]
"""
    key = add_task(house.ws, SLUG, read_task(*own_task(tmp_path, text)))
    [line, *_] = queue(house.ws, house.ann, key)
    assert line.question == "난간 높이는?", "the title tells nothing of it either"

    def seen() -> set[str]:
        return set(own_subject(house.ws, house.ann, open_item(*where)).row)

    where = house.ws, house.ann, line.item_id
    assert seen() == {"question"}
    assert code(form.answer, *where, "answer", "yes") == ("own_not_open", "answer")
    assert code(form.answer, *where, "revealed", True) == ("own_unanswered", "guess")
    form.answer(*where, "guess", "no")
    form.answer(*where, "revealed", True)
    assert seen() == {"question", "provision"}
    assert code(form.answer, *where, "guess", "yes") == ("own_closed", "guess")
    assert set(
        own_subject(house.ws, house.ben, open_item(house.ws, house.ben, line.item_id)).row
    ) == {"question"}


def test_rows_of_json_lines_keep_numbers_and_lists_as_they_are_written(
    house: OwnHouse, tmp_path: Path
) -> None:
    (file,) = own_task(tmp_path, ASKED.replace("SUBJECT", "text, file: rows.jsonl, id: id"))
    row = {"id": "r1", "text": "난간", "score": 0.5, "old": True, "of": ["a", 1], "none": None}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row), "utf-8")
    shown = read_task(file).shown_first("r1")
    told = {"text": "난간", "score": "0.5", "old": "true", "of": '["a", 1]', "none": ""}
    assert shown == told


EVERY_KIND = """\
task: every
subject: {kind: question}
fields:
- {field: law, kind: units, least: 1}
- {field: sure, kind: yes_no_unsure}
- {field: many, kind: number, most: 9}
- {field: ways, kind: texts, count: 2}
- field: better
  kind: edit
  parts:
  - {field: question, kind: text}
  - {field: weight, kind: number, most: 3}
"""
EVERY = {
    "law": {"lake-act_article-1": "yes", "lake-act_article-2": "no"},
    "sure": "unsure",
    "many": 9,
    "ways": ["one", "two"],
    "better": {"question": "Which boats?", "weight": 3},
}


def test_every_kind_of_field_is_checked_and_kept(lake: House, tmp_path: Path) -> None:
    key = add_task(lake.ws, LAKE, read_task(*own_task(tmp_path, EVERY_KIND)))
    where = lake.ws, lake.ann, queue(lake.ws, lake.ann, key)[0].item_id
    for name, right in EVERY.items():
        form.answer(*where, name, right)
    for field, value, found in (
        ("law", {"lake-act_article-99": "yes"}, "own_unit_unknown"),
        ("law", {"lake-act_article-1": "maybe"}, "own_value"),
        ("law", ["lake-act_article-1"], "own_value"),
        ("sure", "perhaps", "own_value"),
        ("many", 10, "own_value"),
        ("many", True, "own_value"),
        ("ways", ["one", " One "], "own_alike"),
        ("ways", ["one"], "own_value"),
        ("better", {"question": "?"}, "own_value"),
        ("better", {"question": " ", "weight": 1}, "own_value"),
        ("better", {"question": "?", "weight": 4}, "own_value"),
    ):
        assert code(form.answer, *where, field, value)[0] == found
    assert dict(open_item(*where).answers) == EVERY
    form.answer(*where, "law", {"lake-act_article-1": "no"})
    assert code(commands.submit, *where) == ("own_none", "law")
    form.answer(*where, "law", EVERY["law"])
    commands.submit(*where)
