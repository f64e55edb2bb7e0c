"""Law brought in on screen, and what it means told alike on every page and by every command."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from messages import say
from pages.shell.guard import md_literal
from services.law.activation import to_check
from services.law.importing import import_statutes
from tests.commands.called import told
from tests.conftest import FakeClock
from tests.pages.screens import opened, press
from tests.pages.small_project import shown
from tests.services.law.law_project import HARBOUR, MARKET, SLUG, LawProject, law_project

SCALES = MARKET | {1: "Scales lie flat."}


@pytest.fixture
def here(tmp_path: Path, clock: FakeClock) -> LawProject:
    return law_project(tmp_path, clock)


def drawn(here: LawProject, name: str, person: int) -> AppTest:
    return opened(name, here.ws, person, SLUG)


def everywhere(here: LawProject) -> None:
    """Assert that screens and commands tell the lead the same counts."""
    counts = to_check(here.ws, SLUG, here.lead).counts
    lines = [md_literal(line) for line in counts.lines()] if counts.questions else []
    for name in ("data", "gold", "compare"):
        at = drawn(here, name, here.lead)
        for line in lines:
            assert line in shown(at), (name, line)
        assert lines or say("to_check.open") not in shown(at)
    queues = [each.value for each in at.dataframe if "Why" in each.value]
    assert len({name for queue in queues for name in queue["Id"]}) == counts.questions
    for command in (["status"], ["export", "gold", str(here.folder / "out")], ["compare"]):
        assert told(here.ws.folder, *command)[1]["to_check"] == counts.as_dict(), command


def test_an_import_on_screen_says_what_it_means(here: LawProject) -> None:
    folder = here.law("second", harbour=HARBOUR, market=SCALES)
    at = drawn(here, "data", here.lead)
    at.text_input(key="data-statutes-path").set_value(str(folder))
    at = press(at, "Preview")
    first = md_literal("1 statute differs, 1 equal")
    assert first in shown(at), "said before anything is kept"
    at = at.button(key="data-statutes-keep").click().run()
    counts = to_check(here.ws, SLUG, here.lead).counts
    assert (counts.questions, counts.gold, counts.lacking) == (1, 1, 0)
    message = at.success[0].value
    assert first in message and "1 decision to check again" in message
    assert f"(./compare?project={SLUG}&person={here.lead}" in message
    for name in ("gold", "compare"):
        words = shown(drawn(here, name, here.ann))
        assert md_literal("1 of your question") in words, "who annotates is told of their own alone"
        assert "gold before" not in words


def test_counts_agree_from_state_to_state(here: LawProject) -> None:
    here.bring("second", harbour=HARBOUR, market=SCALES)
    for person in (here.ann, here.ben):
        here.again("q4", person)
    here.bring("third", harbour=HARBOUR | {1: "Vessels keep torches."}, market=SCALES)
    everywhere(here)
    told(here.ws.folder, "snapshots", "--use", "1")
    everywhere(here)


def test_what_waits_is_finished_by_one_button(here: LawProject) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("services.law.importing.waits", lambda *_: False)
        import_statutes(here.ws, SLUG, here.law("second", harbour=HARBOUR, market=SCALES))
    at = drawn(here, "gold", here.lead)
    assert "waiting for candidates from the law in use" in at.info[0].value
    at = at.button(key="to-check-finish").click().run()
    counts = to_check(here.ws, SLUG, here.lead).counts
    assert (counts.questions, counts.lacking) == (1, 0)
    everywhere(here)
