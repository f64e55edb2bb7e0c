from __future__ import annotations

import pytest

from corpus.model import judgment_language
from tests.corpus.cases.texts import CHINESE, ENGLISH, KOREAN


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (KOREAN, "ko"),
        (ENGLISH, "en"),
        (CHINESE, "zh"),
        ("뢫" + CHINESE, "zh"),  # a stray syllable, as damaged files have
        ("피고인은 大法院 判決에 따라 무죄", "ko"),
        ("The court cites 형법 in passing, and nothing else in Korean.", "en"),
        ("123", "en"),
    ],
)
def test_the_script_of_most_letters_tells(text, language):
    assert judgment_language(text) == language
