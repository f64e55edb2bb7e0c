"""A fictional act with its decree and rule, whose articles cite one another in every form."""

from __future__ import annotations

from corpus.importers.statutes.segments import segment
from corpus.model import Level, Statute, Tier, Unit

ACT, DECREE, RULE = "나루안전법", "나루안전법-시행령", "나루배-검사에-관한-규칙"


def article(statute: str, place: str, order: int, *lines: str) -> Unit:
    """Return an article whose parts are read from its Markdown lines."""
    text, parts = segment(lines, "ko")
    base, _, branch = place.partition("조")
    label = f"제{base}조{branch}"
    return Unit(f"{statute}_{place}", statute, Level.ARTICLE, label, "", text, order, parts=parts)


def statute(name: str, title: str, tier: Tier, *units: Unit) -> Statute:
    """Return a Korean statute."""
    return Statute(name, title, tier.name.lower(), tier, "ko", units)


def one_article(*lines: str, others: int = 9) -> list[Statute]:
    """Return an act whose article 10 has these lines, after `others` articles without citations."""
    empty = [article(ACT, f"{n}조", n, "나룻배는 안전하여야 한다.") for n in range(1, others + 1)]
    last = article(ACT, f"{others + 1}조", others + 1, *lines)
    return [statute(ACT, "나루안전법", Tier.ACT, *empty, last)]


def ferry_law() -> list[Statute]:
    """Return the three statutes."""
    return [_act(), _decree(), _rule()]


def _act() -> Statute:
    units = (
        article(ACT, "1조", 0, "이 법은 나룻배의 안전을 정한다."),
        article(
            ACT,
            "2조",
            1,
            "이 법에서 사용하는 용어의 뜻은 다음과 같다.",
            '  1. "나룻배"란 나루를 건너는 배를 말한다.',
            '  2. "사공"이란 제1호의 나룻배를 모는 사람을 말한다.',
        ),
        article(ACT, "3조", 2, "전조에 따른 나룻배에는 제5조부터 제5조의2까지를 적용한다."),
        article(ACT, "4조", 3, "사공에 관하여는 제5조제2항을 준용한다."),
        article(
            ACT,
            "5조",
            4,
            "**①** 나룻배에는 대통령령으로 정하는 구명조끼를 갖추어야 한다. <개정 2020.1.1>",
            "**②** 제1항에 따른 나룻배는 국토교통부령으로 정하는 바에 따라 검사를 받아야 한다.",
            "**③** 전항의 검사에는 같은 항에 따른 수수료를 낸다. <개정 2021.1.1 제9조>",
            "[제4조에서 이동 <2020.1.1>]",
        ),
        article(ACT, "5조의2", 5, "「어디에도없는법」 제3조 및 제4조에 따른다."),
    )
    return statute(ACT, "나루안전법", Tier.ACT, *units)


def _decree() -> Statute:
    units = (
        article(DECREE, "1조", 0, '이 영은 「나루안전법」(이하 "법"이라 한다)의 시행을 정한다.'),
        article(
            DECREE, "2조", 1, "사공의 자격은 별표 1과 같다. 이 영 제3조와 법 제2조제2호를 본다."
        ),
        article(
            DECREE,
            "3조",
            2,
            '**①** 법 제5조제1항에서 "대통령령으로 정하는 구명조끼"란 별표 1의 것을 말한다.',
            "**②** 같은 법 제4조에 따른 사공은 같은 조에도 불구하고 제1항을 따른다.",
        ),
        Unit(f"{DECREE}_별표1", DECREE, Level.ANNEX, "별표 1", "구명조끼", "", 3),
    )
    return statute(DECREE, "나루안전법 시행령", Tier.DECREE, *units)


def _rule() -> Statute:
    units = (
        article(
            RULE,
            "1조",
            0,
            '이 규칙은 「나루안전법」(이하 "법"이라 한다)과 '
            '같은 법 시행령(이하 "영"이라 한다)을 시행한다.',
        ),
        article(RULE, "2조", 1, "법 제5조제2항에 따라 검사를 받으려는 자는 별지 제1호서식을 낸다."),
        article(RULE, "3조", 2, "영 제3조제1항에 따른 구명조끼는 영 별표 1에 따른다."),
        Unit(f"{RULE}_별지1서식", RULE, Level.FORM, "별지 제1호서식", "검사 신청서", "", 3),
    )
    return statute(RULE, "나루배 검사에 관한 규칙", Tier.RULE, *units)
