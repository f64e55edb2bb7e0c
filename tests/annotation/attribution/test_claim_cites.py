"""What a claim of a free answer cites, and that nothing supports one that has nothing to cite."""

from __future__ import annotations

import pytest

from annotation.attribution.form import ReviewedClaim, review_case_in
from annotation.forms.form import answer
from services.attribution.items import make_review_items
from services.law.watch import unconfirmed
from storage.law.imports import keep_statutes
from storage.tasks import Task
from tests.projects.attribution_review_project import (
    SLUG,
    AttributionHouse,
    answered,
    build,
    law,
    submitted,
)
from tests.support.refusals import code_of

DIRECT, BARE = "「소방법」 제1조제2항에 따라 훈련을 한다.", "제2조에 따라 과태료를 낸다."
NAMELESS = "예, 그렇습니다."


def _claims(house: AttributionHouse, texts: list[str], footer: str = "") -> list[ReviewedClaim]:
    with house.ws.writing() as session:
        claims = [(each, ()) for each in texts]
        number = answered(session, 1, "q9", house.ws.clock(), (), claims, footer=footer)
    with house.ws.reading() as session:
        return list(review_case_in(session, 1, number, 1).claims)


@pytest.fixture
def house(tmp_path, clock) -> AttributionHouse:
    return build(tmp_path / "w", clock, answers=0)


def test_a_claim_is_beside_the_provision_that_its_words_name(house) -> None:
    first, second = _claims(house, [DIRECT, BARE])
    assert [(each.written, each.unit) for each in first.cited] == [("소방법_1조/2항", "소방법_1조")]
    assert "훈련" in first.cited[0].text
    assert [each.unit for each in second.cited] == ["소방법_2조"]  # of the law named before
    assert first.own and second.own


def test_a_claim_that_names_none_is_beside_what_the_answer_cites(house) -> None:
    first, second = _claims(house, [NAMELESS, DIRECT], "\n[참조] 소방법_2조")
    assert ([each.unit for each in first.cited], first.own) == (["소방법_2조"], False)
    assert ([each.unit for each in second.cited], second.own) == (["소방법_1조"], True)


def test_nothing_supports_a_claim_beside_which_no_provision_stands(house) -> None:
    (only,) = _claims(house, [NAMELESS])
    assert (only.cited, only.own) == ((), True)
    make_review_items(house.ws, SLUG)
    for said in ("yes", "partly", "no"):
        assert code_of(answer, house.ws, house.ann, 1, "supported_1", said) == "attribution_uncited"
    answer(house.ws, house.ann, 1, "supported_1", "uncited")


WAITING = "items resting on provisions amended since, not confirmed"


def test_what_a_claim_cites_is_watched(tmp_path, clock) -> None:
    house = build(tmp_path / "w", clock, answers=1)
    with house.ws.writing() as session:
        answered(session, 1, "q9", clock(), claims=[("아무 조문도 없다.", ())], labels=())
    make_review_items(house.ws, SLUG)
    for who in (house.ann, house.ben):
        submitted(house, who, house.items[0])
    assert unconfirmed(house.ws, SLUG, (Task.ATTRIBUTION,))[WAITING] == 0
    keep_statutes(house.ws, SLUG, law("① 관계인은 선임하지 아니할 수 있다."), "new")
    assert unconfirmed(house.ws, SLUG, (Task.ATTRIBUTION,))[WAITING] == 1
