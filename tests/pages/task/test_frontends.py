"""Scripts, styles and forms of the screens: each is part of one, plain, small, and worded."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import pages
from annotation.curation import state as curation_form
from annotation.forms.form import Form
from annotation.mcq import solvability
from messages import LANGUAGES, catalogue
from pages.attribution.attribution_review import PAGE as ATTRIBUTION
from pages.curation import curation
from pages.curation.curation import PAGE as CURATION
from pages.judging.answer_rating import PAGE as RATING
from pages.judging.judge_review import _PAGE as REVIEW
from pages.law import graph_panel
from pages.mapping.citation_mapping import PAGE as MAPPING
from pages.mcq import mcq_solvability
from pages.mcq.mcq_solvability import PAGE as MCQ
from pages.ocr.task_page import OCR
from pages.research.research import PAGE as RESEARCH
from pages.shell.bundle import GRAPH_SCRIPTS, GRAPH_STYLE, joined
from pages.shell.navigation import key_map
from pages.tagging.factor_tagging import PAGE as TAGGING
from pages.task.page import TaskPage
from pages.task.viewer import FRAME_SCRIPTS, FRAME_STYLES, ui_words
from pages.tasks.own_task import OWN
from storage.tasks import Task

HERE = Path(pages.__file__).parent
FILES = sorted(HERE.rglob("frontend/**/*.*"))
RISKY = (
    r"(inner|outer)HTML|insertAdjacentHTML|createContextualFragment|document\.write|eval\("
    r"|new Function"
)
WORD = re.compile(r"""words\.([a-z_0-9]+)|words: "([a-z_]+)"|words(?::|\[)\s?`([a-z_]+)\$""")
MADE = re.compile(r"""(?:f"|`)(\w+_)[{$]""")  # the beginnings of words
OCR_PAGE = TaskPage(Task.OCR_CORRECTION, OCR, MAPPING.fixed, words=("ocr_verification",))
PAGES = (MAPPING, MCQ, CURATION, RATING, REVIEW, ATTRIBUTION, RESEARCH, TAGGING, OCR_PAGE)
ROOMS = {"rating": "judging", "review": "judging"}
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda each: each.viewer.name)


def python_of(*rooms: str) -> str:
    files = sorted(file for room in rooms for file in (HERE / room).glob("*.py"))
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def test_every_file_is_part_of_a_screen_and_every_part_is_there() -> None:
    python = python_of(*(room.name for room in HERE.iterdir() if room.is_dir()))
    for file in FILES:
        assert re.search(rf"""["/]{file.stem}["`]""", python), file
    for viewer in (*(page.viewer for page in PAGES), OWN):
        assert joined((*FRAME_SCRIPTS, *viewer.scripts), "js")
        assert joined((*FRAME_STYLES, *viewer.styles, GRAPH_STYLE), "css")
    assert joined(
        (*GRAPH_SCRIPTS, *graph_panel.SCRIPTS, *graph_panel.TREE, *graph_panel.UNIT), "js"
    )


def test_every_viewer_has_the_functions_that_its_scripts_use() -> None:
    texts = {file: file.read_text(encoding="utf-8") for file in FILES if file.suffix == ".js"}
    top = re.compile(r"^(?:async )?(?:function|class|const|let) (\w+)", re.M)
    known = {name for text in texts.values() for name in top.findall(text)}
    for viewer in (*(page.viewer for page in PAGES), OWN):
        script = joined((*FRAME_SCRIPTS, *viewer.scripts), "js")
        called = set(
            re.findall(r"(?<![.\w])(?:new )?(\w+)\(", re.sub(r"//.*|/\*.*?\*/", "", script))
        )
        inner = set(
            re.findall(r"(?:const|let|function) (\w+)|^  (?:async )?(\w+)\(.*\{$", script, re.M)
        )
        there = {*top.findall(script), *(name for pair in inner for name in pair)}
        assert (called & known) - there == set(), viewer.name


def test_no_script_can_turn_text_into_html_and_all_stay_small() -> None:
    scripts = [file for file in FILES if file.suffix == ".js"]
    assert len(scripts) > 90
    for script in scripts:
        text = script.read_text(encoding="utf-8")
        assert not re.search(RISKY, text), script
        assert not re.search(r"https?://(?!www\.w3\.org/)", text), script
        assert len(text.splitlines()) <= 310, script


@each_page
def test_the_catalogue_has_every_word_that_a_viewer_uses_and_no_other(page: TaskPage) -> None:
    name, room = page.viewer.name, ROOMS.get(page.viewer.name, page.viewer.name)
    scripts = {*FRAME_SCRIPTS, *page.viewer.scripts} - {*GRAPH_SCRIPTS}  # whose words are its own
    script, python = joined(tuple(sorted(scripts)), "js"), python_of(room, "task")
    known = ui_words(name, "en", *page.words)
    used = {plain or row or stem for plain, row, stem in WORD.findall(script)}
    assert len(used) > 50
    beginnings = tuple(each for each in used if each.endswith("_"))
    missing = {each for each in used - {*known} if not each.startswith("option_")}
    assert [each for each in missing if not any(key.startswith(each) for key in known)] == []

    made = (*beginnings, *MADE.findall(script + python), "flag_", "skip_")  # put together
    keys = {each.on[name] for each in key_map().values() if name in each.on}
    form = page.form(known, (), "en") if page.form else {}
    told = json.dumps(form, ensure_ascii=False)
    words = set(re.findall(r"\w+", script + python)) | keys
    prefix = f"{name}.ui."
    own = {key.removeprefix(prefix) for key in catalogue() if key.startswith(prefix)}
    unused = {each for each in own - words if re.sub("_(hint|short)$", "", each) not in words}
    unused = {each for each in unused if known[each] not in told and not each.startswith(made)}
    assert sorted(unused) == []


def test_the_script_of_ratings_knows_of_no_judge() -> None:
    scripts = {each for each in RATING.viewer.scripts if each.startswith("judging/")}
    assert scripts == {"judging/frontend/answers"}
    assert not re.search(r"verdict|system|rater|\bjudge\b", joined(tuple(scripts), "js"))


def test_the_frame_brings_its_own_words_and_knows_nothing_of_citation_mapping() -> None:
    """Another task's screen is the frame with that task's files in place of these."""
    bare, of_mapping = ui_words("no_such_task", "en"), "candidate|citation|decision|provision"
    for name in FRAME_SCRIPTS:
        script = joined((name,), "js")
        for plain, row, stem in WORD.findall(script):
            word = plain or row or stem
            assert word in bare or any(key.startswith(word) for key in bare), word
        if not name.endswith("/keymap"):  # the keys of all tasks
            assert not re.search(rf"{of_mapping}|\bcards?\b|\btrail\b", script), name


def test_a_task_changes_only_what_the_frame_lets_it() -> None:
    """Each hook that citation mapping fills is one that the frame names."""
    hooks = joined(("task/frontend/frame",), "js").partition("// What a task says of its own")[2]
    asked = set(re.findall(r"^  ([a-zA-Z]+)\(", hooks, re.MULTILINE))
    mine = joined(("mapping/frontend/viewer",), "js")
    mine = mine.partition("// What the frame asks of a task")[2]
    mine = mine.partition("// What a person does")[0]
    filled = set(re.findall(r"^  ([a-zA-Z]+)\(", mine, re.MULTILINE))
    assert len(asked) > 10
    assert filled - asked == {"fail"}  # which calls the frame's own
    hooks, mine = (joined((f"{room}/frontend/saying",), "js") for room in ("task", "mapping"))
    said = set(re.findall(r"^  ([a-zA-Z]+)\(", hooks, re.MULTILINE))
    assert set(re.findall(r"^  ([a-zA-Z]+)\(act", mine, re.MULTILINE)) - said == {"labels"}


def test_an_empty_screen_names_what_makes_its_items() -> None:
    for page, command in ((CURATION, "curation"), (RESEARCH, "research"), (RATING, "judge")):
        said = ui_words(page.viewer.name, "en")["empty_lead"]
        assert f'"{command} {"cases" if page is RATING else "items"}"' in said
        assert said != ui_words("mapping", "en")["empty_lead"]


PAGES_DECLARED = {"mcq": mcq_solvability.PAGE, "curation": curation.PAGE}
FORMS: Mapping[str, Form] = {"mcq": solvability.FORM, "curation": curation_form.FORM}
STAGES = {"mcq": solvability.Stage, "curation": curation_form.Stage}
each_task = pytest.mark.parametrize("name", PAGES_DECLARED)


def form_of(page: TaskPage, language: str = "en") -> dict[str, Any]:
    assert page.form is not None
    return page.form(ui_words(page.viewer.name, language, *page.words), (), language)


@each_task
def test_a_form_and_its_rules_speak_of_the_same_fields(name: str) -> None:
    form, rules = form_of(PAGES_DECLARED[name]), FORMS[name]
    asked = [field for stage in form["stages"] for field in stage["fields"]]
    assert sorted(asked) == sorted(form["fields"])
    known = set(rules.scales)
    assert known <= set(asked)
    assert {stage["seal"] for stage in form["stages"] if "seal" in stage} == {*rules.seals}
    assert [*(stage["name"] for stage in form["stages"]), "done"] == list(STAGES[name])
    for field, (_, values) in rules.scales.items():
        if values is not None and field in form["fields"]:
            assert [each[0] for each in form["fields"][field]["options"]] == [*values]
    for field in form["fields"].values():
        for condition in (*field.get("when", ()), *field.get("needs", ())):
            assert {*condition.get("if", {}), *condition.get("unless", {})} <= set(asked)


@each_task
def test_a_form_is_told_in_every_language(name: str) -> None:
    texts = [
        json.dumps(form_of(PAGES_DECLARED[name], each), ensure_ascii=False) for each in LANGUAGES
    ]
    assert len(set(texts)) == len(LANGUAGES)
    assert re.search("[가-힣]", texts[list(LANGUAGES).index("ko")])
