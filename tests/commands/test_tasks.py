"""Commands about a project's own tasks."""

from __future__ import annotations

import json
from pathlib import Path

from annotation.forms.form import answer
from annotation.tasks.reading import read_spec, templates
from annotation.work.commands import submit
from tests.commands.called import printed
from tests.conftest import FakeClock
from tests.projects.own_project import DECLARATION, SPAN, TASK, build, own_task


def test_a_task_is_tried_added_listed_decided_and_written(tmp_path: Path, clock: FakeClock) -> None:
    house = build(tmp_path / "workspace", clock)
    for who, level in ((house.ann, 3), (house.ben, 1)):
        answer(house.ws, who, house.items[0], "relevance", level)
        answer(house.ws, who, house.items[0], "evidence", [SPAN])
        submit(house.ws, who, house.items[0])
    house.ws.engine.dispose()
    folder, at = tmp_path / "files", house.ws.folder
    (file,) = own_task(folder, DECLARATION.replace("task: relevance", "task: other"))
    code, out, _ = printed(at, "task", "add", str(file), "--preview")
    assert (code, out.splitlines()[0]) == (0, "3 items. The first:")
    assert "How relevant is it? (0, 1, 2, 3)" in out
    assert "own:other" not in printed(at, "task", "list")[1]
    assert printed(at, "task", "add", str(file))[1] == "Added own:other with 3 items.\n"
    assert "own:other" in printed(at, "task", "list")[1]
    code, _, error = printed(at, "task", "add", str(file))
    assert (code, "own:other" in error) == (3, True)
    by = ("--by", "Cho", "--task", TASK)
    assert "p1" in printed(at, "adjudicate", "list", *by)[1]
    assert "Ann: evidence" in printed(at, "adjudicate", "show", "p1", *by)[1]
    wrong = printed(at, "adjudicate", "decide", "p1", *by, "--set", "relevance=many")
    assert (wrong[0], "many" in wrong[2]) == (3, True)
    said = ("--set", "relevance=2", "--reason", "Half of it.")
    assert printed(at, "adjudicate", "decide", "p1", *by, *said)[0] == 0
    labels = tmp_path / "labels.jsonl"
    assert printed(at, "task", "export", TASK, str(labels))[0] == 0
    [line] = [json.loads(each) for each in labels.read_text("utf-8").splitlines()]
    assert line["agreed"] == {"relevance": 2, "evidence": [SPAN]}
    assert printed(at, "agreement", "--task", TASK)[0] == 0
    assert printed(at, "check")[0] == 0


def test_a_template_is_written_filled_with_rows_and_added(tmp_path: Path, clock: FakeClock) -> None:
    house = build(tmp_path / "workspace", clock)
    house.ws.engine.dispose()
    at = house.ws.folder
    listed = printed(at, "task", "template")[1]
    assert len(templates()) == len(listed.splitlines()) == 6
    for name, (title, text) in templates().items():
        assert name in listed and title in listed
        subject = read_spec(text).subject
        assert subject is not None and subject.file
        file = tmp_path / f"{name}.yaml"
        assert printed(at, "task", "template", name, str(file))[0] == 0
        columns = dict.fromkeys(("id", *subject.show))
        rows = [",".join(columns), ",".join(f"{column} text" for column in columns)]
        (tmp_path / subject.file).write_text("\n".join(rows))
        code, out, _ = printed(at, "task", "add", str(file), "--preview")
        assert (code, out.splitlines()[0]) == (0, "1 item. The first:"), name
    again = printed(at, "task", "template", "entities", str(file))
    assert (again[0], "already" in again[2]) == (3, True)
    assert printed(at, "task", "template", "boats")[0] == 3


def test_a_draft_of_another_tools_configuration_lists_what_it_lacks(
    tmp_path: Path, clock: FakeClock
) -> None:
    house = build(tmp_path / "workspace", clock)
    house.ws.engine.dispose()
    config, file = tmp_path / "config.yaml", tmp_path / "task.yaml"
    config.write_text(
        "annotation_schemes: [{annotation_type: text, name: why}, {annotation_type: video}]"
    )
    code, out, _ = printed(
        house.ws.folder, "task", "draft", str(config), str(file), "--from", "potato"
    )
    assert (code, out.splitlines()[-1]) == (0, "  line 1: video")
    assert list(read_spec(file.read_text()).fields) == ["why"]
