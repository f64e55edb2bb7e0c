from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotation.exchange.foreign import Fields, read_labels, recognised, survey, users_and_choices
from annotation.work.submissions import TOOLS
from errors import UserError
from tests.support.refusals import code_of

FIXTURES = Path(__file__).parents[2] / "fixtures" / "labels"


BOTH = ("provisions", "why")


@pytest.mark.parametrize(
    ("file", "choices", "texts", "item"),
    [
        ("label_studio.json", ("provisions",), ("why",), "question_id"),
        ("argilla_server.jsonl", BOTH, BOTH, "external_id"),
        ("potato.jsonl", ("provisions",), ("why",), "instance_id"),
        ("prodigy.jsonl", ("accept",), ("text", "why"), "question_id"),
        ("doccano.jsonl", ("label",), ("Comments",), "id"),
    ],
)
def test_a_file_tells_its_names(
    file: str, choices: tuple[str, ...], texts: tuple[str, ...], item: str
) -> None:
    found = survey(FIXTURES / file, str(recognised(FIXTURES / file)))
    assert found.named("choices", "either") == choices
    assert found.named("text", "either") == texts
    assert item in found.ids


@pytest.mark.parametrize("file", sorted(each.name for each in FIXTURES.iterdir()))
def test_the_tool_that_wrote_a_file_is_recognised(file: str) -> None:
    tool = Path(file).stem.partition("_s")[0].replace("_", "-")
    assert recognised(FIXTURES / file) == tool if "studio" not in file else "label-studio"


@pytest.mark.parametrize("text", ["{", "[1]", '{"a": 1}', "[]"])
def test_no_tool_is_recognised_in_another_file(tmp_path: Path, text: str) -> None:
    file = tmp_path / "labels.json"
    file.write_text(text)
    assert recognised(file) is None


@pytest.mark.parametrize(
    ("answer", "status", "choices"),
    [
        ("accept", "submitted", ("Article 1",)),
        ("reject", "submitted", ("not Article 1",)),
        ("ignore", "discarded", ("Article 1",)),
    ],
)
def test_a_label_put_to_a_user_of_prodigy_is_accepted_rejected_or_ignored(
    tmp_path: Path, answer: str, status: str, choices: tuple[str, ...]
) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps({"id": 7, "label": "Article 1", "answer": answer}))
    (label,) = read_labels(file, "prodigy", Fields("id", "label")).read
    assert (label.item, label.user, label.status, label.choices) == ("7", "null", status, choices)


@pytest.mark.parametrize("text", ["[1]", '[{"data": 1, "responses": 1}]', "[[]]", "{"])
@pytest.mark.parametrize("tool", TOOLS)
def test_another_file_is_refused(tmp_path: Path, tool: str, text: str) -> None:
    file = tmp_path / "labels.json"
    file.write_text(text)
    assert code_of(survey, file, tool) in ("labels_shape", "labels_json")


def test_a_tool_without_reader_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="paper"):
        survey(tmp_path / "none", "paper")


def test_users_and_choices_come_in_the_order_of_the_file() -> None:
    fields = Fields("question_id", "provisions")
    labels = read_labels(FIXTURES / "label_studio.json", "label-studio", fields).read
    users, choices = users_and_choices(labels)
    assert users == ("10", "ben@example.org")
    assert choices == ("Article 1", "not Article 2", "Nothing")


def test_spans_of_argilla_are_told_from_its_choices(tmp_path: Path) -> None:
    file = tmp_path / "records.json"
    span = {"start": 0, "end": 2, "label": "who"}
    ranked = {"value": "first", "rank": 1}
    parts = [{"user_id": "b", "value": [{"start": 0}]}, {"user_id": "a", "value": [span]}]
    said = {"parts": parts, "order": [{"value": [ranked]}]}
    file.write_text(json.dumps([{"id": "p1", "responses": said}]))
    found = survey(file, "argilla")
    assert (found.named("spans"), [*found.fields["parts"].choices]) == (("parts",), ["who"])
    assert not found.fields["order"].choices
