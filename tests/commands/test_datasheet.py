"""What people say for datasheets, on the command line."""

from __future__ import annotations

import json
from functools import partial

import pytest

from tests.commands.called import printed
from tests.projects.split_project import SLUG, harbour


@pytest.fixture
def run(tmp_path, clock):
    harbour(tmp_path / "w", clock).engine.dispose()

    return partial(printed, tmp_path / "w", "--project", SLUG)


def test_a_form_is_written_filled_in_and_exported(run, tmp_path):
    form, out = tmp_path / "form.yaml", tmp_path / "out"
    assert "19 of 19 fields are still open" in run("datasheet", "show")[1]
    assert run("datasheet", "show", "--output", str(form))[0] == 0
    text = form.read_text("utf-8").replace("funding:\n", "funding: 연구비 *1* <b>x</b>\n")
    form.write_text(text.replace("licence:\n", "licence: CC0\n"), "utf-8")
    code, said, _ = run("datasheet", "set", str(form), "--note", "begun")
    assert (code, said) == (0, "Saved version 2. 17 of 19 fields are still open.\n")
    assert "funding: 연구비 *1* <b>x</b>" in run("datasheet", "show")[1]
    assert "begun" in run("datasheet", "history")[1]
    assert json.loads(run("--json", "datasheet", "show", "1")[1])["answers"] == {}
    run("export", "gold", str(out))
    facts = json.loads((out / "datasheet.json").read_text("utf-8"))
    assert facts["motivation"]["funding"] == "연구비 *1* <b>x</b>"
    assert facts["distribution"]["licence"] == "CC0"
    told = facts["maintenance"]
    assert told["version of the form that people filled in"] == 2
    assert told["fields of the form not filled in yet"] == "17 of 19"
    assert "screen Gold" in facts["maintenance"]["contact"]
    page = (out / "datasheet.md").read_text("utf-8")
    assert "연구비 \\*1\\* \\<b\\>x\\</b\\>" in page
    assert "not recorded" not in page
    run("export", "gold", str(out), "--licence", "MIT")
    facts = json.loads((out / "datasheet.json").read_text("utf-8"))
    assert facts["distribution"]["licence"] == "MIT"


def test_what_cannot_be_saved_says_where(run, tmp_path):
    form = tmp_path / "form.yaml"
    code, _, err = run("datasheet", "set", str(form))
    assert code == 3 and "form.yaml" in err
    form.write_text("funding: x\nmoney: y\n", "utf-8")
    code, _, err = run("datasheet", "set", str(form))
    assert code == 3 and "line 2" in err and "money" in err
    form.write_text("funding: x\n", "utf-8")
    assert run("datasheet", "set", str(form), "--expected", "1")[0] == 0
    form.write_text("funding: y\n", "utf-8")
    assert run("datasheet", "set", str(form), "--expected", "1")[0] == 3
