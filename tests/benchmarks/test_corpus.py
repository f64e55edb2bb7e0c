from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest

from benchmarks.corpus import main, measured, unpacked
from benchmarks.flatness import EVERY, STARTS, Cost, flatness_figures, small_corpora
from corpus.importers.legalize_kr import read_tree
from tests.conftest import ROOT

SAMPLE = ROOT / "sample" / "statutes"
NAMES = {
    "articles",
    "seconds_to_graph",
    "seconds_per_1000_articles",
    "seconds_to_store",
    "neighbours_ms",
    "seconds_to_report",
    "first_map_to_report",
    "next_map_to_report",
    "peak_rss_mb",
}


def test_every_figure_is_there_with_its_n() -> None:
    figures = {figure.name: figure for figure in measured(SAMPLE)}
    assert set(figures) == NAMES
    assert figures["articles"].n == 8
    assert all(figure.value and figure.value > 0 for figure in figures.values())


@pytest.mark.real_data
def test_what_is_right_is_asked_of_the_statutes_that_the_sample_is_from(
    shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shared_data / "korean-law" / "fire-safety" / "kr"
    main(["--statutes", str(SAMPLE), "--sampled", str(folder), "--json"])
    said = json.loads(capsys.readouterr().out)
    assert said["articles"]["n"] == 8
    assert said["citation_precision"]["value"] >= 0.98
    assert said["citation_recall"]["value"] >= 0.95
    assert said["citation_precision"]["n"] > 200
    assert said["pinpoint_accuracy"]["n"] > 150
    for name in ("whole", "held_out"):
        assert said[f"{name}_precision"]["value"] >= 0.98
        assert said[f"{name}_recall"]["value"] >= 0.95


def test_an_archive_is_unpacked_and_a_folder_left_alone(tmp_path: Path) -> None:
    archive = tmp_path / "law.tar.xz"
    with tarfile.open(archive, "w:xz") as packed:
        packed.add(SAMPLE, "kr")
    with unpacked(archive) as folder:
        assert len(read_tree(folder)) == len(read_tree(SAMPLE))
    with unpacked(SAMPLE) as folder:
        assert folder == SAMPLE


def test_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--statutes", str(SAMPLE), "--sampled", "absent", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert set(said) == NAMES
    assert said["articles"]["value"] > 20


def test_a_small_corpus_has_no_smaller_ones() -> None:
    assert small_corpora(SAMPLE) is None
    assert [figure.name for figure in flatness_figures(None, Cost(10, 1.0))] == [
        "seconds_per_1000_articles"
    ]


def test_small_corpora_are_every_so_many_files_from_each_start(tmp_path: Path) -> None:
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
