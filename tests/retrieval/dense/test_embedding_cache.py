"""No text is embedded twice, whoever embedded it and whatever was killed meanwhile."""

from __future__ import annotations

import errno
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from errors import UserError
from retrieval.dense.embedding_cache import EmbeddingCache


class Model:
    """Embeds a text as its length and its first letter, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts):
        self.asked.extend(texts)
        return np.array([[len(text), ord(text[0])] for text in texts], dtype=np.float32)


def rows(*texts: str) -> list[list[float]]:
    made: list[list[float]] = Model()(texts).tolist()
    return made


@pytest.mark.parametrize("kept", [True, False])
def test_vectors_come_in_the_order_of_the_texts(tmp_path, kept):
    cache = EmbeddingCache(tmp_path / "m" if kept else None)
    texts = ["나나나", "가", "가", "다다"]
    assert cache.get(texts, Model()).tolist() == rows(*texts)


def test_a_text_is_embedded_once_also_by_a_later_process(tmp_path):
    model = Model()
    EmbeddingCache(tmp_path).get(["a", "b", "a"], model)
    assert EmbeddingCache(tmp_path).get(["b", "ccc", "a"], model).tolist() == rows("b", "ccc", "a")
    assert sorted(model.asked) == ["a", "b", "ccc"]


def test_what_is_kept_is_told_without_embedding(tmp_path):
    EmbeddingCache(tmp_path).get(["a", "bb"], Model())
    first, none, second = EmbeddingCache(tmp_path).kept(["bb", "c", "a"])
    assert none is None
    assert first is not None
    assert second is not None
    assert [first.tolist(), second.tolist()] == rows("bb", "a")
    assert EmbeddingCache(None).kept(["a"]) == [None]


def test_it_is_told_how_far_it_has_come(tmp_path, monkeypatch):
    monkeypatch.setattr("retrieval.dense.embedding_cache._AT_ONCE", 2)
    told: list[tuple[int, int]] = []
    EmbeddingCache(tmp_path).get(["a"], Model())
    EmbeddingCache(tmp_path).get(
        ["a", "b", "c", "d"], Model(), lambda done, of: told.append((done, of))
    )
    assert told == [(2, 3), (3, 3)]


def test_what_another_process_added_meanwhile_is_seen(tmp_path):
    here, there, model = EmbeddingCache(tmp_path), EmbeddingCache(tmp_path), Model()
    here.get(["a"], model)
    there.get(["b"], model)
    assert here.get(["a", "b"], model).tolist() == rows("a", "b")
    assert sorted(model.asked) == ["a", "b"]


def test_several_may_add_at_once(tmp_path):
    texts = [f"{n}" * (n % 7 + 1) for n in range(200)]

    def ask(_: int) -> list[list[float]]:
        found: list[list[float]] = EmbeddingCache(tmp_path).get(texts, Model()).tolist()
        return found

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, range(4))) == [rows(*texts)] * 4
    model = Model()
    assert EmbeddingCache(tmp_path).get(texts, model).tolist() == rows(*texts)
    assert model.asked == []


def test_a_part_that_a_kill_left_is_nobody_s_vector(tmp_path):
    EmbeddingCache(tmp_path).get(["a"], Model())
    whole = next(tmp_path.glob("*.npy")).read_bytes()
    (tmp_path / "0.npy.part").write_bytes(whole[: len(whole) // 2])
    model = Model()
    assert EmbeddingCache(tmp_path).get(["a", "b"], model).tolist() == rows("a", "b")
    assert model.asked == ["b"]


@pytest.mark.parametrize("left", [0, 10, 60, 128, 160])
def test_a_file_that_was_cut_counts_as_absent(tmp_path, left):
    EmbeddingCache(tmp_path).get(["a", "bb"], Model())
    (file,) = tmp_path.glob("*.npy")
    file.write_bytes(file.read_bytes()[:left])
    model = Model()
    assert EmbeddingCache(tmp_path).get(["a", "bb"], model).tolist() == rows("a", "bb")
    assert sorted(model.asked) == ["a", "bb"]
    assert EmbeddingCache(tmp_path).get(["bb"], fails).tolist() == rows("bb")


def test_a_vector_with_a_turned_bit_is_made_again(tmp_path):
    EmbeddingCache(tmp_path).get(["a", "bb"], Model())
    (file,) = tmp_path.glob("*.npy")
    whole = file.read_bytes()
    for at in range(len(whole)):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << at % 8)]) + whole[at + 1 :])
        assert EmbeddingCache(tmp_path).get(["a", "bb"], Model()).tolist() == rows("a", "bb")
        for other in set(tmp_path.iterdir()) - {file}:
            other.unlink()


def test_vectors_that_cannot_be_kept_are_no_traceback(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("retrieval.dense.embedding_cache.os.fsync", full)
    with pytest.raises(UserError) as refused:
        EmbeddingCache(tmp_path).get(["a"], Model())
    assert refused.value.code == "index_unwritten"
    assert "No space left" in str(refused.value.params["reason"])
    assert list(tmp_path.iterdir()) == []


def fails(texts):
    raise AssertionError(f"asked for {texts}")


def test_what_was_embedded_before_a_failure_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("retrieval.dense.embedding_cache._AT_ONCE", 2)
    model = Model()

    def fails(texts):
        if "ccc" in texts:
            raise RuntimeError("killed")
        return model(texts)

    with pytest.raises(RuntimeError):
        EmbeddingCache(tmp_path).get(["ccc", "a", "bb"], fails)
    EmbeddingCache(tmp_path).get(["a", "bb", "ccc"], model)
    assert model.asked == ["a", "bb", "ccc"]


@pytest.mark.parametrize(
    ("made", "code"),
    [
        ([[1.0, float("nan")]], "vectors_not_numbers"),
        ([[1.0, float("inf")]], "vectors_not_numbers"),
        ([[1.0], [2.0]], "vectors_not_one_each"),
        ([1.0], "vectors_not_one_each"),
        ([[]], "vectors_not_one_each"),
    ],
)
def test_unfit_vectors_are_refused_and_not_kept(tmp_path, made, code):
    cache = EmbeddingCache(tmp_path)
    with pytest.raises(UserError) as caught:
        cache.get(["a"], lambda _: np.array(made, dtype=np.float32))
    assert caught.value.code == code
    assert list(tmp_path.iterdir()) == []


def test_vectors_of_another_length_than_those_kept_are_refused(tmp_path):
    cache = EmbeddingCache(tmp_path)
    cache.get(["a"], Model())
    with pytest.raises(UserError) as caught:
        cache.get(["a", "b"], lambda texts: np.ones((len(texts), 3), dtype=np.float32))
    assert caught.value.code == "vectors_of_two_lengths"
    assert "2, 3" in caught.value.what()
    assert cache.get(["a", "b"], Model()).tolist() == rows("a", "b")
