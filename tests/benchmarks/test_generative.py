"""The benchmark of generative retrieval: its tokens are read, and it sees a wrong index."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import generative
from retrieval.generative.suffix_array import SEPARATOR, TokenIndex


@pytest.fixture
def index() -> TokenIndex:
    drawn = np.random.default_rng(0)
    return TokenIndex.build((drawn.zipf(1.5, 40) % 30).tolist() for _ in range(50))


def figures(found) -> dict[str, float]:
    return {figure.name: figure.value or 0.0 for figure in found}


def test_statutes_become_tokens_and_an_index(tmp_path, monkeypatch) -> None:
    folder = tmp_path / "law"
    folder.mkdir()
    for at in range(3):
        text = f"---\ntitle: 법 {at}\n---\n# 법\n\n##### 제1조\n소방시설 설치\n##### 제2조\n경보\n"
        (folder / f"{at}.md").write_text(text, encoding="utf-8")
    generative.write_tokens(folder, 1_000, tmp_path / "tokens.npy")
    tokens = np.load(tmp_path / "tokens.npy")
    assert (tokens == SEPARATOR).sum() == 12
    generative.write_tokens(folder, 20, tmp_path / "few.npy")
    assert len(np.load(tmp_path / "few.npy")) <= 20
    (tmp_path / "index").mkdir()
    generative.build(tmp_path / "tokens.npy", tmp_path / "index")
    opened = TokenIndex.load(tmp_path / "index")
    assert opened.pieces == 12 and len(opened) == (tokens != SEPARATOR).sum()


def test_next_tokens_are_timed_and_a_wrong_index_is_seen(index, monkeypatch) -> None:
    right = figures(generative._next_tokens(index))
    assert right["mismatches"] == 0
    assert right["next_tokens_max_ms"] >= right["next_tokens_p95_ms"] > 0
    plain = generative.plainly
    monkeypatch.setattr(generative, "plainly", lambda index, span: plain(index, span)[1:])
    assert figures(generative._next_tokens(index))["mismatches"] > 0


def test_beams_and_rankings_are_timed(index) -> None:
    assert {"beams_p50_ms", "ranking_p50_ms"} == set(figures(generative._answered(index)))
