from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import select

from annotation.adjudication.disputes import decide
from annotation.agreement import overview
from annotation.batches import commands as batches_commands
from annotation.check.project import check
from annotation.exchange.files import export_annotations, import_annotations
from annotation.gold.derivation import derive
from annotation.guidelines.documents import TASK
from annotation.guidelines.editing import new_version
from annotation.guidelines.migration import migrate_answers, migrations, preview
from annotation.guidelines.versions import decisions, list_versions
from annotation.history.reading import everything
from annotation.mapping import commands as mapping_commands
from annotation.people import members
from annotation.work import commands, queue_service
from annotation.work.rules import AGAIN, SAME, Fate
from errors import UserError
from storage.tables.core import Annotation
from storage.tables.people import DocumentMigration, Referral
from tests.annotation.crew import batch, leader, submit
from tests.annotation.house import SLUG, House, build
from tests.conftest import FakeClock
from tests.support.examples import scaled
from tests.support.refusals import code_of


def edit(house: House, number: int = 1, kind: str = "guideline") -> str:
    from annotation.guidelines.documents import read_document

    if kind == "guideline":
        return new_version(house.ws, SLUG, kind, TASK, {"en": f"New {number}."}, "why", number)
    text = read_document(house.ws, SLUG, kind, TASK, "mul").text + f"# edit {number}\n"
    return new_version(house.ws, SLUG, kind, TASK, {"mul": text}, "why", number)


def move(house: House, answers: Mapping[str, str] | None = None, **more: Any) -> Mapping[Fate, int]:
    where = (more.pop("kind", "guideline"), TASK, more.pop("old", 1), more.pop("new", 2))
    outcome = migrate_answers(house.ws, SLUG, *where, answers or {}, "clearer now", **more)
    return {fate: count for fate, count in outcome.counts.items() if count}


def labels(house: House, person: int, item: int) -> dict[int, str]:
    view = queue_service.open_item(house.ws, person, item)
    units = {unit: number for number, unit in house.units.items()}
    return {units[each.unit_id]: each.decision for each in view.candidates if each.decision}


def gold(house: House) -> list[Any]:
    return [
        (each.item_id, each.outcome, each.units, each.no_provision, each.pending)
        for each in derive(house.ws, SLUG)
    ]


def test_what_stays_the_same_is_carried_by_the_new_version(house: House) -> None:
    submit(house, house.ann, house.items[0], 1)
    submit(house, house.ben, house.items[0], 1)
    commands.set_comment(house.ws, house.cho, house.items[1], "mine")
    mapping_commands.set_no_provision(house.ws, house.cho, house.items[1], True)
    commands.submit(house.ws, house.cho, house.items[1], confidence=4)
    before = gold(house), overview.report(house.ws, SLUG).figures
    version = edit(house)
    assert move(house, by=leader(house)) == {"same": 3}
    assert (gold(house), overview.report(house.ws, SLUG).figures) == before
    with house.ws.reading() as session:
        rows = session.exec(select(Annotation).order_by(Annotation.id)).all()  # type: ignore[arg-type]
        for old, new in zip(rows[:3], rows[3:], strict=True):
            assert new.supersedes_id == old.id
            assert (new.guideline_version, old.guideline_version[:2]) == (version, "1-")
            assert new.codebook_version == old.codebook_version
            assert (new.at, new.seconds, new.comment) == (old.at, old.seconds, old.comment)
        (made,) = session.exec(select(DocumentMigration)).all()
        assert (made.reason, made.to_version, made.answers) == ("clearer now", version, {})
    view = queue_service.open_item(house.ws, house.cho, house.items[1])
    assert (view.status, view.confidence, view.comment) == ("submitted", 4, "mine")
    assert check(house.ws, SLUG) == []
    assert [each.submissions for each in list_versions(house.ws, SLUG, "guideline", TASK)] == [3, 0]


def test_an_answer_to_be_given_again_comes_back_with_the_reason(house: House) -> None:
    ws, ann, item = house.ws, house.ann, house.items[0]
    mapping_commands.label(ws, ann, item, house.units[1], "accept")
    mapping_commands.label(ws, ann, item, house.units[2], "unsure")
    mapping_commands.label(ws, ann, item, house.units[3], "reject")
    commands.submit(ws, ann, item)
    submit(house, ann, house.items[1], 1)
    edit(house)
    assert move(house, {"unsure": AGAIN}) == {"same": 1, "again": 1}
    assert labels(house, ann, item) == {1: "accept", 3: "reject"}
    view = queue_service.open_item(ws, ann, item)
    assert (view.status, view.again) == ("draft", ("guideline", 2, "clearer now"))
    assert view.begun_under == ("", "")
    statuses = [each.status for each in queue_service.queue(ws, ann)]
    assert statuses == ["draft", "submitted", "todo"]
    mapping_commands.label(ws, ann, item, house.units[2], "accept")
    commands.submit(ws, ann, item)
    assert queue_service.open_item(ws, ann, item).again is None
    assert check(ws, SLUG) == []
    assert {each.version[:2] for each in decisions(ws, SLUG, "guideline", TASK, 2)} == {"2-"}


