"""Every place of the app on the sample in the middle of its life shows what it is for.

And on projects with next to nothing it opens for everybody. Whatever unfolds is open throughout, so
that every section of every report is drawn with its table.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import streamlit
from streamlit.delta_generator import DeltaGenerator

from annotation.people.members import PersonView, add_person, list_people
from annotation.people.roles import Act, Role, may
from app import ONLY_FOR, PAGES
from corpus.model import Question
from messages import LANGUAGES
from services.mapping.candidates import build_candidates
from services.sample.people import SLUG
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project
from tests.annotation.house import statute
from tests.pages.small_project import SLUG as SMALL
from tests.pages.small_project import law_and_questions, page, shown, worked_sample

_TOGETHER = ("Han Bora", "Choi Yuna", "Lee Sora", "Kim Ara")  # one of them sees each place
_OWN = {"start": "Kim Ara", "adjudication": "Lee Sora"}
# What shows a project's work: tables, figures, drawings, and panes of the product's own.
_SHOWN = ("dataframe", "metric", "vega_lite_chart", "bidi_component")
# Places that begin with a choice, or that show the product or its settings rather than work.
_GIVES = ("download_button", "file_uploader", "text_area", "text_input")  # or take in
_CHOICES = {"start", "audit", "figures", "research", "models", "parallel_groups"}
# What these say while something is still to be chosen, or set.
_BEGIN = {
    *("own_task", "mcq_report", "reformulation", "augment", "cascade", "curation_report", "start"),
    *("answer_report", "answers", "judge_report", "attribution_report", "downstream", "gold"),
    *("court_cases", "case_groups", "stricter_groups", "adjudication", "agreement", "closure"),
    *("leaderboard", "experiments", "figures", "corpus", "graph_report", "compare", "data"),
    *("parallel_groups", "assignment"),
}  # places that say, while there is nothing, where something comes from
_INVITES = {"corpus", "augment", "reformulation"}
_UNFOLDED = {"attribution_report"}  # says in what unfolds that a model's claims have no labels yet


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    ws = Workspace(tmp_path_factory.mktemp("worked") / "workspace")
    worked_sample(ws)
    return ws


def who_sees(ws: Workspace, name: str) -> PersonView:
    people = {each.name: each for each in list_people(ws, SLUG)}
    act = ONLY_FOR.get(name)
    for person in (_OWN.get(name, ""), *_TOGETHER):
        if person and (act is None or may(people[person].role, act)):
            return people[person]
    raise AssertionError(name)


@pytest.fixture(autouse=True)
def unfolded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw everything that unfolds as if it had been opened."""
    shut = DeltaGenerator.expander

    def opened(self: DeltaGenerator, label: str, _expanded: bool = False, **options: Any) -> Any:
        return shut(self, label, **options | {"expanded": True})

    monkeypatch.setattr(DeltaGenerator, "expander", opened)
    monkeypatch.setattr(streamlit, "expander", partial(opened, streamlit._main))


def test_who_may_not_is_shown_nothing_and_told_who_may(worked: Workspace) -> None:
    """Places of some roles alone tell nobody else what the project holds."""
    roles = {each.role: each for each in list_people(worked, SLUG)}
    for name, act in ONLY_FOR.items():
        for role, person in roles.items():
            if may(role, act):
                continue
            at = page(name, worked, person, "en", SLUG).run(timeout=60)
            assert not at.error, (name, role)
            leads = may(role, Act.READ_OTHERS_LABELS)  # they see how far a task is in its place
            assert leads or not [kind for kind in (*_SHOWN[:3], *_GIVES) if at.get(kind)], name
            assert not [each for each in at.get("bidi_component") if '"ack"' in each.proto.json]
            assert any(f"{each}s" in shown(at) for each in Role), (name, role)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_every_place_shows_what_it_is_for(worked: Workspace, name: str, language: str) -> None:
    at = page(name, worked, who_sees(worked, name), language, SLUG).run(timeout=60)
    assert not at.error
    if name not in _CHOICES:
        assert any(at.get(kind) for kind in _SHOWN), "an empty form"
    if name not in _CHOICES | _INVITES | _UNFOLDED:
        assert not at.info, [each.value for each in at.info]


def nothing(ws: Workspace) -> None:
    migrate(ws)
    create_project(ws, SMALL, "Nothing")
    add_person(ws, SMALL, "Alone", Role.ADMINISTRATOR)


def law_alone(ws: Workspace) -> None:
    nothing(ws)
    law_and_questions(ws)


def one_item(ws: Workspace) -> None:
    nothing(ws)
    for role in (Role.ANNOTATOR, Role.ADJUDICATOR):  # others see no more
        add_person(ws, SMALL, f"The {role}", role)
    keep_statutes(ws, SMALL, [statute()], "law")
    keep_questions(ws, SMALL, [Question("q1", "Which boats?", "Article 1.", "en")], "one")
    build_candidates(ws, SMALL)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "make", [nothing, pytest.param(law_alone, marks=pytest.mark.long), one_item]
)
def test_every_place_opens_on_next_to_nothing_for_everybody(
    workspace: Workspace,
    make: Callable[[Workspace], None],
    language: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    make(workspace)
    for person in list_people(workspace, SMALL):
        for name in PAGES:
            at = page(name, workspace, person, language, SMALL).run(timeout=60)
            assert not [each for each in caplog.records if each.name == "touchstone"], name
            if make is nothing and name in _BEGIN:
                assert at.info or at.error, f"{name} says where to begin"
