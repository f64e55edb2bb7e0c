from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import func, select

from annotation.adjudication import disputes
from annotation.adjudication.tasks import recall
from annotation.batches import commands as batches_commands
from annotation.check.project import check
from annotation.forms.adjudication import settle
from annotation.guidelines.documents import TASK
from annotation.guidelines.editing import new_version
from annotation.guidelines.migration import migrate_answers
from annotation.history.reading import FAMILIES, Entry, Filter, everything, filter_by_names, read
from annotation.people import members
from annotation.tagging.suggestion_visibility import set_suggestions
from annotation.work import commands, queue_service
from construction.gold.splitting import Recipe, Way
from errors import UserError
from services.cases.standard_groups import choose_query
from services.law.importing import import_questions
from services.law.levels import set_levels
from services.mcq.importing import import_votes
from storage.db.rows import add_row
from storage.gold import keep_split
from storage.runs.experiments import keep_experiment
from storage.runs.run_store import keep_mark, keep_view
from storage.tables.core import Annotation, Person, RunRow
from storage.tables.exchange import LabelFile
from storage.tables.people import AccountEvent, Comment, Confidence, Referral
from storage.tables.runs import DatasheetAnswersRow, ExperimentRow
from tests.annotation.crew import batch, know, leader, submit
from tests.annotation.house import SLUG, House, given_back
from tests.conftest import FakeClock
from tests.projects import mcq_project
from tests.services.cases import grouped_cases
from tests.support.refusals import code_of

WORDS = "what-ben-said"
SHARES = {"train": 80, "dev": 10, "test": 10}
OF_COURT_CASES = {"court_cases", "typology", "case_query", "suggestions"}


def of(house: House, by: int | None = None, **more: Any) -> Sequence[Entry]:
    return read(house.ws, SLUG, Filter(**more), limit=10_000, by=by).entries


def kinds(entries: Sequence[Entry]) -> list[str]:
    return [each.kind for each in entries]


def talk(house: House, person: int, item: int) -> None:
    """Leave a trace of every sort on an item: draft, thread, referral, confidence."""
    submit(house, person, item, 2)
    with house.ws.writing() as session:
        at = house.ws.clock()
        session.add(Comment(item_id=item, person_id=person, text=WORDS, at=at))
        session.add(
            Referral(item_id=item, person_id=person, reason=WORDS, annotation_ids=[1], at=at)
        )
        made = session.exec(select(func.max(Annotation.id))).one()
        session.add(Confidence(annotation_id=made or 0, value=4))


def test_every_act_is_told_newest_first(house: House) -> None:
    item = house.items[0]
    submit(house, house.ann, item, 2)
    commands.take_back(house.ws, house.ann, item)
    entries = of(house, item_id=item, person_id=house.ann)
    assert kinds(entries) == [
        "submission.withdraw",
        "submission.submit",
        "draft.add",
        "draft.open",
    ]
    assert [each.at for each in entries] == sorted((each.at for each in entries), reverse=True)
    made = entries[1]
    assert (made.item, made.person) == ("q1", "Ann")
    assert made.details["labels"] == {"lake-act_article-2": "accept"}
    assert entries[0].details["supersedes"] == made.key
    assert entries[2].details == {"unit": "lake-act_article-2"}


def test_each_row_is_told_once_and_pages_cut_nothing(house: House) -> None:
    talk(house, house.ann, house.items[0])
    everyone = of(house)
    keys = [each.key for each in everyone]
    assert len(set(keys)) == len(keys)
    pages = [read(house.ws, SLUG, offset=at, limit=4) for at in range(0, len(keys), 4)]
    assert [each.key for page in pages for each in page.entries] == keys
    assert {page.total for page in pages} == {len(keys)}
    assert [each.key for each in everything(house.ws, SLUG)] == keys


