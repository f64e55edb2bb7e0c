"""Which references a sentence applies: shapes of real sentences, in fictional words."""

from __future__ import annotations

import gc
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.citations.model import Status
from corpus.graph.application import applied
from corpus.graph.build import GraphBuild, build_graph, graph_of, nodes_of
from corpus.graph.model import Edge, EdgeType, Form, Origin, Reference
from corpus.graph.resolve import find_in_law
from corpus.importers.legalize_kr import read_tree
from corpus.model import Link, Statute
from tests.corpus.graph.ferry_law import ACT, DECREE, RULE, ferry_law, one_article
from tests.support.examples import scaled


def references(text: str, language: str = "ko") -> list[Reference]:
    return [
        Reference("u", c.start, c.end, c.text, Status.UNRESOLVED, None, (), Form.OWN)
        for c in find_in_law(text, language)
    ]


def applying(text: str, language: str = "ko") -> list[str]:
    found = references(text, language)
    starts = applied(text, found)
    return [one.text for one in found if one.start in starts]


APPLIED = """
제3조에 따른 나룻배에 관하여는 ⟦제5조⟧를 준용한다.
제2항에 따라 등록한 사공에 대하여는 ⟦제5조⟧, ⟦제7조제2항⟧ 및 ⟦제9조⟧를 준용한다.
제2항에도 불구하고 나루에는 ⟦제5조부터 제8조까지⟧의 규정을 준용한다.
⟦제5조⟧의 규정은 제3조에 따른 나루에 이를 준용한다.
⟦제5조⟧와 ⟦제6조⟧는 제3조의 경우에 준용한다.
제3항은 제4조의 나루에 ⟦제5조⟧를 준용한다.
나루의 검사에는 ⟦제5조제2항⟧(제1호는 제외한다)을 각각 준용한다.
그 방법에 관하여는 ⟦제5조⟧에 따른 검사 방법을 준용한다.
제3조의 나룻배에는 ⟦제5조⟧를 적용한다.
제3조의 나룻배에는 제5조를 적용하지 아니한다.
제5조제1항(제7조에서 준용하는 경우를 포함한다)을 위반한 자
제3항의 통지를 받으면 지체 없이 제5조에서 준용하는 바에 따른다.
이 경우 ⟦제5조제1항⟧ 중 "사공"은 "뱃사람"으로 본다.
제3조에 따라 신고한 경우에는 ⟦제5조⟧에 따른 허가를 받은 것으로 본다.
제3항에 따른 기간에 알리지 아니하면 승인한 것으로 본다.
제5조에 따른 보고를 거짓으로 보고한 자
제5조에 따른다. ⟦제7조⟧를 준용한다. ⏎ 제8조를 본다.
⟦Article 5(2)⟧ applies mutatis mutandis to ferries under Article 3.
⟦Articles 5⟧ and ⟦7⟧ shall apply mutatis mutandis.
A person notified under Article 3 is deemed to have permission under ⟦Article 5⟧.
Article 5 applies to ferries.
"""


@pytest.mark.parametrize("line", APPLIED.strip().splitlines())
def test_only_what_the_sentence_applies_counts(line: str) -> None:
    text = re.sub("[⟦⟧]", "", line).replace(" ⏎ ", "\n")
    language = "en" if text.isascii() else "ko"
    assert applying(text, language) == re.findall("⟦(.*?)⟧", line)


_WORDS = (
    "제1조|제2조제1항|제3조부터 제5조까지|같은 조 제2항|같은 항|전조|전항|「나루안전법」|법 제5조|"
    "「어디에도없는법」 제3조|같은 법 시행령|이 영|영 제2조|별표 1|별지 제1호서식|제1호|가목|(|)|"
    '"|및 |, |에 따라 |을 준용한다. |로 본다| 중 "갑"은 |(이하 "법"이라 한다)|제99조|\n|'
    "대통령령으로 정하는 |  1. |<개정 2020.1.1 제7조>"
)
BUILD_PIECES = _WORDS.split("|")


