"""Answers to forms as files: out, and into a project of the same items in which nobody worked."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlmodel import col, select

from annotation.adjudication import tasks
from annotation.adjudication.decisions import current_decisions
from annotation.agreement.known_forms import KnownForm, set_known_forms
from annotation.check.project import check
from annotation.exchange.files import export_annotations, import_annotations
from annotation.forms import form as form_commands
from annotation.forms.adjudication import settle
from annotation.guidelines.documents import read_document
from annotation.guidelines.editing import new_version
from annotation.guidelines.migration import migrate_answers
from annotation.guidelines.versions import list_versions
from annotation.history.reading import everything
from annotation.people.members import add_person
from annotation.work import commands, threads
from annotation.work.queue_service import open_item
from annotation.work.submissions import complete
from errors import UserError
from storage.db.workspace import DATABASE_FILE, Workspace
from storage.projects import find_project
from storage.tables.core import Item, Person
from storage.tasks import Task
from tests.conftest import ROOT, FakeClock
from tests.projects.worked_project import ALONE, BOTH, SLUG, worked_project
from tests.support.examples import scaled
from tests.support.refusals import code_of, refused

# Nobody worked on these tasks in the worked project; they have tests of their own
# (`test_curation_files`).
LATER = (Task.CURATION, Task.RESEARCH, Task.ATTRIBUTION)
FORMS = tuple(task for task in Task if task not in (Task.CITATION_MAPPING, *LATER))
# What people did in the worked project, each table before those that it refers to.
WORK = (
    *("imported_label", "label_file", "unit_page", "confidence", "referral", "comment"),
    *("undone_decision", "settlement", "annotation_answer"),
    *("adjudication_label", "adjudication", "annotation_label", "annotation", "draft_event"),
    *("known_answer", "lease", "batch_event", "batch_person", "batch_item", "batch"),
    *("candidate", "candidate_way", "document_migration", "document", "person_event"),
)
SIDE = attrgetter(
    *("person", "at", "seconds", "answers", "comment", "flag", "confidence", "taken_back")
)


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a workspace with work in every task."""
    ws = worked_project(tmp_path_factory.mktemp("worked") / "workspace", FakeClock())
    ws.engine.dispose()
    return ws.folder


