"""The app's frame: who you are, which project, which language, and what is said when it fails."""

from __future__ import annotations

import importlib
import json
import logging
import sys
from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

import app
import pages
from annotation.people.members import add_person, list_people
from annotation.start.modules import Module, switch_modules
from messages import say
from pages.shell.guard import md_literal
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from storage.tasks import Task
from tests.pages.small_project import (
    SLUG,
    Small,
    annotated_project,
    leader,
    shown,
    small_project,
    worked_sample,
)

APP = str(Path(__file__).resolve().parent.parent / "app.py")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace")


@pytest.fixture
def small(workspace: Workspace) -> Small:
    return small_project(workspace)


@pytest.fixture(autouse=True)
def after_the_first_navigation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every run one of a served app, in which st.navigation has been called before.

    AppTest starts each run like a new process, in which the folder "pages" is taken for scripts
    until then; `pages/__init__.py` says more.
    """

    class Later(PagesManager):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            PagesManager.uses_pages_directory = False

    monkeypatch.setattr("streamlit.testing.v1.app_test.PagesManager", Later)


def opened(page: str = "", **address: str) -> AppTest:
    at = AppTest.from_file(APP, default_timeout=100)
    for name, value in address.items():
        at.query_params[name] = value
    if page:
        at._page_hash = calc_hash(page)  # as for an address that names the page
    at.run()
    at._page_hash = ""
    return at


def at_home(at: AppTest, language: str = "en") -> bool:
    return [each.value for each in at.title] == [say("app.pages.start", language)]


def has_viewer(at: AppTest) -> bool:
    names = [each.proto.component_name for each in at.get("bidi_component")]
    frame = ("link_press", "palette")
    return sum(not name.endswith(frame) for name in names) == 1


def test_a_deep_link_is_the_first_request_of_a_server_that_imported_the_screens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    importlib.reload(pages)
    PagesManager(APP)  # of the first session
    assert PagesManager.uses_pages_directory is False, "no screen is taken for a script"


def test_without_a_workspace_it_says_how_to_make_one():
    at = opened()
    assert "There is no Touchstone workspace here" in shown(at).replace("\\", "")
    assert "python touchstone.py init" in shown(at).replace("\\", "")


def test_threads_take_short_turns_from_the_first_page_on():
    """A run of a method beside them made opening an item four times as long with Python's own."""
    before = sys.getswitchinterval()
    try:
        sys.setswitchinterval(0.005)
        opened()
        assert sys.getswitchinterval() == pytest.approx(0.001)
    finally:
        sys.setswitchinterval(before)


def test_without_a_project_one_is_made_on_the_screen(workspace: Workspace):
    migrate(workspace)
    at = opened()
    assert not at.error
    assert say("data.no_project") in shown(at)
    at.text_input(key="data-project-slug").set_value("fire")
    at.text_input(key="data-project-title").set_value("Fire safety")
    at.button[0].click().run()
    assert at.title[0].value == "Who are you?"


def test_the_first_visit_asks_who_you_are_and_every_address_carries_the_choice(small: Small):
    at = opened(lang="xx")  # unknown: English
    assert at.title[0].value == "Who are you?"
    assert [button.label for button in at.button][:3] == [
        "Kim Ara · annotator",
        "Lee Sora · adjudicator",
        "Park Jun · annotator",
    ]
    at.button(key=f"person-{small.jun.id}").click().run()
    assert at_home(at)
    assert at.query_params["person"] == str(small.jun.id)
    at.sidebar.button_group[0].set_value("ko").run()
    picker = at.sidebar.selectbox[0]
    assert picker.options[picker.index or 0].endswith(f"· {say('roles.role.annotator', 'ko')}")
    assert picker.key == f"person-picker-{small.jun.id}-ko"

    again = opened(person=str(small.ara.id), lang="ko", project=SLUG)
    assert at_home(again, "ko") and again.query_params["lang"] == "ko"
    links = {each.proto.query_string for each in again.sidebar.get("page_link")}
    assert links == {f"project={SLUG}&person={small.ara.id}&lang=ko"}, "one step of the history"


def test_a_newcomer_takes_a_name_that_is_free_and_no_markup(small: Small):
    at = opened()
    at.text_input[0].input("Kim Ara")
    at.button[-1].click().run()
    assert not at_home(at)
    assert "There is already somebody called" in shown(at)
    assert len(list_people(small.workspace, SLUG)) == 3
    at.text_input[0].input("*Bold* :material/home:")
    at.button[-1].click().run()
    assert at_home(at)
    person = list_people(small.workspace, SLUG)[-1]
    label = opened().button(key=f"person-{person.id}").label
    assert label.startswith(r"\*Bold\* \:material\/home\:")


