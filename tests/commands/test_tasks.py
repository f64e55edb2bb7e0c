"""Commands about a project's own tasks."""

from __future__ import annotations

import json
from pathlib import Path

from annotation.forms.form import answer
from annotation.tasks.reading import read_spec
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


def test_a_draft_of_another_tools_configuration_lists_what_it_lacks(
    tmp_path: Path, clock: FakeClock
) -> None:
    at = build(tmp_path / "workspace", clock).ws.folder
    config = tmp_path / "config.yaml"
    config.write_text(
        "annotation_schemes: [{annotation_type: text, name: why}, {annotation_type: video}]"
    )
    code, out, _ = printed(at, "task", "draft", str(config), "--from", "potato")
    assert (code, "video, line 1" in out.splitlines()[0]) == (0, True)
    assert list(read_spec(out).fields) == ["why"]