def of_type(built: GraphBuild, kind: EdgeType) -> list[Edge]:
    return [edge for edge in built.edges if edge.type is kind]


def ends(edges: list[Edge]) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in edges}


def check(statutes: list[Statute], built: GraphBuild) -> None:
    """Hold a graph to what is true of every graph."""
    nodes = nodes_of(statutes)
    texts = {unit.semantic_id: unit.text for one in statutes for unit in one.units}
    for one in built.references:
        assert texts[one.unit_id][one.start : one.end] == one.text != ""
        assert bool(one.targets) == (one.status is Status.RESOLVED) == (one.reason is None)
        assert all(target.unit_id in texts for target in one.targets)
    for edge in built.edges:
        assert edge.source in nodes and edge.target in nodes
        if edge.type is EdgeType.PART_OF:
            assert (edge.start, edge.end, edge.origin) == (0, 0, Origin.STRUCTURE)
        else:
            assert 0 <= edge.start < edge.end <= len(texts[edge.source])
    down = sorted(ends(of_type(built, EdgeType.DELEGATES_TO)))
    assert down == sorted((b, a) for a, b in ends(of_type(built, EdgeType.SPECIFIES)))
    cited = {(one.unit_id, t.unit_id, one.start) for one in built.references for t in one.targets}
    kinds = (EdgeType.REFERENCES, EdgeType.REQUIRES_FORM, EdgeType.APPLIES, EdgeType.SPECIFIES)
    for kind in kinds:
        assert {(e.source, e.target, e.start) for e in of_type(built, kind)} <= cited
    assert {(e.source, e.target, e.start) for e in of_type(built, EdgeType.REFERENCES)} == cited


def test_paragraphs_are_part_of_their_unit_and_units_of_their_statute() -> None:
    law = ferry_law()
    found = ends(of_type(build_graph(law), EdgeType.PART_OF))
    wholes = {(unit.semantic_id, one.semantic_id) for one in law for unit in one.units}
    assert wholes < found
    act, decree = f"{ACT}_5조", f"{DECREE}_3조"
    below = {(f"{act}/{n}항", act) for n in (1, 2, 3)} | {
        (f"{decree}/{n}항", decree) for n in (1, 2)
    }
    assert found - wholes == below | {(f"{ACT}_2조/{n}호", f"{ACT}_2조") for n in (1, 2)}


def test_delegation_comes_as_a_pair_and_keeps_both_spans() -> None:
    law = ferry_law()
    built = build_graph(law)
    texts = {unit.semantic_id: unit.text for one in law for unit in one.units}
    down = of_type(built, EdgeType.DELEGATES_TO)
    assert ends(down) == {(f"{ACT}_5조", f"{DECREE}_3조"), (f"{ACT}_5조", f"{RULE}_2조")}
    words = {e.target: texts[e.source][e.start : e.end] for e in down}
    assert words[f"{DECREE}_3조"] == "대통령령으로 정하는 구명조끼"
    assert words[f"{RULE}_2조"] == "국토교통부령으로 정"
    up = {e.source: texts[e.source][e.start : e.end] for e in of_type(built, EdgeType.SPECIFIES)}
    assert up == {f"{DECREE}_3조": "법 제5조제1항", f"{RULE}_2조": "법 제5조제2항"}


def test_delegation_needs_the_words_in_the_paragraph_named() -> None:
    built = build_graph(ferry_law())
    assert (f"{ACT}_4조", f"{DECREE}_3조") not in ends(of_type(built, EdgeType.DELEGATES_TO))
    pinpoints = {e.target: (e.part, e.pinpoint) for e in of_type(built, EdgeType.DELEGATES_TO)}
    assert pinpoints[f"{DECREE}_3조"] == ("1항", "1항")


def test_forms_and_application() -> None:
    built = build_graph(ferry_law())
    assert ends(of_type(built, EdgeType.REQUIRES_FORM)) == {(f"{RULE}_2조", f"{RULE}_별지1서식")}
    assert ends(of_type(built, EdgeType.APPLIES)) == {
        (f"{ACT}_3조", f"{ACT}_5조"),
        (f"{ACT}_3조", f"{ACT}_5조의2"),
        (f"{ACT}_4조", f"{ACT}_5조"),
    }


