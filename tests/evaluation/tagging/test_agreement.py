from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.agreement.kappa import CohenKappa, GwetAC, KrippendorffAlpha
from evaluation.agreement.ratings import Ratings, Reason, Scale, measure
from evaluation.tagging.accuracy import Question, Said
from evaluation.tagging.agreement import FactorAgreement, Why, agreement, needs

ONE = Question("weapon", ("none", "knife", "gun"), exclusive=True, silent="not_stated")
GRADED = Question("harm", ("light", "grave", "death"), True, ordered=True, silent="not_stated")
MANY = Question("motives", ("money", "revenge", "fear"), exclusive=False, silent="not_stated")


def said(rows: Sequence[tuple[str, ...]], *people: str) -> list[Said]:
    """Each row is a case: an answer per person, options joined by +, "" for not asked."""
    return [
        (case, person, frozenset(answer.split("+")) if answer else None)
        for case, row in enumerate(rows)
        for person, answer in zip(people or ("a", "b"), row, strict=True)
    ]


def test_counts_of_a_sub_factor() -> None:
    rows = [("knife", "knife"), ("knife", "gun"), ("none", ""), ("spear", "none"), ("", "")]
    found = agreement(ONE, said(rows))
    assert (found.cases, found.paired, found.differing) == (4, 2, 1)
    assert (found.asked_of_some, found.stale) == (1, 1)
    assert found.raw.figure.value == 0.5
    assert dict(found.prevalence)["knife"].value == pytest.approx((1 + 0.5 + 0 + 0) / 4)
    assert dict(found.prevalence)["knife"].n == 4


def test_statistics_are_those_of_agreement_over_all_choices() -> None:
    rows = [("knife", "knife"), ("gun", "knife"), ("not_stated", "not_stated"), ("none", "none")]
    found = agreement(ONE, said(rows), resamples=50)
    plain = [(case, who, next(iter(x))) for case, who, x in said(rows) if x]
    ratings = Ratings.of(plain, Scale.NOMINAL, ONE.choices)
    for mine, statistic in (
        (found.kappa, CohenKappa()),
        (found.alpha, KrippendorffAlpha()),
        (found.ac1, GwetAC()),
    ):
        assert mine == measure(ratings, statistic, 50)
    assert found.unstated.value == 0.25


def test_every_statistic_of_a_row_is_of_the_same_answers() -> None:
    """One of four differs, in whether anything is stated: alpha was 1.000 where kappa was .556."""
    rows = [("light", "light"), ("death", "death"), ("not_stated", "light"), ("light", "light")]
    more = [("grave", ""), ("", "")]
    found = agreement(GRADED, said([*rows, *more]), resamples=0)
    alone = agreement(GRADED, said(rows), resamples=0)
    row = (found.raw, found.kappa, found.alpha, found.ac1)
    assert [each.figure.n for each in row] == [4] * 4
    assert row == (alone.raw, alone.kappa, alone.alpha, alone.ac1), "a lone answer is in none"
    assert found.alpha.statistic == "alpha_nominal"
    assert found.raw.figure.value == 0.75
    assert found.kappa.figure.value == pytest.approx(5 / 9)
    assert (found.alpha.figure.value or 0) < 0.7


def test_an_order_counts_in_a_figure_of_its_own_over_what_is_stated() -> None:
    rows = [("light", "light"), ("grave", "death"), ("not_stated", "light"), ("death", "death")]
    found = agreement(GRADED, said(rows), resamples=0)
    assert found.ordered is not None
    assert (found.ordered.statistic, found.ordered.figure.n) == ("alpha_ordinal", 3)
    assert agreement(ONE, said([("knife", "knife")]), resamples=0).ordered is None


