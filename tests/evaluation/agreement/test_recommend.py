from __future__ import annotations

from typing import Any

import pytest

from evaluation.agreement.ratings import Scale
from evaluation.agreement.recommend import STATISTICS, recommended, recommended_for
from evaluation.agreement.statistic import Reason, measure
from messages import catalogue
from tests.evaluation.agreement.examples import by_item

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
