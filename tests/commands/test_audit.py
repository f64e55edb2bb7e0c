"""The command `audit` needs no workspace, and writes a page."""

from __future__ import annotations

from pathlib import Path

from benchmarks.audit_faults import clean, dangling
from tests.commands.called import command_line


def test_a_folder_is_audited_without_a_workspace(tmp_path: Path) -> None:
    folder = clean()
    dangling(folder)
    home, page = folder.write(tmp_path / "b"), tmp_path / "audit.html"
    done = command_line(tmp_path / "none", "audit", str(home), "--output", str(page))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("5 errors, 0 warnings and 0 remarks in 60 documents")
    assert "gone1" not in done.stdout and "gone1" in page.read_text("utf-8")
    assert not (tmp_path / "none").exists()


def test_what_cannot_be_audited_or_written_is_refused(tmp_path: Path) -> None:
    home = clean().write(tmp_path / "b")
    assert command_line(tmp_path, "audit", str(tmp_path / "absent")).returncode == 3
    assert command_line(tmp_path, "audit", str(home / "README.md")).returncode == 3
    assert command_line(tmp_path, "audit", str(home), "--output", "a.docx").returncode == 3
