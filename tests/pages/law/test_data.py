from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest
from sqlmodel import select
from streamlit.testing.v1 import AppTest

from corpus.importers.registry import FORMATS
from corpus.importers.table import ReadingRules
from corpus.model import Level
from errors import UserError
from messages import say
from pages.shell.guard import plain
from retrieval.core.own import FOLDER, look_in
from services.background.tasks import TaskKind
from services.gold.search_coverage import levels_said
from services.law.importing import import_questions, import_statutes
from services.law.levels import read_levels
from services.law.preview import save_rules
from storage.db.workspace import Workspace
from storage.law.passages import RETRIEVED_LEVELS
from storage.projects import list_projects
from storage.tables.core import QuestionRow
from tests.conftest import ROOT, FakeClock
from tests.pages.background import ended
from tests.pages.small_project import SLUG, empty_project, leader, page, shown, small_project
from tests.retrieval.core.test_own import TEMPLATE

STATUTES = ROOT / "sample" / "statutes"
FIXTURES = ROOT / "tests" / "fixtures"
QUESTIONS = ROOT / "sample" / "questions.jsonl"


@pytest.fixture
def workspace(tmp_path: Path, clock: FakeClock) -> Workspace:
    return Workspace(tmp_path / "ws", clock)


@pytest.fixture
def fresh(workspace: Workspace) -> AppTest:
    empty_project(workspace)
    return page("data", workspace, leader(workspace)).run()


def metrics(at: AppTest) -> list[str]:
    return [metric.value for metric in at.metric]


def press(at: AppTest, label: str) -> AppTest:
    return next(each for each in at.button if each.label == label).click().run()


def from_path(at: AppTest, what: str, path: Path | str) -> AppTest:
    at.text_input(key=f"data-{what}-path").set_value(str(path))
    return keep(press(at, "Preview")) if what == "statutes" else press(at, f"Import {what}")


def keep(at: AppTest) -> AppTest:
    return at.button(key="data-statutes-keep").click().run()


def candidates(at: AppTest, workspace: Workspace) -> AppTest:
    at = at.button(key="data-candidates").click().run()
    return ended(at, workspace, SLUG, TaskKind.CANDIDATES)


def test_an_empty_project_says_what_to_do_first(fresh: AppTest):
    assert not fresh.exception
    assert metrics(fresh) == ["0", "0", "0", "0 / 0"]
    assert "No statutes yet" in fresh.info[0].value
    assert fresh.button(key="data-candidates").disabled


@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_the_project_holds_is_counted(workspace: Workspace, language: str):
    small = small_project(workspace)
    at = page("data", small, leader(workspace), language).run()
    assert not at.exception
    assert metrics(at) == ["1", "3", "6", "6 / 6"]
    assert at.dataframe[0].value.iloc[0, 1] == 1


def test_law_questions_and_candidates_come_in_by_path(fresh: AppTest, workspace: Workspace):
    at = from_path(fresh, "statutes", STATUTES)
    assert not at.exception
    assert "Imported" in at.success[0].value
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


def test_methods_of_ones_own_propose_candidates(fresh: AppTest, workspace: Workspace):
    folder = workspace.folder / FOLDER
    folder.mkdir(parents=True)
    (folder / "word_overlap.py").write_text(TEMPLATE, "utf-8")
    learns = TEMPLATE.replace("word_overlap", "learner").replace(
        "    PARAMETERS", "    LEARNS = True\n    PARAMETERS"
    )
    (folder / "learner.py").write_text(learns, "utf-8")
    look_in(folder)
    try:
        at = from_path(from_path(fresh, "statutes", STATUTES), "questions", QUESTIONS)
        box = at.selectbox(key="data-candidates-method")
        own = [each for each in box.options if "of your own" in each]
        assert own == ["word_overlap (a method of your own)"]  # one that learns from gold is none
        box.set_value("word_overlap")
        at = candidates(at, workspace)
        assert not at.exception and "questions done" in at.success[0].value
    finally:
        look_in(None)


def test_a_question_that_is_too_long_is_refused_with_its_place(
    fresh: AppTest, workspace: Workspace, tmp_path: Path
):
    row = {"question_id": "long", "question": "소방시설 " * 39_600, "answer": "예"}
    file = tmp_path / "long.jsonl"
    file.write_text(QUESTIONS.read_text("utf-8") + json.dumps(row) + "\n", encoding="utf-8")
    at = from_path(fresh, "questions", file)
    told = at.error[0].value.replace("\\", "")
    assert all(said in told for said in ("line 25", "question", "197,999", "40,000"))
    with workspace.reading() as session:
        assert session.exec(select(QuestionRow)).first() is None


