from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotation.exchange.foreign import Fields, Survey, read_labels, survey, users_and_choices
from annotation.work.submissions import TOOLS
from errors import UserError

FIXTURES = Path(__file__).parents[2] / "fixtures" / "labels"


def test_a_file_of_label_studio_tells_its_names() -> None:
    found = survey(FIXTURES / "label_studio.json", "label-studio")
    assert found == Survey(("question_id", "text"), ("provisions",), ("why",))


def test_a_file_of_argilla_tells_its_names() -> None:
    both = ("provisions", "why")
    found = survey(FIXTURES / "argilla_server.jsonl", "argilla")
    assert found == Survey(("external_id", "question_id", "text"), both, both)
    found = survey(FIXTURES / "argilla_sdk2.json", "argilla")
    assert set(both) <= set(found.choices)
    assert "id" in found.items


def test_files_of_potato_prodigy_and_doccano_tell_their_names() -> None:
    potato = survey(FIXTURES / "potato.jsonl", "potato")
    assert (potato.choices, potato.comments) == (("provisions",), ("why",))
    assert "instance_id" in potato.items
    prodigy = survey(FIXTURES / "prodigy.jsonl", "prodigy")
    assert (prodigy.choices, prodigy.comments) == (("accept",), ("text", "why"))
    assert "question_id" in prodigy.items
    doccano = survey(FIXTURES / "doccano.jsonl", "doccano")
    assert (doccano.choices, doccano.comments) == (("label",), ("Comments",))


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
    with pytest.raises(UserError) as refused:
        survey(file, tool)
    assert refused.value.code in ("labels_shape", "labels_json")


def test_a_tool_without_reader_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="paper"):
        survey(tmp_path / "none", "paper")


def test_users_and_choices_come_in_the_order_of_the_file() -> None:
    fields = Fields("question_id", "provisions")
    labels = read_labels(FIXTURES / "label_studio.json", "label-studio", fields).read
    users, choices = users_and_choices(labels)
    assert users == ("10", "ben@example.org")
    assert choices == ("Article 1", "not Article 2", "Nothing")
