"""Candidates: what is cited first, then titles, then texts; every unit once with every reason."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from construction.mapping import (
    TEXT_DEPTH,
    Candidate,
    CandidateSet,
    Why,
    pooled,
    propose,
)
from corpus.citations.catalogue import Catalogue, CatalogueEntry
from corpus.model import Question, Tier, slug
from retrieval.core.model import Hit
from retrieval.lexical.bm25_method import BM25Index
from tests.corpus.citations.law import ACT, CATALOGUE, DECREE, OTHER, RULE, SUCCESSOR, entries, unit

OBSOLETE = "소방시설 설치ㆍ유지 및 안전관리에 관한 법률"
_LAW = [e for e in entries() if "부칙" not in e.unit_id]
_TEXTS = {unit(OTHER, "12조"): "등대의 불빛은 흰색이어야 한다", unit(OTHER, "13조"): "불빛의 세기"}
TITLES = BM25Index.fit(
    [e.unit_id for e in _LAW],
    [f"{e.title} 제{e.unit_id.rpartition('_')[2]} {e.heading}" for e in _LAW],
)
TEXTS = BM25Index.fit(
    [e.unit_id for e in _LAW],
    [f"{e.title} {e.heading} {_TEXTS.get(e.unit_id, '')}" for e in _LAW],
)


def candidates(answer: str, question: str = "무엇을 해야 하나요?", limit: int = 20) -> CandidateSet:
    asked = Question("1", question, answer, "ko")
    return propose(asked, CATALOGUE, TITLES, TEXTS, limit)


def test_resolved_units_come_first_in_the_order_of_the_answer() -> None:
    found = candidates(f"「{OTHER}」 제9조와 「{ACT}」 제5조제1항 및 제2항에 따른다.")
    assert [c.unit_id for c in found.candidates[:2]] == [unit(OTHER, "9조"), unit(ACT, "5조")]
    cited = [w for w in found.candidates[1].why if w.source == "citation"]
    assert [(w.citation, w.pinpoint) for w in cited] == [(1, "1항"), (1, "2항")]


def test_sources_stand_in_order_and_ranks_count_from_one() -> None:
    found = candidates(f"「{ACT}」 제5조에 따라 등대의 불빛은 흰색으로 한다.")
    order = {"citation": 0, "title": 1, "text": 2}
    first = [order[c.why[0].source] for c in found.candidates]
    assert first == sorted(first)
    assert [c.rank for c in found.candidates] == list(range(1, len(found.candidates) + 1))
    assert len({c.unit_id for c in found.candidates}) == len(found.candidates)


@pytest.mark.parametrize(
    ("answer", "first", "source"),
    [
        ("등대의 불빛은 흰색이어야 합니다.", unit(OTHER, "12조"), "text"),
        (f"「{DECREE}」 제99조에 따른다.", unit(DECREE, ""), "title"),  # which it lacks
        (f"「국제항로조약」 제12조, 「{DECREE}」 제99조에 따른다.", unit(DECREE, ""), "title"),
        (
            "「소방시설 설치ㆍ유지 및 안전관리에 관한 법률」 제23조",
            unit(SUCCESSOR, "23조"),
            "citation",
        ),
    ],
)
def test_where_no_unit_is_cited_it_is_searched_for(answer: str, first: str, source: str) -> None:
    found = candidates(answer)
    assert not any(one.targets for one in found.citations)
    assert found.candidates[0].unit_id.startswith(first)
    assert found.candidates[0].why[0].source == source


def test_the_limit_holds_but_never_cuts_what_is_cited() -> None:
    assert len(candidates(f"「{ACT}」 제1조", limit=5).candidates) == 5
    many = candidates(f"「{ACT}」 제1조부터 제20조까지", limit=5).candidates
    assert [c.why[0].source for c in many] == ["citation"] * 23


def test_what_the_question_names_is_an_antecedent_of_the_answer() -> None:
    found = candidates("법 제5조에 따릅니다.", f"「{ACT}」에 따른 등화인가요?")
    assert found.candidates[0].unit_id == unit(ACT, "5조")
    assert candidates("법 제5조에 따릅니다.").citations[0].targets == ()


def test_titles_bring_in_only_a_few_new_units() -> None:
    answer = " ".join(f"「{title}」 제99조." for title in (ACT, DECREE, RULE, OTHER))
    sources = [c.why[0].source for c in candidates(answer).candidates]
    assert sources.count("title") == 4
    searched = [w.citation for c in candidates(answer).candidates[:4] for w in c.why[:1]]
    assert searched == [0, 1, 2, 3]  # the best of every citation in turn


def test_units_of_an_instrument_named_alone_are_four_and_then_the_texts_go_on() -> None:
    found = candidates(f"「{RULE}」에 따라 등대의 불빛은 흰색이어야 합니다.").candidates
    own = [c.unit_id.startswith(unit(RULE, "")) for c in found]
    assert own[:5] == [True, True, True, True, False]
    assert found[4].unit_id == unit(OTHER, "12조") and found[4].why[0].rank == 1
    beside = candidates(f"「{RULE}」에 따르며, 「{OTHER}」 제99조에 따른다.").candidates
    assert (beside[0].why[0].source, beside[0].why[0].rank) == ("title", 1)


def test_an_instrument_with_a_place_elsewhere_is_not_named_alone() -> None:
    answer = f"「{RULE}」 제9조에 따르며, 「{RULE}」의 취지대로 등대의 불빛은 흰색이어야 합니다."
    texts = [c.why[0].rank for c in candidates(answer).candidates if c.why[0].source == "text"]
    assert texts == sorted(r for r in texts if r)


@pytest.mark.parametrize(("annexes", "offered"), [(4, 4), (5, 0)])
def test_few_units_that_remain_are_offered_and_many_are_not(annexes: int, offered: int) -> None:
    decree = "부표법 시행령"
    law = Catalogue(
        CatalogueEntry(slug(decree), decree, "", Tier.DECREE, f"{slug(decree)}_별표{n}")
        for n in range(1, annexes + 1)
    )
    asked = Question("1", "무엇인가요?", f"「{decree}」 별표 제4호", "ko")
    nothing = BM25Index.fit([], [])
    found = propose(asked, law, nothing, nothing)
    assert len(found.citations[0].unit_ids) == annexes
    assert len(found.candidates) == offered


class Deep:
    """The texts searched as deep as can be, whatever is asked; it notes how deep that was."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def search(self, query: str, k: int) -> Sequence[Hit]:
        self.asked.append(k)
        return TEXTS.search(query, TEXT_DEPTH)


