"""The command line as a script sees it: what is printed, and the exit code."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import touchstone
from annotation.check.project import Problem
from annotation.mapping import commands as mapping_commands
from annotation.people.members import list_people
from annotation.work import commands, queue_service
from commands.shell.state import EXIT_DEFECT, EXIT_INTERRUPTED, EXIT_USER_ERROR
from storage.db.workspace import Workspace
from tests.commands.called import printed
from tests.conftest import ROOT
from tests.projects.project_cache import kept

SAMPLE = ROOT / "sample"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return partial(printed, tmp_path / "w")


def said(printed: tuple[int, str, str]) -> dict[str, Any]:
    code, out, err = printed
    assert code == 0, err
    assert out.count("\n") == 1, "under --json exactly one line is printed"
    answer: dict[str, Any] = json.loads(out)
    return answer


@pytest.fixture
def project(run: Run, tmp_path: Path) -> None:
    def make() -> None:
        said(run("init", "--json"))
        said(run("project", "gaon", "--overlap", "2", "--json"))
        for name in ("Ara", "Jun"):
            said(run("person", "add", name, "--json"))

    kept("a project made by commands", Workspace(tmp_path / "w"), make)


@pytest.fixture
def filled(run: Run, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    def make() -> None:
        request.getfixturevalue("project")
        law = said(run("import", "statutes", str(SAMPLE / "statutes"), "--json"))
        assert law["statutes"] == 8
        asked = said(run("import", "questions", str(SAMPLE / "questions.jsonl"), "--json"))
        assert asked["new"] == 24
        built = said(run("candidates", "--json"))
        assert built["built"] == built["items"] == 24

    kept("a project filled by commands", Workspace(tmp_path / "w"), make)


def test_the_version_is_told_without_a_workspace(run: Run, tmp_path: Path) -> None:
    code, out, err = run("--version")
    assert (code, out, err) == (0, f"touchstone {touchstone.__version__}\n", "")
    assert said(run("--version", "--json")) == {"version": touchstone.__version__}
    assert list(tmp_path.iterdir()) == []


def agree_on(workspace: Workspace, items: int) -> None:
    """Let every annotator accept the first candidate of the first items."""
    for person in list_people(workspace, "gaon"):
        for entry in queue_service.queue(workspace, person.id)[:items]:
            first = queue_service.open_item(workspace, person.id, entry.item_id).candidates[0]
            mapping_commands.label(workspace, person.id, entry.item_id, first.unit_id, "accept")
            commands.submit(workspace, person.id, entry.item_id)


def test_from_an_empty_folder_to_scores(run: Run, filled: None, tmp_path: Path) -> None:
    agree_on(Workspace(tmp_path / "w"), 3)
    assert said(run("status", "--json"))["outcomes"]["agreed"] == 3
    assert said(run("agreement", "--json"))["statistics_questions"]
    said(run("export", "gold", str(tmp_path / "out"), "--json"))
    assert (tmp_path / "out" / "qrels" / "test.tsv").read_text().count("\n") == 4
    number = said(run("retrieve", "--k", "10", "--json"))["run"]
    widest = said(run("evaluate", str(number), "--json"))
    assert widest["nDCG@10"]["n"] == 22  # with the labels that the sample's questions brought
    scores = said(run("evaluate", str(number), "--gold", "people", "--json"))
    assert set(scores["nDCG@10"]) == {"value", "n", "ci"}
    assert scores["nDCG@10"]["n"] == 3
    said(run("export", "run", str(number), str(tmp_path / "run.trec"), "--json"))
    again = said(
        run(
            "evaluate", "--qrels", str(tmp_path / "out" / "qrels" / "test.tsv"),
            "--run-file", str(tmp_path / "run.trec"), "--json",
        )
    )  # fmt: skip
    assert again == scores
    assert said(run("check", "--json")) == {"problems": []}


def test_a_workspace_that_is_not_there_is_said_with_its_remedy(run: Run) -> None:
    code, out, err = run("status")
    assert (code, out) == (EXIT_USER_ERROR, "")
    assert "There is no Touchstone workspace here." in err
    assert "Remedy: Create one with" in err


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b'{"question_id": "a", "question": "q", "answer": "b"}\n{"question_id": "b", "que', 2),
        (b'{"question_id": "a", "question": "q", "answer": "' + b"x" * 50_000_000 + b'"}\n', 1),
    ],
    ids=["cut in half", "50 MB line"],
)
def test_a_bad_question_file_is_named_and_leaves_nothing(
    run: Run, project: None, tmp_path: Path, content: bytes, place: int
) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_bytes(content)
    code, out, _ = run("import", "questions", str(file), "--json")
    assert code == EXIT_USER_ERROR
    error = json.loads(out)
    assert error["line"] == place
    assert error["remedy"]
    assert said(run("status", "--json"))["questions"] == 0


@pytest.mark.parametrize(
    "words",
    [
        *[(), ("import",), ("import", "statutes"), ("no-such-command",), ("status", "--project")],
        *[("retrieve", "--k", "many"), ("serve", "--port", "99999")],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_code_2_and_one_object_under_json(run: Run, words: tuple[str, ...]) -> None:
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert err
    code, out, _ = run("--json", *words)
    assert code == 2
    refused = json.loads(out)
    assert refused["error"] == "usage"
    assert refused["what"]
    assert "--help" in refused["remedy"]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("evaluate", "9" * 30), "run_unknown"),
        (("--project", "\udcff", "status"), "text_unstorable"),
        (("import", "questions", "\udcff.jsonl"), "path_missing"),
        (("import", "statutes", "x" * 300), "file_unreadable"),
    ],
)
def test_an_odd_value_is_refused_as_the_users_to_mend(
    run: Run, project: None, words: tuple[str, ...], error: str
) -> None:
    code, out, _ = run(*words, "--json")
    assert (code, json.loads(out)["error"]) == (EXIT_USER_ERROR, error)
    assert run(*words)[0] == EXIT_USER_ERROR


def test_a_failed_check_is_one_object_too(
    run: Run, project: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = Problem("file", "page 3")
    monkeypatch.setattr("annotation.check.project.check", lambda *_: [problem])
    code, out, _ = run("check", "--json")
    assert code == EXIT_USER_ERROR
    said = json.loads(out)
    assert (said["error"], said["problems"]) == ("check_failed", [problem.as_dict()])
    code, out, err = run("check")
    assert code == EXIT_USER_ERROR
    assert str(problem) in out
    assert "Remedy" in err


def test_no_project_or_two_must_be_told_apart(run: Run) -> None:
    run("init")
    assert json.loads(run("status", "--json")[1])["error"] == "project_none"
    run("project", "one")
    run("project", "two")
    listed = said(run("project", "list", "--json"))["projects"]
    assert [each["project"] for each in listed] == ["one", "two"]
    assert json.loads(run("status", "--json")[1])["error"] == "project_unnamed"
    assert run("status", "--project", "two")[0] == 0


def test_a_defect_is_said_to_be_ours(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("storage.db.migrate.migrate", broken)
    code, _, err = run("init")
    assert code == EXIT_DEFECT
    assert "defect of Touchstone" in err
    assert "RuntimeError: boom" in err
    assert "test_touchstone.py" in err, "where it happened, for the report"
    assert "Traceback" not in err
    code, out, _ = run("init", "--json")
    assert code == EXIT_DEFECT
    said = json.loads(out)
    assert said["error"] == "defect"
    assert "boom" in said["what"]


def test_stopping_by_hand_has_its_own_code(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("storage.db.migrate.migrate", stopped)
    assert run("init")[0] == EXIT_INTERRUPTED
    code, out, _ = run("init", "--json")
    assert (code, json.loads(out)["error"]) == (EXIT_INTERRUPTED, "interrupted")


def test_stopping_while_packages_load_shows_no_traceback() -> None:
    command = [sys.executable, "-X", "importtime", "touchstone.py", "status"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE) as started:
        assert started.stderr is not None
        for line in started.stderr:
            if b"typer" in line:
                started.send_signal(signal.SIGINT)
                break
        assert b"Traceback" not in started.stderr.read()
    assert started.returncode == -signal.SIGINT


def test_the_end_of_a_process_leaves_no_file_beside_the_database(
    run: Run, project: None, tmp_path: Path
) -> None:
    """Nothing looks for garbage at its end, so nothing else would close the database."""
    said(run("backup", str(tmp_path / "backup"), "--json"))
    again = tmp_path / "again"
    for words in (("restore", str(tmp_path / "backup")), ("person", "add", "Mia")):
        command = [sys.executable, "touchstone.py", "--workspace", str(again), *words]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        assert [file.name for file in again.iterdir()] == ["touchstone.db"]


def test_a_reader_that_goes_away_is_no_defect(run: Run, project: None) -> None:
    def gone(*_: object, **__: object) -> None:
        raise BrokenPipeError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builtins.print", gone)
        code, _, err = run("status", "--json")
    assert (code, err) == (EXIT_INTERRUPTED, "")


def test_a_port_in_use_is_refused(run: Run) -> None:
    import socket

    run("init")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, _, err = run("serve", "--port", str(taken.getsockname()[1]))
    assert code == EXIT_USER_ERROR
    assert "in use" in err


def test_warnings_of_libraries_stay_off_the_terminal() -> None:
    script = (
        "import logging, sys, warnings, touchstone\n"
        "def main():\n"
        "    warnings.warn('of a library', FutureWarning)\n"
        "    logging.getLogger('transformers.tokenization').warning('too long')\n"
        "    return 0\n"
        "touchstone.main = main\n"
        "sys.exit(touchstone.program())\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, "too long" in done.stderr, "of a library" in done.stderr) == (
        *(0, False, False),
    )