def test_the_same_law_again_adds_nothing(fresh: AppTest):
    at = from_path(from_path(fresh, "statutes", STATUTES), "statutes", STATUTES)
    assert "already here" in at.success[0].value


def test_nothing_is_kept_before_the_preview_is_accepted(fresh: AppTest):
    fresh.text_input(key="data-statutes-path").set_value(str(FIXTURES / "searchfiresafety"))
    at = press(fresh, "Preview")
    assert not at.exception
    assert "SearchFireSafety documents" in shown(at)
    assert "links to 99" in at.warning[0].value
    assert list(at.dataframe[0].value["Place"])[:2] == ["제1조", "제2조의2"]
    assert metrics(at)[0] == "0"
    at = at.button(key="data-statutes-cancel").click().run()
    assert metrics(at)[0] == "0" and not at.dataframe
    at = from_path(at, "statutes", FIXTURES / "searchfiresafety")
    assert metrics(at)[0] == "3"


def test_the_columns_of_a_table_are_mapped_once(fresh: AppTest, tmp_path: Path):
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text("p,q\nArticle 1,Lamps.\n", encoding="utf-8")
    second.write_text("p,q\nArticle 1,Whistles.\n", encoding="utf-8")
    fresh.text_input(key="data-statutes-title").set_value("Ferry Act")
    fresh.text_input(key="data-statutes-path").set_value(str(first))
    at = press(fresh, "Preview")
    assert "No column is known" in at.error[0].value
    for label, column in (("Place (Article 5, § 5)", "p"), ("Text", "q")):
        next(each for each in at.selectbox if each.label == label).select(column)
    at = press(at, "Preview again")
    assert not at.error and not at.exception
    assert metrics(keep(at))[0] == "1"
    fresh.text_input(key="data-statutes-title").set_value("")
    at = from_path(fresh, "statutes", second)
    assert not at.error and "Imported" in at.success[0].value


def test_a_mapping_set_by_the_command_line_holds_on_the_screen(
    fresh: AppTest, workspace: Workspace, tmp_path: Path
):
    for name, text in (("a.csv", "Lamps."), ("b.csv", "Whistles.")):
        (tmp_path / name).write_text(f"p,q\nArticle 1,{text}\n", encoding="utf-8")
    rules = ReadingRules({"place": "p", "text": "q"}, title="Ferry Act")
    import_statutes(workspace, SLUG, tmp_path / "a.csv", rules=rules)
    at = from_path(fresh, "statutes", tmp_path / "b.csv")
    assert not at.error and "Imported" in at.success[0].value
    other = ReadingRules({"place": "p", "text": "q"}, title="Boat Act")
    save_rules(workspace, SLUG, other)
    fresh.text_input(key="data-statutes-path").set_value(str(tmp_path / "a.csv"))
    at = press(fresh, "Preview")
    assert list(at.dataframe[-1].value["Statute"]) == ["Boat Act"]


def test_any_text_comes_in_by_a_pattern(fresh: AppTest):
    fresh.text_input(key="data-statutes-pattern").set_value("Rule {number}: {heading}")
    fresh.selectbox(key="data-statutes-format").select("text")
    at = from_path(fresh, "statutes", FIXTURES / "text" / "handbook.txt")
    assert not at.exception
    assert metrics(at)[:2] == ["1", "2"]


def test_an_uploaded_file_is_read_again_to_be_kept(fresh: AppTest):
    at = fresh.button_group(key="data-statutes-from").set_value("upload").run()
    raw = (FIXTURES / "english" / "act.txt").read_bytes()
    at.file_uploader(key="data-statutes-upload").set_value([("ACT.TXT", raw, "text/plain")])
    at = keep(press(at, "Preview"))
    assert not at.exception
    assert metrics(at)[:2] == ["1", "2"]


def test_who_may_not_bring_data_in_is_told_who_may(workspace: Workspace):
    small = small_project(workspace)
    at = page("data", small, small.ara).run()
    assert not at.exception
    assert "Only researchers and administrators can import law." in shown(at)
    assert not [each.key for each in at.button if each.key == "data-candidates"]
    assert not [each.key for each in at.text_input if each.key == "data-statutes-path"]


def zipped(folder: Path) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, file.relative_to(folder).as_posix())
    return buffer.getvalue()


