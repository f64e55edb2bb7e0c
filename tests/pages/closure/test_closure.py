"""The closure screen: the queue, acts on it, the audit, and the rules."""

from __future__ import annotations

import pytest

from annotation.work.versioned_texts import CLOSURE_RULES
from construction.closure.rules import starter
from pages.shell.guard import md_literal
from services.closure.report import check
from tests.pages import screens
from tests.pages.screens import table
from tests.pages.small_project import shown
from tests.projects.closure_law import COMPANY, CRITERIA, FINE, INSPECTION
from tests.projects.closure_project import SLUG, ferry


@pytest.fixture
def project(tmp_path, clock):
    return ferry(tmp_path / "ws", clock)


def opened(project, tab="", by=0):
    at = screens.opened("closure", project.ws, by or project.lead, SLUG)
    if tab:
        at = at.segmented_control(key="closure-tab").set_value(tab).run()
    return at


def picked(at, row, state="waiting"):
    at.session_state[f"closure-sets-{state}"] = {"selection": {"rows": [row], "columns": []}}
    at = at.run()
    return at


def states(project, question):
    found = check(project.ws, SLUG, question=question)
    return {each.unit: each.state for one in found.queue for each in one.proposals}


def test_the_queue_stands_below_the_shares_by_rule_and_who_does_not_lead_reads_only(project):
    at = opened(project)
    assert md_literal("80.0 % [37.6, 96.4]") in shown(at)
    queue = table(at, "Proposed")
    assert queue["Id"].tolist() == ["q1", "q2", "q5", "aug-0001"]
    assert queue["Proposed"][0] == "나루법 제10조, 나루법 시행령 제7조"

    at = picked(opened(project, by=project.judge), 0)
    assert "나루법 제10조" in shown(at).replace("\\", "")
    assert not [each for each in at.button if "closure-act" in str(each.key)] and not at.checkbox

    at = opened(project, by=project.ann)
    assert not at.dataframe and not at.segmented_control and "q1" not in shown(at)

    at = opened(project, "audit")
    assert table(at, "Reference")["Id"].tolist() == ["q3"]
    assert md_literal("50.0 % [9.5, 90.5]") in shown(at)
    at.session_state["closure-audit-leaks"] = {"selection": {"rows": [0], "columns": []}}
    at = at.run()
    assert "나루법 제2조" in shown(at).replace("\\", "")


def test_a_set_is_dismissed_with_a_reason_and_reopened_and_another_sent_back(project):
    at = picked(opened(project), 1)
    words = shown(at)
    assert "q2" in words and "제2조" in words and "나루법 제3조" in words
    at = at.button(key=f"closure-act-question-{project.items['q2']}-dismissed").click().run()
    assert at.error and states(project, "q2") == {INSPECTION: "waiting"}
    at.text_input(key=f"closure-act-question-{project.items['q2']}-reason").set_value(
        "rafts are no boats"
    )
    at = at.button(key=f"closure-act-question-{project.items['q2']}-dismissed").click().run()
    assert at.success
    assert states(project, "q2") == {INSPECTION: "dismissed"}
    at = opened(project).segmented_control(key="closure-state").set_value("dismissed").run()
    at = picked(at, 0, "dismissed")
    assert "rafts are no boats" in shown(at) and "Lee" in shown(at)
    at = at.button(key=f"closure-act-question-{project.items['q2']}-reopened").click().run()
    assert states(project, "q2") == {INSPECTION: "waiting"}
    at = picked(opened(project), 0)
    at.checkbox(key=f"closure-take-question-{project.items['q1']}-{CRITERIA}").uncheck().run()
    at = at.button(key=f"closure-act-question-{project.items['q1']}-added").click().run()
    assert at.success
    # the question is with its annotators: what was not sent with it waits for their answer
    assert states(project, "q1") == {FINE: "sent_back"}
    at = opened(project)
    at = at.segmented_control(key="closure-state").set_value("sent_back").run()
    assert table(at, "Proposed")["Id"].tolist() == ["q1"]
    assert not [each for each in at.button if "closure-act" in str(each.key)]


def test_an_augmented_question_is_completed(project):
    at = picked(opened(project), 3)
    assert "indirect" in shown(at).replace("\\", "")
    at = at.button(key="closure-act-augmented-1-added").click().run()
    assert at.success
    assert states(project, "aug-0001") == {}
    assert check(project.ws, SLUG, question="aug-0001").sets[0].case.units[1] == COMPANY


def test_changed_rules_are_previewed_and_saved(project):
    at = opened(project, "rules")
    text = starter().replace("- {edges: [applies]", "- {edges: [defines]")
    at = at.text_area[0].set_value(text).run()
    assert "**4** now, **3** afterwards" in shown(at)
    at = at.button(key="closure-rules-save").click().run()
    assert "Version 2 is now in use" in at.success[0].value
    assert CLOSURE_RULES.edition(project.ws, SLUG).number == 2
    at = opened(project, "rules")
    at = at.text_area[0].set_value("rules:\n- key: X").run()
    assert "cannot be a key" in at.error[0].value
