from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from scripts import bootstrap


def test_a_python_that_is_too_old_is_named_and_nothing_is_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.version_info", (3, 9, 2))
    monkeypatch.setattr(bootstrap, "make_venv", lambda: pytest.fail("must not be reached"))
    assert bootstrap.main("run") == 1
    assert "Python 3.11 or newer is needed" in capsys.readouterr().out


def test_a_browser_named_in_the_environment_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOUCHSTONE_CHROMIUM", "/somewhere/chromium")
    assert bootstrap.find_browser() == "/somewhere/chromium"


def test_no_browser_ends_with_a_clear_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for step in ("make_venv", "install", "provide_tesseract"):
        monkeypatch.setattr(bootstrap, step, lambda *_: None)
    monkeypatch.setattr(bootstrap, "find_browser", lambda: None)
    monkeypatch.setattr(bootstrap, "_playwright_browser", lambda: False)
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr("subprocess.run", lambda *_a, **_k: None)
    assert bootstrap.main("test") == 1
    assert "No Chromium was found" in capsys.readouterr().out


def test_requirements_are_installed_once_per_content_and_compiled_if_they_are_to_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bootstrap, "VENV", tmp_path)
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    for name in ("requirements.txt", "requirements-dev.txt", "constraints.txt"):
        (tmp_path / name).write_text("one==1\n")
    compiled: list[tuple[str, bool]] = []

    def run(command: list[str], **_: object) -> SimpleNamespace:
        name = Path(command[command.index("-r") + 1]).name
        compiled.append((name, "--no-compile" not in command))
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr("subprocess.run", run)
    bootstrap.install("requirements.txt")
    bootstrap.install("requirements.txt")
    bootstrap.install("requirements-dev.txt")
    assert compiled == [("requirements.txt", True), ("requirements-dev.txt", False)]
    (tmp_path / "requirements.txt").write_text("one==2\n")
    bootstrap.install("requirements.txt")
    assert len(compiled) == 3


def test_servers_that_are_there_are_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "SERVERS", {"postgresql": lambda: "/somewhere/initdb"})
    monkeypatch.setattr("subprocess.run", lambda *_a, **_k: pytest.fail("must not be reached"))
    bootstrap.provide_servers()


def test_root_on_debian_gets_the_servers_that_are_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"nginx-light": "/usr/sbin/nginx"}
    finders = {name: lambda name=name: there.get(name) for name in ("postgresql", "nginx-light")}
    calls: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "SERVERS", finders)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr("subprocess.run", lambda command, **_: calls.append(command))
    bootstrap.provide_servers()
    assert calls[-1] == ["apt-get", "install", "-y", "-q", "postgresql"]


def test_who_may_not_install_is_told_which_tests_are_skipped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "SERVERS", {"nginx-light": lambda: None})
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr("subprocess.run", lambda *_a, **_k: pytest.fail("must not be reached"))
    bootstrap.provide_servers()
    said = capsys.readouterr().out
    assert "nginx-light is absent: the tests that need it are skipped" in said


def test_a_tesseract_without_korean_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = SimpleNamespace(stdout="List of available languages (2):\neng\nosd\n", stderr="")
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr("subprocess.run", lambda *_a, **_k: listed)
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    bootstrap.provide_tesseract()
    assert "Tesseract is absent" in capsys.readouterr().out
    listed.stdout += "kor\n"
    bootstrap.provide_tesseract()
    assert capsys.readouterr().out == ""
