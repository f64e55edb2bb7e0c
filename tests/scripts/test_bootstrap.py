from __future__ import annotations

from pathlib import Path

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
    for step in ("make_venv", "install"):
        monkeypatch.setattr(bootstrap, step, lambda *_: None)
    monkeypatch.setattr(bootstrap, "find_browser", lambda: None)
    monkeypatch.setattr(bootstrap, "_playwright_browser", lambda: False)
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr("subprocess.run", lambda *_a, **_k: None)
    assert bootstrap.main("test") == 1
    assert "No Chromium was found" in capsys.readouterr().out


def test_requirements_are_installed_once_per_content(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bootstrap, "VENV", tmp_path)
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    for name in ("requirements.txt", "constraints.txt"):
        (tmp_path / name).write_text("one==1\n")
    calls: list[list[str]] = []

    class Done:
        returncode = 0

    def run(command: list[str], **_: object) -> Done:
        calls.append(command)
        return Done()

    monkeypatch.setattr("subprocess.run", run)
    bootstrap.install("requirements.txt")
    bootstrap.install("requirements.txt")
    assert len(calls) == 1
    (tmp_path / "requirements.txt").write_text("one==2\n")
    bootstrap.install("requirements.txt")
    assert len(calls) == 2
