"""Token ids that are kept, and told from others."""

from __future__ import annotations

import numpy as np
import pytest

from retrieval.generative.suffix_array import joined
from retrieval.generative.token_ids import kept_ids, tokeniser_identity

IDS = joined([[4, 5], [], [6]])


@pytest.fixture
def cut():
    calls = []

    def work():
        calls.append(1)
        return IDS

    work.calls = calls  # type: ignore[attr-defined]
    return work


def test_a_corpus_is_cut_once_for_a_tokeniser(tmp_path, cut):
    for _ in range(2):
        assert kept_ids(tmp_path, ("t", "c"), 3, cut).tolist() == [4, 5, -1, -1, 6, -1]
    assert len(cut.calls) == 1
    kept_ids(tmp_path, ("t", "other"), 3, cut)
    kept_ids(tmp_path, ("other", "c"), 3, cut)
    assert len(cut.calls) == 3
    assert not list(tmp_path.rglob("*.part"))


def test_without_a_place_or_a_name_nothing_is_kept(tmp_path, cut):
    for cache, named in ((None, ("t", "c")), (tmp_path, ("", "c"))):
        kept_ids(cache, named, 3, cut)
        kept_ids(cache, named, 3, cut)
    assert len(cut.calls) == 4
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("harm", ["cut", "pieces", "kind", "place"])
def test_what_is_damaged_is_cut_anew(tmp_path, cut, harm):
    kept_ids(tmp_path, ("t", "c"), 3, cut)
    (file,) = tmp_path.rglob("*.npy")
    if harm == "cut":
        file.write_bytes(file.read_bytes()[:-3])
    elif harm == "pieces":
        np.save(file, IDS[:-1])
    elif harm == "kind":
        np.save(file, IDS.astype(np.int64))
    else:
        file.unlink()
        file.mkdir()
    assert kept_ids(tmp_path, ("t", "c"), 3, cut).tolist() == IDS.tolist()
    assert len(cut.calls) == 2


def test_a_tokeniser_is_known_by_its_own_files(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    assert tokeniser_identity(tmp_path) == ""
    (tmp_path / "tokenizer.json").write_text("{}")
    before = tokeniser_identity(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"others")
    assert tokeniser_identity(tmp_path) == before != ""
    (tmp_path / "spiece.model").write_bytes(b"x")
    after = tokeniser_identity(tmp_path)
    (tmp_path / "tokenizer.json").write_text("[]")
    assert len({before, after, tokeniser_identity(tmp_path)}) == 3
