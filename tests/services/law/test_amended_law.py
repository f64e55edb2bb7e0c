"""Other law comes into use: which gold holds, what is to be checked again, and who says so."""

from __future__ import annotations

import multiprocessing
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, select

import services.mapping.candidate_methods as proposing
from annotation.check.project import check
from annotation.gold.derivation import derive
from annotation.mapping import commands as mapping_commands
from annotation.work import queue_service
from corpus.compare.model import LawChange
from errors import UserError
from retrieval.core.presets import PRESETS
from services.gold.export import export_gold
from services.gold.gold_set import gold_set
from services.law.activation import ToCheck, to_check, use_snapshot
from services.law.comparison import compare
from services.law.importing import import_statutes
from services.law.overview import overview
from services.mapping.candidates import build_candidates
from storage.db.workspace import Workspace
from storage.law.corpus import set_in_use
from storage.mapping import newest_set_id, units_of_sets
from storage.tables.core import CandidateSet, CandidateWay, Snapshot
from tests.conftest import FakeClock
from tests.services.law.law_project import HARBOUR, MARKET, SLUG, LawProject, answer, law_project
from tests.support.refusals import code_of

CHILDREN = multiprocessing.get_context("fork")
WHITESPACE = {"method": "bm25", "tokeniser": "whitespace"}
ALL_GOLD = ["q1", "q2", "q3", "q4", "q5", "q7"]
SCALES = MARKET | {1: "Scales lie flat."}


@pytest.fixture
def here(tmp_path: Path, clock: FakeClock) -> LawProject:
    return law_project(tmp_path, clock)


def gold(here: LawProject, snapshot_id: int | None = None) -> list[str]:
    return [each.external_id for each in derive(here.ws, SLUG, snapshot_id) if each.settled]


def reasons(here: LawProject) -> dict[str, tuple[str, ...]]:
    """Return why questions are pending that are not for lack of submissions."""
    lost = ("amended", "no_candidates")
    items = derive(here.ws, SLUG, by=here.lead)
    return {each.external_id: each.pending for each in items if set(each.pending) & set(lost)}


def agrees(here: LawProject, export: bool = False) -> ToCheck:
    """Assert that everybody who tells the lead what to check again tells the same; return it."""
    told = to_check(here.ws, SLUG, here.lead)
    assert told == to_check(here.ws, SLUG)
    why = reasons(here)
    counts, held = told.counts, gold_set(here.ws, SLUG)
    assert {each.external_id for each in told.entries if each.gold} == set(why)
    assert set(held.amended) == {name for name, said in why.items() if said == ("amended",)}
    assert set(held.waiting) == {name for name, said in why.items() if said == ("no_candidates",)}
    assert (counts.amended, counts.waiting) == (len(held.amended), len(held.waiting))
    assert counts.gold == counts.amended + counts.waiting == len(why)
    assert counts.questions == len(told.questions) == len({e.item_id for e in told.entries})
    if export:
        exported = export_gold(here.ws, SLUG, here.folder / "out")
        assert (exported.amended, exported.waiting) == (held.amended, held.waiting)
    assert check(here.ws, SLUG) == []
    return told


def the_sets(here: LawProject, name: str, snapshot_id: int) -> list[tuple[str, str | None]]:
    """Return (method, in place of which) of the question's candidate sets from a snapshot."""
    query = (
        select(CandidateSet.method, CandidateWay.in_place_of)
        .outerjoin(CandidateWay, col(CandidateWay.candidate_set_id) == CandidateSet.id)
        .where(CandidateSet.item_id == here.items[name], CandidateSet.snapshot_id == snapshot_id)
        .order_by(col(CandidateSet.id))
    )
    with here.ws.reading() as session:
        return [(method, instead) for method, instead in session.exec(query)]


def shown(here: LawProject, name: str) -> str:
    """Return the method of the candidates that people are shown of a question."""
    with here.ws.reading() as session:
        found = session.get(CandidateSet, newest_set_id(session, here.items[name]) or 0)
        assert found is not None
        return found.method


