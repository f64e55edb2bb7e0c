"""A little fictional law in which every rule of closure has something to add."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from corpus.graph.build import build_graph
from corpus.graph.model import Direction, Edge, EdgeType, Origin
from corpus.model import Level, Part, Statute, Tier, Unit


class LawInMemory:
    """A law whose provisions and edges are given."""

    def __init__(self, units: Iterable[Unit], edges: Iterable[Edge] = ()) -> None:
        """Index the provisions by id, the edges by their ends."""
        self._units = {each.semantic_id: each for each in units}
        self._out: dict[str, list[Edge]] = defaultdict(list)
        self._in: dict[str, list[Edge]] = defaultdict(list)
        self._statutes: dict[str, list[str]] = defaultdict(list)
        for unit in self._units.values():
            self._statutes[unit.statute_id].append(unit.semantic_id)
        for edge in edges:
            if edge.source != edge.target:
                self._out[edge.source].append(edge)
                self._in[edge.target].append(edge)

    def unit(self, unit_id: str) -> Unit | None:
        """Return a provision; None where there is none of that id."""
        return self._units.get(unit_id)

    def edges(
        self, unit_id: str, types: Collection[EdgeType], direction: Direction
    ) -> Sequence[Edge]:
        """Return the edges of the types at a provision, outgoing ones first."""
        found = list(self._out.get(unit_id, ())) if direction != "in" else []
        found += self._in.get(unit_id, ()) if direction != "out" else ()
        return [each for each in found if each.type in types]

    def beside(self, statute_id: str) -> Sequence[str]:
        """Return the ids of a statute's provisions as they were given."""
        return tuple(self._statutes.get(statute_id, ()))


ACT, DECREE, NOTICE = "나루법", "나루법-시행령", "나루-비용-기준"
REPORT, INSPECTION, RAFTS = (f"{ACT}_{number}조" for number in (1, 2, 3))
LOAD, APPROVAL = f"{ACT}_4조", f"{ACT}_5조"
FINE, PENALTY, JOINT = (f"{ACT}_{number}조" for number in (10, 11, 12))
CRITERIA = f"{DECREE}_7조"
UNIVERSITY, COMPANY = f"{NOTICE}_20조", f"{NOTICE}_30조"
GONE = f"{ACT}_9조"
_TEXTS: dict[str, Sequence[tuple[int, str, str]]] = {
    ACT: (
        (1, "운항 신고", "나룻배를 부리려는 자는 시장에게 신고하여야 한다."),
        (2, "안전검사", "① 나룻배는 매년 검사를 받아야 한다.\n② 시장은 검사증을 내준다."),
        (3, "뗏목", "뗏목에 관하여는 제2조를 준용한다."),
        (4, "정원", "정원을 초과하여 사람을 태워서는 아니 된다."),
        (5, "사전 승인", "부득이하게 정원을 넘기려는 자는 미리 시장의 승인을 받아야 한다."),
        (9, "", "삭제"),
        (10, "과태료", "제1조에 따른 신고를 하지 아니한 자에게는 과태료를 부과한다."),
        (11, "벌칙", "제2조제1항을 위반한 자는 1년 이하의 징역에 처한다."),
        (12, "양벌규정", "법인의 종업원이 제11조의 위반행위를 하면 법인에도 벌금형을 과한다."),
    ),
    DECREE: (
        (7, "과태료의 부과기준", "법 제10조에 따른 과태료의 부과기준은 다음과 같다."),
        (8, "과태료의 부과 절차", "법 제10조에 따른 과태료는 고지한 날부터 30일 안에 낸다."),
        (9, "수수료", "법 제2조에 따른 수수료는 별표 1과 같다."),
    ),
    NOTICE: (
        (20, "대학의 간접비", "대학은 간접비를 직접비의 100분의 20 이내에서 계상한다."),
        (30, "기업의 간접비", "기업은 간접비를 직접비의 100분의 10 이내에서 계상한다."),
    ),
}
_TITLES = {
    ACT: ("나루법", "act", Tier.ACT),
    DECREE: ("나루법 시행령", "decree", Tier.DECREE),
    NOTICE: ("나루 비용 기준", "notice", Tier.NOTICE),
}
GROUPS = f"""\
slots:
- {{key: university, label: {{en: University, ko: 대학}}}}
- {{key: company, label: {{en: Company, ko: 기업}}}}
groups:
- key: indirect_costs
  label: {{en: Indirect costs, ko: 간접비}}
  tier: notice
  members:
  - {{slot: university, unit: {UNIVERSITY}}}
  - {{slot: company, unit: {COMPANY}}}
"""


def law(change: str = "") -> list[Statute]:
    """Return an act, its decree and a notice; `change` is added to the article on inspection."""
    found = []
    for statute, (title, kind, tier) in _TITLES.items():
        units = tuple(
            _unit(statute, number, heading, text + (change if number == 2 else ""))
            for number, heading, text in _TEXTS[statute]
        )
        about = statute, title, kind, tier, "ko", units
        found.append(Statute(*about, file=f"{statute}.md"))
    return found


def in_memory(*more: Edge) -> LawInMemory:
    """Return the law with the edges that are read in it, the parallel group, and `more`."""
    statutes = law()
    pairs = ((UNIVERSITY, COMPANY), (COMPANY, UNIVERSITY))
    parallel = [
        Edge(*pair, EdgeType.PARALLEL, Origin.DECLARED, term="indirect_costs") for pair in pairs
    ]
    edges = [each for each in build_graph(statutes).edges if each.type is not EdgeType.PART_OF]
    return LawInMemory((u for one in statutes for u in one.units), [*edges, *parallel, *more])


def _unit(statute: str, number: int, heading: str, text: str) -> Unit:
    marks = [each.start() for each in re.finditer("[①②]", text)]
    ends = [*marks[1:], len(text)]
    parts = tuple(Part(f"{n}항", *span) for n, span in enumerate(zip(marks, ends, strict=False), 1))
    return Unit(
        f"{statute}_{number}조",
        statute,
        Level.ARTICLE,
        f"제{number}조",
        heading=heading,
        text=text,
        order=number,
        parts=parts,
        deleted=text == "삭제",
    )
