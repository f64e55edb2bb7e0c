from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from sqlmodel import select
from streamlit.testing.v1 import AppTest

from annotation.mapping.commands import set_no_provision
from annotation.start.modules import Module, modules
from annotation.work.commands import submit
from annotation.work.queue_service import open_item
from corpus.importers.registry import FORMATS
from corpus.importers.table import ReadingRules
from corpus.model import Level
from errors import UserError
from messages import say
from pages.shell.guard import md_literal
from retrieval.core.own import FOLDER, set_method_folder
from services.background.tasks import TaskKind
from services.gold.search_coverage import levels_in_words
from services.law.importing import import_questions, import_statutes
from services.law.levels import read_levels
from services.law.preview import save_rules
from storage.db.workspace import Workspace
from storage.law.passages import RETRIEVED_LEVELS
from storage.projects import list_projects
from storage.tables.core import CandidateRow, QuestionRow
from tests.conftest import ROOT
from tests.corpus.benchmarks.test_reading import beir
from tests.pages.background import ended
from tests.pages.screens import buttons, metrics, opened, press, table
from tests.pages.small_project import (
    SLUG,
    Small,
    empty_project,
    label_questions,
    leader,
    shown,
    small_project,
)
from tests.retrieval.core.test_own import TEMPLATE

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
    at = at.button(key="data-statutes-keep").click().run()
    return at


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


def test_labels_of_the_data_are_shown_first_to_be_verified(workspace: Workspace):
    small, lead = small_project(workspace), leader(workspace)
    at = opened("data", small, lead)
    assert not [
        each for each in at.selectbox(key="data-candidates-method").options if "verify" in each
    ]
    label_questions(small)
    at = opened("data", small, lead)
    at.selectbox(key="data-candidates-method").set_value("labels")
    at = candidates(at, workspace)
    assert not at.exception
    assert "questions done" in at.success[0].value
    with workspace.reading() as session:
        marked = [
            row for row in session.exec(select(CandidateRow)) if row.why[0]["source"] == "source"
        ]
    assert len(marked) == 3


def test_methods_of_ones_own_propose_candidates(workspace: Workspace):
    small = small_project(workspace)
    folder = workspace.folder / FOLDER
    folder.mkdir(parents=True)
    (folder / "word_overlap.py").write_text(TEMPLATE, "utf-8")
    learns = TEMPLATE.replace("word_overlap", "learner").replace(
        "    PARAMETERS", "    LEARNS = True\n    PARAMETERS"
    )
    (folder / "learner.py").write_text(learns, "utf-8")
    set_method_folder(folder)
    try:
        at = opened("data", small, leader(workspace))
        box = at.selectbox(key="data-candidates-method")
        own = [each for each in box.options if "of your own" in each]
        assert own == ["word_overlap (a method of your own)"]  # one that learns from gold is none
        box.set_value("word_overlap")
        at = candidates(at, workspace)
        assert "questions done" in at.success[0].value
    finally:
        set_method_folder(None)


def test_a_question_that_cannot_be_read_is_refused_with_its_place(
    fresh: AppTest, workspace: Workspace, tmp_path: Path
):
    row = {"question_id": "long", "question": "소방시설 " * 39_600, "answer": "예"}
    file = tmp_path / "long.jsonl"
    file.write_text(QUESTIONS.read_text("utf-8") + json.dumps(row) + "\n", encoding="utf-8")
    at = from_path(fresh, "questions", file)
    told = at.error[0].value.replace("\\", "")
    assert all(said in told for said in ("line 25", "question", "197,999", "40,000"))

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
    with workspace.reading() as session:
        assert session.exec(select(QuestionRow)).first() is None


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


def test_the_columns_of_a_table_are_mapped_once_on_screen_or_by_command(
    fresh: AppTest, workspace: Workspace, tmp_path: Path
):
    for name, text in (("a.csv", "Lamps."), ("b.csv", "Whistles."), ("c.csv", "Nets.")):
        (tmp_path / name).write_text(f"p,q\nArticle 1,{text}\n", encoding="utf-8")
    fresh.text_input(key="data-statutes-title").set_value("Ferry Act")
    at = preview(fresh, tmp_path / "a.csv")
    assert "No column is known" in at.error[0].value
    for label, column in (("Place (Article 5, § 5)", "p"), ("Text", "q")):
        next(each for each in at.selectbox if each.label == label).select(column)
    at = press(at, "Preview again")
    assert not at.error
    assert metrics(keep(at))[0] == "1"
    fresh.text_input(key="data-statutes-title").set_value("")
    at = from_path(fresh, "statutes", tmp_path / "b.csv")
    assert not at.error and "Imported" in at.success[0].value

    rules = ReadingRules({"place": "p", "text": "q"}, title="Boat Act")
    save_rules(workspace, SLUG, rules)
    at = preview(fresh, tmp_path / "a.csv")
    assert table(at, "Place")["Statute"].tolist() == ["Boat Act"]
    import_statutes(workspace, SLUG, tmp_path / "b.csv", rules=replace(rules, title="Raft Act"))
    at = from_path(fresh, "statutes", tmp_path / "c.csv")
    assert not at.error and "Imported" in at.success[0].value


def test_any_text_comes_in_by_a_pattern(fresh: AppTest):
    fresh.text_input(key="data-statutes-pattern").set_value("Rule {number}: {heading}")
    fresh.selectbox(key="data-statutes-format").select("text")
    at = from_path(fresh, "statutes", FIXTURES / "text" / "handbook.txt")
    assert metrics(at)[:2] == ["1", "2"]


