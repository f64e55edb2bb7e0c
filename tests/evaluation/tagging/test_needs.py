from __future__ import annotations

from evaluation.tagging.agreement import FactorAgreement, agreement
from evaluation.tagging.needs import Why, needs
from evaluation.tagging.ratings import Question
from tests.evaluation.tagging.test_agreement import said


def factor(key: str, rows: list[tuple[str, str]]) -> FactorAgreement:
    question = Question(key, ("yes", "no"), exclusive=True, silent="not_stated")
    return agreement(question, said([(a, b) for a, b in rows]))


ALIKE = [("yes", "yes"), ("no", "no")] * 20
TORN = [("yes", "no"), ("no", "yes"), ("yes", "yes")] * 10


def test_the_lowest_bound_comes_first_and_what_is_well_defined_is_not_named() -> None:
    some = factor("some", [*ALIKE, *[("yes", "no")] * 12])
    found = needs([factor("good", ALIKE), some, factor("torn", TORN)], {})
    assert [each.key for each in found] == ["torn", "some"]
    assert Why.LOW in found[0].reasons
    assert Why.DIFFER in found[0].reasons


def test_what_has_no_bound_follows_by_how_often_people_differ_then_by_comments() -> None:
    asked = factor("asked", [("yes", "")])
    spoken, silent = factor("spoken", ALIKE[:2]), factor("silent", [("not_stated",) * 2] * 10)
    found = needs([asked, silent, spoken], {"spoken": 3})
    assert [each.key for each in found] == ["spoken", "asked", "silent"]
    assert [each.reasons for each in found] == [(Why.COMMENTS,), (Why.CONDITION,), (Why.UNSTATED,)]


def test_one_difference_alone_is_no_reason() -> None:
    assert needs([factor("once", [("yes", "no")])], {}) == ()
