"""Attribution review as each kind of person finds it, and its disputes on Adjudication."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotation.attribution.form import DISPUTES
from annotation.people.members import list_people
from messages import LANGUAGES
from services.attribution.items import review_settings
from tests.conftest import FakeClock
from tests.pages.browser import field_of
from tests.pages.small_project import page
from tests.projects.attribution_review_project import (
    CLAIMS,
    GOLD,
    JUDGE,
    SLUG,
    SYSTEM,
    AttributionHouse,
    answered,
    build,
    submitted,
)


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> AttributionHouse:
    return build(tmp_path / "w", clock)


def opened(
    house: AttributionHouse, who: int, language: str = "en", name: str = "attribution_review"
) -> AppTest:
    person = next(each for each in list_people(house.ws, SLUG) if each.id == who)
    at = page(name, house.ws, person, language, SLUG).run()
    return at


def told(at: AppTest) -> dict[str, Any]:
    (viewer,) = at.get("bidi_component")
    found: dict[str, Any] = json.loads(viewer.proto.json)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_annotates_is_told_claims_beside_provisions_and_gold(house, language) -> None:
    data = told(opened(house, house.ann, language))
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


def test_who_leads_makes_items_and_says_when_labels_are_seen(house) -> None:
    with house.ws.writing() as session:
        answered(session, 1, "q9", house.ws.clock())
    at = opened(house, house.lead)
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
    assert review_settings(house.ws, SLUG).suggestions == "hidden"
    next(each for each in at.button if each.label == "Add").click().run()
    found = review_settings(house.ws, SLUG)
    assert (found.counts.items, found.counts.waiting, found.suggestions) == (4, 0, "hidden")
    assert found.judges == (JUDGE,)


def test_who_settles_sees_the_claims_in_dispute_and_decides(house) -> None:
    item = house.items[0]
    submitted(house, house.ann, item)
    submitted(house, house.ben, item, label_2="match", supported_2="no")
    at = opened(house, house.judge, name="adjudication")
    name = f"case-{house.judge}-{item}"
    chosen = {each.key: each.value for each in at.segmented_control if each.key}
    assert f"{name}-label_1" not in chosen  # which both say alike
    assert chosen[f"{name}-label_2"] is None
    at.segmented_control(key=f"{name}-label_2").set_value("partial").run()
    assert at.segmented_control(key=f"{name}-gold_2").value == 2
    at.segmented_control(key=f"{name}-supported_2").set_value("partly").run()
    at.text_area[-1].set_value("The fine is 300, not 500.").run()
    field_of(at.button, "case-decide").click().run()
    (line,) = DISPUTES.queue(house.ws, house.judge)
    assert line.decision is not None
    assert line.decision.answers["label_2"] == "partial"
    assert line.decision.answers["label_1"] == "match"
