from __future__ import annotations

from typing import Any

import pytest

from evaluation.agreement.interpretation import (
    FEW,
    STATISTICS,
    Verdict,
    few,
    next_step,
    paradox,
    read,
    recommended,
    recommended_for,
    verdict,
)
from evaluation.agreement.ratings import Finding, Reason, Scale, measure
from evaluation.figure import Figure
from messages import catalogue
from tests.evaluation.agreement.examples import by_item, of_table

CASES = [(scale, raters, gaps) for scale in Scale for raters in (2, 3, 8) for gaps in (True, False)]
VALUES: dict[Scale, list[Any]] = {
    Scale.NOMINAL: ["a", "b"],
    Scale.ORDINAL: ["a", "b"],
    Scale.INTERVAL: [1, 2],
    Scale.SETS: [frozenset("a"), frozenset("ab")],
}


@pytest.mark.parametrize(("scale", "raters", "gaps"), CASES)
def test_what_is_recommended_applies(scale: Scale, raters: int, gaps: bool) -> None:
    one, other = VALUES[scale]
    rows = [[one] * raters, [other] * raters, [one] * (raters - 1) + [None if gaps else other]]
    ratings = by_item(rows, scale, VALUES[scale])
    advice = recommended_for(ratings)
    assert advice == recommended(scale, raters, gaps)
    assert advice.why in catalogue()
    assert advice.all[0] == advice.main
    assert STATISTICS["raw"] in advice.beside
    for statistic in advice.all:
        assert measure(ratings, statistic, resamples=0).reason in (None, Reason.NO_VARIATION)


def test_the_first_choice_for_each_kind_of_task() -> None:
    main = {case: recommended(*case).main.key for case in CASES}
    assert main[Scale.NOMINAL, 2, False] == "cohen_kappa"
    assert main[Scale.NOMINAL, 3, False] == "fleiss_kappa"
    assert main[Scale.NOMINAL, 8, True] == "alpha_nominal"
    assert main[Scale.ORDINAL, 2, False] == "cohen_kappa_quadratic"
    assert main[Scale.ORDINAL, 2, True] == main[Scale.ORDINAL, 8, False] == "alpha_ordinal"
    assert main[Scale.INTERVAL, 3, True] == "alpha_interval"
    assert main[Scale.SETS, 2, False] == "alpha_masi"


def test_every_statistic_is_found_by_its_key_and_has_its_words() -> None:
    for key, statistic in STATISTICS.items():
        assert statistic.key == key
        assert {f"statistics.name.{key}", f"statistics.about.{key}"} <= set(catalogue())


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.8, 1.0, Verdict.HIGH),
        (0.7999, 1.0, Verdict.MIDDLE),
        (0.667, 0.7, Verdict.MIDDLE),
        (0.6669, 0.9, Verdict.UNCLEAR),
        (-0.028, 1.0, Verdict.UNCLEAR),
        (0.1, 0.6669, Verdict.LOW),
        (-0.4, -0.1, Verdict.LOW),
        (None, None, Verdict.UNKNOWN),
    ],
)
def test_a_verdict_needs_the_whole_interval_and_is_the_same_for_every_statistic(
    low: float | None, high: float | None, expected: Verdict
) -> None:
    value = 0.0 if low is None or high is None else (low + high) / 2
    for statistic in ("alpha_masi", "cohen_kappa", "ac1"):
        figure = Figure(statistic, value, 60, low, high)
        assert verdict(figure) is expected
        assert read(Finding(figure))[0].key == f"statistics.reading.beyond_chance.{expected}"


def test_a_finding_says_its_value_and_how_certain_it_is() -> None:
    value, certainty = read(Finding(Figure("alpha_masi", 0.83, 120, 0.81, 0.86)))
    assert value.key == "statistics.reading.beyond_chance.high"
    assert "Krippendorff" in value.say()
    assert certainty.key == "statistics.certainty.settled"
    assert "0.81 and 0.86" in certainty.say()
    assert "n = 120" in certainty.say("ko")


def test_an_interval_of_few_items_is_said_to_be_rough_but_wilsons_is_not() -> None:
    few = Figure("ac1", 0.83, 49, 0.81, 0.86)
    assert read(Finding(few))[-1].key == "statistics.certainty.few"
    assert len(read(Finding(Figure("ac1", 0.83, 50, 0.81, 0.86)))) == 2
    assert len(read(Finding(Figure("calibration", 0.8, 5, 0.3, 0.9)))) == 2


