from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.agreement.times import LEAST, modified_z, times


def usual(rater: str, median: float, n: int = 40, seed: int = 0) -> list[tuple[str, str, float]]:
    spread = np.random.default_rng(seed).uniform(-0.3, 0.3, n)
    return [(f"q{at}", rater, median * float(np.exp(x))) for at, x in enumerate(spread)]


def test_a_time_unlike_the_raters_others_is_odd_whatever_their_pace() -> None:
    quick = usual("Kim", 20, seed=1)
    slow = usual("Lee", 200, seed=2)
    quick[3] = ("q3", "Kim", 200.0)
    slow[5] = ("q5", "Lee", 1.0)
    assert [pace.z for pace in times([*quick, *slow]).raters] == [None, None]
    found = times([*quick, *slow]).decisions
    assert [(odd.item, odd.rater, odd.z > 0) for odd in found] == [
        ("q5", "Lee", False), ("q3", "Kim", True),
    ]  # fmt: skip
    assert found[1].seconds == pytest.approx(200)
    assert found[1].expected == pytest.approx(20, rel=0.2)


@pytest.mark.parametrize("people", [3, 5])
def test_an_item_that_takes_everybody_long_makes_nobody_odd(people: int) -> None:
    names = ("Kim", "Lee", "Park", "Choi", "Seo")[:people]
    raters = [usual(name, 30, seed=seed) for seed, name in enumerate(names)]
    for own in raters:
        own[7] = ("q7", own[7][1], own[7][2] * 20)
    found = times([each for own in raters for each in own])
    assert all(odd.item != "q7" for odd in found.decisions)
    assert not any(pace.z is None for pace in found.raters)


def test_a_rater_unlike_the_others_is_odd() -> None:
    people = [usual(f"rater {n}", 30 + 2 * n, seed=n) for n in range(6)]
    found = times([each for own in [*people, usual("hasty", 2, seed=9)] for each in own])
    assert [pace.name for pace in found.raters if pace.odd] == ["hasty"]
    assert found.raters[-1].n == 40
    assert found.raters[-1].median == pytest.approx(2, rel=0.2)


def test_too_few_or_equal_times_say_nothing() -> None:
    few = [(f"q{at}", "Kim", 10.0 + at) for at in range(LEAST - 2)]
    assert times([*few, ("last", "Kim", 9999.0)]).decisions == ()
    same = [(f"q{at}", "Kim", 10.0) for at in range(50)]
    assert times([*same, ("last", "Kim", 9999.0)]).decisions == ()
    assert times(same).raters[0].z is None
    assert times([]).decisions == ()


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_what_is_no_time_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="no number of seconds"):
        times([("q", "Kim", seconds)])


def test_no_time_at_all_counts_as_a_tenth_of_a_second() -> None:
    assert times([("q", "Kim", 0.0)]).raters[0].median == pytest.approx(0.1)


def test_the_modified_z_of_a_worked_example() -> None:
    found = modified_z([1.0, 2.0, 3.0, 4.0, 100.0])  # median 3, MAD 1
    assert found == pytest.approx([-1.349, -0.6745, 0.0, 0.6745, 65.4265])
    logs = [-2, -2, -1, -1, 0, 0, 1, 1, 2, 2]  # median 0, MAD 1: 5 has z 3.4, 6 has 4.0
    every = [[(at, "Kim", np.exp(x)) for at, x in enumerate([*logs, last])] for last in (5, 6)]
    assert [len(times(each).decisions) for each in every] == [0, 1]


@given(st.lists(st.floats(0.2, 1e5), min_size=LEAST, max_size=30), st.floats(0.5, 50))
def test_a_slower_clock_changes_no_score(seconds: list[float], factor: float) -> None:
    plain = times((at, "Kim", value) for at, value in enumerate(seconds))
    slower = times((at, "Kim", value * factor) for at, value in enumerate(seconds))
    clear = [odd for odd in plain.decisions if abs(odd.z) > 3.6]
    assert {odd.item for odd in clear} <= {odd.item for odd in slower.decisions}