def test_answers_become_other_answers(house: House) -> None:
    ws, ann, item = house.ws, house.ann, house.items[0]
    mapping_commands.label(ws, ann, item, house.units[1], "accept")
    mapping_commands.label(ws, ann, item, house.units[2], "unsure")
    commands.submit(ws, ann, item)
    edit(house, kind="codebook")
    assert move(house, {"unsure": "reject", "reject": SAME}, kind="codebook") == {"mapped": 1}
    assert labels(house, ann, item) == {1: "accept", 2: "reject"}
    assert check(ws, SLUG) == []
    commands.take_back(ws, ann, item)  # a migrated submission can be taken back as any other
    assert labels(house, ann, item) == {1: "accept", 2: "reject"}
    assert check(ws, SLUG) == []


@pytest.mark.parametrize("said", [(1,), ()])
def test_what_would_say_nothing_any_more_is_given_back(house: House, said: tuple[int, ...]) -> None:
    submit(house, house.ann, house.items[0], *said)
    edit(house)
    answers = {"accept": "reject"} if said else {"no_provision": AGAIN}
    assert move(house, answers) == {"again": 1}
    view = queue_service.open_item(house.ws, house.ann, house.items[0])
    assert (view.status, view.no_provision) == ("draft", False)
    assert check(house.ws, SLUG) == []


def test_accepting_beside_no_provision_is_given_back(house: House) -> None:
    ws, item = house.ws, house.items[0]
    mapping_commands.label(ws, house.ann, item, house.units[1], "unsure")
    mapping_commands.set_no_provision(ws, house.ann, item, True)
    commands.submit(ws, house.ann, item)
    edit(house)
    assert move(house, {"unsure": "accept"}) == {"again": 1}
    assert labels(house, house.ann, item) == {1: "accept"}
    assert check(ws, SLUG) == []


def test_what_is_settled_talked_over_or_cannot_be_answered_is_left_and_said(house: House) -> None:
    ws = house.ws
    first, second, third = house.items
    for person, article in ((house.ann, 1), (house.ben, 2)):
        submit(house, person, first, article)
        submit(house, person, second, article)
    decide(ws, house.judge, first, [house.units[1]], False, "so", 1.0)
    with ws.writing() as session:
        where = {"item_id": second, "person_id": house.judge, "reason": "talk", "at": ws.clock()}
        session.add(Referral.model_validate(where | {"annotation_ids": [2, 4]}))
    closed = batch(house, ids=("q3",))
    submit(house, house.ben, third, 1)
    batches_commands.close(ws, SLUG, closed)
    before = gold(house)
    edit(house)
    assert code_of(move, house, {"accept": AGAIN}) == "migration_empty"
    outcome = preview(ws, SLUG, "guideline", TASK, 1, 2, {"accept": AGAIN})
    assert {fate: n for fate, n in outcome.counts.items() if n} == {
        "settled": 2,
        "referred": 2,
        "closed": 1,
    }
    assert move(house) == {"same": 1, "settled": 2, "referred": 2}
    assert gold(house) == before
    assert check(ws, SLUG) == []


def test_who_is_away_keeps_what_they_said(house: House) -> None:
    submit(house, house.ann, house.items[0], 1)
    submit(house, house.ben, house.items[0], 1)
    members.deactivate(house.ws, house.ann)
    edit(house)
    assert move(house, {"accept": AGAIN}) == {"again": 1, "away": 1}
    assert check(house.ws, SLUG) == []


def test_a_preview_changes_nothing_and_hides_what_nobody_may_see_yet(house: House) -> None:
    for item in house.items[:2]:
        submit(house, house.ann, item, 1)
    submit(house, house.ben, house.items[0], 1)
    edit(house)
    before = [each.key for each in everything(house.ws, SLUG)]
    lead = leader(house, "researcher")
    seen = preview(house.ws, SLUG, "guideline", TASK, 1, 2, {"accept": AGAIN}, by=lead)
    told = [(each.external_id, each.person, each.fate) for each in seen.lines]
    assert told == [("q1", "Ann", "again"), ("q1", "Ben", "again"), ("q2", "Ann", None)]
    assert [each.key for each in everything(house.ws, SLUG)] == before
    assert migrations(house.ws, SLUG, "guideline", TASK) == []