def test_a_changed_article_takes_only_what_rests_on_it(here: LawProject) -> None:
    assert gold(here) == ALL_GOLD
    report = here.bring("second", harbour=HARBOUR, market=MARKET | {2: "Stalls run for two."})
    assert report.outcome is not None
    assert report.outcome.change == LawChange(differ=1, equal=1, new=0, gone=0)
    assert report.outcome.candidates == len(here.items)
    told = agrees(here)
    assert report.outcome.to_check == told.counts
    # "for" of the amended article is in q5, to which nothing of the Market Act spoke before.
    assert told.questions == ("q5", "q7")
    assert [(each.external_id, each.reason) for each in told.entries] == [
        ("q5", "arrived"),
        ("q7", "amended"),
    ]
    assert report.outcome.lines("en")[0] == (
        "1 statute differs, 1 equal; 2 decisions to check again."
    )
    assert report.as_dict()["to_check"] == told.counts.as_dict()
    assert overview(here.ws, SLUG).ready == len(here.items)


def test_from_amendment_to_amendment_and_back_all_counts_agree(here: LawProject) -> None:
    assert agrees(here, export=True).counts.questions == 0
    here.bring("second", harbour=HARBOUR, market=SCALES)
    assert agrees(here, export=True).questions == ("q4",)
    for person in (here.ann, here.ben):
        here.again("q4", person)
    assert agrees(here, export=True).questions == ()
    assert gold(here) == ALL_GOLD
    here.bring("third", harbour=HARBOUR | {1: "Vessels keep torches."}, market=SCALES)
    assert agrees(here, export=True).questions == ("q1",), (
        "nothing speaks to painted lanterns any more"
    )
    assert gold(here) == ["q2", "q3", "q4", "q5", "q7"]
    back = use_snapshot(here.ws, SLUG, 1, here.lead)
    assert agrees(here, export=True).questions == ("q4",), (
        "it was decided on law that said something else"
    )
    assert back.to_check.questions == 1
    assert back.change == LawChange(differ=2, equal=0, new=0, gone=0)
    assert use_snapshot(here.ws, SLUG, 3, here.lead).to_check.questions == 1
    use_snapshot(here.ws, SLUG, 2, here.lead)
    assert agrees(here, export=True).questions == ()
    assert to_check(here.ws, SLUG, here.lead, 3).counts.questions == 1, "as it would be with it"


def test_candidates_of_another_method_change_no_gold(here: LawProject) -> None:
    here.bring("second", harbour=HARBOUR, market=SCALES)
    before = derive(here.ws, SLUG), agrees(here)
    for spec in (WHITESPACE, {"method": "lsa", "dimensions": 3}, None):
        assert build_candidates(here.ws, SLUG, spec=spec).built == len(here.items)
        assert (derive(here.ws, SLUG), agrees(here)) == before
    use_snapshot(here.ws, SLUG, 1)
    build_candidates(here.ws, SLUG, spec=WHITESPACE)
    assert gold(here) == ALL_GOLD
    use_snapshot(here.ws, SLUG, 2)
    assert (derive(here.ws, SLUG), agrees(here)) == before


def test_each_question_gets_the_candidates_it_had_and_those_it_was_decided_on(
    here: LawProject,
) -> None:
    usual = shown(here, "q3")
    build_candidates(here.ws, SLUG, spec=WHITESPACE)
    other = shown(here, "q3")
    assert other != usual
    here.bring("second", harbour=HARBOUR, market=SCALES)
    assert the_sets(here, "q3", 2) == [(usual, None), (other, None)]
    assert the_sets(here, "q1", 2) == [(other, None)], "nobody said that there is no provision"
    assert shown(here, "q3") == other
    assert agrees(here).questions == ("q4",)


