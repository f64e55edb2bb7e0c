"""Short statutes to compare, and strategies that make others."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from corpus.model import Level, Statute, Tier, Unit, place_id

LAMP = "나룻배를 운항하는 사람은 해가 진 뒤부터 해가 뜰 때까지 등불을 켜야 한다."
VEST = "선장은 승객의 수보다 열 벌 많은 구명조끼를 갖추고 달마다 점검하여야 한다."
FARE = "뱃삯은 시장이 정하되 주민의 의견을 들어야 하며 그 결과를 누리집에 싣는다."
ICE = "강이 얼면 도선사는 얼음의 두께를 재어 기록하고 두께가 모자라면 배를 띄우지 아니한다."


def article(number: str, text: str, heading: str = "", statute: str = "나루법") -> Unit:
    """Return an article; its order is its number."""
    base, _, branch = number.partition("의")
    return Unit(
        semantic_id=f"{statute}_{place_id(Level.ARTICLE, number)}",
        statute_id=statute,
        level=Level.ARTICLE,
        label=f"제{base}조" + (f"의{branch}" if branch else ""),
        heading=heading,
        text=text,
        order=int(base) * 100 + int(branch or 0),
    )


def deleted(number: str) -> Unit:
    """Return an article that is only marked as deleted."""
    return replace(article(number, "삭제 <2026. 1. 1.>"), deleted=True)


def statute(*units: Unit, title: str = "나루법") -> Statute:
    """Return a statute with these units, which take over its name."""
    own = tuple(
        replace(unit, statute_id=title, semantic_id=title + unit.semantic_id.removeprefix("나루법"))
        for unit in units
    )
    return Statute(title, title, "법률", Tier.ACT, "ko", own)


TEXTS = st.sampled_from([LAMP, VEST, FARE, ICE, LAMP + " " + VEST, LAMP[:-6], "삭제", ""])
NUMBERS = st.sampled_from(["1", "2", "2의2", "3", "4", "5"])
UNITS = st.builds(
    lambda number, text, gone: replace(article(number, text), deleted=gone),
    NUMBERS,
    TEXTS,
    st.booleans(),
)
STATUTES = st.builds(
    lambda title, units: statute(*units, title=title),
    st.sampled_from(["나루법", "강법", "배법"]),
    st.lists(UNITS, max_size=6, unique_by=lambda unit: unit.semantic_id),
)
LAWS = st.lists(STATUTES, max_size=3, unique_by=lambda each: each.semantic_id)
