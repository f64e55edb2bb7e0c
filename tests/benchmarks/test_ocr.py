from __future__ import annotations

import random

import pytest

from benchmarks import page_layouts
from benchmarks.ocr import a_page
from corpus.model import Level, Unit
from corpus.ocr.blocks import BlockKind

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
