from __future__ import annotations

import random

import pytest

from benchmarks import page_layouts, page_reading
from benchmarks.ocr import a_page, measure
from benchmarks.page_reading import reading_figures
from corpus.model import Level, Unit
from corpus.ocr.blocks import BlockKind
from services.ocr import tesseract

TEXT = (
    "특정소방대상물의 관계인은 대통령령으로 정하는 소방시설을 화재안전기준에 따라 설치하고 "
    "관리하여야 한다. 이 경우 장애인이 쓰는 시설은 적합하게 설치한다. 소방본부장은 필요한 "
    "조치를 명할 수 있으며 관계인은 그에 따라야 한다. 세부 사항은 총리령으로 정한다."
)


def articles() -> list[Unit]:
    headings = ("소방시설의 설치", "점검과 정비", "자체점검", "화재 예방", "피난시설")
    return [
        Unit(f"법_{n}조", "법", Level.ARTICLE, f"제{n}조", heading, TEXT, n)
        for n, heading in enumerate(headings, 1)
    ]


def test_a_page_says_what_its_truth_says() -> None:
    truth, pdf = a_page(articles(), random.Random(1))
    assert pdf.startswith(b"%PDF")
    kinds = [block.kind for block in truth]
    assert kinds[0] is BlockKind.HEADING
    assert kinds[-2:] == [BlockKind.TABLE, BlockKind.PARAGRAPH]
    assert a_page(articles(), random.Random(1))[0] == truth


@pytest.mark.long
def test_the_figures_come_with_n_and_are_repeatable() -> None:
    if tesseract.version() is None:
        pytest.skip("Tesseract with Korean is absent")
    figures = {figure.name: figure for figure in measure(articles(), 2, 3)}
    again = {figure.name: figure for figure in measure(articles(), 2, 3)}
    assert figures["cer"].n == figures["seconds_per_page"].n == 2
    assert figures["cell_structure"].value == 1.0
    rate = figures["cer"].value
    assert rate is not None
    assert rate < 0.15
    assert {n: f.value for n, f in figures.items() if n != "seconds_per_page"} == {
        n: f.value for n, f in again.items() if n != "seconds_per_page"
    }


@pytest.mark.long
def test_reading_in_a_child_is_timed_beside_reading_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_reading, "_TURNS", 1)
    figures = {figure.name: figure for figure in reading_figures(articles(), 2, 3, a_page)}
    assert {figure.n for figure in figures.values()} == {2}
    assert all((figure.value or 0) > 0 for figure in figures.values())
    assert set(figures) == {"read_seconds_here", "read_seconds_in_child", "read_child_to_here"}


def test_the_order_of_layouts_is_measured_by_how_they_are_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        page_layouts, "LAYOUTS", {"two columns": page_layouts.LAYOUTS["two columns"]}
    )
    figures = {figure.name: figure for figure in page_layouts.order_figures(1, 0)}
    assert figures["pairs_in_order"].n == 4
    assert figures["pairs_in_order_shuffled"].value == 1.0
    assert page_layouts.share_in_order(["a", "b", "c"], "a c b") == pytest.approx(2 / 3)
    assert page_layouts.share_in_order(["a", "b"], "a") == 0.0