@pytest.mark.parametrize(
    ("answer", "depth"),
    [
        ("등대의 불빛은 흰색이어야 합니다.", 5),
        (f"「{ACT}」 제5조에 따른다.", 5),
        (f"「{RULE}」에 따라 등대의 불빛은 흰색이어야 합니다.", TEXT_DEPTH),
    ],
)
def test_texts_are_searched_deep_where_an_instrument_is_named_alone(answer, depth) -> None:
    asked, deep = Question("1", "무엇을 해야 하나요?", answer, "ko"), Deep()
    assert propose(asked, CATALOGUE, TITLES, deep, 5) == candidates(answer, limit=5)
    assert deep.asked == [depth]


def _standards() -> tuple[Catalogue, BM25Index]:
    places = {
        "등명설비의 화재안전성능기준(NFPC 102)": {"4조": "수원", "5조": "배관"},
        "등명설비의 화재안전기술기준(NFTC 102)": {"2.1": "수원", "2.2": "배관"},
        "건축법": {"4조": "심의", "102조": "벌칙"},
    }
    made = [
        CatalogueEntry(slug(title), title, "", Tier.NOTICE, f"{slug(title)}_{place}", heading)
        for title, units in places.items()
        for place, heading in units.items()
    ]
    titles = [f"{e.title} {e.unit_id.rpartition('_')[2]} {e.heading}" for e in made]
    return Catalogue(made), BM25Index.fit([e.unit_id for e in made], titles)


