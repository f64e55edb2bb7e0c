"""Making items of court cases on a screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from annotation.people.members import add_person
from messages import say
from pages.shell.guard import md_literal
from tests.conftest import FakeClock
from tests.pages.screens import metrics, person_of
from tests.pages.small_project import shown
from tests.services.cases.grouped_cases import FACT, SLUG, Grouped, build


def _script(seen: dict[str, object]) -> None:
    from pages.shell.context import Context
    from pages.shell.notices import show_remembered
    from pages.tagging.factor_report import draw_making

    show_remembered("notice")
    draw_making(Context(**seen), "notice")  # type: ignore[arg-type]


def drawn(house: Grouped, who: int) -> AppTest:
    seen = {"workspace": house.ws, "project": SLUG, "person": person_of(house.ws, SLUG, who)}
    seen["language"] = "en"
    at = AppTest.from_function(_script, default_timeout=100, kwargs={"seen": seen}).run()
    return at


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> Grouped:
    return build(tmp_path / "workspace", clock)


def test_cases_of_a_group_become_items_and_then_the_rest(house: Grouped) -> None:
    at = drawn(house, house.researcher)
    assert metrics(at) == ["0", "4", "2"]
    at.multiselect(key="factor-items-groups").select(FACT).run()
    at.toggle(key="factor-items-sampled").set_value(True).run()
    at.number_input(key="factor-items-limit").set_value(1).run()
    at.button(key="factor-items-make").click().run()
    assert md_literal(say("factor_items.done", made="1", moved="0")) in shown(at)
    assert metrics(at) == ["1", "3", "2"]
    at.multiselect(key="factor-items-groups").set_value([]).run()
    at.toggle(key="factor-items-sampled").set_value(False).run()
    at.button(key="factor-items-make").click().run()
    assert say("factor_items.all") in shown(at)
    assert not at.button


def test_who_settles_is_told_who_makes_items(house: Grouped) -> None:
    judge = add_person(house.ws, SLUG, "Judge", "adjudicator")
    at = drawn(house, judge.id)
    assert say("roles.role.researcher") in shown(at)
    assert not at.metric