def test_who_may_not_bring_data_in_is_told_who_may(workspace: Workspace):
    small = small_project(workspace)
    import_statutes(workspace, SLUG, STATUTES)
    at = opened("data", small, small.sora)
    assert "Only researchers and administrators can import law." in shown(at)
    assert not {"data-candidates", "data-use"} & buttons(at)
    assert not [each.key for each in at.text_input if each.key == "data-statutes-path"]
    assert say("levels.run") not in [each.label for each in at.button]
    assert any(say("roles.act.set_levels") in each.value for each in at.caption)


def zipped(folder: Path) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, file.relative_to(folder).as_posix())
    return buffer.getvalue()


def test_every_format_comes_in_by_path_and_by_upload(fresh: AppTest):
    at = fresh
    for name in FORMATS:
        folder = STATUTES if name == "legalize-kr" else FIXTURES / name
        folder /= {"drf": "act.xml", "text": "rules.txt"}.get(name, "")
        at.button_group(key="data-statutes-from").set_value("folder").run()
        previewed(preview(at, folder), name)
        sent = zipped(folder) if folder.is_dir() else folder.read_bytes()
        at = uploaded(at, f"{folder.name}.zip" if folder.is_dir() else folder.name, sent)
        previewed(at, name)
    assert metrics(at)[0] == "0", "nothing is kept yet"
    at = keep(at)
    assert "Imported" in at.success[0].value and int(metrics(at)[0]) > 0


def previewed(at: AppTest, name: str) -> None:
    assert not at.error
    assert md_literal(say(f"preview.formats.{name}", "en")) in shown(at)
    assert len(table(at, "Place"))


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


def test_what_the_judgments_name_and_the_folder_lacks_is_told(fresh: AppTest, tmp_path: Path):
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("q1\td1\t1\nq1\td9\t1\nq2\td1\t1\n", "utf-8")
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "?"}', "utf-8")
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d1", "text": "Words."}', "utf-8")
    told = from_path(fresh, "questions", tmp_path).success[0].value
    assert "q2" in told and "d9" in told and "1 new question" in told


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


def test_statutes_are_added_or_take_the_place_of_those_in_use(workspace: Workspace) -> None:
    empty_project(workspace)
    import_statutes(workspace, SLUG, STATUTES)
    one = STATUTES / "ko" / "가온화재안전기본법" / "시행규칙.md"
    at = preview(opened("data", workspace, leader(workspace)), one)
    counts = {"before": "8", "others": "7", "common": "1", "new": "0"}
    assert md_literal(say("preview.meeting.replaced", after="1", **counts)) in shown(at)
    at = at.radio(key="data-statutes-add").set_value(True).run()
    assert md_literal(say("preview.meeting.added", after="8", **counts)) in shown(at)
    at = keep(at)
    assert metrics(at)[0] == "8"
    at = keep(preview(at, one))
    assert metrics(at)[0] == "1"
    assert md_literal(say("preview.meeting.back", id=1)) in at.success[0].value


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
    assert md_literal(say("levels.usual")) in [each.value for each in at.caption]
    for lacking, words in (([], "no level is named"), (["addendum"], "no unit of the levels")):
        at.button_group(key="data-levels-article-section-annex").set_value(lacking)
        at = press(at, say("levels.run"))
        assert words in at.error[0].value
    assert read_levels(workspace, SLUG).said.at is None

    at.button_group(key="data-levels-article-section-annex").set_value(["article", "form"])
    at = press(at, say("levels.run"))
    levels = levels_in_words((Level.ARTICLE, Level.FORM), "en")
    assert md_literal(say("levels.done", levels=levels)) in at.success[0].value
    view = read_levels(workspace, SLUG)
    assert (view.levels, view.said.person) == (("article", "form"), "Han Bora")
    assert any("Han Bora" in each.value for each in at.caption)
    at = press(at, say("levels.run"))  # again: nothing is written
    assert md_literal(say("levels.same", levels=levels)) in at.success[0].value


def test_law_and_questions_come_into_a_jurisdiction(fresh: AppTest):
    fresh.text_input(key="data-statutes-jurisdiction").set_value("KR")
    at = preview(fresh, STATUTES)
    assert any("kr 8" in each.value for each in at.caption)
    at = keep(at)
    at.text_input(key="data-questions-jurisdiction").set_value("US NY")
    at = from_path(at, "questions", QUESTIONS)
    assert at.success
    rows = table(at, "Jurisdiction").values.tolist()
    assert rows == [["kr", 8, 0], ["us-ny", 0, 24]]
    at.text_input(key="data-questions-jurisdiction").set_value("뉴욕")
    assert press(at, "Import questions").error


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


def test_who_leads_nothing_sees_no_modules(workspace: Workspace):
    small = small_project(workspace)
    assert not opened("data", workspace, small.sora).checkbox


def test_a_benchmark_comes_in_with_its_documents(fresh: AppTest, tmp_path: Path) -> None:
    home = tmp_path / "boats"
    beir(home)
    fresh.checkbox(key="data-questions-whole").set_value(True)
    at = from_path(fresh, "questions", home)
    assert any(
        "boats" in each.value and "1 label in 1 question" in each.value for each in at.success
    )
