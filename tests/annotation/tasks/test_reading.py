"""What a declaration of a task is refused for, with line and field."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.tasks import spec
from annotation.tasks.form import DeclaredForm
from annotation.tasks.reading import MOST_FIELDS, MOST_OPTIONS, packaged, read_spec
from annotation.tasks.spec import Kind
from messages import catalogue
from tests.support.refusals import refusal

OPTIONS = "[keep, {option: drop, label: Drop it, key: d}]"
WHOLE = """\
task: relevance
stages:
- stage: alone
  fields:
  - {field: grade, kind: scale, least: 0, most: 3}
  - {field: why, kind: text, required_when: {grade: ['0']}}
  seal: revealed
- stage: told
  fields:
  - field: verdict
    kind: choice
    options: [keep, {option: drop, label: Drop it, key: d}]
  - {field: cause, kind: text, shown_when: {verdict: drop}}
disputes:
- {dispute: verdict, fields: [verdict]}
"""

PER_PART = """\
task: claims
fields:
- {field: whole, kind: yes_no}
- {field: grade, repeat: claim, kind: scale, least: 0, most: 3}
- {field: why, repeat: claim, kind: text, shown_when: {grade: 0}}
"""
DISPUTE = "disputes: [{dispute: d, fields: [whole], any: {grade: 1}}]"


def changed(old: str, new: str) -> str:
    assert old in WHOLE
    return WHOLE.replace(old, new)


def many_fields() -> str:
    lines = [f"- {{field: f_{n}, kind: yes_no}}" for n in range(MOST_FIELDS + 1)]
    return "\n".join(["task: long", "fields:", *lines])


def many_options() -> str:
    options = ", ".join(f"o_{n}" for n in range(MOST_OPTIONS + 1))
    return f"task: wide\nfields:\n- {{field: pick, kind: choice, options: [{options}]}}"


@pytest.mark.parametrize(
    ("text", "code", "line", "field"),
    [
        (changed("kind: scale", "kind: stars"), "task_word", 5, "stages[1].fields[1].kind"),
        (changed("most: 3", "most: 3, options: ['4']"), "task_word", 5, "options"),
        (changed("{grade: ['0']}", "{grades: ['0']}"), "task_word", 6, "required_when"),
        (changed("{grade: ['0']}", "{grade: ['7']}"), "task_word", 6, "required_when"),
        (changed("{grade: ['0']}", "{verdict: drop}"), "task_stage_shut", 6, "required_when"),
        (changed("{verdict: drop}", "{cause: x}"), "task_cycle", 13, "shown_when"),
        (changed("field: why", "field: grade"), "parallel_key_twice", 6, "field"),
        (changed("field: why", "field: Why not"), "parallel_key", 6, "field"),
        (changed("  seal: revealed\n", ""), "task_stage_open", 3, "seal"),
        (changed("disputes:", "  seal: end\ndisputes:"), "task_stage_sealed", 14, "seal"),
        (changed("fields: [verdict]", "fields: [verdicts]"), "task_word", 15, "disputes"),
        (changed(OPTIONS, "[]"), "task_options_none", 11, "kind"),
        (changed("[keep,", "[drop,"), "parallel_key_twice", 12, "options"),
        (changed("least: 0, most: 3", "least: 4, most: 3"), "task_bounds", 5, "most"),
        (changed("least: 0, most: 3", "least: 0, most: many"), "task_number", 5, "most"),
        (changed("kind: text, shown", "kind: edit, shown"), "task_parts", 13, "kind"),
        (changed("key: d", "key: dd"), "task_shortcut", 12, "options[2].key"),
        (changed("task: relevance", "task: relevance\nfield: x"), "field_unknown", 2, "field"),
        (changed("scale, least", "scale, repeat: claim, least"), "task_repeat", 5, "repeat"),
        (PER_PART.replace("kind: text", "kind: spans, options: [a]"), "task_repeat", 5, "repeat"),
        (PER_PART.replace("claim, kind: text", "part, kind: text"), "task_repeat", 4, "repeat"),
        (PER_PART.replace("whole", "grade_2"), "task_repeat", 3, "field"),
        (PER_PART.replace("yes_no}", "yes_no, shown_when: {grade: 1}}"), "task_repeat_of", 3, None),
        (PER_PART + DISPUTE, "task_repeat_of", 6, "disputes"),
        ("task: none", "field_missing", 1, "fields"),
        ("- task", "task_empty", 1, None),
        (many_fields(), "task_many", 3, "fields"),
        (many_options(), "task_many", 3, "options"),
    ],
)  # fmt: skip
def test_what_does_not_hold_together_is_refused(
    text: str, code: str, line: int, field: str | None
) -> None:
    error = refusal(read_spec, text, "task.yaml")
    assert (error.code, error.where.file, error.where.line) == (code, "task.yaml", line)
    assert field is None or field in str(error.where.field)


def test_a_whole_one_is_read() -> None:
    whole = read_spec(WHOLE)
    assert list(whole.fields) == ["grade", "why", "verdict", "cause"]
    assert whole.missing({"grade": 0, "verdict": "drop"}) == ["why", "cause"]
    assert whole.visible({"verdict": "keep", "cause": "x"}) == {"verdict": "keep"}
    assert [each.key for each in read_spec(WHOLE.split("disputes")[0]).differences] == [
        "grade",
        "verdict",
    ]


def test_a_field_that_repeats_is_asked_of_each_part() -> None:
    each = read_spec(PER_PART).repeated(2)
    assert list(each.fields) == ["whole", "grade_1", "why_1", "grade_2", "why_2"]
    assert each.missing({"whole": "yes", "grade_1": 0, "why_2": "x"}) == ["why_1", "grade_2"]
    assert [spec.fields for spec in each.disputes] == [("whole",), ("grade_1", "grade_2")]
    assert each.repeated(3) is each


DECLARED = sorted(path.stem for path in Path(spec.__file__).parent.glob("*.yaml"))


@pytest.mark.parametrize("name", DECLARED)
def test_every_error_that_a_declared_form_raises_has_its_words(name: str) -> None:
    form = DeclaredForm(packaged(name))
    fields = form.spec.fields.values()
    codes = [form.code(each) for each in ("field", "value")]
    codes += [each for field in fields for each in (field.error, field.missing) if each]
    if form.seals:
        codes += [form.code(each) for each in ("closed", "not_open")]
    if form.seals or not all(each.decided for each in fields):
        codes.append(form.code("part"))
    if any(each.required and not each.missing for each in fields):
        codes.append(form.code("unanswered"))
    assert [code for code in codes if f"error.{code}.what" not in catalogue()] == []


@pytest.mark.parametrize("name", DECLARED)
def test_every_answer_that_the_declaration_names_is_taken(name: str) -> None:
    form = DeclaredForm(packaged(name))
    for at, stage in enumerate(form.spec.repeated(2).stages):
        opened = dict.fromkeys(form.spec.seals[:at], True)
        for each in stage.fields:
            several = each.kind is Kind.CHOICES
            values = [[value] if several else value for value in each.values]
            assert all(form.check(each.key, value, opened) == value for value in values)


def test_html_in_labels_stays_text() -> None:
    text = "task: x\nfields:\n- {field: a, kind: yes_no, label: '<b>bold</b>'}"
    assert read_spec(text).fields["a"].label == "<b>bold</b>"
