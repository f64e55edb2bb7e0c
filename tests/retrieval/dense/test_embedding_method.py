"""Methods over an embedding model, with a model that counts letters."""

from __future__ import annotations

import errno
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import UserError
from retrieval.core.method import DamagedIndexError, Resources
from retrieval.core.model import Corpus, Document, Parameter, Query
from retrieval.core.registry import make
from retrieval.dense.embedding_method import SIMILARITY, EmbeddedMethod, EmbeddingCache
from retrieval.dense.rocchio import Rocchio
from retrieval.fusion.weighted import all_scores, chosen_scale
from tests.retrieval.dense.law import corpus as endpoint_corpus
from tests.support.refusals import code_of

LETTERS = "abcd"


class Counting(EmbeddedMethod):
    """A vector is how often a, b, c and d stand in the text."""

    NAME = "counting"
    PARAMETERS = (Parameter("dimensions", "int", 0), SIMILARITY)
    model = "one"

    def _identity(self, side):
        return f"{self.model} {side}"

    def _embed(self, side, texts):
        self.asked = [*getattr(self, "asked", []), *texts]
        rows = [[text.count(letter) for letter in LETTERS] for text in texts]
        return np.array(rows, dtype=np.float32)


def corpus() -> Corpus:
    texts = {"1": "aab", "2": "b", "3": "", "4": "b"}
    return Corpus.of(Document(unit, body=text) for unit, text in texts.items())


def fitted(dimensions=0, folder=None, **more) -> Counting:
    spec = {"method": "counting", "dimensions": dimensions} | more
    method = Counting(spec, (), Resources(folder=folder))
    method.fit(corpus())
    return method


def ranking(method, text):
    return [hit.unit_id for hit in method.search([Query("q", text)], 9)["q"]]


@given(
    st.lists(st.text("abcd", max_size=9), min_size=1, max_size=8),
    st.text("abcd", min_size=1, max_size=9),
    st.sampled_from(["cosine", "dot"]),
    st.integers(1, 9),
)
def test_both_are_what_numpy_says(texts, text, similarity, k):
    units = Corpus.of(Document(str(at), body=each) for at, each in enumerate(texts))
    method = Counting({"method": "counting", "dimensions": 0, "similarity": similarity})
    method.fit(units)
    rows = np.array([[each.count(letter) for letter in LETTERS] for each in texts], dtype=float)
    query = np.array([text.count(letter) for letter in LETTERS], dtype=float)
    if similarity == "cosine":
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        query /= np.linalg.norm(query)
    expected = {str(at): score for at, score in enumerate(rows @ query) if texts[at]}
    found = method.search([Query("q", text)], k)["q"]
    assert len(found) == min(k, len(expected))
    for hit, best in zip(found, sorted(expected.values(), reverse=True), strict=False):
        assert hit.score == pytest.approx(expected[hit.unit_id], abs=1e-6)
        assert hit.score == pytest.approx(best, abs=1e-6)


def test_what_is_ranked_by_is_part_of_the_content():
    assert fitted(similarity="cosine").content == fitted(similarity="cosine").content
    assert fitted(similarity="dot").content != fitted(similarity="cosine").content


def test_vectors_kept_for_one_serve_the_other_and_an_index_does_not(tmp_path):
    fitted(folder=tmp_path)
    dot = fitted(folder=tmp_path, similarity="dot")
    assert not hasattr(dot, "asked") and dot.vectors[0].tolist() == [2, 1, 0, 0]
    dot.save(tmp_path / "index")
    with pytest.raises(DamagedIndexError):
        Counting({"method": "counting", "dimensions": 0, "similarity": "cosine"}).load(
            tmp_path / "index", corpus()
        )


def test_what_builds_on_raw_products_does_not_take_them_for_cosines():
    rocchio = Rocchio({"alpha": 1.0, "beta": 0.5, "K": 1}, [fitted(similarity="dot")])
    rocchio.fit(corpus())
    assert not rocchio.unit_length
    # q' = (0, 2) + .5 · (2, 1), as numpy adds it up
    assert rocchio.encode([Query("q", "bb")]).tolist() == [[1.0, 2.5, 0.0, 0.0]]
    assert chosen_scale("auto", rocchio) == "max"
    assert chosen_scale("auto", fitted()) == "cosine"
    [scores] = all_scores(fitted(similarity="dot"), [Query("q", "bb")])
    assert scores.tolist() == [2, 2, 0, 2]


def test_a_query_whose_vector_is_all_zeros_finds_nothing():
    assert ranking(fitted(), "zz") == []


def test_vectors_are_kept_by_text_across_corpora_and_queries(tmp_path):
    fitted(folder=tmp_path)
    again = Counting({"method": "counting", "dimensions": 0}, (), Resources(folder=tmp_path))
    again.fit(Corpus.of([Document("x", body="b"), Document("y", body="c")]))
    assert again.asked == ["c"]
    ranking(again, "b")
    ranking(again, "b")
    assert again.asked == ["c", "b"]  # a query's vector is another than a unit's


def test_the_first_dimensions_are_kept_on_request_and_no_more_than_there_are():
    assert fitted(2).vectors.shape == (4, 2)
    assert fitted(2).vectors[0].tolist() == pytest.approx([2 / 5**0.5, 1 / 5**0.5])
    assert fitted(4).vectors.shape == (4, 4)
    assert code_of(fitted, 5) == "vectors_short"


