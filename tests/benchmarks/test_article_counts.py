from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmarks.article_counts import PAPER, counts, main
from corpus.importers.legalize_kr import read_tree
from tests.conftest import ROOT

LAW = """---
제목: 과학기술기본법
법령구분: 법률
---

# 과학기술기본법

##### 제1조 (목적)

배를 둔다.

##### 제2조

삭제 <2020.1.1>

##### 제2조의2 (배)

**①** 배를 둔다.

**②** 삭제 <2020.1.1>
"""


def raw_counts(file: Path) -> tuple[int, int]:
    """Count articles and paragraphs by their lines alone."""
    body = re.split(r"\n## 부칙", file.read_text(encoding="utf-8"))[0]
    articles = re.split(r"(?m)^##### ", body)[1:]
    numbered = [len(re.findall(r"(?m)^\*\*[①-⑳]\*\*", article)) for article in articles]
    return len(articles), sum(numbered) + numbered.count(0)


def test_an_article_without_paragraphs_counts_as_one(tmp_path: Path) -> None:
    (tmp_path / "law.md").write_text(LAW, encoding="utf-8")
    (law,) = read_tree(tmp_path)
    found = counts(law)
    assert (found.articles, found.deleted, found.numbered, found.bare) == (3, 1, 2, 2)
    assert found.paragraphs == 4
    assert (found.paper_articles, found.paper_paragraphs) == PAPER["과학기술기본법"]


@pytest.mark.real_data
def test_the_page_has_the_counts_that_the_files_have(
    shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shared_data / "korean-law" / "research-and-development" / "kr"
    main(["--statutes", str(folder), "--json"])
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == len(PAPER)
    page = (ROOT / "docs" / "article-counts.md").read_text(encoding="utf-8")
    files = {statute.semantic_id: folder / statute.file for statute in read_tree(folder)}
    for row in rows:
        assert raw_counts(files[row["statute"]]) == (row["articles"], row["paragraphs"])
        ours = row["articles"], row["paper_articles"], row["paragraphs"], row["paper_paragraphs"]
        line = f"| {row['promulgated']} | " + " | ".join(map(str, ours)) + " |"
        assert line in page
