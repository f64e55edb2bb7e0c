from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from benchmarks.corpus import EVERY, STARTS, Cost, flatness_figures, small_corpora, unpacked
from corpus.importers.legalize_kr import read_tree
from tests.conftest import ROOT

SAMPLE = ROOT / "sample" / "statutes"


def test_an_archive_is_unpacked_and_a_folder_left_alone(tmp_path: Path) -> None:
    archive = tmp_path / "law.tar.xz"
    with tarfile.open(archive, "w:xz") as packed:
        packed.add(SAMPLE, "kr")
    with unpacked(archive) as folder:
        assert len(read_tree(folder)) == len(read_tree(SAMPLE))
    with unpacked(SAMPLE) as folder:
        assert folder == SAMPLE


def test_small_corpora_are_every_so_many_files_from_each_start(tmp_path: Path) -> None:
    assert small_corpora(SAMPLE) is None
    article = "##### 제1조 (목적)\n\n이 법은 나룻배의 안전을 정한다.\n"
    for n in range(EVERY):
        text = f"---\n제목: 나루{n}법\n법령구분: 법률\n---\n\n# 나루{n}법\n\n{article}"
        (tmp_path / f"{n:03}.md").write_text(text, encoding="utf-8")
    found = small_corpora(tmp_path, least=EVERY)
    assert found is not None
    assert found.articles == len(STARTS)
    assert found.seconds > 0


def test_the_ratio_is_whole_over_small() -> None:
    figures = {f.name: f for f in flatness_figures(Cost(10_000, 2.0), Cost(200_000, 60.0))}
    assert figures["seconds_per_1000_articles_small"].value == pytest.approx(0.2)
    assert figures["seconds_per_1000_articles_small"].n == 2_000
    assert figures["time_per_article_ratio"].value == pytest.approx(1.5)
