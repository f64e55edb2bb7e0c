"""Attribution review, and the report: systems side by side, and asking the judge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotation.attribution.form import DISPUTES
from annotation.people.members import add_person
from messages import say
from services.attribution.items import review_settings
from services.background.tasks import TaskKind
from tests.annotation.house import SLUG, House
from tests.conftest import FakeClock
from tests.pages import screens
from tests.pages.background import ended
from tests.pages.browser import field_of
from tests.pages.screens import told
from tests.pages.small_project import shown
from tests.projects.attribution_project import FORM, judged_by, labelled, make, script
from tests.projects.attribution_review_project import (
    CLAIMS,
    GOLD,
    JUDGE,
    SYSTEM,
    AttributionHouse,
    answered,
    build,
    submitted,
)
from tests.projects.attribution_review_project import SLUG as REVIEW_SLUG

NAMES = [f"{of}_{name}" for of in ("claim", "citation") for name in ("precision", "recall", "f1")]


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> House:
    return make(tmp_path / "ws", clock)


def opened(house: House, tab: str = "report", role: str = "researcher") -> AppTest:
    who = add_person(house.ws, SLUG, f"Rex {role} {tab}", role)
    state: dict[str, Any] = {"attribution-tab": say(f"attribution_report.tab_{tab}")}
    return screens.opened("attribution_report", house.ws, who, SLUG, **state)


def test_systems_stand_in_one_table(tmp_path: Path, clock: FakeClock) -> None:
    at = opened(labelled(tmp_path / "ws", clock))
    at.session_state["attribution-scores-more"] = True
    at = at.run()
    f1 = say("attribution_report.citation_f1")
    (table,) = (each.value for each in at.dataframe if f1 in each.value)
    row = table[table.iloc[:, 0] == FORM].iloc[0]
    assert [
        str(row[say(f"attribution_report.{name}")]).strip("(").partition(" [")[0] for name in NAMES
    ] == [
        *("0.375", "0.500", "0.425"),
        *("0.750", "1.000", "0.833"),
    ]
    at = at.toggle(key="attribution-every-pair").set_value(True).run()
    at.session_state["attribution-answer"] = True
    at = at.run().selectbox(key="attribution-of").set_value(FORM).run()
    claims = next(e.value for e in at.dataframe if "lake-act_article-1" in e.value.to_numpy())
    assert [row[2] for row in claims.to_numpy().tolist()] == ["1 (½)", "2", "1 (½)"]


def test_a_system_s_wrong_citations_are_listed_answer_by_answer(house: House) -> None:
    at = opened(house)
    at.session_state["attribution-citations"] = True
    at = at.run().selectbox(key="attribution-cited-by").set_value(FORM).run()
    (table,) = (e.value for e in at.dataframe if "Gold not cited" in e.value)
    assert table[["Question", "False, in context"]].to_numpy().tolist() == [
        ["q2", "lake-act_article-4"]
    ]
    at = at.toggle(key="attribution-wrong").set_value(False).run()
    (table,) = (e.value for e in at.dataframe if "Gold not cited" in e.value)
    assert table["Question"].tolist() == ["q1", "q2"]


def test_the_judge_cuts_and_labels(house: House) -> None:
    with judged_by(house.ws) as server:
        script(server)
        at = opened(house, "run")
        assert "5 calls to make, 3 answers list claims without one" in shown(at)
        assert at.button(key="attribution-label").disabled
        at = at.button(key="attribution-split").click().run()
        at = ended(at, house.ws, SLUG, TaskKind.ATTRIBUTE).run()
        assert "5 of 5 calls gave a result" in shown(at).replace("\\", "")
        at = at.button(key="attribution-label").click().run()
        at = ended(at, house.ws, SLUG, TaskKind.ATTRIBUTE).run()
        assert "6 of 6 calls" in shown(at).replace("\\", "")


@pytest.mark.parametrize(("role", "sees"), [("annotator", False), ("adjudicator", True)])
def test_scores_are_for_who_may_see_them(house: House, role: str, sees: bool) -> None:
    at = opened(house, role=role)
    assert ("Wrong citations" in shown(at)) == sees
    if sees:
        at = opened(house, "run", role=role)
        assert not at.button


@pytest.fixture
def house_review(tmp_path: Path, clock: FakeClock) -> AttributionHouse:
    return build(tmp_path / "w", clock)


def test_who_annotates_is_told_claims_beside_provisions_and_gold(house_review) -> None:
    data = told("attribution_review", house_review.ws, house_review.ann, project=REVIEW_SLUG)
    claims, fields = data["fixed"]["parts"], data["fixed"]["form"]["fields"]
    assert [each["text"] for each in claims] == [text for text, _ in CLAIMS]
    assert [len(each["units"]) for each in claims] == [1, 2, 0]
    assert claims[1]["units"][1] == {
        "unit": "소방법_9조",
        "head": "소방법_9조",
        "pieces": [],
        "roles": [],
        "missing": True,
    }
    assert [text for _, text, *_ in fields["gold_1"]["options"]] == list(GOLD)
    assert [len(fields[f"supported_{number}"]["options"]) for number in (1, 2, 3)] == [4, 4, 1]
    assert data["moving"]["suggested"] == {}
    assert data["words"]["option_partial"] and fields["supported_1"]["label"]
    for hidden in (SYSTEM, JUDGE):
        assert hidden not in repr(data)


def test_who_leads_makes_items_and_says_when_labels_are_seen(house_review) -> None:
    with house_review.ws.writing() as session:
        answered(session, 1, "q9", house_review.ws.clock())
    at = screens.opened("attribution_review", house_review.ws, house_review.lead, REVIEW_SLUG)
    assert not at.get("bidi_component")
    at.session_state["claims-corrected-scores-more"] = True
    table, counts = at.run().dataframe
    assert table.value["System"].tolist() == [SYSTEM]  # a row for each system
    assert counts.value["Answers"].tolist() == [4]
    assert "0.667" in table.value["Model's labels as they are"][0]
    (why,) = table.value["Corrected by the sample"]
    assert why == "– (withheld: 10 reviewed answers needed, 0 so far)"
    at = at.segmented_control(key="attribution-corrected-measure").set_value("supported").run()
    assert "0.667" in at.dataframe[0].value["Model's labels as they are"][0]
    at.segmented_control(key="attribution-suggestions").set_value("hidden").run()
    at.button(key="attribution-show").click().run()
    assert review_settings(house_review.ws, REVIEW_SLUG).suggestions == "hidden"
    next(each for each in at.button if each.label == "Add").click().run()
    found = review_settings(house_review.ws, REVIEW_SLUG)
    assert (found.counts.items, found.counts.waiting, found.suggestions) == (4, 0, "hidden")
    assert found.judges == (JUDGE,)


def test_who_settles_sees_the_claims_in_dispute_and_decides(house_review) -> None:
    item = house_review.items[0]
    submitted(house_review, house_review.ann, item)
    submitted(house_review, house_review.ben, item, label_2="match", supported_2="no")
    at = screens.opened("adjudication", house_review.ws, house_review.judge, REVIEW_SLUG)
    name = f"case-{house_review.judge}-{item}"
    chosen = {each.key: each.value for each in at.segmented_control if each.key}
    assert f"{name}-label_1" not in chosen  # which both say alike
    assert chosen[f"{name}-label_2"] is None
    at.segmented_control(key=f"{name}-label_2").set_value("partial").run()
    assert at.segmented_control(key=f"{name}-gold_2").value == 2
    at.segmented_control(key=f"{name}-supported_2").set_value("partly").run()
    at.text_area[-1].set_value("The fine is 300, not 500.").run()
    field_of(at.button, "case-decide").click().run()
    (line,) = DISPUTES.queue(house_review.ws, house_review.judge)
    assert line.decision is not None
    assert line.decision.answers["label_2"] == "partial"
    assert line.decision.answers["label_1"] == "match"
