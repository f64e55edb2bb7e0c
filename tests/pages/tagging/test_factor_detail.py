from __future__ import annotations

from evaluation.agreement.interpretation import Reading
from pages.tagging.figures import named


def test_a_reading_names_an_option_by_its_label() -> None:
    params = {"category": "not_mentioned", "share": "75 %", "kappa": "0.00", "ac1": "0.60"}
    told = named(Reading("statistics.paradox", params), {"not_mentioned": "주장 없음"}.__getitem__)
    assert "주장 없음" in told.say("ko")
    assert "not_mentioned" not in told.say("ko")