def test_every_family_has_a_table_and_can_be_told(house: House) -> None:
    talk(house, house.ann, house.items[0])
    submit(house, house.ben, house.items[0], 3)
    disputes.decide(house.ws, house.judge, house.items[0], [house.units[2]], False, "clear", 3.0)
    know(house)
    batch(house, ids=("q2",))
    batches_commands.set_pool(house.ws, SLUG, True)
    _rest(house)
    told = {each.kind.partition(".")[0] for each in of(house)}
    assert (
        told
        == set(FAMILIES)
        - {"settlement", "undone", "votes", "verdicts", "questions"}
        - OF_COURT_CASES
    )  # which the next tests make
    (decided,) = of(house, kinds=("adjudication",))
    assert decided.details["units"] == ["lake-act_article-2"]
    for kind, person, details in (
        ("levels.set", None, {"levels": ["article", "annex"]}),
        ("run_mark.retired", "Cho", {"run": 1, "text": "old"}),
        ("saved_view.saved", "Cho", {"name": "Paper", "runs": [1]}),
        ("saved_view.removed", None, {"name": "Paper"}),
        ("experiment.begun", "Cho", {"name": "Sweep", "gold_hash": "hash"}),
        ("split.version", "Cho", {"split_by": "near", "seed": 7, "shares": SHARES}),
        ("datasheet.version", None, {"number": 1, "note": "said"}),
        ("labels.imported", "Cho", {"tool": "label-studio", "label_count": 12}),
        ("batch.people", None, {"added": ["Ann", "Ben", "Cho"]}),
    ):
        (entry,) = of(house, kinds=(kind,))
        assert (entry.person, entry.by_operator) == (person, person is None)
        assert details.items() <= entry.details.items()
        assert "statute: part" not in str(entry.details)  # what a division came to is no wish
    (moved,) = of(house, kinds=("draft.migrate",))
    (made,) = of(house, kinds=("migration",))
    assert (moved.about, moved.details["migration"]) == ("Cho", made.key)
    assert (made.by_operator, made.details["to"], made.details["reason"]) == (True, 2, "clearer")
    edits = [each.details["number"] for each in of(house, kinds=("guideline",))]
    assert edits == [2, 2, 1, 1]


def test_answers_and_how_they_were_settled_are_told_to_who_may_read_them(
    tmp_path: Path, clock: FakeClock
) -> None:
    made = mcq_project.build(tmp_path / "mcq", clock)
    item = made.items[0]
    mcq_project.submitted(made, made.ann, item)
    mcq_project.submitted(made, made.ben, item, "drop", cause="unclear")
    settle(made.ws, made.judge, item, {"verdict": "drop", "cause": "unclear"}, "Ben is right.")
    settle(made.ws, made.judge, item, {"verdict": "keep"}, "On second thought.")

    def told(by: int | None = None) -> dict[str, Entry]:
        entries = read(made.ws, mcq_project.SLUG, Filter(), limit=1_000, by=by).entries
        return {each.key: each for each in entries}

    found = told()
    assert found["submission-2"].details["given"]["cause"] == "unclear"
    said = found["settlement-2"]
    assert (said.kind, said.item, said.person) == ("settlement.decided", "mcq-001", "Cho")
    assert said.details["given"] == {"verdict": "keep"}
    assert said.details["submissions"] == ["submission-1", "submission-2"]
    assert said.details["supersedes"] == "settlement-1"
    every = {"submission-1", "submission-2", "settlement-1", "settlement-2"}
    assert every <= told(made.judge).keys()
    assert every & told(made.ann).keys() == {"submission-1"}


def test_a_file_of_votes_is_one_entry_for_who_reads_what_others_say(
    tmp_path: Path, clock: FakeClock
) -> None:
    made = mcq_project.build(tmp_path / "mcq", clock)
    file = tmp_path / "answers.jsonl"

    def bring(*models: str, by: int | None = None) -> None:
        said = {"id": "mcq-003", "setting": "ab", "tool": "lm-eval", "choice": 1}
        lines = [json.dumps(said | {"model": model}) + "\n" for model in models]
        file.write_text("".join(lines), encoding="utf-8")
        import_votes(made.ws, mcq_project.SLUG, file, by)

    def told(by: int | None = None) -> Sequence[Entry]:
        part = Filter(kinds=("votes",))
        return read(made.ws, mcq_project.SLUG, part, by=by).entries

    bring("small", "large")
    bring("small", "large")  # nothing new, and nothing happened
    bring("other", by=made.lead)
    last, first = told()
    assert (first.kind, first.person, first.by_operator) == ("votes.imported", None, True)
    hers = read(made.ws, mcq_project.SLUG, Filter(person_id=made.lead)).entries
    assert (last.person, last.by_operator) == ("Dora", False)
    assert last.key in {each.key for each in hers}
    assert first.key not in {each.key for each in hers}
    digest = first.details.pop("content_hash")
    assert len(digest) == 12 and digest != last.details["content_hash"]
    assert first.details == {
        "tool": ["lm-eval"],
        "models": ["large", "small"],
        "file": "answers.jsonl",
        "vote_count": 2,
    }
    assert (last.details["models"], last.details["vote_count"]) == (["other"], 1)
    assert len(told(made.judge)) == 2
    assert told(made.ann) == ()