def test_it_comes_back_from_disk_and_refuses_queries_of_another_dimension(tmp_path):
    method = fitted()
    method.save(tmp_path)
    back = Counting({"method": "counting", "dimensions": 0})
    back.load(tmp_path, corpus())
    assert ranking(back, "ab") == ranking(method, "ab")
    back._embed = lambda side, texts: np.ones((len(texts), 3), dtype=np.float32)  # type: ignore[method-assign]
    assert code_of(ranking, back, "c") == "vectors_dimension"


@dataclass
class Server:
    """Embeds a text as its length, and notes what it was told."""

    model: str = "m"
    told: list[str] = field(default_factory=list)

    @property
    def identity(self) -> str:
        return f"here {self.model}"

    def __call__(self, texts):
        self.told.extend(texts)
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)


def said(server: Server, **parameters) -> list[str]:
    """Return the last unit and the query as the server was told them."""
    spec = {"method": "endpoint", **parameters}
    method = make(spec, Resources(embed=lambda name: server))
    method.fit(endpoint_corpus())
    method.search([Query("q", "등불?")], 3)
    return [next(text for text in server.told if "소방" in text or len(text) == 2), server.told[-1]]


def test_a_known_model_gets_its_prompts():
    unit, query = said(Server("intfloat/multilingual-e5-large"))
    assert unit.startswith("passage: ")
    assert query == "query: 등불?"
    assert said(Server("Qwen/Qwen3-Embedding-8B"))[1].startswith("Instruct: Given a web search")


def test_an_unknown_model_gets_the_text_alone_and_a_given_prompt_goes_first():
    assert said(Server())[1] == "등불?"
    given = said(Server("e5-small"), query_prompt="Q: ", document_prompt="")
    assert given[1] == "Q: 등불?"
    assert not given[0].startswith("passage")


def test_a_text_is_cut_after_so_many_characters_and_its_prompt_is_not():
    unit, query = said(Server(), characters=2, query_prompt="query: ")
    assert (len(unit), query) == (2, "query: 등불")


def test_another_model_of_the_server_is_another_content():
    resources = [Resources(embed=lambda _: Server("one")), Resources(embed=lambda _: Server("two"))]
    contents = {
        make({"method": "endpoint"}, each).content_for(endpoint_corpus()) for each in resources
    }
    assert len(contents) == 2


def test_without_a_server_it_says_what_is_missing():
    assert code_of(make, {"method": "endpoint"}) == "method_needs_embedder"


def test_half_a_character_reaches_no_server():
    server = Server()
    method = make({"method": "endpoint"}, Resources(embed=lambda name: server))
    method.fit(Corpus.of([Document("a", body="등\ud800불")]))
    method.search([Query("q", "\udfff등불?")], 1)
    assert server.told == ["등\N{REPLACEMENT CHARACTER}불", "\N{REPLACEMENT CHARACTER}등불?"]


def test_law_of_another_jurisdiction_is_not_found_and_no_text_embedded_twice(tmp_path):
    method = fitted(folder=tmp_path)
    method.asked = []
    texts = {"a": ("ab", "kr"), "b": ("abb", ""), "c": ("ab", "de"), "d": ("c", "de")}
    method.fit(Corpus.of(Document(u, body=t, jurisdiction=j) for u, (t, j) in texts.items()))
    assert sorted(method.asked) == ["ab", "abb", "c"]
    for jurisdiction, units in (("kr", ["a", "b"]), ("de", ["c", "b", "d"]), ("fr", ["b"])):
        found = method.search([Query("q", "ab", jurisdiction)], 9)["q"]
        assert [hit.unit_id for hit in found] == units
        # The question at most: what was embedded for all law serves each part of it.
        assert set(getattr(method.within(jurisdiction), "asked", ())) <= {"ab"}


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
    monkeypatch.setattr("retrieval.dense.embedding_method._AT_ONCE", 2)
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

    monkeypatch.setattr("retrieval.core.method.os.fsync", full)
    with pytest.raises(UserError) as refused:
        EmbeddingCache(tmp_path).get(["a"], Model())
    assert refused.value.code == "index_unwritten"
    assert "No space left" in str(refused.value.params["reason"])
    assert list(tmp_path.iterdir()) == []


def fails(texts):
    raise AssertionError(f"asked for {texts}")


def test_what_was_embedded_before_a_failure_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("retrieval.dense.embedding_method._AT_ONCE", 2)
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


def test_vectors_of_another_length_than_those_kept_are_refused(tmp_path, monkeypatch):
    cache = EmbeddingCache(tmp_path)
    cache.get(["a"], Model())
    with pytest.raises(UserError) as caught:
        cache.get(["a", "b"], lambda texts: np.ones((len(texts), 3), dtype=np.float32))
    assert caught.value.code == "vectors_of_two_lengths"
    assert "2, 3" in caught.value.what()
    monkeypatch.setattr("retrieval.dense.embedding_method._AT_ONCE", 1)
    with pytest.raises(UserError) as caught:
        EmbeddingCache(None).get(["a", "bb"], lambda texts: np.ones((1, len(texts[0])), np.float32))
    assert caught.value.code == "vectors_of_two_lengths"
    assert cache.get(["a", "b"], Model()).tolist() == rows("a", "b")
