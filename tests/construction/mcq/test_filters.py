from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from construction.mcq.filters import PRESETS, Filtered, Limits, Reason, contains_phrase, filtered
from construction.mcq.model import Mcq
from tests.construction.mcq.law import item
from tests.support.examples import scaled

QUERIES = (
    "A painter keeps two drums in a shed behind the house. Until when must the office hear of it?",
    "Last week a school moved solvents into the gym. How much time remains to report the stock?",
    "The museum stores varnish for one exhibition only. What is the last day to send the form?",
    "Somebody inherits a closed factory with full tanks. By when does the town have to know?",
)


def only(result: Filtered) -> tuple[Reason, str]:
    assert result.kept == ()
    [dropped] = result.dropped
    assert result.counts == {reason: int(reason is dropped.reason) for reason in Reason}
    return dropped.reason, dropped.detail


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_sound_item_is_kept(language: str) -> None:
    result = filtered([item(language=language)])
    assert result.kept == (item(language=language),)
    assert sum(result.counts.values()) == 0


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"query": "When?"}, "query"),
        ({"query": "x" * 2000}, "query"),
        ({"query": "며칠 안에 신고하여야 하는지 묻습니다."}, "language"),
        ({"explanation": "  "}, "explanation"),
        ({"options": ("7 days", "14 days", "", "60 days")}, "options"),
        ({"options": ("7 days", "14 days", "14 Days.", "60 days")}, "alike"),
        ({"options": ("7 days", "14 days", "x" * 500, "60 days")}, "long"),
        ({"options": ("7 days", "14 days", "None of the above", "60 days")}, "open"),
        ({"options": ("7 days", "14 days", "It cannot be determined", "60 days")}, "open"),
    ],
)
def test_a_fault_of_form_is_named(changes: dict[str, object], fault: str) -> None:
    assert only(filtered([item(**changes)])) == (Reason.FORMAT, fault)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("language", "query"),
    [
        ("en", "According to the text provided, how long does the keeper have to report?"),
        ("en", "Based on the document, how long does the keeper have to report?"),
        ("en", "In the given context, how long does the keeper have?"),
        ("en", "Considering document A, how long does the keeper have?"),
        ("en", "Which period does this passage set for the keeper?"),
        ("en", "From the provisions above, what is the period?"),
        ("ko", "제시된 조문에 따르면 며칠 안에 알려야 합니까?"),
        ("ko", "위 내용을 보면 며칠 안에 알려야 합니까?"),
        ("ko", "문서 A와 문서 B를 보면 며칠 안에 알려야 합니까?"),
        ("ko", "주어진 자료를 바탕으로 기간을 고르세요."),
        ("ko", "본문에서 언급된 기간은 며칠입니까?"),
        ("ko", "다음 규정이 정하는 기간은 며칠입니까?"),
        ("ko", "해당 조항에 따르면 며칠 안에 알려야 합니까?"),
        ("ko", "이 조항이 정하는 기간은 며칠입니까?"),
        ("ko", "본 규정의 기간은 며칠입니까?"),
        ("ko", "같은 항의 기간은 며칠입니까?"),
        ("ko", "위 항에서 정한 기간은 며칠입니까?"),
        ("ko", "조항에 따르면 며칠 안에 알려야 합니까?"),
        ("ko", "규정 A와 규정 B를 보면 며칠 안에 알려야 합니까?"),
    ],
)
def test_speaking_of_the_material(language: str, query: str) -> None:
    reason, detail = only(filtered([item(language=language, query=query)]))
    assert reason is Reason.META
    assert detail in query


