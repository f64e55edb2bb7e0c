"""Lengths in tokens, by our tokenisers and by files of others, which are run apart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sandbox.pool import Bounds
from errors import UserError
from retrieval.text import tokenise
from retrieval.text.token_worker import count as count_in_child
from retrieval.text.tokenise import OFFERED, by_file, by_tokeniser, tokeniser
from tests.support.refusals import code_of, refused

UNKNOWN = "[UNK]"
TEXTS = ["등불을 켠다", "", "a lamp, a lamp", "등불"]


def file_of(words: dict[str, int], **more: Any) -> dict[str, Any]:
    """Return a tokenizer that knows some words between white space."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit

    made = Tokenizer(WordLevel(words | {UNKNOWN: 0}, unk_token=UNKNOWN))
    made.pre_tokenizer = WhitespaceSplit()
    said: dict[str, Any] = json.loads(made.to_str())
    return said | more


def sequence(name: str) -> dict[str, Any]:
    return {"Sequence": {"id": name, "type_id": 0}}


def as_bytes(said: Any) -> bytes:
    return json.dumps(said, ensure_ascii=False).encode()


@pytest.fixture(autouse=True, scope="module")
def ended() -> Iterator[None]:
    yield
    tokenise.POOL.close()


@pytest.mark.parametrize("name", OFFERED)
def test_our_tokenisers_count_as_they_cut(name: str):
    counted = by_tokeniser(name)
    assert list(counted.count(TEXTS)) == [len(tokeniser(name)(text)) for text in TEXTS]
    assert counted.display_name == name


def test_an_unknown_name_is_refused():
    assert code_of(by_tokeniser, "words of mouth") == "unknown_tokeniser"


def test_a_file_counts_its_own_tokens_whatever_length_it_would_cut_to():
    truncation = {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0}
    padding = {
        **{"strategy": {"Fixed": 9}, "direction": "Right", "pad_to_multiple_of": None},
        **{"pad_id": 0, "pad_type_id": 0, "pad_token": "[UNK]"},
    }
    special = {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": UNKNOWN, "type_id": 0}}, sequence("A")],
        "pair": [sequence("A"), sequence("B")],
        "special_tokens": {"[UNK]": {"id": "[UNK]", "ids": [0], "tokens": ["[UNK]"]}},
    }
    said = file_of({"등불": 1}, truncation=truncation, padding=padding, post_processor=special)
    counted = by_file(as_bytes(said), "tokenizer.json")
    assert list(counted.count(TEXTS)) == [2, 0, 4, 1]
    assert counted.display_name.startswith("tokenizer.json (SHA-256 ")
    assert len(counted.digest) == 64
    assert counted == by_file(as_bytes(said), "tokenizer.json")
    assert counted != by_file(as_bytes(said) + b"\n", "tokenizer.json")


def test_many_texts_go_in_batches(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tokenise, "_BATCH_OF_TOKEN_COUNTS", 3)
    counted = by_file(as_bytes(file_of({})), "t.json")
    assert list(counted.count(["a b"] * 7 + [""])) == [2] * 7 + [0]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        b"[]",
        b'{"model": 3}',
        b'{"version": "1.0", "model": {"type": "Nonsense"}}',
        b"[" * 200_000,
        b'{"model": {"type": "BPE", "vocab": {"a": -1}, "merges": [["a", "b"]]}}',
    ],
)
def test_what_is_no_such_file_is_refused_by_its_name(content: bytes):
    with refused("tokenizer_form") as caught:
        list(by_file(content, "mine.json").count(["a"]))
    assert caught.value.where.file == "mine.json"
    assert len(caught.value.what("en")) < 400


def test_a_file_has_a_size(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tokenise, "LARGEST", 2 << 20)
    by_file(b" " * (2 << 20), "t.json")
    with refused("tokenizer_large") as caught:
        by_file(b" " * ((2 << 20) + 1), "t.json")
    assert "2 MiB" in caught.value.render()


@pytest.mark.parametrize("made", [None, [1], [1, 2, 3], [1, -1], [1, True], [1, "2"]])
def test_a_count_that_is_none_is_a_crash(monkeypatch: pytest.MonkeyPatch, made: object):
    monkeypatch.setattr(tokenise.POOL, "run", lambda *_: SimpleNamespace(value=made))
    with refused("tokenizer_crashed"):
        list(by_file(b"{}", "t.json").count(["a", "b"]))


def test_a_file_whose_pattern_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tokenise, "BOUNDS", Bounds(2.0, 2.0, 1 << 20))
    split = {
        "type": "Split",
        "pattern": {"Regex": r"(?:(a+)+\1)+$"},
        "behavior": "Isolated",
        "invert": False,
    }
    counted = by_file(as_bytes(file_of({}, pre_tokenizer=split)), "slow.json")
    with pytest.raises(UserError) as caught:
        list(counted.count(["a" * 60 + "b"] * 200))
    assert caught.value.code in ("tokenizer_slow", "tokenizer_crashed")


NAMES = st.text(max_size=5)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
PARTS = ("model", "normalizer", "pre_tokenizer", "added_tokens", "decoder", "truncation")


@given(st.dictionaries(st.sampled_from(PARTS), JSON), st.text(max_size=30))
def test_whatever_a_file_says_it_counts_or_is_refused(parts: dict[str, Any], text: str):
    """Run here instead of in the child: only what ends a child would end the test."""
    content = as_bytes(file_of({"a": 1}) | parts)
    try:
        [found] = count_in_child({"file": "t.json"}, [content, json.dumps([text]).encode()]).value
    except UserError as error:
        assert error.code == "tokenizer_form"
    else:
        assert 0 <= found <= 4 * len(text) + 4