@pytest.mark.parametrize(
    ("answer", "first"),
    [
        ("NFSC 102 제4조에 따른다.", ["성능기준 4조", "기술기준 2.1"]),
        ("NFSC 102 제77조, 배관", ["성능기준 5조"]),
        ("구 건축법 제102조에 따른다.", ["건축법 102조"]),
    ],
)
def test_superseded_and_former_law_offers_what_stands_there_now(
    answer: str, first: list[str]
) -> None:
    catalogue, index = _standards()
    found = propose(Question("1", "", answer, "ko"), catalogue, index, index)
    assert not any(one.targets for one in found.citations)
    for candidate, wanted in zip(found.candidates, first, strict=False):
        title, place = wanted.split(" ")
        assert title in candidate.unit_id
        assert candidate.unit_id.endswith(f"_{place}")


@pytest.mark.parametrize("cited", ["NFTC 777 2.1", "NFSC 102 제77조", "NFTC 102 9.9"])
def test_the_number_of_a_code_is_no_article(cited: str) -> None:
    catalogue, index = _standards()
    found = propose(Question("1", "", f"{cited}에 따른다.", "ko"), catalogue, index, index)
    titled = [c.unit_id for c in found.candidates for why in c.why if why.source == "title"]
    assert not any(unit.startswith("건축법") for unit in titled)


@pytest.mark.parametrize("name", ["수보법", "보전이용법", "이용관리법", "상기 보전관리법"])
@pytest.mark.parametrize(("tail", "title"), [("", ACT), (" 시행령", DECREE), (" 시행규칙", RULE)])
def test_places_of_what_an_unread_short_name_may_mean(name: str, tail: str, title: str) -> None:
    found = candidates(f"{name}{tail} 제7조에 따른다.")
    assert not any(one.targets for one in found.citations)
    assert found.candidates[0].unit_id == unit(title, "7조")
    assert found.candidates[0].why[0].source == "title"


def test_what_a_pointer_may_mean_instead_is_offered_behind_what_it_means() -> None:
    found = candidates(f"「{ACT}」 제5조제1항에 따르며, 법 제20조에 따른다.")
    places = [c.unit_id for c in found.candidates]
    assert places[:2] == [unit(ACT, "5조"), unit(ACT, "20조")]
    assert unit(DECREE, "20조") in places[:10]
    two = candidates(f"「{ACT}」 제5조에 따르며, 규칙 제4조에 따른다.").candidates
    kin = [(c.unit_id, w.rank) for c in two for w in c.why if w.source == "title" and not w.score]
    assert kin == [(unit(ACT, "4조"), 1), (unit(DECREE, "4조"), 2)]
    titled = candidates(f"「{ACT}」 제20조에 따른다.")
    assert not any(
        why.source == "title" and why.score is None for c in titled.candidates for why in c.why
    )


def test_labels_are_mixed_in_without_a_trace() -> None:
    """Labels found by text, found by title and not found at all are as the others are."""
    why = [Why("citation", citation=0), Why("title", 1, 2.0, 0)]
    texts = [Candidate(f"t{n}", n + 2, (Why("text", n, 9.0 / n),)) for n in range(1, 9)]
    cited = Candidate("c", 1, (why[0], Why("text", 40, 0.1)))
    proposed = CandidateSet((), (cited, Candidate("h", 2, (why[1],)), *texts))
    plain, mixed = (pooled(labels, proposed, "q1") for labels in ([], ["x", "h", "t8", "x"]))
    assert len(plain.candidates) == len(mixed.candidates) == 10
    assert [each.unit_id for each in mixed.candidates[:2]] == ["c", "h"]
    assert [each.why for each in mixed.candidates[:2]] == [(why[0],), (why[1],)]
    rest = mixed.candidates[2:]
    assert {each.why for each in rest} == {(Why("pool"),)}
    assert {each.unit_id for each in rest} == {"x", "t8", *(f"t{n}" for n in range(1, 7))}
    assert [each.rank for each in mixed.candidates] == list(range(1, 11))
    found = [[c.unit_id for c in pooled(["x"], proposed, f"q{n}").candidates] for n in range(60)]
    assert len({units.index("x") for units in found}) == 8  # every place, over questions