@pytest.mark.parametrize(
    ("language", "query"),
    [
        ("en", "The text on the label says 40 litres. How long does the keeper have?"),
        ("en", "A given keeper stores paint. According to the law, how long does he have?"),
        ("en", "What information must the keeper give, and by when?"),
        ("ko", "위험물을 옮긴 다음 며칠 안에 알려야 합니까?"),
        ("ko", "위치를 바꾼 사람은 며칠 안에 알려야 합니까?"),
        ("ko", "자료실에 도료를 두면 며칠 안에 알려야 합니까?"),
        ("ko", "이 자료를 소방서에 며칠 안에 내야 합니까?"),
        ("ko", "해당 항목을 며칠 안에 고쳐 알려야 합니까?"),
        ("ko", "안전 규정을 어긴 사람은 며칠 안에 알려야 합니까?"),
        ("ko", "위험 항만에 도료를 두면 며칠 안에 알려야 합니까?"),
    ],
)
def test_speaking_of_the_matter(language: str, query: str) -> None:
    kept = filtered([item(language=language, query=query)]).kept
    assert bool(kept) == (not query.startswith("The text"))


@pytest.mark.parametrize(
    ("language", "query"),
    [
        ("ko", "소방법 제5조의 신고는 며칠 안에 해야 합니까?"),
        ("ko", "「소방기본법」의 신고는 며칠 안에 해야 합니까?"),
        ("ko", "별표 4의 도료는 며칠 안에 알려야 합니까?"),
        ("ko", "제2항의 신고는 며칠 안에 해야 합니까?"),
        ("ko", "5조 2항의 신고는 며칠 안에 해야 합니까?"),
        ("en", "Under Article 5, how long does the keeper have?"),
        ("en", "Under the Fire Safety Act, how long does the keeper have?"),
        ("en", "Under § 12, how long does the keeper have to report?"),
    ],
)
def test_naming_the_law(language: str, query: str) -> None:
    assert only(filtered([item(language=language, query=query)]))[0] is Reason.CITING


@pytest.mark.parametrize(
    "query", ["제시된 조문에 따르면 며칠입니까?", "소방법 제5조의 신고는 며칠 안입니까?"]
)
def test_decomposed_hangul_is_read_like_composed(query: str) -> None:
    apart = item(language="ko", query=unicodedata.normalize("NFD", query))
    whole = item(language="ko", query=query)
    assert only(filtered([apart])) == only(filtered([whole]))


def test_a_sum_of_money_is_no_article() -> None:
    query = "예산이 3조 원이 넘는 공장은 며칠 안에 알려야 합니까?"
    assert filtered([item(language="ko", query=query)]).kept


@pytest.mark.parametrize("reason", Reason)
def test_each_rule_can_be_switched_off(reason: Reason) -> None:
    first = item(1, query="Under Article 5 of the given text, who has 14 days? " * 25)
    drafts = [first, replace(first, id=f"{first.id}b")]
    off = frozenset(Reason) - {reason}
    assert filtered(drafts, limits=Limits(off=frozenset(Reason))).kept == tuple(drafts)
    counts = filtered(drafts, limits=Limits(off=off)).counts
    assert {each for each, count in counts.items() if count} <= {reason}
    if reason is not Reason.POSITION:  # two of them stand at one place by chance
        assert counts[reason] > 0


def test_the_papers_filters_take_out_what_was_not_read_and_what_speaks_of_the_text() -> None:
    paper = PRESETS["paper"]
    assert paper.off == {Reason.CITING, Reason.DUPLICATE, Reason.LEAKED, Reason.POSITION}
    citing = item(1, query="Under Article 5, who has 14 days?")
    short = item(2, query="When?", options=("7 days", "14 days", "None of the above", "60 days"))
    meta = item(3, query="According to the text provided, how long has the keeper?")
    unread = item(4, explanation=" ")
    result = filtered([citing, replace(citing, id="again"), short, meta, unread], limits=paper)
    assert {each.id for each in result.kept} == {citing.id, "again", short.id}
    assert {each.item.id: each.reason for each in result.dropped} == {
        meta.id: Reason.META,
        unread.id: Reason.FORMAT,
    }


def test_the_same_question_twice_is_kept_once() -> None:
    first, second = item(1), item(2)
    result = filtered([second, first])
    assert result.kept == (first,)
    assert (result.dropped[0].reason, result.dropped[0].detail) == (Reason.DUPLICATE, first.id)


def test_nearly_the_same_about_one_provision() -> None:
    first = item(query=QUERIES[0])
    near = replace(item(query=QUERIES[0].replace("two", "six")), id=f"{first.id}b")
    far = replace(item(query=QUERIES[1]), id=f"{first.id}c")
    assert filtered([first, near, far]).kept == (first, far)
    assert len(filtered([first, near, far], limits=Limits(alike=100)).kept) == 3


