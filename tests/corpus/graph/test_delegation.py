"""Where a higher provision leaves a matter, and which citations take it up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.graph.build import build_graph
from corpus.graph.delegation import Citing, delegating
from corpus.graph.model import Edge, EdgeType
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level, Statute, Tier, Unit
from tests.corpus.graph.ferry_law import ACT, DECREE, article, ferry_law, statute

SAMPLE = Path(__file__).parents[3] / "sample" / "statutes"

ITEMS = article(
    ACT,
    "6조",
    6,
    "**①** 사공은 대통령령으로 정하는 바에 따라 다음 각 호의 배를 몬다. "
    "다만, 대통령령으로 정하는 강은 뺀다.",
    "  1. 대통령령으로 정하는 큰 배",
    "  2. 나룻배로서 대통령령으로 정하는 작은 배",
    "  3. 뗏목",
    "**②** 배의 값은 대통령령으로 정한다. 이 경우 사공과 의논한다.",
)


@pytest.mark.parametrize(
    ("pinpoint", "lower", "words"),
    [
        ("1항/2호", '법 제6조에서 "대통령령으로 정하는 작은 배"란', "대통령령으로 정하는 작은 배"),
        ("1항/1호", "법 제6조에 따라 배를 정한다", "대통령령으로 정하는 큰 배"),
        ("1항/3호", "법 제6조에 따라 뗏목을 정한다", "대통령령으로 정하는 바에"),
        ("1항", '법 제6조 단서에서 "그 밖의 강"이란', "대통령령으로 정하는 강"),
        ("2항", "법 제6조 본문에 따라 값을 정한다", "대통령령으로 정한다"),
        ("2항", "법 제6조 후단에 따라 의논한다", None),
        ("", "법 제6조에 따라 대통령령으로 정하는 큰 배는", "대통령령으로 정하는 큰 배"),
    ],
    ids=["item", "by its rank", "what leads", "proviso", "first", "second", "that go on alike"],
)
def test_the_words_taken_up_are_those_of_the_place_named(
    pinpoint: str, lower: str, words: str | None
) -> None:
    span = delegating(ITEMS, pinpoint, Tier.DECREE, Citing(lower, 0, len("법 제6조")))
    assert (span and ITEMS.text[span[0] :].startswith(words or " ")) == (words and True)


def test_words_for_another_rank_are_none() -> None:
    citing = Citing("법 제6조", 0, 5)
    assert delegating(ITEMS, "", Tier.RULE, citing) is None
    assert delegating(ITEMS, "", Tier.ACT, citing) is None


def down(law: list[Statute]) -> list[Edge]:
    """Return the DELEGATES_TO edges of a law."""
    return [edge for edge in build_graph(law).edges if edge.type is EdgeType.DELEGATES_TO]


def pairs(*lines: str) -> list[Edge]:
    """Return the DELEGATES_TO edges to a decree's article of these lines."""
    law = ferry_law()
    act = replace(law[0], units=(*law[0].units, ITEMS))
    first = law[1].units[0]
    decree = statute(DECREE, law[1].title, Tier.DECREE, first, article(DECREE, "9조", 9, *lines))
    return down([act, decree])


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ("사공은 법 제6조제2항에 따라 값을 알린다.", True),
        ("법 제6조제2항에 따른 값은 별표와 같다.", True),
        ("사공(법 제6조제2항에 따라 값을 받는 자를 말한다)은 쉰다.", False),
        ("법 제6조제2항에 따라 지정된 사공은 다음과 같다.", True),
        ("나루의 배는 법 제6조제2항에 따라 지정된 사공이 몬다.", False),
        ("나루에서 배의 값은 법 제6조제2항에 따른 값으로 한다.", False),
    ],
)
def test_a_citation_takes_up_or_only_mentions(line: str, taken: bool) -> None:
    assert bool(pairs(line)) is taken


