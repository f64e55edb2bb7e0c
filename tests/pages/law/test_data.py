"""The Data screen: what comes in, and that counts agree on every page and by every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from annotation.mapping.commands import set_no_provision
from annotation.start.modules import Module, modules
from annotation.work.commands import submit
from annotation.work.queue_service import open_item
from corpus.model import Level
from errors import UserError
from messages import say
from pages.shell.guard import md_literal
from services.background.tasks import TaskKind
from services.gold.search_coverage import levels_in_words
from services.law.activation import to_check
from services.law.importing import import_questions, import_statutes
from services.law.levels import read_levels
from storage.db.workspace import Workspace
from storage.law.passages import RETRIEVED_LEVELS
from storage.projects import list_projects
from tests.commands.called import told
from tests.conftest import ROOT, FakeClock
from tests.corpus.benchmarks.test_reading import beir
from tests.pages.background import ended
from tests.pages.screens import buttons, metrics, opened, press, table
from tests.pages.small_project import (
    SLUG,
    Small,
    empty_project,
    leader,
    shown,
    small_project,
)
from tests.services.law.law_project import HARBOUR, MARKET, LawProject, law_project
from tests.services.law.law_project import SLUG as CHOICE_SLUG

STATUTES = ROOT / "sample" / "statutes"
FIXTURES = ROOT / "tests" / "fixtures"
QUESTIONS = ROOT / "sample" / "questions.jsonl"


@pytest.fixture
def fresh(workspace: Workspace) -> AppTest:
    empty_project(workspace)
    return opened("data", workspace, leader(workspace))


def from_path(at: AppTest, what: str, path: Path | str) -> AppTest:
    if what == "statutes":
        return keep(preview(at, path))
    at.text_input(key=f"data-{what}-path").set_value(str(path))
    return press(at, f"Import {what}")


def preview(at: AppTest, path: Path | str) -> AppTest:
    at.text_input(key="data-statutes-path").set_value(str(path))
    return press(at, "Preview")


def uploaded(at: AppTest, name: str, content: bytes) -> AppTest:
    at.button_group(key="data-statutes-from").set_value("upload").run()
    at.file_uploader(key="data-statutes-upload").set_value([(name, content, "")])
    return press(at, "Preview")


def keep(at: AppTest) -> AppTest:
    return at.button(key="data-statutes-keep").click().run()


def candidates(at: AppTest, workspace: Workspace) -> AppTest:
    at = at.button(key="data-candidates").click().run()
    return ended(at, workspace, SLUG, TaskKind.CANDIDATES)


def test_law_questions_and_candidates_come_in_by_path(fresh: AppTest, workspace: Workspace):
    assert metrics(fresh) == ["0", "0", "0", "0 / 0"]
    assert "No statutes yet" in fresh.info[0].value
    assert fresh.button(key="data-candidates").disabled
    assert "first" in press(fresh, "Preview").warning[0].value, "nothing is chosen"
    at = from_path(fresh, "statutes", STATUTES)
    assert "Imported" in at.success[0].value
    at = from_path(at, "statutes", STATUTES)
    assert "already here" in at.success[0].value
    at = from_path(at, "questions", QUESTIONS)
    assert "new questions" in at.success[0].value
    at = candidates(at, workspace)
    assert "resolved" in at.success[0].value
    done, total = metrics(at)[3].split(" / ")
    assert done == total != "0"
    at = candidates(at, workspace)
    assert "up to date" in at.success[0].value
    at.selectbox(key="data-candidates-method").set_value("bm25_whitespace")
    at = candidates(at, workspace)
    assert "questions done" in at.success[0].value


def test_a_question_that_cannot_be_read_is_refused_with_its_place(fresh: AppTest, tmp_path: Path):
    bad = tmp_path / "bad *file*.jsonl"
    bad.write_text(json.dumps({"question_id": 1, "question": "?"}) + "\n", encoding="utf-8")
    at = from_path(fresh, "questions", bad)
    with pytest.raises(UserError) as caught:
        import_questions(Workspace(tmp_path / "ws"), SLUG, bad)
    error = caught.value
    assert error.where
    assert at.error[0].value == md_literal(f"{error.where.render()}: {error.what()}")
    assert md_literal(error.remedy()) in shown(at)
    assert metrics(at)[2] == "0"


def test_nothing_is_kept_before_the_preview_is_accepted(fresh: AppTest):
    at = preview(fresh, FIXTURES / "searchfiresafety")
    assert "SearchFireSafety documents" in shown(at)
    assert "links to 99" in at.warning[0].value
    assert table(at, "Place")["Place"].tolist()[:2] == ["제1조", "제2조의2"]
    assert metrics(at)[0] == "0"
    at = at.button(key="data-statutes-cancel").click().run()
    assert metrics(at)[0] == "0" and not at.dataframe
    at = from_path(at, "statutes", FIXTURES / "searchfiresafety")
    assert metrics(at)[0] == "3"


def test_the_columns_of_a_table_are_mapped(fresh: AppTest, tmp_path: Path):
    (tmp_path / "a.csv").write_text("p,q\nArticle 1,Lamps.\n", encoding="utf-8")
    fresh.text_input(key="data-statutes-title").set_value("Ferry Act")
    at = preview(fresh, tmp_path / "a.csv")
    assert "No column is known" in at.error[0].value
    for label, column in (("Place (Article 5, § 5)", "p"), ("Text", "q")):
        next(each for each in at.selectbox if each.label == label).select(column)
    at = press(at, "Preview again")
    assert not at.error
    assert metrics(keep(at))[0] == "1"


def test_who_may_not_bring_data_in_is_told_who_may(workspace: Workspace):
    small = small_project(workspace)
    import_statutes(workspace, SLUG, STATUTES)
    at = opened("data", small, small.sora)
    assert "Only researchers and administrators can import law." in shown(at)
    assert not {"data-candidates", "data-use"} & buttons(at)
    assert not [each.key for each in at.text_input if each.key == "data-statutes-path"]
    assert say("levels.run") not in [each.label for each in at.button]
    assert any(say("roles.act.set_levels") in each.value for each in at.caption)
    assert not at.checkbox, "modules are for who leads"


def test_uploads_are_read_again_to_be_kept_and_unsafe_ones_refused(fresh: AppTest):
    at = fresh.button_group(key="data-statutes-from").set_value("upload").run()
    assert "first" in press(at, "Preview").warning[0].value, "nothing is chosen"
    at = uploaded(fresh, "law.zip", b"no zip")
    assert "not a complete archive" in at.error[0].value
    assert "data-statutes-keep" not in buttons(at)
    at = keep(uploaded(at, "ACT.TXT", (FIXTURES / "english" / "act.txt").read_bytes()))
    assert metrics(at)[:2] == ["1", "2"]

    at = at.button_group(key="data-questions-from").set_value("upload").run()
    file = "질문.jsonl", QUESTIONS.read_bytes(), "application/jsonl"
    at.file_uploader(key="data-questions-upload").set_value(file)
    assert "new questions" in press(at, "Import questions").success[0].value


def test_a_new_project_is_made_and_chosen(fresh: AppTest, workspace: Workspace):
    fresh.text_input(key="data-project-slug").set_value("no spaces!")
    fresh.text_input(key="data-project-title").set_value("Second project")
    fresh.number_input(key="data-project-overlap").set_value(3)
    at = press(fresh, "Create project")
    assert at.error
    assert len(list_projects(workspace)) == 1
    at.text_input(key="data-project-slug").set_value("second")
    at = press(at, "Create project")
    made = list_projects(workspace)[-1]
    assert (made.slug, made.title, made.overlap) == ("second", "Second project", 3)
    assert at.session_state["chosen_project"] == "second"


def test_holdings_are_counted_and_an_earlier_snapshot_is_used_again(workspace: Workspace) -> None:
    small = small_project(workspace)
    lead = leader(workspace)
    at = opened("data", small, lead)
    assert metrics(at) == ["1", "3", "6", "6 / 6"]
    assert table(at, "Authority tier")["Count"].tolist() == [1]
    import_statutes(workspace, SLUG, STATUTES)
    at = opened("data", small, lead)
    assert metrics(at)[0] == "8" and metrics(at)[3] == "0 / 6"
    assert at.selectbox(key="data-use-which").options == [
        say("compare.option", id=1, name="law", effective="–")
    ]
    at = at.button(key="data-use").click().run()
    assert metrics(at)[0] == "1" and metrics(at)[3] == "6 / 6"
    told = say("data.use.done", id=1, name="law")
    assert at.success[0].value.split("\n\n")[0] == md_literal(told)
    at = at.button(key="data-use").click().run()
    assert md_literal(say("data.use.candidates", missing=6)) in at.success[0].value


def test_a_lead_sets_what_is_searched_and_it_is_told_who_did(workspace: Workspace):
    at = opened("data", small_project(workspace), leader(workspace))
    title = say("levels.title", levels=levels_in_words(RETRIEVED_LEVELS, "en"))
    assert title in [each.label for each in at.expander]
    at.button_group(key="data-levels-article-section-annex").set_value([])
    at = press(at, say("levels.run"))
    assert "no level is named" in at.error[0].value
    at.button_group(key="data-levels-article-section-annex").set_value(["article", "form"])
    at = press(at, say("levels.run"))
    levels = levels_in_words((Level.ARTICLE, Level.FORM), "en")
    assert md_literal(say("levels.done", levels=levels)) in at.success[0].value
    view = read_levels(workspace, SLUG)
    assert (view.levels, view.said.person) == (("article", "form"), "Han Bora")
    assert any("Han Bora" in each.value for each in at.caption)


def test_a_lead_switches_modules_on_and_those_in_use_stay_on(workspace: Workspace):
    small = small_project(workspace)
    lead = leader(workspace)
    at = opened("data", workspace, lead)
    assert at.checkbox(key="data-module-gold").disabled is False
    at.checkbox(key="data-module-research").check()
    press(at, say("app.modules.save"))
    assert md_literal(say("app.modules.saved")) in shown(at)
    assert Module.RESEARCH in modules(workspace, SLUG).chosen
    submit_no_provision(small)
    at = opened("data", workspace, lead)
    assert (
        at.checkbox(key="data-module-gold").disabled and at.checkbox(key="data-module-gold").value
    )
    at.checkbox(key="data-module-research").uncheck()
    press(at, say("app.modules.save"))
    assert modules(workspace, SLUG).chosen == frozenset()


def submit_no_provision(small: Small) -> None:
    open_item(small.workspace, small.ara.id, small.items["q1"])
    set_no_provision(small.workspace, small.ara.id, small.items["q1"], True)
    submit(small.workspace, small.ara.id, small.items["q1"])


def test_a_benchmark_comes_in_with_its_documents(fresh: AppTest, tmp_path: Path) -> None:
    home = tmp_path / "boats"
    beir(home)
    fresh.checkbox(key="data-questions-whole").set_value(True)
    at = from_path(fresh, "questions", home)
    assert any(
        "boats" in each.value and "1 label in 1 question" in each.value for each in at.success
    )


SCALES = MARKET | {1: "Scales lie flat."}


@pytest.fixture
def here(tmp_path: Path, clock: FakeClock) -> LawProject:
    return law_project(tmp_path, clock)


def drawn(here: LawProject, name: str, person: int) -> AppTest:
    return opened(name, here.ws, person, CHOICE_SLUG)


def everywhere(here: LawProject) -> None:
    """Assert that screens and commands tell the lead the same counts."""
    counts = to_check(here.ws, CHOICE_SLUG, here.lead).counts
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
    counts = to_check(here.ws, CHOICE_SLUG, here.lead).counts
    assert (counts.questions, counts.gold, counts.lacking) == (1, 1, 0)
    message = at.success[0].value
    assert first in message and "1 decision to check again" in message
    assert f"(./compare?project={CHOICE_SLUG}&person={here.lead}" in message
    for name in ("gold", "compare"):
        words = shown(drawn(here, name, here.ann))
        assert md_literal("1 of your question") in words, "who annotates is told of their own alone"
        assert "gold before" not in words


def test_what_waits_is_finished_by_one_button_and_counts_agree(here: LawProject) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("services.law.importing.waits_for_candidates", lambda *_: False)
        import_statutes(here.ws, CHOICE_SLUG, here.law("second", harbour=HARBOUR, market=SCALES))
    at = drawn(here, "gold", here.lead)
    assert "waiting for candidates from the law in use" in at.info[0].value
    at = at.button(key="to-check-finish").click().run()
    counts = to_check(here.ws, CHOICE_SLUG, here.lead).counts
    assert (counts.questions, counts.lacking) == (1, 0)
    everywhere(here)
    told(here.ws.folder, "snapshots", "--use", "1")
    everywhere(here)