def test_what_is_lacking_waits_and_says_so_until_it_is_made(here: LawProject) -> None:
    """As in a workspace that an older version left: other law in use, and nothing suggested."""
    here.bring("second", harbour=HARBOUR, market=SCALES)
    with here.ws.writing() as session:
        set_in_use(session, 1, 1, here.ws.clock())
    path = here.law("third", harbour=HARBOUR, market=MARKET | {3: "Salt rests open."})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("services.law.importing.waits_for_candidates", lambda *_: False)
        import_statutes(here.ws, SLUG, path)
    counts = agrees(here, export=True).counts
    assert reasons(here) == dict.fromkeys(["q3", "q4", "q5"], ("no_candidates",))
    assert (counts.amended, counts.waiting, counts.questions) == (0, 3, 3)
    assert "3 were answered" in counts.lines("en")[1]
    own = to_check(here.ws, SLUG, here.ann)
    assert own.counts.gold == 0
    assert own.counts.waiting_too == 3, "q3, q4 and q6; who settled q5 has to look at that"
    assert not queue_service.open_item(here.ws, here.ann, here.items["q3"]).outrun
    build_candidates(here.ws, SLUG, spec=WHITESPACE)
    assert agrees(here).counts.questions == 0
    assert gold(here) == ALL_GOLD
    assert shown(here, "q3") == shown(here, "q1")