def test_an_unknown_person_or_project_in_the_address_can_be_mended(small: Small):
    at = opened(project="nowhere")
    assert 'no project "nowhere"' in shown(at).replace("\\", "")
    at.sidebar.selectbox[0].set_value(SLUG).run()
    assert at.title[0].value == "Who are you?"
    create_project(small.workspace, "other", "Other project")
    at = opened(person="999", project=SLUG)
    assert "names person 999" in shown(at)
    assert not at_home(at)
    at.button(key=f"person-{small.ara.id}").click().run()
    assert at_home(at)
    assert not at.error
    at.sidebar.selectbox[0].set_value("other").run()
    assert at.title[0].value == "Who are you?", "another project asks again"
    assert "person" not in at.query_params
    assert not at.error


def test_every_role_lands_where_it_begins_and_whoever_changes_it_is_led_there(small: Small):
    lead = leader(small.workspace)
    assert at_home(opened("start", person=str(lead.id)))
    assert at_home(opened(person=str(small.sora.id)))
    at = opened(person=str(lead.id))
    assert at.title[0].value == say("overview.title")
    first = [each.proto.label for each in at.sidebar.get("page_link")][:2]
    assert first == [say("app.pages.overview"), say("app.pages.start")]
    at.sidebar.selectbox[0].set_value(small.ara.id).run()
    assert at_home(at) and "Park Jun" not in shown(at)
    at.sidebar.selectbox[0].set_value(lead.id).run()
    assert at.title[0].value == say("overview.title")

    item = str(small.items["q3"])  # an address from when citation mapping was the first page
    assert at_home(opened(person=str(small.sora.id), item=item))
    at = opened(person=str(small.ara.id), item=item)
    assert has_viewer(at)
    at.sidebar.selectbox[0].set_value(small.jun.id).run()
    assert has_viewer(at)
    at.sidebar.selectbox[0].set_value(small.sora.id).run()
    assert at_home(at), "nobody is left on a page that is not theirs"


def test_a_page_that_is_not_theirs_says_so_and_leads_back(small: Small):
    at = opened("citation_mapping", person=str(small.sora.id))
    assert not has_viewer(at)
    assert "Only annotators and lawyers can annotate items." in shown(at)
    assert [each.proto.label for each in at.main.get("page_link")] == [md_literal(say("app.back"))]
    at = opened("people", person=str(small.ara.id))
    assert [each.proto.page for each in at.main.get("page_link")] == [""]


def listed(at: AppTest) -> list[str]:
    return [each.proto.label for each in at.sidebar.get("page_link")]


def tabs(at: AppTest) -> list[str]:
    return [each.proto.label or each.proto.page for each in at.main.get("page_link")]


def test_an_annotator_has_few_places_with_what_is_open(small: Small):
    at = opened(person=str(small.ara.id))
    assert listed(at) == [
        *("My work", "Citation mapping :gray-badge[6]", "Law and guidelines"),
    ]
    assert tabs(at)[:3] == ["My work", "Agreement", "Keys"]


def test_agreement_takes_a_place_with_the_first_submission(workspace: Workspace):
    small = annotated_project(workspace)
    names = {each.partition(" :")[0] for each in listed(opened(person=str(small.sora.id)))}
    assert {"Adjudication", "Agreement", "Gold", "Leaderboard"} <= names


def test_who_comes_for_their_work_has_six_places_however_many_tasks_there_are(
    workspace: Workspace,
):
    worked_sample(workspace)
    for name in ("Kim Ara", "Jung Haeun"):
        person = next(each for each in list_people(workspace, "sample") if each.name == name)
        assert person.role in app.LAYOUTS
        at = opened("mcq_solvability", person=str(person.id))
        places = [each.partition(" :gray-badge")[0] for each in listed(at)]
        assert places == [
            *("My work", "Questions", "Page images", "Model answers", "Factor tagging"),
            "Law and guidelines",
        ]
        tasks = ["Citation mapping", "MCQ solvability", "Curation", "Research", "Own tasks"]
        assert [each.partition(" :gray-badge")[0] for each in tabs(at)] == tasks
        assert "MCQ solvability :gray-badge[" in " ".join(tabs(at))


