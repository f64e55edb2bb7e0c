"""The index of tokens against a walk through the pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.generative import suffix_array
from retrieval.generative.suffix_array import Span, TokenIndex, joined, kept_ids, tokeniser_identity

Pieces = Sequence[Sequence[int]]

IDS = st.sampled_from((0, 3, 7, 40_000))
PIECES = st.lists(st.lists(IDS, max_size=12), max_size=6)


def runs(pieces: Pieces) -> set[tuple[int, ...]]:
    return {
        tuple(piece[start:end])
        for piece in pieces
        for start in range(len(piece))
        for end in range(start + 1, len(piece) + 1)
    }


def standing(pieces: Pieces, run: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the piece and the place in it of each time that a run stands there."""
    for number, piece in enumerate(pieces):
        for start in range(len(piece) - len(run) + 1):
            if tuple(piece[start : start + len(run)]) == tuple(run):
                yield number, start


def next_tokens(pieces: Pieces, run: Sequence[int]) -> dict[int, int]:
    """Return what follows a run, and how often, by looking at every place."""
    found: dict[int, int] = {}
    for number, start in standing(pieces, run):
        rest = pieces[number][start + len(run) :]
        if rest:
            found[rest[0]] = found.get(rest[0], 0) + 1
    return found


def told(index: TokenIndex, span: Span | None) -> dict[int, int]:
    assert span is not None
    found = index.following(span)
    assert found.tokens.tolist() == sorted(set(found.tokens.tolist()))
    times = (found.highs - found.lows).tolist()
    return dict(zip(found.tokens.tolist(), times, strict=True))


@pytest.fixture(params=[(4_096, 64), (1, 2), (2, 3)], scope="module")
def sampled(request) -> Iterator[None]:
    """Read all rows of a span, and only some of them."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(suffix_array, "NARROW", request.param[0])
        patched.setattr(suffix_array, "STRIDE", request.param[1])
        yield


@pytest.mark.usefixtures("sampled")
@given(PIECES, st.lists(IDS, min_size=1, max_size=3))
def test_what_follows_and_where_a_run_stands_is_what_a_walk_finds(pieces, other):
    index = TokenIndex.build(pieces)
    assert len(index) == sum(map(len, pieces))
    assert told(index, index.whole) == next_tokens(pieces, ())
    for run in (*runs(pieces), tuple(other)):
        places = [index.starts[number] + at for number, at in standing(pieces, run)]
        span = index.find(run)
        if not places:
            assert span is None
            continue
        assert span is not None
        assert (span.times, span.depth) == (len(places), len(run))
        assert told(index, span) == next_tokens(pieces, run)
        assert index.places(span).tolist() == sorted(places)
        found = index.pieces_at(index.places(span)).tolist()
        assert found == sorted(number for number, _ in standing(pieces, run))


def test_no_run_reaches_from_one_piece_into_the_next():
    index = TokenIndex.build([[1, 2], [3, 4], [2, 3]])
    assert told(index, index.find([2])) == {3: 1}
    assert index.find([1, 2, 3]) is None
    assert told(index, index.find([1, 2])) == {}


def test_next_tokens_are_those_of_numpys_unique_in_wide_spans_too():
    drawn = np.random.default_rng(3)
    pieces = [(drawn.zipf(1.4, 60) % 50).tolist() for _ in range(2_000)]
    index = TokenIndex.build(pieces)
    span = index.whole
    for _ in range(4):
        found = index.following(span)
        widest = int(np.argmax(found.highs - found.lows))
        span = Span(int(found.lows[widest]), int(found.highs[widest]), span.depth + 1)
        tokens = np.concatenate([[*piece, -1] for piece in pieces])
        after = tokens[index.places(span) + span.depth]
        kinds, times = np.unique(after[after >= 0], return_counts=True)
        assert told(index, span) == dict(zip(kinds.tolist(), times.tolist(), strict=True))


def test_more_than_65535_kinds_of_tokens_are_told_apart():
    pieces = [list(range(70_000)), [69_999, 0]]
    index = TokenIndex.build(pieces)
    assert told(index, index.find([69_998])) == {69_999: 1}
    assert told(index, index.find([69_999])) == {0: 1}
    assert told(index, index.find([3, 4])) == {5: 1}


def test_it_is_kept_and_opened_again(tmp_path):
    index = TokenIndex.build([[5, 6, 5, 6], [], [5, 6, 7]])
    index.save(tmp_path)
    opened = TokenIndex.load(tmp_path)
    assert told(opened, opened.find([5, 6])) == told(index, index.find([5, 6])) == {5: 1, 7: 1}
    assert (len(opened), opened.pieces, opened.bytes) == (7, 3, index.bytes)
    assert opened.vocabulary.base is not None  # mapped, not read
    for name, length in (("suffixes", 2), ("suffixes", 30), ("starts", 2)):
        index.save(tmp_path)
        np.save(tmp_path / f"{name}.npy", np.zeros(length, dtype=np.int32))
        with pytest.raises(ValueError, match="suffix array"):
            TokenIndex.load(tmp_path)


@pytest.mark.parametrize("pieces", [[], [[]], [[], []]])
def test_an_empty_corpus_has_nothing_in_it(pieces, tmp_path):
    index = TokenIndex.build(pieces)
    index.save(tmp_path)
    for each in (index, TokenIndex.load(tmp_path)):
        assert told(each, each.whole) == {}
        assert each.find([1]) is None
        assert len(each) == 0


IDS_OF_TOKEN_IDS = joined([[4, 5], [], [6]])


@pytest.fixture
def cut():
    calls = []

    def work():
        calls.append(1)
        return IDS_OF_TOKEN_IDS

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
        np.save(file, IDS_OF_TOKEN_IDS[:-1])
    elif harm == "kind":
        np.save(file, IDS_OF_TOKEN_IDS.astype(np.int64))
    else:
        file.unlink()
        file.mkdir()
    assert kept_ids(tmp_path, ("t", "c"), 3, cut).tolist() == IDS_OF_TOKEN_IDS.tolist()
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