@pytest.mark.parametrize("finish", ["use", "import"])
def test_any_way_to_end_it_ends_it(here: LawProject, finish: str) -> None:
    path = here.law("second", harbour=HARBOUR, market=SCALES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("services.law.importing.waits_for_candidates", lambda *_: False)
        import_statutes(here.ws, SLUG, path)
    assert agrees(here).counts.waiting == 3
    if finish == "use":
        assert use_snapshot(here.ws, SLUG, 2).candidates == len(here.items)
    else:
        import_statutes(here.ws, SLUG, path)
    assert agrees(here).questions == ("q4",)


def test_a_new_statute_asks_again_only_where_it_is_suggested(here: LawProject) -> None:
    report = here.bring("more", add=True, tolls={1: "Barrels float.", 2: "Ropes fray."})
    assert report.outcome is not None
    assert report.outcome.change == LawChange(differ=0, equal=2, new=1, gone=0)
    told = agrees(here)
    assert [(e.external_id, e.reason, e.unit, e.place) for e in told.entries] == [
        ("q5", "arrived", "Tolls-Act_article-1", "Tolls Act Article 1")
    ]
    assert "2 equal, 1 new" in report.outcome.lines()[0]


def test_statutes_that_go_and_articles_that_move(here: LawProject) -> None:
    moved: dict[int | str, str] = {1: HARBOUR[1], 2: HARBOUR[2], 3: HARBOUR[3], "4-2": HARBOUR[4]}
    report = here.bring("second", harbour=moved, tolls={1: "Ropes fray."})
    assert report.outcome is not None
    assert report.outcome.change == LawChange(differ=1, equal=0, new=1, gone=1)
    told = agrees(here)
    assert told.questions == ("q7",), "nothing speaks to what had no provision in what is gone"
    assert [(str(e.became), e.now) for e in told.entries] == [("removed", None)]
    moved |= {2: "Sails are patched.", "2-2": HARBOUR[2]}
    here.bring("third", harbour=moved, market=MARKET)
    told = agrees(here)
    assert [(e.external_id, e.reason, e.now) for e in told.entries] == [
        ("q2", "amended", "Harbour-Act_article-2-2"),
        ("q5", "arrived", "Harbour-Act_article-2-2"),
    ]


def test_only_where_somebody_has_begun_are_candidates_made_unasked(
    tmp_path: Path, clock: FakeClock
) -> None:
    here = law_project(tmp_path, clock, annotated=False)
    report = here.bring("second", harbour=HARBOUR, market=SCALES)
    assert report.outcome is not None
    assert (report.outcome.candidates, overview(here.ws, SLUG).ready) == (0, 0)
    use_snapshot(here.ws, SLUG, 1)
    for name in ("q3", "q4"):
        queue_service.open_item(here.ws, here.ann, here.items[name])
        mapping_commands.set_no_provision(here.ws, here.ann, here.items[name], True)
    use_snapshot(here.ws, SLUG, 2)
    assert overview(here.ws, SLUG).ready == len(here.items)
    assert queue_service.open_item(here.ws, here.ann, here.items["q4"]).outrun
    assert not queue_service.open_item(here.ws, here.ann, here.items["q3"]).outrun


def _killed_when_asked(here: LawProject, path: Path, stop_at: int) -> None:
    made = 0

    def report(_done: int, _total: int) -> None:
        nonlocal made
        made += 1
        if made == stop_at:
            os.kill(os.getpid(), signal.SIGKILL)

    import_statutes(Workspace(here.ws.folder, here.ws.clock), SLUG, path, report)
    os._exit(7)  # pragma: no cover  (it was not killed)


def test_death_at_any_moment_leaves_the_law_before_in_use_with_its_gold(here: LawProject) -> None:
    path = here.law("second", harbour=HARBOUR, market=SCALES)
    for told in (1, 4, 8, 9, 10):  # files, references, the graph, two indexes and questions
        here.ws.engine.dispose()
        child = CHILDREN.Process(target=_killed_when_asked, args=(here, path, told))
        child.start()
        child.join(100)
        assert child.exitcode == (7 if told == 10 else -signal.SIGKILL)
        if told < 10:
            lines = overview(here.ws, SLUG).snapshots
            assert [line.id for line in lines if line.in_use] == [1], told
            assert gold(here) == ALL_GOLD
            assert to_check(here.ws, SLUG).counts.questions == 0
    with here.ws.reading() as session:
        assert len(session.exec(select(Snapshot.id)).all()) == 2
    assert agrees(here).questions == ("q4",)


def test_law_that_came_meanwhile_is_not_lost(
    here: LawProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = proposing.proposals

    def overtaken(*arguments: Any) -> Any:
        monkeypatch.setattr(proposing, "proposals", real)
        here.bring("other", harbour=HARBOUR, market=SCALES)
        return real(*arguments)

    monkeypatch.setattr(proposing, "proposals", overtaken)
    assert code_of(here.bring, "more", add=True, tolls={1: "Ropes fray."}) == "import_overtaken"
    assert compare(here.ws, SLUG).law == LawChange(differ=1, equal=1, new=0, gone=0)
    assert agrees(here).questions == ("q4",)


def test_what_people_begin_meanwhile_gets_its_candidates_too(
    here: LawProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ben answers q6 on candidates that another method made while the law is brought in."""
    usual = shown(here, "q6")
    real = proposing.proposals

    def meanwhile(*arguments: Any) -> Any:
        monkeypatch.setattr(proposing, "proposals", real)
        build_candidates(here.ws, SLUG, spec=WHITESPACE)
        answer(here.ws, here.ben, here.items["q6"])
        return real(*arguments)

    monkeypatch.setattr(proposing, "proposals", meanwhile)
    here.bring("second", harbour=HARBOUR, market=SCALES)
    other = shown(here, "q6")
    assert the_sets(here, "q6", 2) == [(usual, None), (other, None)]
    assert agrees(here).questions == ("q4",)


def absent(*_: object, **__: object) -> Any:
    raise UserError("candidate_unknown", unit="the model is not here")


def test_a_method_that_cannot_be_had_is_replaced_and_named(
    tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = law_project(tmp_path, clock, PRESETS["tfidf"])
    wanted = shown(here, "q3")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proposing, "ready", absent)
        report = here.bring("second", harbour=HARBOUR, market=SCALES)
    assert report.outcome is not None
    (instead,) = report.outcome.stand_ins
    assert (instead.questions, instead.used) == (len(here.items), "")
    assert "TF-IDF" in instead.wanted
    (line,) = [line for line in report.outcome.lines() if "the standard method" in line]
    assert "the model is not here" in line
    assert the_sets(here, "q3", 2) == [(proposing.method_name(), wanted)]
    assert agrees(here).questions == ("q4",)
    here.bring("third", harbour=HARBOUR, market=SCALES | {3: "Salt rests open."})
    assert the_sets(here, "q3", 3) == [(wanted, None)], "it is here again"
    assert agrees(here).questions == ("q4",)


def forget_ways(ws: Workspace) -> None:
    """Leave the workspace as a version before methods were kept would have."""
    with ws.engine.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER candidate_way_no_delete")
        connection.exec_driver_sql("DELETE FROM candidate_way")
        connection.exec_driver_sql(
            "CREATE TRIGGER candidate_way_no_delete BEFORE DELETE ON candidate_way "
            "BEGIN SELECT RAISE(ABORT, 'rows of candidate_way are only ever added'); END"
        )


@pytest.mark.parametrize(
    ("spec", "same"),
    [(PRESETS["tfidf"], True), ({"method": "bm25", "k1": 1.4}, False)],
    ids=["preset", "own"],
)
def test_candidates_from_before_methods_were_kept(
    tmp_path: Path, clock: FakeClock, spec: Any, same: bool
) -> None:
    """The standard method and presets are known by their names; another one is replaced."""
    here = law_project(tmp_path, clock, spec)
    wanted = shown(here, "q3")
    forget_ways(here.ws)
    assert gold(here) == ALL_GOLD
    assert check(here.ws, SLUG) == []
    report = here.bring("second", harbour=HARBOUR, market=SCALES)
    assert report.outcome is not None
    assert bool(report.outcome.stand_ins) != same
    expected = (wanted, None) if same else (proposing.method_name(), wanted)
    assert the_sets(here, "q3", 2) == [expected]
    assert agrees(here).questions == ("q4",)


def test_a_method_that_changed_since_is_replaced_by_itself(
    here: LawProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = shown(here, "q3")
    monkeypatch.setattr(proposing, "METHOD", "citations, titles, texts; version 4")
    report = here.bring("second", harbour=HARBOUR, market=SCALES)
    assert the_sets(here, "q3", 2) == [(proposing.method_name(), before)]
    assert report.outcome is not None
    assert [each.why.code for each in report.outcome.stand_ins] == ["candidates_way_newer"]
    assert agrees(here).questions == ("q4",)


def test_replacing_the_copy_by_itself_says_nothing(here: LawProject) -> None:
    report = here.bring("first", harbour=HARBOUR, market=MARKET)
    assert report.outcome is not None
    assert (report.new, report.before, report.outcome.change) == (False, None, None)
    assert report.outcome.lines() == []
    assert replace(report.outcome, candidates=0) == report.outcome


def test_law_that_was_in_use_before_is_used_again_without_making_its_candidates_anew(
    here: LawProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = {1: _listed(here, 1)}
    here.bring("second", harbour=HARBOUR, market=SCALES)
    listed[2] = _listed(here, 2)

    def made(*_: object, **__: object) -> None:
        raise AssertionError("candidates were made that are there")

    monkeypatch.setattr(proposing, "propose", made)
    monkeypatch.setattr(proposing, "proposals", made)
    for law in (1, 2, 1):
        outcome = use_snapshot(here.ws, SLUG, law, here.lead)
        assert outcome.candidates == 0
        assert _listed(here, law) == listed[law]
        assert agrees(here).counts.waiting == 0


def _listed(here: LawProject, law: int) -> dict[str, list[int]]:
    """Return what people are shown of each question, which is of this law."""
    with here.ws.reading() as session:
        newest = {
            name: session.get(CandidateSet, newest_set_id(session, item) or 0)
            for name, item in here.items.items()
        }
        assert {each.snapshot_id for each in newest.values() if each} == {law}
        ids = {name: each.id or 0 for name, each in newest.items() if each}
        units = units_of_sets(session, ids.values())
    return {name: units[number] for name, number in ids.items()}
