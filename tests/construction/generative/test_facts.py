"""Facts by sentences, and what is no fact."""

from construction.generative.facts import facts_by_sentence, holes
from construction.generative.key_tokens import KeyTokens

TEXT = (
    "피고인은 2020. 3. 5. 14:00경 서울특별시 강남구 역삼동 12에서 피해자의 얼굴을 주먹으로 때렸다. "
    "2021년 5월 6일 부산광역시 해운대구. "
    "피고인은 인터넷 게시판에 피해자를 비방하는 글을 올렸다. 이상. "
    "피고인은 인터넷 게시판에 피해자를 비방하는 글을 올렸다."
)
KEYS = KeyTokens.of([TEXT, "피고인은 피해자를 속였다.", "피고인은 재물을 훔쳤다."] * 2)


def test_dates_times_and_regions_are_found_and_other_words_are_not() -> None:
    said = [TEXT[slice(*span)].strip() for span in holes(TEXT)]
    assert "2020. 3. 5." in said and "14:00경" in said
    assert any(each.startswith("서울특별시 강남구 역삼동") for each in said)
    [own, *_] = facts_by_sentence(TEXT, KEYS).kept
    assert own.text.startswith("피고인은 2020. 3. 5. 14:00경 서울특별시")
    assert holes("용도를 변경한 정도에 따라 제도를 마련한다") == []
    assert holes("2015年12月22日在四川省成都市") != []


def test_a_core_has_no_date_and_no_region_and_begins_with_a_key_token() -> None:
    found = facts_by_sentence(TEXT, KEYS)
    cores = [fact.core for fact in found.kept]
    assert len(cores) == 2
    for core in cores:
        assert not any(word in core for word in ("2020", "서울", "강남", "14:00"))
        assert core in TEXT
    assert not cores[1].startswith("피고인은")


def test_what_is_left_out_is_counted_with_its_reason() -> None:
    found = facts_by_sentence(TEXT, KEYS)
    assert found.dropped == {"date": 1, "short": 1, "repeated": 1}
    assert facts_by_sentence("", KEYS).kept == ()


def test_chinese_facts_are_cut_at_their_own_marks() -> None:
    text = "被告人张某盗窃他人财物价值五千元；被告人李某故意伤害他人身体。被告人王某持刀抢劫他人。"
    found = facts_by_sentence(text, KeyTokens.of([text, "被告人王某诈骗他人财物"]))
    assert len(found.kept) == 3