def test_what_cannot_be_taken_over_is_refused(house: House) -> None:
    submit(house, house.ann, house.items[0], 1)
    edit(house)
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"new": 1}, "migration_back"),
        ({"old": 2, "new": 1}, "migration_back"),
        ({"new": 3}, "document_number"),
        ({"kind": "poem"}, "document_unknown"),
        ({"answers": {"maybe": SAME}}, "migration_answer"),
        ({"answers": {"accept": "no_provision"}}, "migration_answer"),
        ({"answers": {"no_provision": "accept"}}, "migration_answer"),
    )
    for more, code in wrong:
        assert code_of(move, house, **more) == code
    for reason, code in ((" ", "reason_missing"), ("x" * 9999, "text_too_long")):
        where: Any = house.ws, SLUG, "guideline", TASK, 1, 2, {}, reason
        assert code_of(migrate_answers, *where) == code


def test_a_migration_is_nobodys_work(house: House, clock: FakeClock) -> None:
    """What the lead does must not count as time or place of the annotator's own work."""

    def worked(name: str, migrate: bool) -> tuple[Any, ...]:
        with tempfile.TemporaryDirectory() as folder:
            other = build(Path(folder) / name, FakeClock())
            submit(other, other.ann, other.items[0], 1)
            queue_service.open_item(other.ws, other.ann, other.items[1])
            if migrate:
                edit(other)
                move(other)
            mapping_commands.add_unit(other.ws, other.ann, other.items[1], other.units[1])
            made = commands.submit(other.ws, other.ann, other.items[1])
            with other.ws.reading() as session:
                seconds = session.get_one(Annotation, made).seconds
            seen = (
                queue_service.next_item(other.ws, other.ann),
                queue_service.last_submitted(other.ws, other.ann),
            )
            other.ws.engine.dispose()
            return bool(seconds), *seen

    assert worked("with", True) == worked("without", False)


PERSON, ITEM, NUMBER = st.integers(0, 2), st.integers(0, 2), st.integers(1, 3)
SAID = st.sampled_from(["accept", "reject", "unsure"])
ACT = st.one_of(
    st.tuples(st.just("label"), PERSON, ITEM, NUMBER, SAID),
    st.tuples(st.sampled_from(["submit", "undo", "take_back", "none", "skip"]), PERSON, ITEM),
    st.tuples(st.just("judge"), PERSON, ITEM, NUMBER),
    st.tuples(st.just("migrate"), st.dictionaries(SAID, st.one_of(SAID, st.just(AGAIN)))),
    st.tuples(st.just("stay")),
)


def act(house: House, said: tuple[Any, ...], version: list[int]) -> None:
    if said[0] in ("migrate", "stay"):
        edit(house, version[0])
        version[0] += 1
        before = gold(house)
        number = version[0] - 1
        move(house, said[1] if len(said) > 1 else {}, old=number, new=version[0])
        if said[0] == "stay":
            assert gold(house) == before
        return
    person, item = (house.ann, house.ben, house.cho)[said[1]], house.items[said[2]]
    at = (house.ws, person, item)
    if said[0] == "label":
        mapping_commands.label(*at, house.units[said[3]], said[4])
    elif said[0] == "none":
        mapping_commands.set_no_provision(*at, True)
    elif said[0] == "skip":
        commands.skip(*at, "later")
    elif said[0] == "judge":
        decide(house.ws, house.judge, item, [house.units[said[3]]], False, "so", 1.0)
    else:
        turn: Callable[..., Any] = getattr(commands, said[0])
        turn(*at)


@settings(max_examples=scaled(12), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(ACT, max_size=24), st.integers(1, 2))
def test_whatever_was_done_the_log_replays_and_gold_that_stays_is_the_same(
    acts: list[tuple[Any, ...]], overlap: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        house = build(Path(folder) / "here", FakeClock(), overlap)
        version = [1]
        for each in acts:
            try:
                act(house, each, version)
            except UserError:
                continue
        assert check(house.ws, SLUG) == []
        house.ws.engine.dispose()


def test_migrated_answers_come_back_from_a_file_the_same(house: House, tmp_path: Path) -> None:
    from tests.annotation.exchange.test_files import empty

    submit(house, house.ann, house.items[0], 1)
    submit(house, house.ben, house.items[0], 1)
    submit(house, house.ann, house.items[1], 2)
    edit(house)
    move(house, by=leader(house))
    edit(house, 2)
    move(house, {"accept": AGAIN}, old=2, new=3)
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    export_annotations(house.ws, SLUG, first)
    there = empty(tmp_path / "there")
    import_annotations(there, SLUG, first)
    export_annotations(there, SLUG, second)
    assert second.read_bytes() == first.read_bytes()
    assert derive(there, SLUG) == derive(house.ws, SLUG)
    assert check(there, SLUG) == []
    made = migrations(there, SLUG, "guideline", TASK)
    assert made == migrations(house.ws, SLUG, "guideline", TASK) != []
    assert migrations(there, SLUG, "codebook", TASK) == []