@pytest.fixture(scope="module")
def empty(worked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the same workspace as it would be if nobody had worked in it."""
    folder = tmp_path_factory.mktemp("empty") / "workspace"
    shutil.copytree(worked, folder)
    with closing(sqlite3.connect(folder / DATABASE_FILE)) as database:
        query = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        triggers = database.execute(query).fetchall()
        for name, _ in triggers:
            database.execute(f'DROP TRIGGER "{name}"')
        for table in WORK:
            database.execute(f"DELETE FROM {table}")  # noqa: S608
        of_task = "item_id IN (SELECT id FROM item WHERE task = ?)"
        mapping, verified = "citation_mapping", "ocr_verification"
        for task in (mapping, verified):
            database.execute(f"DELETE FROM candidate_set WHERE {of_task}", (task,))  # noqa: S608
        database.execute("DELETE FROM item WHERE task = ?", (verified,))
        for table, column in _of_people(database):
            database.execute(f"UPDATE {table} SET {column} = NULL")  # noqa: S608
        database.execute("UPDATE account SET active = active")
        database.execute("DELETE FROM person")
        for _, sql in triggers:
            database.execute(sql)
        database.commit()
    return folder


def _of_people(database: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return the columns that name who brought something in; the operator may have."""
    tables = [
        name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    ]
    return [
        (table, row[3])
        for table in tables
        if table not in WORK
        for row in database.execute(f"PRAGMA foreign_key_list({table})")
        if row[2] == "person"
    ]


def copied(folder: Path, to: Path) -> Workspace:
    """Return a copy of the workspace that time goes on in."""
    shutil.copytree(folder, to)
    return Workspace(to, FakeClock())


def derived(ws: Workspace) -> dict[str, Any]:
    """Return what stands of every form: who said what, and what was decided."""
    with ws.reading() as session:
        project = find_project(session, SLUG)
        names = dict(session.exec(select(Item.id, Item.external_id)).all())
        found: dict[str, Any] = {}
        for task in FORMS:
            found[task] = {
                names[item]: list(map(SIDE, said))
                for item, said in complete(session, project.id, task).items()
            }
            found[f"{task} settled"] = [
                (names[item], each.person, each.answers, each.reason, each.at)
                for item, each in current_decisions(session, project.id, task).items()
            ]
    return found


def history(ws: Workspace) -> list[Any]:
    """Return what people did; when law came and items were first shown is not theirs."""
    of_people = ("draft.", "submission.", "settlement.", "comment.", "referral.", "person.")
    more = ("batch.", "known_answer.", "migration.", "guideline.", "adjudication.")
    return sorted(
        (each.at, each.kind, each.person or "", each.item or "", each.about or "")
        for each in everything(ws, SLUG)
        if each.kind.startswith((*of_people, *more))
    )


@pytest.fixture(scope="module")
def file(worked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of the work in every task."""
    path = tmp_path_factory.mktemp("file") / "annotations.jsonl"
    export_annotations(Workspace(worked, FakeClock()), SLUG, path)
    return path


@pytest.fixture(scope="module")
def forms(worked: Path, empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of the work in forms alone, which is read in a tenth of the time."""
    folder = tmp_path_factory.mktemp("forms")
    here = copied(worked, folder / "here")
    with closing(sqlite3.connect(here.database)) as database:
        _forget_mapping(database)
    path = folder / "forms.jsonl"
    export_annotations(here, SLUG, path)
    there = copied(empty, folder / "there")
    assert import_annotations(there, SLUG, path).new, "it is sound"
    assert derived(there) == derived(here) == derived(Workspace(worked, FakeClock()))
    return path


def _forget_mapping(database: sqlite3.Connection) -> None:
    """Remove batches and what was done on questions, and then what refers to nothing any more."""
    named = "SELECT name FROM sqlite_master WHERE type = ?"
    for (name,) in database.execute(named, ("trigger",)).fetchall():
        database.execute(f'DROP TRIGGER "{name}"')
    for (name,) in database.execute(named, ("table",)).fetchall():
        if any(row[1] == "item_id" for row in database.execute(f"PRAGMA table_info({name})")):
            of_task = "item_id IN (SELECT id FROM item WHERE task = 'citation_mapping')"
            database.execute(f"DELETE FROM {name} WHERE {of_task}")  # noqa: S608
    database.execute("DELETE FROM batch")
    while lost := database.execute("PRAGMA foreign_key_check").fetchall():
        for name, row, *_ in lost:
            database.execute(f"DELETE FROM {name} WHERE rowid = ?", (row,))  # noqa: S608
    database.commit()


def test_work_in_every_task_comes_back_the_same(
    worked: Path, empty: Path, file: Path, tmp_path: Path
) -> None:
    here, there = Workspace(worked, FakeClock()), copied(empty, tmp_path / "there")
    done = import_annotations(there, SLUG, file)
    assert done.new
    assert done.counts["task"] == len(FORMS)
    again = tmp_path / "again.jsonl"
    export_annotations(there, SLUG, again)
    assert again.read_bytes() == file.read_bytes()
    assert derived(there) == derived(here)
    assert history(there) == history(here)
    assert check(there, SLUG) == []
    assert not import_annotations(there, SLUG, file).new


def test_a_file_of_citation_mapping_alone_is_read_beside_forms(
    worked: Path, empty: Path, file: Path, tmp_path: Path
) -> None:
    lines = file.read_bytes().partition(b'{"type": "task"')[0]
    alone = tmp_path / "alone.jsonl"
    alone.write_bytes(lines)
    assert not import_annotations(Workspace(worked, FakeClock()), SLUG, alone).new
    assert import_annotations(copied(empty, tmp_path / "there"), SLUG, alone).new


MCQ = dict((*ALONE, *BOTH, ("stored_right", "yes"), ("verdict", "keep")))
PARAGRAPH: dict[str, Any] = {"kind": "paragraph", "text": "Lamps.", "doubt": [], "box": None}
_SAMPLE = (ROOT / "sample" / "factor_tags.jsonl").read_text(encoding="utf-8").splitlines()[0]
TAGS = {
    key: {"options": [option], "evidence": []}
    for key, option in json.loads(_SAMPLE)["answers"].items()
}
FRAUDS = ("fraud-1", "=fraud-5")  # the cases that these are of
SAID: dict[Task, list[dict[str, Any]]] = {
    Task.OCR_CORRECTION: [{"blocks": [PARAGRAPH]}, {"blocks": []}],
    Task.OCR_VERIFICATION: [{"blocks": [PARAGRAPH]}, {"blocks": [PARAGRAPH, PARAGRAPH]}],
    Task.MCQ_SOLVABILITY: [MCQ, MCQ | {"verdict": "drop", "cause": "unclear"}],
    Task.ANSWER_RATING: [{"rating": "correct"}, {"rating": "incorrect"}],
    Task.JUDGE_REVIEW: [
        {"consensus": "correct", "estimate": "fair"},
        {
            "consensus": "incorrect",
            "estimate": "over",
            "rationale": "No.",
            "categories": ["wrong_figure"],
        },
    ],
    Task.FACTOR_TAGGING: [TAGS, TAGS | {"settlement": {"options": ["none"], "evidence": []}}],
}
KINDS = "answer submit submit all all undo take_back comment skip thread settle withdraw known"
ACT = st.tuples(
    st.sampled_from([*KINDS.split(), "migrate"]),
    st.sampled_from(FORMS),
    st.integers(0, 3),  # whose
    st.integers(0, 1),  # which item
    st.integers(0, 1),  # which answers
)


def act(ws: Workspace, said: tuple[str, Task, int, int, int]) -> None:
    """Do it, if it may be done."""
    kind, task, who, which, answers = said
    with ws.reading() as session:
        query = select(Item.id).where(Item.task == task).order_by(col(Item.id))
        if task == Task.FACTOR_TAGGING:
            query = query.where(col(Item.external_id).in_(FRAUDS))
        items = session.exec(query).all()
        people = session.exec(select(Person.id).order_by(col(Person.id))).all()
    if len(items) <= which:
        return
    at = ws, people[who] or 0, items[which] or 0
    doing: dict[str, Callable[[], Any]] = {
        "answer": lambda: fill(at, SAID[task][answers]),
        "submit": lambda: commands.submit(*at, 3),
        "all": lambda: fill(at, SAID[task][answers], send=True),
        "undo": lambda: commands.undo(*at),
        "take_back": lambda: commands.take_back(*at),
        "comment": lambda: commands.set_comment(*at, "둘째 줄\n"),
        "skip": lambda: commands.skip(*at, "later"),
        "thread": lambda: threads.say(*at, "Why?"),
        "settle": lambda: settle(
            *at, SAID[task][answers] if task != Task.MCQ_SOLVABILITY else {"verdict": "keep"}, "so"
        ),
    }
    doing["withdraw"] = lambda: tasks.undo(*at, "a slip")
    if kind == "known":
        with ws.reading() as session:
            name = session.get_one(Item, at[2]).external_id or ""
        decided = SAID[task][answers] if task != Task.MCQ_SOLVABILITY else {"verdict": "keep"}
        with suppress(UserError):
            set_known_forms(ws, SLUG, task, [KnownForm(name, decided, "so")])
    if kind == "migrate":
        with ws.reading() as session:
            name = session.get_one(Item, at[2]).external_id or ""
        take_over(ws, task, [name] if answers else [])
    if kind in doing:
        with suppress(UserError):
            doing[kind]()


def take_over(ws: Workspace, task: Task, names: list[str]) -> None:
    """Take what was answered over to a new version of the guideline; these are answered again."""
    number = read_document(ws, SLUG, "guideline", task, "en").number
    new_version(ws, SLUG, "guideline", task, {"en": f"Version {number + 1}."}, "why", number)
    with suppress(UserError):
        migrate_answers(ws, SLUG, "guideline", task, number, number + 1, {}, "so", items=names)


def fill(at: tuple[Workspace, int, int], said: dict[str, Any], send: bool = False) -> None:
    open_item(*at)
    for field, value in said.items():
        form_commands.answer(*at, field, value)
    if send:
        commands.submit(*at)


@settings(
    max_examples=scaled(5),
    phases=[Phase.explicit, Phase.generate],
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(st.lists(ACT, max_size=40))
def test_whatever_people_answered_comes_back_the_same(
    empty: Path, acts: list[tuple[str, Task, int, int, int]]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        here, there = copied(empty, Path(name) / "here"), copied(empty, Path(name) / "there")
        people(here)
        for each in acts:
            act(here, each)
        first, second = Path(name) / "first.jsonl", Path(name) / "second.jsonl"
        export_annotations(here, SLUG, first)
        assert import_annotations(there, SLUG, first).new
        export_annotations(there, SLUG, second)
        assert second.read_bytes() == first.read_bytes()
        assert derived(there) == derived(here)
        assert check(there, SLUG) == []
        for ws in (here, there):
            ws.engine.dispose()


def people(ws: Workspace) -> None:
    """Let four people take part."""
    roles = {"A": "annotator", "B": "lawyer", "C": "annotator", "J": "adjudicator"}
    for name, role in roles.items():
        add_person(ws, SLUG, name, role)


def test_answers_taken_over_come_back_the_same(worked: Path, empty: Path, tmp_path: Path) -> None:
    here, there = copied(worked, tmp_path / "here"), copied(empty, tmp_path / "there")
    for task in FORMS:
        take_over(here, task, [])
    text = read_document(here, SLUG, "codebook", Task.FACTOR_TAGGING, "mul").text
    number = read_document(here, SLUG, "codebook", Task.FACTOR_TAGGING, "mul").number
    where = here, SLUG, "codebook", Task.FACTOR_TAGGING
    new_version(*where, {"mul": text.replace("key: none", "key: nothing")}, "why", number)
    made = next(each.number for each in list_versions(*where) if each.submissions)
    assert migrate_answers(*where, made, number + 1, {}, "so").moved
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    export_annotations(here, SLUG, first)
    said = first.read_text("utf-8")
    assert said.count('"kind": "migrate"') > len(FORMS)
    second.write_text('"becomes": "vanish"'.join(said.rsplit('"becomes": "submit"', 1)), "utf-8")
    assert code_of(import_annotations, there, SLUG, second) == "exchange_field"
    second.unlink()
    assert import_annotations(there, SLUG, first).new
    export_annotations(there, SLUG, second)
    assert second.read_bytes() == first.read_bytes()
    assert (derived(there), history(there)) == (derived(here), history(here))
    assert check(here, SLUG) == check(there, SLUG) == []


def changed(file: Path, task: str, kind: str, /, **fields: Any) -> tuple[Path, int]:
    """Write a copy in which the first record of the type in a task says something else."""
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    start = next(at for at, line in enumerate(lines) if line == {"type": "task", "task": task})
    at = next(n for n, line in enumerate(lines) if n >= start and line["type"] == kind)
    lines[at] |= fields
    other = file.with_name("changed.jsonl")
    other.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return other, at + 1


OCR, CHECKED = "ocr_correction", "ocr_verification"
RATED, MADE, TAGGED = "answer_rating", "mcq_solvability", "factor_tagging"
PIECE = {"option": "denies", "start": 0, "end": 3, "quote": "<b>"}


DENIED = {"options": ["denies"], "evidence": [PIECE]}
BAD, ODD = "exchange_field", "exchange_shown"


def labelled(**said: Any) -> dict[str, Any]:
    return {"kind": "label", "payload": said}


@pytest.mark.parametrize(
    ("task", "kind", "fields", "error"),
    [
        (OCR, "task", {"task": "no such"}, BAD),
        (OCR, "task", {"task": "citation_mapping"}, BAD),
        (CHECKED, "task", {"task": OCR}, BAD),
        (OCR, "task", {"type": "shown"}, "exchange_type"),
        (OCR, "event", {"type": "adjudication"}, "exchange_type"),
        (OCR, "shown", {"item": "no page"}, "exchange_item"),
        (OCR, "shown", {"shown": {"draft": 99}}, ODD),
        (OCR, "shown", {"shown": {"draft": []}}, ODD),
        (OCR, "shown", {"shown": {}}, ODD),
        (OCR, "shown", {"shown": {"draft": 1, "more": 1}}, ODD),
        (OCR, "shown", {"snapshot": "0" * 64}, "exchange_snapshot"),
        (CHECKED, "shown", {"shown": {"draft": 1, "correction": 999}}, "exchange_number"),
        (CHECKED, "shown", {"shown": {"draft": 1}}, "exchange_item"),
        (MADE, "shown", {"shown": {"correction": 1}}, BAD),
        ("judge_review", "shown", {"shown": {"verdicts": [[1]]}}, ODD),
        (TAGGED, "shown", {"shown": {"groups": [1]}}, ODD),
        (RATED, "event", {"payload": {"shown": 9999}}, "exchange_number"),
        (RATED, "event", {"payload": {"candidates": 1}}, BAD),
        (RATED, "event", {"kind": "no_provision"}, BAD),
        (RATED, "event", labelled(field="x", value=1), BAD),
        (RATED, "event", labelled(unit="x"), BAD),
        (RATED, "submission", {"answers": {}}, BAD),
        (RATED, "submission", {"answers": {"rating": "fine"}}, BAD),
        (RATED, "submission", {"answers": {"rating": "correct", "x": 1}}, BAD),
        (RATED, "submission", {"shown": True}, BAD),
        (RATED, "submission", {"confidence": 6}, BAD),
        (MADE, "submission", {"answers": {"verdict": "keep"}}, BAD),
        (MADE, "settlement", {"answers": {"alone_sure": 1}}, BAD),
        (MADE, "settlement", {"submissions": [1]}, BAD),
        (MADE, "settlement", {"supersedes": 99}, "exchange_number"),
        (OCR, "submission", {"answers": {"blocks": [{"kind": "poem"}]}}, BAD),
        (TAGGED, "submission", {"answers": {"x": {"options": []}}}, BAD),
        (TAGGED, "submission", {"answers": {"x": {"options": [], "evidence": []}}}, BAD),
        (TAGGED, "submission", {"answers": {"x": DENIED}}, BAD),
        (RATED, "submission", {"answers": {"rating": "incorrect"}}, "exchange_unsound"),
    ],
)
def test_what_is_wrong_is_refused_and_leaves_nothing(
    empty: Path,
    forms: Path,
    task: str,
    kind: str,
    fields: dict[str, Any],
    error: str,
) -> None:
    other, at = changed(forms, task, kind, **fields)
    there = Workspace(empty, FakeClock())
    with refused(error) as caught:
        import_annotations(there, SLUG, other)
    assert error == "exchange_unsound" or caught.value.where.line == at
    assert not [each for each in everything(there, SLUG) if each.kind.startswith("person.")]