def test_a_file_of_questions_is_one_entry_that_everybody_sees(house: House, tmp_path: Path) -> None:
    file = tmp_path / "asked-by-hikers.jsonl"
    line = '{"question_id": "h%d", "question": "May I camp here? %d", "answer": "No."}\n'
    file.write_text(line % (1, 1) + line % (2, 2), "utf-8")
    lead = leader(house)
    import_questions(house.ws, SLUG, file, by=lead)
    import_questions(house.ws, SLUG, file, by=lead)  # nothing new, and nothing happened
    (entry,) = of(house, kinds=("questions",), by=house.ann)
    (name,) = {each.person for each in of(house, kinds=("questions",), person_id=lead)}
    assert (entry.kind, entry.person, entry.by_operator) == ("questions.imported", name, False)
    assert entry.details == {
        "file": "asked-by-hikers.jsonl",
        "content_hash": hashlib.sha256(file.read_bytes()).hexdigest(),
        "question_count": 2,
    }
    file.write_text(file.read_text("utf-8") + line % (3, 3), "utf-8")
    import_questions(house.ws, SLUG, file)
    newest, _ = of(house, kinds=("questions",))
    assert newest.by_operator and newest.details["question_count"] == 1
    assert check(house.ws, SLUG) == []


def test_what_becomes_of_court_cases_is_told_to_everybody(tmp_path: Path, clock: FakeClock) -> None:
    made = grouped_cases.build(tmp_path / "cases", clock)
    choose_query(made.ws, grouped_cases.SLUG, grouped_cases.INSULT, "2021-2", made.researcher)
    set_suggestions(made.ws, grouped_cases.SLUG, "hidden", made.researcher)
    part = Filter(kinds=tuple(OF_COURT_CASES))
    found = read(made.ws, grouped_cases.SLUG, part, by=made.annotator).entries
    assert {each.kind.partition(".")[0]: (each.person, each.details) for each in found} == {
        "court_cases": (None, {"name": "cases", "content_hash": ""}),
        "typology": ("Rho", {"number": 2, "note": "small"}),
        "case_query": ("Rho", {"group": grouped_cases.INSULT, "case": "2021-2"}),
        "suggestions": ("Rho", {"suggestions": "hidden"}),
    }


def test_what_a_lead_took_over_is_told_as_theirs_about_its_person(house: House) -> None:
    lead = leader(house)
    submit(house, house.ann, house.items[0], 2)
    submit(house, house.ben, house.items[0], 3)
    new_version(house.ws, SLUG, "guideline", TASK, {"en": "Read it."}, "shorter", 1)
    migrate_answers(house.ws, SLUG, "guideline", TASK, 1, 2, {}, "clearer", by=lead)
    (name,) = {each.person for each in of(house, kinds=("migration",))}
    told = of(house, kinds=("draft", "submission"))
    taken = [each for each in told if "migration" in each.details]
    assert sorted(kinds(taken)) == ["draft.migrate"] * 2 + ["submission.submit"] * 2
    assert {(each.person, each.about) for each in taken} == {(name, "Ann"), (name, "Ben")}
    assert {each.details["migration"] for each in taken} == {"migration-1"}
    others = [each for each in told if each not in taken]  # what they did themselves stays theirs
    assert {(each.person, each.about) for each in others} == {("Ann", None), ("Ben", None)}
    assert of(house, person_id=lead, kinds=("draft", "submission")) == tuple(taken)
    assert {each.about for each in of(house, by=house.ann, kinds=("draft.migrate",))} == {"Ann"}


def _rest(house: House) -> None:
    """Edit the guideline and take answers over; keep a run and an account's event."""
    from annotation.people.accounts import add_account

    submit(house, house.cho, house.items[2], 1)
    new_version(house.ws, SLUG, "guideline", TASK, {"en": "Read it."}, "shorter", 1)
    migrate_answers(house.ws, SLUG, "guideline", TASK, 1, 2, {}, "clearer")
    account = add_account(house.ws, "ann", "Ann", "four plain words here")
    set_levels(house.ws, SLUG, ["annex", "article"])
    with house.ws.writing() as session:
        at = house.ws.clock()
        session.get_one(Person, house.ann).account_id = account.id
        session.add(AccountEvent(account_id=account.id, kind="link", payload={"s": WORDS}, at=at))
        about: dict[str, Any] = {"name": "Sweep", "text": "name: Sweep", "content_hash": "all"}
        about |= {"number": 0, "project_id": 1, "snapshot_id": 1, "gold_hash": "hash", "at": at}
        keep_experiment(session, ExperimentRow(**about, by_person_id=house.cho))
        file: dict[str, Any] = {"tool": "label-studio", "name": "from.json", "labels": 12}
        hashes: dict[str, Any] = {"sha256": "a" * 64, "guide_sha256": "b" * 64}
        session.add(LabelFile(project_id=1, by_person_id=house.cho, at=at, **file, **hashes))
        recipe = Recipe(Way.NEAR, (80, 10, 10), 7, homes={"statute": "part"})
        on: dict[str, Any] = {"snapshot_id": 1, "gold_hash": "hash"}
        keep_split(session, 1, recipe, {}, **on, note="first", by=house.cho, at=at)
        session.add(DatasheetAnswersRow(project_id=1, number=1, text="", note="said", at=at))
        run = RunRow(project_id=1, method="bm25", params={"k": 1}, **on, created_at=at)
        add_row(session, run)
        keep_mark(session, 1, "retired", "old", house.cho, at)
        keep_view(session, 1, "Paper", {"runs": [1]}, house.cho, at)
        keep_view(session, 1, "Paper", {}, None, at)


