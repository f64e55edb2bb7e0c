"""The attribution report on screen: systems side by side, and asking the judge."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from annotation.people.members import add_person
from messages import say
from services.background.tasks import TaskKind
from tests.annotation.house import SLUG, House
from tests.conftest import FakeClock
from tests.pages.background import ended
from tests.pages.small_project import page, shown
from tests.projects.attribution_project import FORM, judged_by, labelled, make, script

NAMES = [f"{of}_{name}" for of in ("claim", "citation") for name in ("precision", "recall", "f1")]


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> House:
    return make(tmp_path / "ws", clock)


def opened(
    house: House, tab: str = "report", language: str = "en", role: str = "researcher"
) -> AppTest:
    who = add_person(house.ws, SLUG, f"Rex {role} {tab}", role)
    at = page("attribution_report", house.ws, who, language, SLUG)
    at.session_state["attribution-tab"] = say(f"attribution_report.tab_{tab}", language)
    at = at.run()
    return at


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