def test_what_takes_up_one_paragraph_in_decree_and_rule_co_specifies() -> None:
    law = ferry_law()
    assert of_type(build_graph(law), EdgeType.CO_SPECIFIES) == []
    rule = law[2]
    text = "법 제5조제1항에 따라 국토교통부령으로 정하는 구명조끼를 둔다."
    other = replace(rule.units[1], text=text, parts=())
    act_article = law[0].units[4]
    both = act_article.text.replace(
        "대통령령으로 정하는", "대통령령으로 정하는 것과 부령으로 정하는"
    )
    first = replace(act_article, text=both.replace("부령으로", "국토교통부령으로"), parts=())
    act = replace(law[0], units=(*law[0].units[:4], first))
    built = build_graph([act, law[1], replace(rule, units=(rule.units[0], other))])
    assert ends(of_type(built, EdgeType.CO_SPECIFIES)) == {(f"{DECREE}_3조", f"{RULE}_2조")}


def test_a_link_over_a_reference_is_its_origin() -> None:
    law = one_article("제3조와 제4조에 따른다.")
    last = replace(law[0].units[-1], links=(Link(0, 3, "/law/3"),))
    built = build_graph([replace(law[0], units=(*law[0].units[:-1], last))])
    origins = {e.target: e.origin for e in of_type(built, EdgeType.REFERENCES)}
    assert origins == {f"{ACT}_3조": Origin.HYPERLINK, f"{ACT}_4조": Origin.TEXT}


def test_the_order_of_the_statutes_makes_no_difference() -> None:
    law = ferry_law()
    whole = build_graph(law)
    check(law, whole)
    assert len(graph_of(law, whole).edges) == len(whole.edges)
    for seed in range(5):
        random.Random(seed).shuffle(law)
        assert build_graph(law) == whole
    assert build_graph([]) == GraphBuild()


LETTERS = st.text(alphabet='제조항호목의법영별표지같은동전 0123456789「」()"①.\n', max_size=80)


@settings(max_examples=scaled(200), deadline=None)
@given(
    st.lists(st.sampled_from(BUILD_PIECES), max_size=14).map("".join) | LETTERS,
    st.lists(st.sampled_from(BUILD_PIECES), max_size=9).map("".join),
)
def test_any_wording_gives_a_sound_graph(one: str, other: str) -> None:
    lines = f"**①** {one}\n**②** {other}".split("\n")
    law = [*one_article(*lines), *ferry_law()[1:]]
    check(law, build_graph(law))


@pytest.mark.long
@pytest.mark.real_data
def test_the_fire_safety_statutes(shared_data: Path) -> None:
    law = read_tree(shared_data / "korean-law" / "fire-safety")
    built = build_graph(law)
    check(law, built)
    counts = {kind: len(of_type(built, kind)) for kind in EdgeType}
    units = [unit for one in law for unit in one.units]
    assert counts[EdgeType.PART_OF] == len(units) + sum(len(unit.paragraphs()) for unit in units)
    assert counts[EdgeType.REFERENCES] > 25_000
    assert counts[EdgeType.DELEGATES_TO] == counts[EdgeType.SPECIFIES] > 2_000
    lost = [
        one
        for one in built.references
        if one.reason in ("no_such_place", "no_antecedent", "several_match")
    ]
    assert len(lost) < len(built.references) / 1_000
    elevators = [
        one
        for one in built.references
        if one.unit_id == "건축법-시행령_89조" and one.text == "법 제64조제1항"
    ]
    assert {t.unit_id for one in elevators for t in one.targets} == {"건축법_64조"}


def test_the_search_for_garbage_goes_on_after_a_build() -> None:
    def stop(_done: int, _total: int) -> None:
        assert not gc.isenabled()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_graph(ferry_law(), stop)
    assert gc.isenabled()