def test_several_options_compare_as_sets() -> None:
    rows = [("money+fear", "money"), ("revenge", "revenge"), ("not_stated", "not_stated")]
    found = agreement(MANY, said(rows))
    assert found.alpha.statistic == "alpha_masi"
    assert (found.kappa.reason, found.ac1.reason) == (Reason.SCALE, Reason.SCALE)
    assert found.paradox is None
    skewed = agreement(ONE, said([("gun", "gun")] * 18 + [("gun", "knife")] * 2), resamples=0)
    assert skewed.paradox is not None and skewed.paradox.params["share"] == "95 %"
    assert found.likeness is not None
    assert found.likeness.figure.value == pytest.approx((0.5 + 1 + 1) / 3)


def test_two_people_have_cohens_kappa_and_more_have_fleiss() -> None:
    two = agreement(ONE, said([("knife", "gun"), ("none", "none")]), resamples=0)
    rows = [("knife", "gun", ""), ("none", "", "none"), ("", "gun", "gun")]
    three = agreement(ONE, said(rows, "a", "b", "c"), resamples=0)
    assert two.kappa.statistic == "cohen_kappa"
    assert three.kappa.statistic == "fleiss_kappa"
    assert three.kappa.figure.n == 3


def test_nothing_said_is_no_figure() -> None:
    found = agreement(ONE, [])
    assert (found.cases, found.open_share) == (0, 0.0)
    assert found.raw.reason is Reason.NO_PAIRS
    assert found.unstated.value is None


@given(
    st.lists(
        st.tuples(*[st.sampled_from(["", "none", "knife", "gun", "not_stated"])] * 2), max_size=12
    )
)
def test_differing_is_what_raw_agreement_lacks(rows: list[tuple[str, str]]) -> None:
    found = agreement(ONE, said(rows), resamples=0)
    both = sum(bool(a) and bool(b) for a, b in rows)
    assert found.paired == both
    if both:
        assert found.raw.figure.value == pytest.approx(1 - found.differing / both)
    options = sum(figure.value or 0 for _, figure in found.prevalence)
    assert options + (found.unstated.value or 0) == pytest.approx(1 if found.cases else 0)


def factor(key: str, rows: list[tuple[str, str]]) -> FactorAgreement:
    question = Question(key, ("yes", "no"), exclusive=True, silent="not_stated")
    return agreement(question, said([(a, b) for a, b in rows]))


ALIKE = [("yes", "yes"), ("no", "no")] * 20
TORN = [("yes", "no"), ("no", "yes"), ("yes", "yes")] * 10


def test_the_lowest_bound_comes_first_and_what_is_well_defined_is_not_named() -> None:
    some, fewer = (factor("some", [*ALIKE[:n], *[("yes", "no")] * 2]) for n in (8, 9))
    found = needs([factor("good", ALIKE), some, fewer, factor("torn", TORN)], {})
    assert [each.key for each in found] == ["torn", "some", "some"]
    assert [Why.DIFFER in each.reasons for each in found] == [True, True, False]
    assert Why.LOW in found[0].reasons


def test_what_has_no_bound_follows_by_how_often_people_differ_then_by_comments() -> None:
    asked = factor("asked", [("yes", "")])
    spoken, stale = factor("spoken", ALIKE[:2]), factor("stale", [("yes", "gone"), *ALIKE])
    silent = [factor("silent", [("not_stated",) * 2] * 9 + ALIKE[:n]) for n in range(3)]
    found = needs([asked, *silent, spoken, stale], {"spoken": 3})
    assert [(each.key, each.reasons) for each in found] == [
        *[("spoken", (Why.COMMENTS,)), ("asked", (Why.CONDITION,))],
        *[("silent", (Why.UNSTATED,)), ("stale", (Why.STALE,))],
    ]


def test_one_difference_alone_is_no_reason() -> None:
    assert needs([factor("once", [("yes", "no")])], {}) == ()


def test_pairs_of_answers_are_counted_with_equal_ones_first() -> None:
    rows = [("gun", "knife", "gun"), ("none", "none", "")]
    found = agreement(ONE, said(rows, "a", "b", "c"), resamples=0)
    assert [(one[0], other[0], n) for one, other, n in found.pairs] == [
        ("none", "none", 1), ("knife", "knife", 0), ("gun", "gun", 1), ("knife", "gun", 2),
    ]  # fmt: skip