def test_every_screen_of_their_own_is_in_a_place_of_theirs():
    own = {name for places in app.WORK_PLACES.values() for of in places.values() for name in of}
    assert own >= {*map(str, Task)}, "each task"
    assert own <= app.PAGES.keys()


def test_a_lead_has_at_most_twenty_places_and_none_is_hidden(small: Small):
    lead = leader(small.workspace)
    at = opened("graph_report", person=str(lead.id))
    assert len(listed(at)) <= 20 and not at.sidebar.expander
    assert tabs(at) == ["Corpus", "Graph report", "Amendments", "Parallel groups"]
    assert sum(map(len, app.PLACES.values())) <= 20


def test_modules_take_a_place_once_they_are_used_or_switched_on(small: Small):
    """With law and questions alone a lead has at most ten places; a module's address works."""
    lead, jin = leader(small.workspace), add_person(small.workspace, SLUG, "Jin", "administrator")
    at = opened("court_cases", person=str(jin.id))
    assert len(listed(at)) <= 10
    assert {"Court cases", "Research", "MCQ", "Adjudication"}.isdisjoint(listed(at))
    assert at.title[0].value == say("app.pages.court_cases")
    switch_modules(small.workspace, lead.id, [Module.CASES, Module.RESEARCH])
    at = opened(person=str(jin.id))
    assert {"Court cases", "Research"} <= set(listed(at)) and "MCQ" not in listed(at)
    assert "Court cases" not in listed(opened(person=str(small.ara.id))), "nothing to do there"
    switch_modules(small.workspace, lead.id, [])
    assert "Court cases" not in listed(opened(person=str(jin.id)))


def palette_of(at: AppTest) -> dict[str, Any]:
    (shown,) = [e for e in at.get("bidi_component") if e.proto.component_name.endswith("palette")]
    found: dict[str, Any] = json.loads(shown.proto.json)
    return found


def test_the_palette_lists_the_places_of_the_sidebar_and_searches_nothing_unasked(
    small: Small, monkeypatch: pytest.MonkeyPatch
):
    def searching(*_: object, **__: object) -> None:
        raise AssertionError("nobody has asked")

    monkeypatch.setattr("pages.shell.palette.find", searching)
    told = palette_of(opened(person=str(small.ara.id), lang="ko"))
    assert [(title, screen) for _, title, _, screen, _ in told["places"]] == [
        ("내 할 일", "start"),
        ("일치도", "agreement"),
        ("단축키", "keys"),
        ("인용 조문 매핑", "citation_mapping"),
        ("말뭉치", "corpus"),
        ("지침", "guidelines"),
    ]
    assert told["found"] is None
    assert told["words"]["open"] == "찾기"


def test_what_is_asked_of_the_palette_is_found_and_what_is_chosen_is_opened(
    small: Small, monkeypatch: pytest.MonkeyPatch
):
    sent: dict[str, Any] = {}
    monkeypatch.setattr("pages.shell.palette._sent", lambda name: sent.pop(name, None))
    at = opened("agreement", person=str(small.ara.id))
    for wrong in (["q2", 7], ["q2", -1], ["q2", "0"], {"screen": "gold"}, [["q2"], 0], "q2"):
        sent["chosen"] = wrong
        at.run()
        assert not has_viewer(at)
    sent["chosen"] = ["q2", 0]
    at.run()
    assert has_viewer(at)
    assert at.query_params["item"] == str(small.items["q2"])
    sent["chosen"] = ["한국어", 0]
    at.run()
    assert at.query_params["lang"] == "ko"
    assert at.session_state["language-switch"] == "ko"


def test_a_defect_shows_an_id_that_the_log_has(
    small: Small, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    import pages.mapping.citation_mapping

    def broken(_context: object) -> None:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr(pages.mapping.citation_mapping, "render", broken)
    with caplog.at_level(logging.ERROR, logger="touchstone"):
        at = opened("citation_mapping", person=str(small.ara.id))
    (message,) = [error.value for error in at.error]
    assert "secret detail" not in message
    identity = caplog.records[0].getMessage().removeprefix("defect ")
    assert identity in message


def test_each_run_is_timed_when_asked(
    small: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = tmp_path / "timing.jsonl"
    monkeypatch.setenv("TOUCHSTONE_TIMING_FILE", str(file))
    opened("citation_mapping", person=str(small.ara.id))
    (line,) = file.read_text().splitlines()
    assert json.loads(line)["page"] == "citation_mapping"
    assert json.loads(line)["ms"] > 0 and json.loads(line)["cpu_ms"] > 0
