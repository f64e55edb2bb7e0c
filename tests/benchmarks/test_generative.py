"""The benchmark of generative retrieval: its tokens are read, and it sees a wrong index."""

from __future__ import annotations

import numpy as np

from benchmarks import generative
from retrieval.generative.suffix_array import SEPARATOR, TokenIndex


def test_statutes_become_tokens_and_an_index(tmp_path) -> None:
    folder = tmp_path / "law"
    folder.mkdir()
    for at in range(3):
        text = f"---\ntitle: 법 {at}\n---\n# 법\n\n##### 제1조\n소방시설 설치\n##### 제2조\n경보\n"
        (folder / f"{at}.md").write_text(text, encoding="utf-8")
    generative.write_tokens(folder, 1_000, tmp_path / "tokens.npy")
    tokens = np.load(tmp_path / "tokens.npy")
    assert (tokens == SEPARATOR).sum() == 12
    (tmp_path / "index").mkdir()
    generative.build(tmp_path / "tokens.npy", tmp_path / "index")
    opened = TokenIndex.load(tmp_path / "index")
    assert opened.pieces == 12 and len(opened) == (tokens != SEPARATOR).sum()


def test_next_tokens_are_checked_and_a_wrong_index_is_seen(monkeypatch) -> None:
    drawn = np.random.default_rng(0)
    index = TokenIndex.build((drawn.zipf(1.5, 40) % 30).tolist() for _ in range(50))

    def mismatches() -> float:
        found = {figure.name: figure.value for figure in generative._next_tokens(index)}
        return found["mismatches"] or 0.0

    assert mismatches() == 0
    plain = generative.plainly
    monkeypatch.setattr(generative, "plainly", lambda index, span: plain(index, span)[1:])
    assert mismatches() > 0