def test_filters_narrow_and_unknown_words_are_refused(house: House) -> None:
    submit(house, house.ann, house.items[0], 1)
    submit(house, house.ben, house.items[1], 1)
    part = filter_by_names(house.ws, SLUG, "q2", "Ben", ["submission", "draft.add"])
    assert kinds(read(house.ws, SLUG, part).entries) == ["submission.submit", "draft.add"]
    everyone = of(house)
    middle = everyone[len(everyone) // 2].at
    assert [*of(house, since=middle), *of(house, until=middle)] == list(everyone)
    assert of(house, since=everyone[0].at + timedelta(seconds=1)) == ()
    for words in ({"item": "q9"}, {"person": "Nobody"}, {"kinds": ["drafts"]}):
        with pytest.raises(UserError):
            filter_by_names(house.ws, SLUG, **words)


def test_an_annotator_sees_on_items_their_own_acts_alone(house: House) -> None:
    for item in house.items:
        talk(house, house.ben, item)
    submit(house, house.ann, house.items[0], 3)
    seen = of(house, by=house.ann)
    assert {each.person for each in seen if each.kind != "candidates.built"} <= {"Ann", None}
    built = [each.details for each in seen if each.kind == "candidates.built"]
    assert [(each["candidates"], each["citations"]) for each in built] == [(3, 2)] * 3
    assert WORDS not in str([each.as_dict() for each in seen])
    assert of(house, by=house.ann, person_id=house.ben) == ()


def test_who_reads_labels_reads_them_once_all_are_in(house: House) -> None:
    who, item = leader(house, "researcher"), house.items[0]
    talk(house, house.ben, item)
    said = ("draft", "submission", "comment", "referral", "adjudication")
    assert of(house, by=who, kinds=said) == ()
    submit(house, house.ann, item, 3)
    seen = of(house, by=who, kinds=said)
    assert {each.person for each in seen} == {"Ann", "Ben"}
    recall(house.ws, house.judge, item)
    given_back(house, house.ann, item)
    commands.take_back(house.ws, house.ann, item)
    assert of(house, by=who, kinds=said) == ()


def test_known_answers_and_batches_are_hidden_from_who_annotates(house: House) -> None:
    know(house)
    batch(house)
    batches_commands.set_pool(house.ws, SLUG, True)
    _rest(house)
    assert of(house, by=house.ann, kinds=("known_answer", "batch", "labels")) == ()
    lead = leader(house)
    assert len(of(house, by=lead, kinds=("labels",))) == 1
    assert len(of(house, by=house.ann, kinds=("split", "datasheet"))) == 2
    assert len(of(house, by=lead, kinds=("known_answer", "batch"))) == 4


def test_calibration_items_can_be_followed_at_once(house: House) -> None:
    know(house)
    number = batch(house, practice=True, ids=("q3",))
    submit(house, house.ann, house.items[2], 1)
    assert of(house, by=leader(house), kinds=("submission",))
    batches_commands.close(house.ws, SLUG, number)


def test_what_happens_to_people_and_accounts_is_theirs(house: House) -> None:
    _rest(house)
    members.change_role(house.ws, house.ben, "lawyer")
    own = of(house, by=house.ann, kinds=("person", "account"))
    assert {each.about for each in own} == {"Ann"}
    everyone = of(house, by=leader(house), kinds=("person", "account"))
    assert {each.kind.partition(".")[0] for each in everyone} == {"person"}
    assert WORDS not in str([each.as_dict() for each in of(house)])


def test_of_another_project_nothing_is_told(house: House) -> None:
    from storage.projects import create_project

    create_project(house.ws, "other", "Other")
    queue_service.open_item(house.ws, house.ann, house.items[0])
    assert read(house.ws, "other").entries == ()
    assert code_of(read, house.ws, "other", by=house.ann) == "person_unknown"