def test_an_item_takes_up_what_it_quotes_only() -> None:
    assert not pairs("다음 각 호의 자", "  1. 법 제6조제2항에 따라 값을 받은 자")
    assert pairs(
        "다음 각 호의 자", '  1. 법 제6조제1항제1호에서 "대통령령으로 정하는 큰 배"란 뗏목'
    )


def test_the_english_sample_leaves_what_the_korean_one_does() -> None:
    def left_by(statutes: list[Statute], language: str) -> list[str]:
        own = {u.semantic_id for s in statutes if s.language == language for u in s.units}
        kinds = (EdgeType.DELEGATES_TO, EdgeType.SPECIFIES)
        return [e.type for e in build_graph(statutes).edges if e.type in kinds and e.source in own]

    law = read_tree(SAMPLE)
    assert left_by(law, "en") == left_by(law, "ko") != []


def test_an_english_item_has_its_own_words() -> None:
    law = read_tree(SAMPLE)
    units = {u.semantic_id: u for s in law for u in s.units}
    found = [e for e in down(law) if e.part == "(1)/3"]
    texts = {units[e.source].text[e.start : e.end] for e in found}
    assert texts == {
        "building prescribed by Presidential Decree",
        "building with a high risk of fire prescribed by Presidential Decree",
    }


@given(
    st.text(alphabet='법제6조항호단서에서따라"대통령령으로정하는 배다만(). ', max_size=60),
    st.sampled_from(["", "1항", "1항/2호", "9항", "2호"]),
)
def test_any_citing_gives_a_span_of_the_text_or_none(lower: str, pinpoint: str) -> None:
    span = delegating(ITEMS, pinpoint, Tier.DECREE, Citing(lower, 0, len(lower) // 2))
    assert span is None or "대통령령" in ITEMS.text[slice(*span)]


NOTICE, MANUAL = "나룻배-설비-기준", "나루-업무-매뉴얼"


def lower(name: str, title: str, tier: Tier, *lines: str) -> Statute:
    """Return a notice or manual whose first article is its purpose, the second has `lines`."""
    purpose = '이 기준은 「나루안전법」(이하 "법"이라 한다)에 필요한 사항을 정함을 목적으로 한다.'
    units = (article(name, "1조", 1, purpose), article(name, "2조", 2, *lines))
    return statute(name, title, tier, *units)


def leaves(words: str, citing: str, tier: Tier = Tier.NOTICE) -> bool:
    """Tell whether an act's article of these words is paired with a notice's that cites it."""
    act = statute(ACT, "나루안전법", Tier.ACT, article(ACT, "7조", 7, f"**①** {words}"))
    below = lower(NOTICE, "나룻배 설비 기준", tier, citing)
    found = {(e.source, e.target) for e in down([act, below])}
    assert found <= {(f"{ACT}_7조", f"{NOTICE}_2조")}
    return bool(found)


@pytest.mark.parametrize(
    "words",
    [
        "구명조끼의 기준은 국토교통부장관이 정하여 고시한다.",
        "구명조끼는 소방청장이 정하여 고시하는 기준에 맞아야 한다.",
        "소방청장은 구명조끼의 기준을 정하여 관보에 고시하여야 한다.",
        "구명조끼의 기준은 고시로 정한다.",
        "구명조끼의 기준은 훈령으로 정하는 바에 따른다.",
        "구명조끼의 기준은 예규로 정한다.",
        "구명조끼의 세부 사항은 지침으로 정할 수 있다.",
        "구명조끼의 기준은 소방청장이 정하는 바에 따른다.",
        "구명조끼의 기준은 소방청장이 따로 정한다.",
        "소방청장은 구명조끼의 기준을 고시하여야 한다.",
        "구명조끼는 해양수산부장관이 고시하는 것으로 한다.",
        "구명조끼의 값은 위원회의 심의를 거쳐 위원장이 정한다.",
    ],
)
def test_a_matter_is_left_to_a_notice(words: str) -> None:
    assert leaves(words, "법 제7조제1항에 따라 구명조끼의 기준은 다음 각 호와 같다.")


@pytest.mark.parametrize(
    "words",
    [
        "구명조끼의 기준은 대통령령으로 정한다.",
        "구명조끼의 기준은 국토교통부령으로 정한다.",
        "시장은 나루를 지정한 경우 그 사실을 고시하여야 한다.",
        "소방청장이 지정하여 공고하는 나루에 배를 댄다.",
        "제1항부터 제3항까지의 규정에서 정한 사항을 지킨다.",
        "고시된 나루에 배를 댄다.",
    ],
)
def test_other_words_leave_nothing_to_a_notice(words: str) -> None:
    assert not leaves(words, "법 제7조제1항에 따라 구명조끼의 기준은 다음 각 호와 같다.")


@pytest.mark.parametrize(
    ("citing", "taken"),
    [
        ('법 제7조제1항에서 "소방청장이 정하여 고시하는 기준"이란 다음과 같다.', True),
        ("법 제7조제1항에 따른 기준은 별표와 같다.", True),
        ("법 제7조제1항에 따라 소방청장에게 위임된 기준은 다음과 같다.", True),
        ("나루의 배는 법 제7조제1항에 따라 지정된 사공이 몬다.", False),
        ("사공(법 제7조제1항에 따라 정한 자를 말한다)은 쉰다.", False),
    ],
)
def test_a_notice_takes_up_or_only_mentions(citing: str, taken: bool) -> None:
    assert leaves("배의 기준은 소방청장이 정하여 고시한다.", citing) is taken


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("나루의 일은 업무지침으로 정한다.", True),
        ("소방청장은 나루의 일에 관한 매뉴얼을 작성하여야 한다.", True),
        ("나루의 일은 소방청장이 정하는 바에 따른다.", True),
        ("나루의 기준은 소방청장이 정하여 고시한다.", False),
    ],
)
def test_a_matter_is_left_to_a_manual(words: str, left: bool) -> None:
    assert leaves(words, "법 제7조제1항에 따라 일은 이렇게 한다.", Tier.MANUAL) is left