def test_an_interval_across_the_bound_says_that_n_is_too_small() -> None:
    value, *others = read(Finding(Figure("alpha_nominal", 0.962, 30, -0.028, 1.0)))
    assert value.say().startswith("n = 30 is too small to tell")
    assert "-0.03 to 1.00" in value.say()
    assert not others


def test_resamples_without_a_value_and_a_missing_interval_are_told() -> None:
    found = read(Finding(Figure("ac1", 1.0, 3), undefined=12))
    assert [each.key for each in found] == [
        "statistics.reading.beyond_chance.unknown", "statistics.undefined",
    ]  # fmt: skip
    assert "12" in found[1].say()
    assert read(Finding(Figure("raw", 1.0, 3)))[1].key == "statistics.certainty.unknown"


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_has_its_words_and_says_what_to_do_next(reason: Reason) -> None:
    finding = Finding(Figure("cohen_kappa", None, 0), reason)
    (found,) = read(finding)
    assert found.say("en") != found.say("ko")
    assert next_step(finding).say("en") != next_step(finding).say("ko")


@pytest.mark.parametrize("key", [*STATISTICS, "specific", "calibration"])
def test_every_value_of_every_statistic_can_be_said(key: str) -> None:
    for value in (-0.5, 0.1, 0.3, 0.5, 0.7, 0.9):
        for reading in read(Finding(Figure(key, value, 40, value - 0.1, value + 0.1), undefined=1)):
            assert "{" not in reading.say("en") + reading.say("ko")


def test_the_paradox_is_explained_where_one_category_is_very_common() -> None:
    ratings = of_table([[118, 5], [2, 0]])
    findings = [measure(ratings, each) for each in recommended_for(ratings).all]
    found = paradox(ratings, findings)
    assert found is not None
    assert found.params == {"category": 0, "share": "97 %", "kappa": "-0.02", "ac1": "0.94"}
    assert "97 %" in found.say("ko")


def test_no_paradox_where_they_are_close_or_one_is_missing_or_no_category_is_common() -> None:
    even = of_table([[40, 10], [10, 40]])
    assert paradox(even, [measure(even, each) for each in recommended_for(even).all]) is None
    skewed = of_table([[118, 5], [2, 0]])
    assert paradox(skewed, [measure(skewed, STATISTICS["ac1"])]) is None
    assert paradox(skewed, []) is None
    unused = by_item([["a", "a"], ["b", "b"], ["a", "b"], ["b", "a"]] * 5, Scale.NOMINAL, "abcdef")
    findings = [measure(unused, STATISTICS[key]) for key in ("cohen_kappa", "ac1")]
    kappa, ac1 = (each.figure.value or 0.0 for each in findings)
    assert ac1 - kappa > 0.2  # for another reason: four categories are not used
    assert paradox(unused, findings) is None


@pytest.mark.parametrize(
    ("key", "value", "step"),
    [
        ("alpha_masi", 0.3, "low"),
        ("alpha_masi", 0.77, "middle"),
        ("alpha_masi", 0.7, "unclear"),
        ("alpha_masi", 0.9, "high"),
        ("cohen_kappa", 0.3, "low"),
        ("ac1", 0.77, "middle"),
        ("ac1", 0.9, "high"),
        ("raw", 0.7, "raw"),
        ("specific", 0.7, "specific"),
        ("calibration", 0.7, "calibration"),
    ],
)
def test_a_value_says_what_to_do_next(key: str, value: float, step: str) -> None:
    found = next_step(Finding(Figure(key, value, FEW, value - 0.1, value + 0.1)))
    assert found.key == f"statistics.next.{step}"
    assert "{" not in found.say("en") + found.say("ko")


def test_few_items_say_to_wait_whatever_the_value() -> None:
    assert next_step(Finding(Figure("ac1", 1.0, FEW))).key == "statistics.next.unknown"
    scarce = Finding(Figure("alpha_masi", 0.99, FEW - 1, 0.9, 1.0))
    assert few(scarce)
    assert next_step(scarce).key == "statistics.next.few"
    assert str(FEW) in next_step(scarce).say()
    assert not few(Finding(Figure("alpha_masi", 0.99, FEW, 0.9, 1.0)))
    assert few(Finding(Figure("calibration", 0.9, 19, 0.6, 1.0)))
    assert not few(Finding(Figure("calibration", 0.9, 20, 0.6, 1.0)))
    assert not few(Finding(Figure("alpha_masi", None, 0), Reason.NO_PAIRS))
