from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from annotation.guidelines import builtin_documents as module
from annotation.guidelines.builtin_documents import (
    KINDS,
    TASK,
    languages_of,
    packaged,
    without_number,
)
from annotation.guidelines.documents import Edition


@pytest.mark.parametrize("kind", KINDS)
def test_every_document_is_packaged_in_every_language(kind: str) -> None:
    found = packaged(kind, TASK)
    assert found is not None
    assert tuple(found.texts) == languages_of(kind)
    assert re.fullmatch(
        rf"{found.number}-[0-9a-f]{{12}}", Edition(found.number, found.texts).version
    )
    for text in found.texts.values():
        assert len(text) > 500
        shown = without_number(text)
        assert len(shown) < len(text)
        assert "Version" not in shown
        assert "버전" not in shown


@pytest.mark.parametrize(
    ("kind", "task"), [("poem", TASK), ("guideline", "other"), ("guideline", "../guidelines/x")]
)
def test_what_is_not_packaged_is_none(kind: str, task: str) -> None:
    assert packaged(kind, task) is None


def test_every_edit_makes_another_version() -> None:
    found = packaged("guideline", TASK)
    assert found is not None
    texts = dict(found.texts)
    edited = Edition(found.number, texts | {"ko": texts["ko"] + " Edited."}).version
    assert edited != Edition(found.number, texts).version
    assert edited.split("-")[0] == str(found.number)


def test_texts_that_state_different_numbers_are_a_defect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(module._FOLDER / "guidelines", tmp_path / "guidelines")
    (tmp_path / "guidelines" / f"{TASK}.ko.md").write_text("버전 99", encoding="utf-8")
    monkeypatch.setattr(module, "_FOLDER", tmp_path)
    packaged.cache_clear()
    try:
        with pytest.raises(ValueError, match="versions"):
            packaged("guideline", TASK)
    finally:
        packaged.cache_clear()
