from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from sqlmodel import func, select

from annotation.adjudication import disputes, tasks
from annotation.agreement import overview
from annotation.batches import commands as batches_commands
from annotation.batches.commands import set_pool
from annotation.check.project import check
from annotation.exchange.files import export_annotations, import_annotations
from annotation.gold.derivation import derive
from annotation.history.reading import everything
from annotation.mapping import commands as mapping_commands
from annotation.people import members
from annotation.work import commands, queue_service
from errors import UserError
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project
from storage.tables.core import Annotation
from storage.tables.people import Comment, Confidence, Document, Referral
from tests.annotation.crew import RIGHT, batch, know, submit
from tests.annotation.house import SLUG, House, build, propose, question, statute
from tests.conftest import FakeClock
from tests.projects.project_cache import kept
from tests.support.examples import scaled
from tests.support.refusals import code_of, fault_of

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
PERSON, ITEM, NUMBER = st.integers(0, 2), st.integers(0, 2), st.integers(1, 5)


def did(kinds: str, *more: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    """Draw an act of one of these kinds: by whom, and on which item."""
    return st.tuples(st.sampled_from(kinds.split()), PERSON, ITEM, *more)


ACT = st.one_of(
    did("add accept reject unsure clear mark", NUMBER),
    did("decide", NUMBER),
    did("submit undo take_back none open recheck"),
    did("comment flag skip thread", WORDS),
    did("judge", NUMBER),
    did("withdraw"),
    did("law candidates batch role"),
)


def empty(folder: Path, overlap: int = 2, snapshots: int = 1) -> Workspace:
    """Make a project of the same law and questions, without people; its units have other ids."""
    ws = Workspace(folder, FakeClock())
    kept(("elsewhere", overlap, snapshots), ws, lambda: _elsewhere(ws, overlap, snapshots))
    return ws


def _elsewhere(ws: Workspace, overlap: int, snapshots: int) -> None:
    migrate(ws)
    create_project(ws, SLUG, "Elsewhere", overlap)
    with closing(sqlite3.connect(ws.database)) as database:  # does not look at foreign keys
        database.execute(
            "INSERT INTO unit VALUES (1000, 0, 0, '', '', '', '', '', 0, '[]', '[]', 0, 0, NULL)"
        )
        database.commit()
        for number in range(snapshots):
            keep_statutes(ws, SLUG, [statute(" New." * number)], "law")
        database.execute("DELETE FROM unit WHERE id = 1000")
        database.commit()
    keep_questions(ws, SLUG, [question(n) for n in range(1, 4)], "questions.jsonl")


def act(house: House, said: tuple[Any, ...], snapshots: list[int]) -> None:
    kind, who, which = said[:3]
    person, item = (house.ann, house.ben, house.cho)[who], house.items[which]
    at = (house.ws, person, item)
    unit = house.units[said[3]] if len(said) > 3 and isinstance(said[3], int) else 0
    labels = {"accept": "accept", "reject": "reject", "unsure": "unsure", "clear": None}
    doing: dict[str, Callable[[], Any]] = {
        "add": lambda: mapping_commands.add_unit(*at, unit),
        "mark": lambda: mark(house, person, item, unit),
        "decide": lambda: submit(house, person, item, said[3]),
        "submit": lambda: commands.submit(*at),
        "undo": lambda: commands.undo(*at),
        "take_back": lambda: commands.take_back(*at),
        "none": lambda: mapping_commands.set_no_provision(*at, True),
        "open": lambda: queue_service.open_item(*at),
        "recheck": lambda: mapping_commands.recheck(*at),
        "comment": lambda: commands.set_comment(*at, said[3]),
        "flag": lambda: commands.set_flag(*at, said[3]),
        "skip": lambda: commands.skip(*at, said[3]),
        "thread": lambda: talk(house, person, item, said[3]),
        "judge": lambda: disputes.decide(house.ws, house.judge, item, [unit], False, "clear", 1.5),
        "withdraw": lambda: tasks.undo(house.ws, house.judge, item, "a slip"),
        "law": lambda: new_law(house, snapshots),
        "candidates": lambda: propose(house, 1, 1, 2, method="again"),
        "batch": lambda: batch(house, person, ids=(f"q{which + 1}",), name="B", overlap=1),
        "role": lambda: members.change_role(house.ws, house.cho, "lawyer"),
    }
    with suppress(UserError):
        doing.get(kind, lambda: mapping_commands.label(*at, unit, labels[kind]))()


def mark(house: House, person: int, item: int, unit: int) -> None:
    batches_commands.set_evidence(house.ws, SLUG, True)
    mapping_commands.mark(house.ws, person, item, unit, [[0, 3], [4, 9]])


def new_law(house: House, snapshots: list[int]) -> None:
    keep_statutes(house.ws, SLUG, [statute(" New." * len(snapshots))], "law")
    snapshots.append(len(snapshots) + 1)
    propose(house, snapshots[-1])


def talk(house: House, person: int, item: int, words: str) -> None:
    """Leave what no command of this suite writes: thread, referral, confidence, guideline."""
    with house.ws.writing() as session:
        now = house.ws.clock()
        here = select(func.max(Comment.id)).where(Comment.item_id == item)
        before = session.exec(here).one()
        session.add(Comment(item_id=item, person_id=person, reply_to_id=before, text=words, at=now))
        submits = (Annotation.item_id == item, Annotation.kind == "submit")
        made = session.exec(select(func.max(Annotation.id)).where(*submits)).one()
        if made is None:
            return
        session.add(
            Referral(
                item_id=item, person_id=house.judge, reason=words, annotation_ids=[made], at=now
            )
        )
        known = select(Confidence).where(Confidence.annotation_id == made)
        if session.exec(known).first() is None:
            session.add(Confidence(annotation_id=made, value=3))
        number = session.exec(select(func.count()).select_from(Document)).one()
        where: dict[str, Any] = {"project_id": 1, "kind": "guideline", "task": "citation_mapping"}
        session.add(
            Document(**where, number=number + 1, language="en", text=words, by_person_id=1, at=now)
        )


def told(ws: Workspace) -> list[Any]:
    """Return the history but for what imports differ in: when and under which name law came."""
    return [each for each in everything(ws, SLUG) if not each.kind.startswith("snapshot.")]


TAKEN_UP = [
    *(("decide", who, 0, number) for who in (0, 1) for number in (1, 2)),
    ("undo", 0, 0),
    ("add", 0, 0, 1),
    ("reject", 0, 0, 3),
    ("add", 0, 0, 5),
    ("submit", 0, 0),
    ("law", 0, 0),
    ("recheck", 0, 0),
    ("accept", 0, 0, 1),
    ("submit", 0, 0),
    ("recheck", 1, 0),
]


JUDGED = [
    *(("decide", who, 0, who + 1) for who in (0, 1)),
    ("judge", 0, 0, 1),
    ("judge", 0, 0, 2),
    ("withdraw", 0, 0),
    ("withdraw", 0, 0),
    ("judge", 0, 0, 3),
]


@example(TAKEN_UP, 2, False)
@example(JUDGED, 2, False)
@settings(
    max_examples=scaled(8),
    phases=[Phase.explicit, Phase.generate],  # shrinking takes longer than a test may
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(st.lists(ACT, max_size=25), st.integers(1, 2), st.booleans())
def test_whatever_people_did_comes_back_the_same(
    acts: list[tuple[Any, ...]], overlap: int, known: bool
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        house = build(folder / "here", FakeClock(), overlap)
        snapshots = [1]
        if known:
            know(house, replace(RIGHT, explanation="Lamps."))
        for each in acts:
            act(house, each, snapshots)
        there = empty(folder / "there", overlap, len(snapshots))
        first, second = folder / "first.jsonl", folder / "second.jsonl"
        out = export_annotations(house.ws, SLUG, first)
        back = import_annotations(there, SLUG, first)
        assert back.new
        assert back.counts == out.counts
        export_annotations(there, SLUG, second)
        assert second.read_bytes() == first.read_bytes()
        assert derive(there, SLUG) == derive(house.ws, SLUG)
        ours, theirs = overview.report(house.ws, SLUG), overview.report(there, SLUG)
        assert (ours.figures, ours.disagreements) == (theirs.figures, theirs.disagreements)
        assert told(there) == told(house.ws)
        assert check(there, SLUG) == []
        assert not import_annotations(there, SLUG, first).new
        for ws in (house.ws, there):
            ws.engine.dispose()


@pytest.fixture
def house(request: pytest.FixtureRequest, tmp_path: Path) -> House:
    """Return the project, with work of every sort where the test asks for its file."""
    if "file" not in request.fixturenames:
        return build(tmp_path / "here", FakeClock())
    ws = Workspace(tmp_path / "here", FakeClock())
    return replace(kept("lake in a file", ws, lambda: _worked(ws)), ws=ws)


@pytest.fixture
def there(tmp_path: Path) -> Workspace:
    return empty(tmp_path / "there")


@pytest.fixture
def file(house: House) -> Path:
    """Return a file of a project with work of every sort."""
    return house.ws.folder / "annotations.jsonl"


def _worked(ws: Workspace) -> House:
    """Do work of every sort and write its file; return the project, which knows no workspace."""
    house = replace(build(ws.folder, ws.clock), ws=ws)
    submit(house, house.ann, house.items[0], 1)
    submit(house, house.ben, house.items[0], 2)
    disputes.decide(house.ws, house.judge, house.items[0], [house.units[1]], False, "so", 2.0)
    talk(house, house.ann, house.items[0], "둘째 줄")
    know(house)
    batches_commands.close(house.ws, SLUG, batch(house, ids=("q2",)))
    counts = export_annotations(ws, SLUG, ws.folder / "annotations.jsonl").counts
    assert min(counts.values()) > 0
    assert len(counts) == 13
    return replace(house, ws=None)  # type: ignore[arg-type]


def test_what_is_wrong_in_an_item_taken_up_again_is_refused(house: House, tmp_path: Path) -> None:
    submit(house, house.ann, house.items[0], 1)
    new_law(house, [1])
    mapping_commands.recheck(house.ws, house.ann, house.items[0])
    path, there = tmp_path / "annotations.jsonl", empty(tmp_path / "there", snapshots=2)
    export_annotations(house.ws, SLUG, path)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    at = next(n for n, each in enumerate(lines) if "carried" in each.get("payload", {}))
    harms: tuple[dict[str, object], ...] = (
        {"carried": {"no": "accept"}},
        {"carried": {"lake-act_article-1": "maybe"}},
        {"carried": [1]},
        {"amended": [["x"]]},
        {"added": {}},
        {"former": {"lake-act_article-1": 1}},
        {"dropped": [1]},
        {"comment": None},
    )
    for harm in harms:
        broken = lines[at] | {"payload": lines[at]["payload"] | harm}
        said = [*lines[:at], broken, *lines[at + 1 :]]
        path.write_text("".join(json.dumps(line) + "\n" for line in said), "utf-8")
        code, line, _ = fault_of(import_annotations, there, SLUG, path)
        assert code in ("exchange_field", "exchange_unit") and line == at + 1


def changed(file: Path, kind: str, /, **fields: Any) -> tuple[Path, int]:
    """Write a copy in which the first record of the type has other values; return its line."""
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    at = next(n for n, line in enumerate(lines) if line["type"] == kind)
    lines[at] |= fields
    other = file.with_name("changed.jsonl")
    other.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return other, at + 1


@pytest.mark.parametrize(
    ("kind", "fields", "error"),
    [
        ("annotations", {"format": 2}, "exchange_head"),
        ("annotations", {"overlap": 1}, "exchange_overlap"),
        ("person", {"role": "king"}, "exchange_field"),
        ("person", {"type": "animal"}, "exchange_type"),
        ("person_event", {"person": "Nobody"}, "exchange_person"),
        ("document", {"kind": "poem"}, "exchange_field"),
        ("document", {"kind": "codebook", "text": "= 3"}, "exchange_field"),
        ("candidates", {"item": "q9"}, "exchange_item"),
        ("candidates", {"snapshot": "0" * 64}, "exchange_snapshot"),
        ("candidates", {"units": [{"unit": "no", "rank": 1}]}, "exchange_unit"),
        ("candidates", {"units": [{"unit": {}, "rank": 1}]}, "exchange_unit"),
        ("batch", {"items": [["q2", "1", True]]}, "exchange_field"),
        ("batch", {"people": [["Ann", "never"]]}, "exchange_field"),
        ("batch_event", {"batch": "Other"}, "exchange_batch"),
        ("known_answer", {"answer": {"units": [1]}}, "exchange_field"),
        ("event", {"payload": {"candidates": 99}}, "exchange_number"),
        ("event", {"kind": "dance"}, "exchange_field"),
        ("submission", {"event": 0}, "exchange_number"),
        ("submission", {"labels": [["lake-act_article-1", "maybe"]]}, "exchange_field"),
        ("adjudication", {"units": [{"unit": "x", "snapshot": []}]}, "exchange_snapshot"),
        ("comment", {"replies_to": 7}, "exchange_number"),
        ("comment", {"text": "\0"}, "exchange_line"),
    ],
)
def test_what_is_not_there_is_refused_with_its_line(
    file: Path, there: Workspace, kind: str, fields: dict[str, Any], error: str
) -> None:
    other, line = changed(file, kind, **fields)
    assert fault_of(import_annotations, there, SLUG, other)[:2] == (error, line)
    assert members.list_people(there, SLUG) == []  # nothing at all was kept


def test_labels_that_do_not_follow_from_the_log_are_refused(file: Path, tmp_path: Path) -> None:
    other, _ = changed(file, "submission", labels=[["lake-act_article-3", "accept"]])
    assert code_of(import_annotations, empty(tmp_path / "there"), SLUG, other) == "exchange_unsound"


def test_a_record_that_is_there_twice_is_refused(file: Path, tmp_path: Path) -> None:
    lines = file.read_text("utf-8").splitlines(keepends=True)
    file.write_text("".join([*lines, *(each for each in lines if '"submission"' in each)]), "utf-8")
    assert code_of(import_annotations, empty(tmp_path / "there"), SLUG, file) == "exchange_conflict"


def test_a_project_with_other_work_is_left_alone(house: House, file: Path) -> None:
    assert not import_annotations(house.ws, SLUG, file).new
    set_pool(house.ws, SLUG, True)
    commands.set_comment(house.ws, house.cho, house.items[2], "more")
    before = [each.key for each in everything(house.ws, SLUG)]
    assert code_of(import_annotations, house.ws, SLUG, file) == "exchange_not_empty"
    assert [each.key for each in everything(house.ws, SLUG)] == before


@settings(max_examples=scaled(15), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_damage_is_a_clear_refusal(
    file: Path, there: Workspace, tmp_path: Path, data: st.DataObject
) -> None:
    raw = file.read_bytes()
    cut = data.draw(st.integers(0, len(raw) - 1))
    other = tmp_path / "damaged.jsonl"
    other.write_bytes(raw[:cut] + data.draw(st.binary(max_size=3)) + raw[cut + 1 :])
    with suppress(UserError):  # a changed word of a comment is no damage
        import_annotations(there, SLUG, other)
    assert check(there, SLUG) == []