ENGLISH_WORDS = [
    ("The standards shall be as prescribed by notice.", Tier.NOTICE),
    ("The standards shall be determined by public notice.", Tier.NOTICE),
    ("The Minister shall determine and publicly notify the standards.", Tier.NOTICE),
    ("The standards shall be prescribed by the Administrator of the Harbor Agency.", Tier.NOTICE),
    ("Details shall be specified in the directive of the agency.", Tier.NOTICE),
    ("Details may be determined by guideline.", Tier.NOTICE),
    ("Details may be determined by guidelines.", Tier.MANUAL),
    ("The Commissioner may issue a manual on the work.", Tier.MANUAL),
]


@pytest.mark.parametrize(("words", "tier"), ENGLISH_WORDS)
@pytest.mark.parametrize(
    ("citing", "taken"),
    [
        ("Pursuant to Article 7 of the Act, the standards are as follows.", True),
        ("Under Article 7 of the Act, the standards are as follows.", True),
        ("A ferry approved earlier. It sails under Article 7 of the Act.", False),
    ],
)
def test_english_words_leave_a_matter(words: str, tier: Tier, citing: str, taken: bool) -> None:
    below = "Ferry-Notice"
    act = english("Ferry-Act", "Ferry Act", Tier.ACT, f"Article 7 {words}")
    purpose = 'The purpose of this Notice is to prescribe matters of the Ferry Act ("Act").'
    purpose = purpose.replace('("Act")', '(hereinafter referred to as the "Act")')
    notice = english(below, "Ferry Notice", tier, f"Article 1 {purpose}", f"Article 2 {citing}")
    assert [e.target for e in down([act, notice])] == [f"{below}_article-2"] * taken


def english(name: str, title: str, tier: Tier, *articles: str) -> Statute:
    units = []
    for order, line in enumerate(articles):
        number, text = line.split(" ", 2)[1:]
        place = f"{name}_article-{number}", name, Level.ARTICLE, f"Article {number}"
        units.append(Unit(*place, "", text, order))
    return Statute(name, title, tier.name.lower(), tier, "en", tuple(units))


