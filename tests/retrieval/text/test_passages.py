"""Sentences and passages: what ends one, what does not, and which document they are from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.core.model import Corpus, Document
from retrieval.text.passages import document_id, passage_corpus, passages, sentences
from tests.retrieval.toys import corpus_of

TEXT = st.text(st.sampled_from("가나다. 1?!\n()②a"), max_size=40)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  \n ", []),
        ("안전한가요? 점검도 합니다.", ["안전한가요?", "점검도 합니다."]),
        ("① 첫째이다.\n② 둘째이다", ["① 첫째이다.", "② 둘째이다"]),
        ("1. 소화기\n  가. 분말\n2의2. 그 밖", ["1. 소화기", "가. 분말", "2의2. 그 밖"]),
        ("2.1.1의 기준은 1.5미터이다. 끝.", ["2.1.1의 기준은 1.5미터이다."]),
        ('그는 "하라." 했다', ['그는 "하라."', "했다"]),
        ("他说：“走。”然后走了。完", ["他说：“走。”", "然后走了。", "完"]),
        ("12", ["12"]),
    ],
)
def test_where_sentences_end(text, expected) -> None:
    assert sentences(text) == expected


def test_sentences_are_gathered_until_they_are_long_enough() -> None:
    text = "하나다. 둘이다. 셋이다. 아주 긴 넷째 문장이다. 끝이다."
    assert passages(text, 9) == ["하나다. 둘이다.", "셋이다. 아주 긴 넷째 문장이다.", "끝이다."]
    assert passages(text, 1) == sentences(text)
    assert passages(text, 1000) == [text]
    assert passages("", 9) == [""]


@given(TEXT, st.integers(1, 30))
def test_passages_are_the_sentences_in_their_order(text, characters) -> None:
    cut = passages(text, characters)
    assert " ".join(cut) == " ".join(sentences(text))
    assert all(len(each) >= characters for each in cut[:-1])


def test_passages_stand_under_the_title_of_their_document() -> None:
    document = Document("법_1조", "소방법", "제1조", "목적", "① 하나다.\n② 둘이다.", "법", 1)
    whole = Corpus.of([document, Document("법_2조#")])
    cut = passage_corpus(whole, 1)
    assert [(each.title, each.body) for each in cut.documents] == [
        ("소방법 제1조 목적", "① 하나다."),
        ("소방법 제1조 목적", "② 둘이다."),
        ("", ""),
    ]
    assert [document_id(each) for each in cut.ids] == ["법_1조", "법_1조", "법_2조#"]
    assert [each.tier for each in cut.documents] == [1, 1, 0]


def test_a_corpus_is_cut_once_for_a_length() -> None:
    whole = corpus_of(a="하나다. 둘이다.")
    assert passage_corpus(whole, 1) is passage_corpus(whole, 1)
    assert (len(passage_corpus(whole, 1)), len(passage_corpus(whole, 99))) == (2, 1)
