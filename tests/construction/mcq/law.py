"""A small made-up law of linked provisions, and items about it."""

from __future__ import annotations

from construction.mcq.model import Draft, Mcq, Pair, Passage, item_of
from corpus.graph.model import Edge, EdgeType, Origin
from corpus.model import Tier

TEXT_A = {
    "en": "A keeper of paint shall notify the fire chief within the period set by Decree. " * 2,
    "ko": "도료를 저장하는 자는 대통령령으로 정하는 기간 안에 소방서장에게 신고하여야 한다. " * 2,
}
TEXT_B = {
    "en": "The period is 14 days from the day on which the paint was brought in. " * 2,
    "ko": "법 제5조에서 대통령령으로 정하는 기간이란 도료를 들여온 날부터 14일을 말한다. " * 2,
}


def passage(unit: str, tier: Tier = Tier.ACT, text: str = "", language: str = "en") -> Passage:
    return Passage(unit, unit.split("_")[0], tier, language, unit, text or TEXT_A[language])


def edge(source: str, target: str, kind: EdgeType = EdgeType.DELEGATES_TO) -> Edge:
    return Edge(source, target, kind, Origin.TEXT)


def pair(number: int = 1, language: str = "en") -> Pair:
    return Pair(
        passage(f"act_{number}", Tier.ACT, TEXT_A[language], language),
        passage(f"decree_{number}", Tier.DECREE, TEXT_B[language], language),
        (EdgeType.DELEGATES_TO,),
    )


GOOD = {
    "en": Draft(
        "Our depot took in forty drums of paint on Monday. How long does the keeper have left?",
        ("7 days", "14 days", "30 days", "60 days"),
        2,
        "The act leaves the period to the decree, which sets it.",
    ),
    "ko": Draft(
        "월요일에 도료 마흔 통을 들여왔습니다. 저장하는 사람은 며칠 안에 알려야 합니까?",
        ("7일 이내", "14일 이내", "30일 이내", "60일 이내"),
        2,
        "법률은 기간을 하위 법령에 맡기고, 하위 법령이 그 기간을 정합니다.",
    ),
}


def item(number: int = 1, language: str = "en", seed: int = 0, **changes: object) -> Mcq:
    values = {name: getattr(GOOD[language], name) for name in Draft.__dataclass_fields__}
    made = item_of(Draft(**values | changes), pair(number, language), seed)
    assert made is not None
    return made