@pytest.mark.parametrize(
    ("words", "tier"),
    [
        ("A person shall inform the owner by written notice to the owner.", Tier.NOTICE),
        ("The standards shall be prescribed by Presidential Decree.", Tier.NOTICE),
        ("The standards shall be prescribed by notice.", Tier.MANUAL),
    ],
)
def test_english_words_that_leave_nothing_there(words: str, tier: Tier) -> None:
    unit = english("a", "a", Tier.ACT, f"Article 7 {words}").units[0]
    assert delegating(unit, "", tier, Citing("Article 7", 0, 9)) is None


def of_notice(purpose: str) -> list[tuple[str, str]]:
    """Return what is left to a notice of this purpose by an act, its decree and its rule."""
    first = article(ACT, "5조", 5, "배의 설비는 소방청장이 정하여 고시한다.")
    act = statute(ACT, "나루안전법", Tier.ACT, first)
    told = "법 제5조에 따른 설비의 기준은 소방청장이 정하여 고시한다."
    decree = statute(DECREE, "나루안전법 시행령", Tier.DECREE, article(DECREE, "3조", 3, told))
    rule_id = "나루안전법-시행규칙"
    text = "영 제3조에 따른 기준의 세부 사항은 소방청장이 정하여 고시한다."
    rule = statute(rule_id, "나루안전법 시행규칙", Tier.RULE, article(rule_id, "4조", 4, text))
    units = (
        article(NOTICE, "1조", 1, purpose),
        article(NOTICE, "2조", 2, "「나루안전법 시행규칙」 제4조에 따른 기준은 다음과 같다."),
    )
    law = [act, decree, rule, statute(NOTICE, "나룻배 설비 기준", Tier.NOTICE, *units)]
    return [(e.source, e.target) for e in down(law) if e.target.startswith(NOTICE)]


LISTED = "「나루안전법」 제5조, 같은 법 시행령 제3조 및 같은 법 시행규칙 제4조"


@pytest.mark.parametrize(
    "purpose",
    [
        f"이 고시는 {LISTED}에 따라 설비의 기준을 정함을 목적으로 한다.",
        f"이 고시는 {LISTED}에 따라 소방청장에게 위임된 사항을 정함을 목적으로 한다.",
        f"이 고시는 {LISTED}에서 위임한 사항을 정한다.",
    ],
)
def test_the_purpose_of_a_notice_is_paired_once_and_names_its_family(purpose: str) -> None:
    rule = "나루안전법-시행규칙_4조"
    assert of_notice(purpose) == [(rule, f"{NOTICE}_1조"), (rule, f"{NOTICE}_2조")]


@pytest.mark.parametrize(
    "purpose",
    [
        "The purpose of this Notice is to prescribe matters delegated by {act} and {decree}.",
        "This Notice prescribes, pursuant to {act} and {decree}, the standards of ferries.",
        "This Standard aims to provide for what is necessary under {decree}.",
    ],
)
def test_the_purpose_of_an_english_notice_is_paired_once(purpose: str) -> None:
    said = purpose.format(
        act="Article 7 of the Ferry Act",
        decree="Article 9 of the Enforcement Decree of the Ferry Act",
    )
    words = "Standards shall be determined and publicly notified by the Administrator."
    left = "Details under Article 7 of the Act shall be prescribed by public notice."
    law = [
        english("Ferry-Act", "Ferry Act", Tier.ACT, f"Article 7 {words}"),
        english("Decree", "Enforcement Decree of the Ferry Act", Tier.DECREE, f"Article 9 {left}"),
        english("Notice", "Lamps Notice", Tier.NOTICE, f"Article 1 {said}"),
    ]
    found = [(e.source, e.target) for e in down(law)]
    assert found == [("Decree_article-9", "Notice_article-1")]


def test_a_notice_of_another_family_is_not_paired() -> None:
    assert not of_notice("이 고시는 나루의 설비에 필요한 사항을 정함을 목적으로 한다.")
