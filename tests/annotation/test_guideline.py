from __future__ import annotations

import re
from pathlib import Path

import pytest

from annotation import guideline
from annotation.guideline import _texts


def test_the_version_is_the_stated_number_and_a_hash() -> None:
    assert re.fullmatch(r"\d+-[0-9a-f]{12}", guideline.version())
    for language in ("en", "ko"):
        found = guideline.guideline(language)
        assert (found.version, found.language) == (guideline.version(), language)
        assert len(found.text) > 500


def test_every_edit_makes_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = guideline.version()
    for language in ("en", "ko"):
        text = guideline.guideline(language).text + (" Edited." if language == "ko" else "")
        (tmp_path / f"citation_mapping.{language}.md").write_text(text, encoding="utf-8")
    monkeypatch.setattr(guideline, "_FOLDER", tmp_path)
    guideline.version.cache_clear()
    _texts.cache_clear()
    try:
        after = guideline.version()
        assert after != before
        assert after.split("-")[0] == before.split("-")[0]
        (tmp_path / "citation_mapping.ko.md").write_text("버전 99", encoding="utf-8")
        guideline.version.cache_clear()
        _texts.cache_clear()
        with pytest.raises(ValueError, match="versions"):
            guideline.version()
    finally:
        guideline.version.cache_clear()
        _texts.cache_clear()