@pytest.mark.parametrize("way", ["folder", "upload"])
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_comes_in_by_path_and_by_upload(fresh: AppTest, name: str, way: str):
    folder = STATUTES if name == "legalize-kr" else FIXTURES / name
    folder /= {"drf": "act.xml", "text": "rules.txt"}.get(name, "")
    if way == "upload":
        at = fresh.button_group(key="data-statutes-from").set_value("upload").run()
        sent = zipped(folder) if folder.is_dir() else folder.read_bytes()
        file = f"{folder.name}.zip" if folder.is_dir() else folder.name
        at.file_uploader(key="data-statutes-upload").set_value([(file, sent, "")])
    else:
        fresh.text_input(key="data-statutes-path").set_value(str(folder))
    at = press(fresh, "Preview")
    assert not at.exception and not at.error
    assert plain(say(f"preview.formats.{name}", "en")) in shown(at)
    assert len(at.dataframe[0].value) and metrics(at)[0] == "0"
    at = keep(at)
    assert not at.exception and int(metrics(at)[0]) > 0


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_preview_speaks_both_languages(workspace: Workspace, language: str):
    small_project(workspace)
    at = page("data", workspace, leader(workspace), language).run()
    at.text_input(key="data-statutes-path").set_value(str(FIXTURES / "beir"))
    at = press(at, say("data.add.preview_statutes", language))
    assert not at.exception
    assert say("preview.title", language) in shown(at)


def test_questions_come_in_by_upload(fresh: AppTest):
    at = fresh.button_group(key="data-questions-from").set_value("upload").run()
    at.file_uploader(key="data-questions-upload").set_value(
        ("질문.jsonl", QUESTIONS.read_bytes(), "application/jsonl")
    )
    at = press(at, "Import questions")
    assert not at.exception
    assert "new questions" in at.success[0].value


def test_what_the_judgments_name_and_the_folder_lacks_is_told(fresh: AppTest, tmp_path: Path):
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("q1\td1\t1\nq1\td9\t1\nq2\td1\t1\n", "utf-8")
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "?"}', "utf-8")
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d1", "text": "Words."}', "utf-8")
    told = from_path(fresh, "questions", tmp_path).success[0].value
    assert "q2" in told and "d9" in told and "1 new question" in told


def test_an_error_is_shown_as_the_command_line_says_it(fresh: AppTest, tmp_path: Path):
    bad = tmp_path / "bad *file*.jsonl"
    bad.write_text(json.dumps({"question_id": 1, "question": "?"}) + "\n", encoding="utf-8")
    at = from_path(fresh, "questions", bad)
    with pytest.raises(UserError) as caught:
        import_questions(Workspace(tmp_path / "ws"), SLUG, bad)
    error = caught.value
    assert at.error[0].value == plain(f"{error.where.render()}: {error.what()}")
    assert plain(error.remedy()) in shown(at)
    assert metrics(at)[2] == "0"


def test_an_unsafe_upload_is_refused(fresh: AppTest):
    at = fresh.button_group(key="data-statutes-from").set_value("upload").run()
    at.file_uploader(key="data-statutes-upload").set_value([("law.zip", b"no zip", "x/zip")])
    at = press(at, "Preview")
    assert "not a complete archive" in at.error[0].value
    assert "Import statutes" not in [button.label for button in at.button]


@pytest.mark.parametrize("origin", ["folder", "upload"])
def test_nothing_chosen_asks_for_it(fresh: AppTest, origin: str):
    at = fresh.button_group(key="data-statutes-from").set_value(origin).run()
    assert "first" in press(at, "Preview").warning[0].value


def test_a_new_project_is_made_and_chosen(fresh: AppTest, workspace: Workspace):
    fresh.text_input(key="data-project-slug").set_value("second")
    fresh.text_input(key="data-project-title").set_value("Second project")
    fresh.number_input(key="data-project-overlap").set_value(3)
    at = press(fresh, "Create project")
    assert not at.exception
    made = list_projects(workspace)[-1]
    assert (made.slug, made.title, made.overlap) == ("second", "Second project", 3)
    assert at.session_state["chosen_project"] == "second"


def test_a_bad_project_name_is_refused(fresh: AppTest, workspace: Workspace):
    fresh.text_input(key="data-project-slug").set_value("no spaces!")
    fresh.text_input(key="data-project-title").set_value("x")
    at = press(fresh, "Create project")
    assert at.error
    assert len(list_projects(workspace)) == 1


@pytest.mark.parametrize("language", ["en", "ko"])
def test_statutes_are_added_or_take_the_place_of_those_in_use(
    workspace: Workspace, language: str
) -> None:
    empty_project(workspace)
    import_statutes(workspace, SLUG, STATUTES)
    at = page("data", workspace, leader(workspace), language).run()
    one = STATUTES / "ko" / "가온화재안전기본법" / "시행규칙.md"
    at.text_input(key="data-statutes-path").set_value(str(one))
    at = press(at, say("data.add.preview_statutes", language))
    counts = {"before": "8", "others": "7", "common": "1", "new": "0"}
    assert plain(say("preview.meeting.replaced", language, after="1", **counts)) in shown(at)
    at = at.radio(key="data-statutes-add").set_value(True).run()
    assert plain(say("preview.meeting.added", language, after="8", **counts)) in shown(at)
    at = keep(at)
    assert metrics(at)[0] == "8"
    at.text_input(key="data-statutes-path").set_value(str(one))
    at = keep(press(at, say("data.add.preview_statutes", language)))
    assert metrics(at)[0] == "1"
    assert plain(say("preview.meeting.back", language, id=1)) in at.success[0].value


