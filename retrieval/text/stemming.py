"""English stems (Snowball; Porter 2001), and the function words of both languages.

Function words carry grammar rather than subject. They decide what is marked on the screen, and the
tokenisers that stem English or cut morphemes leave them out. A change here changes what those find:
raise `retrieval.text.morphemes.VERSION` with it.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import lru_cache
from typing import Any

# Scripts written without spaces between morphemes: Hangul, Han, Kana. Jamo are included so that
# letters standing alone stay with their run.
CJK = "가-힣ᄀ-ᇿㄱ-ㆎ㐀-䶿一-鿿豈-﫿ぁ-ヿ"

# A run of such characters, or a word or number of any other script; 2.1.1 is one number.
RUN = re.compile(rf"([{CJK}]+)|((?:(?![{CJK}_])\w)+(?:(?<=\d)\.\d+)*)")


def normal_form(text: str) -> str:
    """Return `text` composed (NFC) and in lower case, as every tokeniser reads it."""
    return unicodedata.normalize("NFC", text).lower()


def pairs_of(run: str) -> list[str]:
    """Return the overlapping pairs of a run of characters; one character alone is itself."""
    return [run] if len(run) == 1 else list(map(str.__add__, run, run[1:]))


_KOREAN = """
경우 경우에는 경우에도 해당 해당하는 관련 관련하여 대한 대하여 대해 관한 관하여 따라 따른 따라서
의한 의하여 의해 위한 위하여 위해 통하여 또는 그리고 그러나 다만 및 등 것 것은 것이 것인지 수 때
하는 하여 하여야 합니다 한다 있는 있다 있습니다 있나요 있는지 없는 없습니다 되는 됩니다 되나요
된다 어떻게 무엇 무엇을 무엇인가요 어떤 여부 인지 이상 이하 미만 각각 모두 이를 해야 가능
가능한지 문의 질의
"""

_ENGLISH = """
an and any are as at be been but by can do does for from has have how if in into is it its may
must no not of on or shall should such than that the their then there these they this to under
was were what when where which who whom with within would
"""

_ENDINGS = """
은 는 이 가 을 를 의 에 와 과 도 로 만 까지 부터 에서 에게 으로 으로서 로서 에서는 에는 에도
에서의 에서도 으로는 로는 이나 이란 이라 이며 이고 인지 인가 인가요 인데 인 이다 입니다 하는 하여
하여야 하여서 하고 하며 하면 하기 하지 한 한다 할 함 해야 했을 합니다 하나요 하는지 하였을 하려는
하려면 되는 되어 되며 되면 된 된다 될 됨 됩니다 되나요 되는지 되지 시 등 등의 등을
"""

ENGLISH = frozenset(_ENGLISH.split())
FUNCTION_WORDS = frozenset(_KOREAN.split()) | ENGLISH

# Particles and verb endings that Korean glues to a stem, longest first.
ENDINGS = tuple(sorted(_ENDINGS.split(), key=lambda ending: (-len(ending), ending)))


_guard = threading.Lock()


def stems_and_bigrams(text: str) -> list[str]:
    """Return the stems of the words of a text in normal form, and the pairs of its other runs.

    English function words are left out. Runs of Hangul, Han and Kana are cut into overlapping
    pairs, so that a text of two languages is searched in both.
    """
    tokens: list[str] = []
    for run, word in RUN.findall(text):
        if word:
            tokens.extend(stem_of(word))
        else:
            tokens.extend(pairs_of(run))
    return tokens


@lru_cache(maxsize=65_536)
def stem_of(word: str) -> tuple[str, ...]:
    """Return the stem of a word or number, in a tuple; nothing for an English function word.

    Numbers and words of other languages mostly come back as they are.
    """
    if word in ENGLISH:
        return ()
    with _guard:  # a stemmer keeps state while it works
        return (_stemmer().stemWord(word),)


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")
