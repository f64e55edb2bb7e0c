"""Small codebooks of factors to test with, as text and as drawn by hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from construction.tagging.codebook import (
    CLAIM_ANSWERS,
    EVERYWHERE,
    Codebook,
    Factor,
    Option,
    SubFactor,
)

SMALL = """\
order: [weapon, kind, drink, plea]
factors:
  - key: violence
    label: {en: Violence, ko: 폭력}
    help: {en: How it was done., ko: 방법입니다.}
    scope: [injury, traffic.hit_and_run]
    sub_factors:
      - key: weapon
        label: {en: Weapon, ko: 흉기}
        help: {en: Was one used?, ko: 사용 여부입니다.}
        options:
          - key: 'yes'
            label: {en: 'Yes', ko: 예}
            help: {en: Used., ko: 사용함.}
          - key: 'no'
            label: {en: 'No', ko: 아니요}
            help: {en: Not used., ko: 사용하지 않음.}
      - key: kind
        label: {en: Kind, ko: 종류}
        help: {en: Which?, ko: 무엇입니까?}
        exclusive: false
        when: {weapon: ['yes']}
        options:
          - key: knife
            label: {en: Knife, ko: 칼}
            help: {en: A blade., ko: 날붙이.}
          - key: blunt
            label: {en: Blunt, ko: 둔기}
            help: {en: No blade., ko: 날 없음.}
  - key: road
    label: {en: Road, ko: 도로}
    help: {en: Driving., ko: 운전.}
    scope: [traffic]
    sub_factors:
      - key: drink
        label: {en: Drink, ko: 음주}
        help: {en: How much?, ko: 수치입니다.}
        ordered: true
        options:
          - key: low
            label: {en: Low, ko: 낮음}
            help: {en: Under., ko: 미만.}
          - key: high
            label: {en: High, ko: 높음}
            help: {en: Over., ko: 이상.}
  - key: general
    label: {en: General, ko: 일반}
    help: {en: Every case., ko: 모든 사건.}
    scope: '*'
    sub_factors:
      - key: plea
        label: {en: Insanity, ko: 심신상실}
        help: {en: Claimed?, ko: 주장 여부.}
        claim: true
        required: false
        source: paper
"""


def texts(words: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, str]]:
    return st.fixed_dictionaries({"en": words, "ko": words})


WORDS = st.text("aZ0 é:#'\"{}[]-?!&*|>%@,한글no\U0001f600\t\\", min_size=1, max_size=30).map(
    lambda said: " ".join(said.split()) or "x"
)


@st.composite
def options(draw: st.DrawFn) -> tuple[Option, ...]:
    count = draw(st.integers(1, 4))
    return tuple(
        Option(f"o{number}", draw(texts(WORDS)), draw(texts(WORDS))) for number in range(count)
    )


@st.composite
def sub_factors(draw: st.DrawFn, number: int, before: tuple[SubFactor, ...]) -> SubFactor:
    claim = draw(st.booleans())
    exclusive = claim or draw(st.booleans())
    when = {}
    for other in draw(st.lists(st.sampled_from(before), max_size=2)) if before else ():
        when[other.key] = tuple(option.key for option in other.options)  # always satisfiable
    return SubFactor(
        key=f"s{number}",
        label=draw(texts(WORDS)),
        help=draw(texts(WORDS)),
        options=CLAIM_ANSWERS if claim else draw(options()),
        claim=claim,
        required=draw(st.booleans()),
        exclusive=exclusive,
        ordered=exclusive and not claim and draw(st.booleans()),
        when=when,
        source=draw(st.sampled_from(["paper", "written"])),
        options_source=draw(st.sampled_from(["paper", "written"])),
    )


@st.composite
def codebooks(draw: st.DrawFn, scopes: tuple[str, ...] = (EVERYWHERE,)) -> Codebook:
    """Draw a sound codebook; every scope is one of `scopes`."""
    made: tuple[SubFactor, ...] = ()
    for number in range(draw(st.integers(1, 5))):
        made = (*made, draw(sub_factors(number, made)))
    cut = draw(st.integers(1, len(made)))
    parts = [part for part in (made[:cut], made[cut:]) if part]
    factors = tuple(
        Factor(
            f"f{number}", draw(texts(WORDS)), draw(texts(WORDS)),
            (draw(st.sampled_from(scopes)),), part,
        )
        for number, part in enumerate(parts)
    )  # fmt: skip
    order = draw(st.permutations([each.key for each in made]))
    return Codebook(factors, tuple(order))
