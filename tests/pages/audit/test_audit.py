"""The benchmark audit screen: the project's own gold, an uploaded archive, who may."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from benchmarks.audit_faults import clean, dangling
from messages import say
from pages.shell.guard import md_literal
from tests.pages.screens import opened
from tests.pages.small_project import Small, shown


def packed(folder: Path) -> bytes:
    """Return a zip file of a folder, which it holds as a folder."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for file in sorted(folder.rglob("*.*")):
            archive.write(file, f"b/{file.relative_to(folder)}")
    return out.getvalue()


def test_the_own_gold_is_audited_and_a_finding_shows_its_cases(small: Small) -> None:
    at = opened("audit", small, small.sora)
    at = next(b for b in at.button if b.label == "Audit").click().run()
    assert say("audit_page.no_file") in at.info[0].value
    own = next(b for b in at.button if b.label == say("audit_page.own"))
    at = own.click().run()
    assert md_literal(say("audit.query_near_duplicate.remedy")) in shown(at)
    assert at.selectbox[-1].options[-1].startswith(say("audit.bm25_trivial.title"))
    at = opened("audit", small, small.jun)
    assert not at.button and "only" in shown(at).lower()


def test_an_uploaded_archive_is_audited(small: Small, tmp_path: Path) -> None:
    folder = clean()
    dangling(folder)
    at = opened("audit", small, small.sora)
    content = packed(folder.write(tmp_path / "b"))
    at.file_uploader(key="audit-archive").upload("b.zip", content, "application/zip")
    at = next(b for b in at.button if b.label == "Audit").click().run()
    assert md_literal("5 errors, 0 warnings and 0 remarks in 60 documents") in shown(at)
    assert at.selectbox[-1].options == [
        "Judgments of documents that are not there (3)",
        "Judgments of queries that are not there (2)",
    ]
    assert list(at.dataframe[0].value["Id"]) == ["gone0", "gone1", "gone2"]
    at = at.selectbox[-1].select_index(1).run()
    assert list(at.dataframe[0].value["Id"]) == ["nobody", "noone"]
