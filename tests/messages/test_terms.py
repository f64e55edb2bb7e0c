"""One word for one thing: words that the catalogue does without, and those in their place."""

from __future__ import annotations

import re

import pytest

from messages import LANGUAGES, catalogue, plural_categories, say
from services.sample.people import TITLE, shown_title

RULED_OUT = {
    "en": {
        r"\b(un)?settl\w*": "decide, adjudicate; of gold: final",
        r"\bbrings?\b|\bbrought in\b": "import",
        r"\banew\b": "again",
        r"\bwhat (became|becomes) of\b": "state, outcome, result",
        r"\bin hand\b": "current",
    },
    "ko": {
        "까닭|원인": "이유",
        "신고": "문제 표시",
        "주고받기": "가져오기·내보내기",
        "낱말": "단어",
        "스냅샷": "스냅숏",
        "가이드라인": "지침",
        "견주": "비교",
        "거두|거둠": "취소, 다시 가져오기",
        "나란한 조문": "병렬 조문",
        "요인": "요소",
        "리더보드": "순위표",
        "생성 질문|확장 질문": "증강 질문",
        "스레드": "대화",
        "철회": "제출 취소",
        "알려진 답": "확정 답",
        "판정 모델": "판정자",
        "작업자": "주석자",
        "모자라|모자란": "부족",
        r"\}판(?=[^가-힣]|[이을은으에])": "버전",
    },
}


EXPORTED = (  # stand in files that are held to what an earlier version wrote
    "judge_report.",
    "levels.waiting_",
    "statistics.",
)


def _with(pattern: str, language: str) -> list[str]:
    found = re.compile(pattern, re.IGNORECASE)
    said = {key: re.sub(r"\{\w+", "{", words[language]) for key, words in catalogue().items()}
    held = EXPORTED if language == "en" else ()
    return sorted(
        key for key, words in said.items() if found.search(words) and not key.startswith(held)
    )


@pytest.mark.parametrize(
    ("language", "pattern"),
    [(language, pattern) for language, words in RULED_OUT.items() for pattern in words],
)
def test_the_catalogue_does_without_a_word(language: str, pattern: str) -> None:
    assert _with(pattern, language) == [], f"say: {RULED_OUT[language][pattern]}"


def test_plural_forms_follow_the_rules_of_each_language() -> None:
    assert {each: plural_categories(each) for each in LANGUAGES} == {
        "en": ("one", "other"),
        "ko": ("other",),
    }
    said = [say("threads.read_before", count=count) for count in (0, 1, "1,001")]
    assert [each.split()[1] for each in said] == ["messages", "message", "messages"]


def test_the_sample_is_called_in_the_language_chosen() -> None:
    assert shown_title(TITLE, "en") == say("sample.title", "en") == TITLE
    assert shown_title(TITLE, "ko") == say("sample.title", "ko") != TITLE
    assert shown_title("Ferries", "ko") == "Ferries"