@pytest.mark.parametrize("language", ["en", "ko"])
def test_an_earlier_snapshot_is_used_again(workspace: Workspace, language: str) -> None:
    small = small_project(workspace)
    import_statutes(workspace, SLUG, STATUTES)
    at = page("data", small, small.ara, language).run()
    assert "data-use" not in [each.key for each in at.button]
    at = page("data", small, leader(workspace), language).run()
    assert metrics(at)[0] == "8" and metrics(at)[3] == "0 / 6"
    assert at.selectbox(key="data-use-which").options == [
        say("compare.option", language, id=1, name="law", effective="–")
    ]
    at = at.button(key="data-use").click().run()
    assert metrics(at)[0] == "1" and metrics(at)[3] == "6 / 6"
    told = say("data.use.done", language, id=1, name="law")
    assert at.success[0].value.split("\n\n")[0] == plain(told)
    at = at.button(key="data-use").click().run()
    assert plain(say("data.use.candidates", language, missing=6)) in at.success[0].value


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_lead_sets_what_is_searched_and_it_is_told_who_did(workspace: Workspace, language: str):
    small = small_project(workspace)
    lead = leader(workspace)
    at = page("data", small, lead, language).run()
    title = say("levels.title", language, levels=levels_said(RETRIEVED_LEVELS, language))
    assert title in [each.label for each in at.expander]
    assert plain(say("levels.usual", language)) in [each.value for each in at.caption]
    at.button_group(key="data-levels-article-section-annex").set_value(["article", "form"])
    at = press(at, say("levels.run", language))
    assert not at.exception
    levels = levels_said((Level.ARTICLE, Level.FORM), language)
    assert plain(say("levels.done", language, levels=levels)) in at.success[0].value
    view = read_levels(workspace, SLUG)
    assert (view.levels, view.said.person) == (("article", "form"), "Han Bora")
    assert any("Han Bora" in each.value for each in at.caption)
    at = press(at, say("levels.run", language))  # again: nothing is written
    assert plain(say("levels.same", language, levels=levels)) in at.success[0].value


def test_levels_that_the_law_lacks_are_refused_on_screen(workspace: Workspace):
    small = small_project(workspace)
    at = page("data", small, leader(workspace)).run()
    at.button_group(key="data-levels-article-section-annex").set_value([])
    at = press(at, say("levels.run"))
    assert "no level is named" in at.error[0].value
    at.button_group(key="data-levels-article-section-annex").set_value(["addendum"])
    at = press(at, say("levels.run"))
    assert "no unit of the levels" in at.error[0].value
    assert read_levels(workspace, SLUG).said.at is None


def test_what_is_searched_is_set_by_leads_alone(workspace: Workspace):
    small = small_project(workspace)
    at = page("data", small, small.sora).run()
    assert not at.exception
    assert say("levels.run") not in [each.label for each in at.button]
    act = say("roles.act.set_levels")
    assert any(act in each.value for each in at.caption)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_law_and_questions_come_into_a_jurisdiction(workspace: Workspace, tmp_path: Path, language):
    empty_project(workspace)
    at = page("data", workspace, leader(workspace), language).run()
    at.text_input(key="data-statutes-path").set_value(str(STATUTES))
    at.text_input(key="data-statutes-jurisdiction").set_value("KR")
    preview = {"en": "Preview", "ko": "미리 보기"}[language]
    at = press(at, preview)
    assert any("kr 8" in each.value for each in at.caption)
    at = keep(at)
    at.text_input(key="data-questions-path").set_value(str(QUESTIONS))
    at.text_input(key="data-questions-jurisdiction").set_value("US NY")
    at = press(at, {"en": "Import questions", "ko": "질문 가져오기"}[language])
    assert not at.exception and at.success
    tables = [each.value for each in at.dataframe if "kr" in list(each.value.iloc[:, 0])]
    assert [list(row) for row in tables[0].values] == [["kr", 8, 0], ["us-ny", 0, 24]]
    at.text_input(key="data-questions-jurisdiction").set_value("뉴욕")
    at = press(at, {"en": "Import questions", "ko": "질문 가져오기"}[language])
    assert at.error and not at.exception