@pytest.mark.parametrize(
    ("right", "leaks"),
    [
        ("fire chief", True),
        ("The FIRE chief.", True),
        ("14 days", False),
        ("re chief", False),
        ("fire chie", False),
        ("", False),
    ],
)
def test_the_right_words_in_the_first_provision(right: str, leaks: bool) -> None:
    assert contains_phrase(item().pair.source.text, right) == leaks
    if right:
        changed = item(options=("somebody", right, "the mayor", "nobody"))
        reasons = [each.reason for each in filtered([changed]).dropped]
        assert reasons == ([Reason.LEAKED] if leaks else [])


def test_a_number_ends_where_it_ends_and_a_korean_word_begins_where_it_begins() -> None:
    assert contains_phrase("within 14 days", "14")
    assert not contains_phrase("within 140 days", "14")
    assert not contains_phrase("within 114 days", "14")
    text = item(language="ko").pair.source.text
    assert contains_phrase(text, "소방서장") and not contains_phrase(text, "서장")
    query = "Is the keeper who has 14 days late after three weeks in the depot?"
    assert only(filtered([item(query=query)]))[0] is Reason.LEAKED


def at_place(number: int, place: int) -> Mcq:
    made = item(number, query=f"{QUERIES[number % 4]} Case {number * 7919}.")
    options = list(made.options[:4])
    options.remove(made.right)
    options.insert(place - 1, made.right)
    return replace(made, options=(*options, made.options[4]), answer=place)


def test_a_place_with_too_many_right_answers_loses_the_surplus() -> None:
    items = [at_place(number, 1 if number < 40 else 2 + number % 3) for number in range(80)]
    result = filtered(items, seed=3, limits=Limits(alike=101))
    allowed = 30  # 80 / 4, a tenth more, and twice √(80 · ¼ · ¾)
    assert result.counts[Reason.POSITION] == 40 - allowed
    assert Counter(each.answer for each in result.kept)[1] == allowed
    assert result != filtered(items, seed=4, limits=Limits(alike=101))


mixed = st.builds(
    lambda number, query, language, answer: item(number, language, query=query, answer=answer),
    st.integers(0, 30),
    st.sampled_from([*QUERIES, "short", "According to the text, by when is it due?", "제5조는?"]),
    st.sampled_from(["en", "ko"]),
    st.integers(1, 4),
)


@settings(max_examples=scaled(40))
@given(st.lists(mixed, max_size=25, unique_by=lambda each: each.id), st.data(), st.integers())
def test_order_changes_nothing_and_nothing_is_lost(items: list[Mcq], data, seed: int) -> None:
    result = filtered(items, seed)
    assert result == filtered(data.draw(st.permutations(items)), seed)
    together = [*result.kept, *(each.item for each in result.dropped)]
    assert sorted(each.id for each in together) == sorted(each.id for each in items)
    assert sum(result.counts.values()) == len(items) - len(result.kept)


def test_ids_do_not_repeat() -> None:
    with pytest.raises(ValueError, match="repeat"):
        filtered([item(1), item(1)])


def test_what_is_known_stays_and_is_not_repeated() -> None:
    again = replace(item(1), id="zero comes before")
    result = filtered([again, item(2, query=QUERIES[0])], known=[item(1)])
    assert [each.id for each in result.kept] == [item(2).id]
    assert [(each.reason, each.detail) for each in result.dropped] == [
        (Reason.DUPLICATE, item(1).id)
    ]


def test_known_answers_count_where_positions_are_evened_out() -> None:
    def placed(number: int) -> Mcq:
        return replace(item(number, query=f"{QUERIES[0]} ({number * 7919 % 10007})"), answer=3)

    limits = Limits(alike=100)
    few = [placed(number) for number in range(100, 103)]
    assert len(filtered(few, limits=limits).kept) == 3
    before = [placed(number) for number in range(200, 300)]
    assert filtered(few, limits=limits, known=before).counts[Reason.POSITION] == 3
