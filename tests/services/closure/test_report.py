"""Closure of a project's gold: what is proposed, what people make of it, what stays as it is."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from annotation.adjudication.discussion_views import keep as keep_answer
from annotation.adjudication.disputes import decide as adjudicate
from annotation.closure.decisions import decide
from annotation.forms.form import answer
from annotation.gold.derivation import derive
from annotation.work.commands import submit, take_back
from annotation.work.discussions import discussions
from annotation.work.queue_service import queue
from annotation.work.versioned_texts import CLOSURE_RULES
from construction.closure.rules import starter
from services.closure.audit import close_references
from services.closure.report import changes, check, provisions
from services.closure.report_tables import as_report
from services.curation.items import admit, give_to_curation
from services.gold.export import export_gold
from services.law.graph.citation_graph import build
from storage.law.corpus import unit_ids
from storage.law.imports import keep_statutes
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.projects.closure_law import (
    COMPANY,
    CRITERIA,
    FINE,
    INSPECTION,
    JOINT,
    PENALTY,
    RAFTS,
    REPORT,
    UNIVERSITY,
    law,
)
from tests.projects.closure_project import SLUG, Ferry, ferry
from tests.projects.curation_project import steps
from tests.support.refusals import code_of

Queue = dict[str, dict[str, str]]
ALL: Queue = {
    "q1": {FINE: "waiting", CRITERIA: "waiting"},
    "q2": {INSPECTION: "waiting"},
    "q5": {PENALTY: "waiting", JOINT: "waiting"},
    "aug-0001": {COMPANY: "waiting"},
}


@pytest.fixture
def project(tmp_path: Path, clock: FakeClock) -> Ferry:
    return ferry(tmp_path / "ws", clock)


def states(project: Ferry, by: int | None = None) -> Queue:
    found = check(project.ws, SLUG, by)
    return {
        each.case.external_id: {one.unit: one.state for one in each.proposals}
        for each in found.queue
    }


def gold(project: Ferry, question: str) -> tuple[str, ...]:
    by_id = {each.external_id: each.units for each in derive(project.ws, SLUG)}
    return by_id[question]


def refused(project: Ferry, *args: object, by: int | None, reason: str = "because") -> str:
    return code_of(decide, project.ws, SLUG, *args, reason, by=by)


def test_gold_that_lacks_something_is_listed_with_rule_and_words(project: Ferry) -> None:
    assert states(project) == states(project, project.lead) == ALL
    found = check(project.ws, SLUG)
    fine = found.queue[0].proposals[0]
    assert fine.place == "나루법 제10조" and fine.rules == ("r4_sanction",)
    assert [each.text for each in fine.why[0].fired] == ["과태료", "제1조"]
    assert found.problems == () and found.number == 1
    (row, *rest) = as_report(found, "en").as_json()["missing"]
    assert (row["question"], row["unit"], row["rule"]) == ("q1", FINE, "r4_sanction")
    assert row["words"] == f"“과태료” (question); “제1조” ({FINE})" and len(rest) == 5
    shown = provisions(project.ws, SLUG, [FINE, "없는법_1조"], project.ann)
    assert list(shown) == [FINE]
    assert (shown[FINE].heading, shown[FINE].place) == ("과태료", "나루법 제10조")


def test_shares_are_of_all_gold_sets_with_their_interval(project: Ferry) -> None:
    found = check(project.ws, SLUG)
    any_rule, *by_rule = found.counts
    # q1, q2, q3, q5 and aug-0001: q4 is "no provision", q6 has no gold
    assert (any_rule.lacking.value, any_rule.lacking.n) == (4 / 5, 5)
    assert any_rule.lacking.low is not None and any_rule.provisions == 6
    assert {each.rule: round((each.lacking.value or 0) * 5) for each in by_rule} == {
        "r1_domain_anchor": 0,
        "r2_parallel": 1,
        "r2_deemed_application": 1,
        "r3_pre_approval": 0,
        "r4_sanction": 2,
        "r4_sanction_annex": 0,
    }
    decide(project.ws, SLUG, "dismissed", "question", "q2", [INSPECTION], "no", by=project.lead)
    again = check(project.ws, SLUG)
    assert (again.counts[0].lacking.value, again.counts[0].dismissed) == (3 / 5, 1)
    report = as_report(again, "ko")
    assert [row["lacking"]["n"] for row in report.as_json()["counts"]] == [5] * 7
    assert report.sections[0].lead.startswith("정답 5건 가운데 60.0 %")
    assert report.facts["states"]["dismissed"] == 1
    listed = [len(as_report(again, "en", every).sections[1].sheet.rows) for every in (False, True)]
    assert listed == [5, 6]
    only = check(project.ws, SLUG, question="q3")
    assert (only.counts[0].lacking.value, only.queue) == (0, ())


def test_what_is_dismissed_stays_dismissed_until_it_is_reopened(project: Ferry) -> None:
    ws = project.ws
    assert refused(
        project, "dismissed", "question", "q2", [INSPECTION], by=project.lead, reason=" "
    )
    decide(ws, SLUG, "dismissed", "question", "q2", [INSPECTION], "not asked", by=project.lead)
    said = check(ws, SLUG, question="q2").queue[0].proposals[0]
    assert said.state == "dismissed" and said.decision is not None
    assert (said.decision.person, said.decision.reason) == ("Lee", "not asked")
    again = "dismissed", "question", "q2", [INSPECTION]
    assert refused(project, *again, by=project.lead) == "closure_already"
    late = partial(decide, state_shown="waiting")  # an act never takes the place of another one
    act = ws, SLUG, "added", "question", "q2", [INSPECTION]
    assert code_of(late, *act, by=project.lead) == "closure_already"
    assert gold(project, "q2") == (RAFTS,)
    decide(ws, SLUG, "reopened", "question", "q2", [INSPECTION], by=project.lead)
    assert states(project) == ALL
    assert refused(project, "reopened", "question", "q2", [INSPECTION], by=1) == "not_allowed"
    reopened = "reopened", "question", "q2", [INSPECTION]
    assert refused(project, *reopened, by=project.lead) == "closure_nothing"


def test_adding_never_edits_gold_and_sends_the_item_back(project: Ferry) -> None:
    ws, item = project.ws, project.items["q1"]
    before = gold(project, "q1")
    decide(
        ws, SLUG, "added", "question", "q1", [FINE, CRITERIA], "Look at the fine.", by=project.lead
    )
    with ws.reading() as session:
        talk = discussions(session, 1, item)[item]
    assert talk.open and set(talk.people.values()) == {"Ann", "Ben"}
    assert talk.row.reason.splitlines()[0] == "Look at the fine."
    assert "나루법 제10조" in talk.row.reason and "“과태료”" in talk.row.reason
    assert gold(project, "q1") == ()  # pending until they have answered
    assert states(project)["q1"] == {FINE: "sent_back", CRITERIA: "sent_back"}
    assert refused(project, "added", "question", "q1", [FINE], by=project.lead) == "closure_already"
    for person in (project.ann, project.ben):  # they take in the one, not the other
        take_back(ws, person, item)
        project.accept(person, "q1", FINE)
    assert gold(project, "q1") == (FINE, REPORT) != before
    assert states(project)["q1"] == {CRITERIA: "declined"}


def test_annotators_may_keep_what_they_said(project: Ferry) -> None:
    decide(project.ws, SLUG, "added", "question", "q2", [INSPECTION], "?", by=project.lead)
    for person in (project.ann, project.ben):
        keep_answer(project.ws, person, project.items["q2"])
    assert gold(project, "q2") == (RAFTS,)
    assert states(project)["q2"] == {INSPECTION: "declined"}
    decide(project.ws, SLUG, "added", "question", "q2", [INSPECTION], "again", by=project.lead)
    assert states(project)["q2"] == {INSPECTION: "sent_back"}


def test_what_an_adjudicator_decided_goes_back_to_the_adjudicator(project: Ferry) -> None:
    ws, item = project.ws, project.items["q5"]
    decide(ws, SLUG, "added", "question", "q5", [PENALTY, JOINT], "?", by=project.lead)
    assert states(project)["q5"] == {PENALTY: "sent_back", JOINT: "sent_back"}
    assert gold(project, "q5") == (INSPECTION,)
    with ws.reading() as session:
        numbers = unit_ids(session, 1)
        assert item not in discussions(session, 1, item)
    chosen = [numbers[each] for each in (INSPECTION, PENALTY)]
    adjudicate(ws, project.judge, item, chosen, False, "with the penalty", 4)
    assert states(project)["q5"] == {JOINT: "declined"}


def test_what_curators_decided_against_is_not_proposed_anew(project: Ferry) -> None:
    close_references(project.ws, SLUG, ["aug-0001"])
    give_to_curation(project.ws, SLUG, unchecked=True)
    said = steps(gold={UNIVERSITY: "yes", COMPANY: "no"})
    for person in (project.ann, project.ben):
        [item] = [each.item_id for each in queue(project.ws, person, Task.CURATION)]
        for field, value in said:
            answer(project.ws, person, item, field, value)
        submit(project.ws, person, item)
    assert admit(project.ws, SLUG).admitted == ("aug-0001",)
    assert states(project)["aug-0001"] == {COMPANY: "declined"}
    decide(project.ws, SLUG, "dismissed", "question", "aug-0001", [COMPANY], "As curated.")
    assert states(project)["aug-0001"] == {COMPANY: "dismissed"}
    export_gold(project.ws, SLUG, project.ws.folder / "out")
    labelling = json.loads((project.ws.folder / "out" / "datasheet.json").read_text("utf-8"))
    became = "provisions proposed by rules of closure, by what became of them"
    assert labelling["labelling"][became] == {"dismissed with a reason": 1, "sent back or added": 1}


def test_what_is_not_proposed_cannot_be_decided(project: Ferry) -> None:
    for kind, question, unit, code in (
        ("question", "q9", FINE, "closure_set_gone"),
        ("question", "q4", FINE, "closure_set_gone"),
        ("question", "q3", FINE, "closure_proposal_gone"),
        ("augmented", "q1", FINE, "closure_set_gone"),
        ("question", "q1", "없는법_1조", "closure_proposal_gone"),
    ):
        for verdict in ("added", "dismissed", "reopened"):
            assert refused(project, verdict, kind, question, [unit], by=project.lead) == code
    assert refused(project, "added", "question", "q1", [FINE], by=None) == "closure_needs_person"
    assert states(project, project.judge) == ALL


def test_a_preview_says_what_other_rules_would_propose(project: Ferry) -> None:
    ws = project.ws
    text = (
        starter()
        .replace("domains: []", _DOMAIN)
        .replace("- {edges: [applies]", "- {edges: [defines]")
    )
    found = changes(ws, SLUG, text, project.lead)
    assert (found.counts, found.provisions) == ((4, 4), (6, 7))
    assert found.by_rule["r2_deemed_application"] == (1, 0)
    assert found.by_rule["r1_domain_anchor"] == (0, 1)
    assert found.problems == (("rafts", "없는법_1조"),)
    assert "+- key: rafts" in found.diff and CLOSURE_RULES.edition(ws, SLUG).packaged
    assert CLOSURE_RULES.save(ws, SLUG, text, "rafts", 1, project.lead) == 2
    assert states(project)["q2"] == {FINE: "waiting", CRITERIA: "waiting"}


_DOMAIN = f"""domains:
- key: rafts
  label: {{en: Rafts, ko: 뗏목}}
  words: [뗏목]
  articles: [{FINE}, 없는법_1조]
"""


def test_gold_that_the_law_outran_is_left_to_the_amendments(project: Ferry) -> None:
    keep_statutes(project.ws, SLUG, law(" 다만, 그러하지 아니하다."), "second")
    build(project.ws, SLUG)
    assert set(states(project)) == {"q1", "q2", "aug-0001"}  # q5 rests on what was reworded
