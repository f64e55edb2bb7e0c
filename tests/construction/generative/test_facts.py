"""Facts by sentences, and what is no fact."""

from hypothesis import given
from hypothesis import strategies as st

from construction.generative.facts import KeyTokens, facts_by_sentence, holes

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


TEXTS = [
    "시장은 소방시설을 설치하여야 한다",
    "시장은 건축물을 허가하여야 한다",
    "시장은 과태료를 부과하여야 한다",
    "군수는 스프링클러설비를 점검하여야 한다",
]
KEYS_OF_KEY_TOKENS = KeyTokens.of(TEXTS * 2)  # twice: what one text alone has weighs less


def test_a_rare_word_weighs_more_than_one_that_all_have() -> None:
    assert KEYS_OF_KEY_TOKENS.weight("소방시설을") > KEYS_OF_KEY_TOKENS.weight("시장은") > 0
    assert KEYS_OF_KEY_TOKENS.weight("하여야") < KEYS_OF_KEY_TOKENS.weight("건축물을")


def test_what_one_text_alone_has_weighs_less_than_what_two_have() -> None:
    keys = KeyTokens.of([*TEXTS, "군수는 스프링클러설비를 둔다", *["시장은 정한다"] * 9])
    assert keys.weight("스프링클러설비를") > keys.weight("과태료를") > 0


def test_function_words_numbers_and_single_characters_weigh_nothing() -> None:
    assert [KEYS_OF_KEY_TOKENS.weight(word) for word in ("경우에는", "12", "의", "2024")] == [
        0.0
    ] * 4


def test_an_identifier_stands_in_the_text_word_for_word_from_its_key_token_on() -> None:
    text = "시장은 시장은 소방시설을 설치하여야 한다"
    [span] = KEYS_OF_KEY_TOKENS.identifiers(text)
    assert text[slice(*span)] == "소방시설을 설치하여야 한다"
    [span] = KEYS_OF_KEY_TOKENS.identifiers("소방시설을" + " 둔다" * 12)
    assert span == (0, len("소방시설을" + " 둔다" * 9)), "ten words"


def test_a_key_token_too_near_the_end_comes_after_one_that_words_follow() -> None:
    text = "시장은 과태료를 시장은 시장은 시장은 시장은 시장은 스프링클러설비"
    [first, second] = KEYS_OF_KEY_TOKENS.identifiers(text, 2)
    assert text[slice(*first)].startswith("과태료를")
    assert second[0] not in range(*first)


def test_nothing_begins_in_a_hole_and_what_runs_into_one_ends_before_it() -> None:
    text = "소방시설을 서울 강남구에서 설치하여야 한다"
    hole = (text.index("서울"), text.index("에서"))
    [span] = KEYS_OF_KEY_TOKENS.identifiers(text, 1, [hole])
    assert text[slice(*span)] == "소방시설을"


def test_hangul_words_stay_whole_and_han_runs_are_cut_in_pairs() -> None:
    keys = KeyTokens.of(["被告人盗窃财物", "被告人故意伤害"] * 2)
    [span] = keys.identifiers("被告人盗窃财物")
    assert "被告人盗窃财物"[span[0] :].startswith(("人盗", "窃财"))
    assert KEYS_OF_KEY_TOKENS.identifiers("입주자대표회의를 구성한다")[0][0] == 0


@given(st.text(max_size=80), st.integers(1, 5))
def test_identifiers_never_overlap_and_hold_text(text: str, most: int) -> None:
    spans = KEYS_OF_KEY_TOKENS.identifiers(text, most)
    assert len(spans) <= most
    starts = sorted(start for start, _ in spans)
    assert len(set(starts)) == len(starts)
    assert all(0 <= start < end <= len(text) for start, end in spans)


def test_a_naive_identifier_is_how_the_text_begins() -> None:
    texts = ["① the ferry carries a lantern at night", "① the ferry carries oars", "the oars"]
    key, naive = KeyTokens.of(texts), KeyTokens.of(texts, naive=True)
    assert [texts[0][slice(*span)] for span in naive.identifiers(texts[0])] == [texts[0][2:]]
    assert key.identifiers(texts[0]) != naive.identifiers(texts[0])
    assert naive.identifiers("① 12") == []
