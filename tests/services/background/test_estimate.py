from __future__ import annotations

from services.background.estimate import Estimate


def test_the_time_left_is_told_by_the_pace_so_far() -> None:
    now = [100.0]
    estimate = Estimate(lambda: now[0])
    assert estimate.left(50, 500) == "", "nothing was done since it is watched"
    now[0] += 0.5
    assert estimate.left(80, 500) == "", "too soon to say"
    now[0] += 9.5
    assert estimate.left(150, 500) == "0:35"
    now[0] += 290
    assert estimate.left(250, 500) == "6:15"
    assert estimate.left(500, 500) == ""
