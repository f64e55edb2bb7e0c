"""The viewer of declared forms: its files, and the forms and words that tasks give it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from annotation.curation import form as curation_form
from annotation.forms.form import Form
from annotation.mcq import solvability
from messages import LANGUAGES
from pages.curation import curation
from pages.mcq import mcq_solvability
from pages.task.page import TaskPage
from pages.task.viewer_data import ui_words

PAGES = {"mcq": mcq_solvability.PAGE, "curation": curation.PAGE}
FORMS: Mapping[str, Form] = {"mcq": solvability.FORM, "curation": curation_form.FORM}
STAGES = {"mcq": solvability.Stage, "curation": curation_form.Stage}
each_task = pytest.mark.parametrize("name", PAGES)


def form_of(page: TaskPage, language: str = "en") -> dict[str, Any]:
    assert page.form is not None
    return page.form(ui_words(page.viewer.name, language, *page.words), (), language)


@each_task
def test_a_form_and_its_rules_speak_of_the_same_fields(name: str) -> None:
    form, rules = form_of(PAGES[name]), FORMS[name]
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
    texts = [json.dumps(form_of(PAGES[name], each), ensure_ascii=False) for each in LANGUAGES]
    assert len(set(texts)) == len(LANGUAGES)
    assert re.search("[가-힣]", texts[list(LANGUAGES).index("ko")])
