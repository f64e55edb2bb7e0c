"""A small corpus that the dense methods are tried on."""

from __future__ import annotations

from retrieval.core.model import Corpus, Document

TEXTS = {
    "건축법_제1조": ("건축법", "제1조", "목적", "건축물의 대지 구조 설비 기준을 정한다"),
    "건축법_제2조": ("건축법", "제2조", "정의", "건축물이란 토지에 정착하는 공작물을 말한다"),
    "소방법_제1조": ("소방법", "제1조", "목적", "화재를 예방하고 소방시설을 설치한다"),
    "소방법_제2조": ("소방법", "제2조", "소방시설", "소방시설이란 소화설비와 경보설비를 말한다"),
    "소방법_제3조": ("소방법", "제3조", "경보설비", "경보설비의 설치 기준은 대통령령으로 정한다"),
}


def corpus() -> Corpus:
    """Return five articles of two statutes."""
    return Corpus.of(
        Document(unit, title, label, heading, body)
        for unit, (title, label, heading, body) in TEXTS.items()
    )
