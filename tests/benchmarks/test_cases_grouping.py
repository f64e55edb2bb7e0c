"""The benchmark of stricter groups runs, and its transcription disagrees with a wrong grouping."""

from benchmarks import cases_grouping
from construction.stricter.grouping import NOTHING, grouping


def test_measures_every_figure():
    time, cpu, wrong = cases_grouping.measure(cases=500, sub_factors=6, inputs=20)
    assert (time.name, time.n) == ("grouping_seconds", 500) and (time.value or 0) > 0
    assert (cpu.name, cpu.n) == ("grouping_cpu_seconds", 500)
    assert (wrong.name, wrong.value, wrong.n) == ("grouping_mismatches", 0, 20)


def test_a_grouping_that_never_backs_off_is_noticed(monkeypatch):
    def wrong(codes):
        found = grouping(codes)
        return found if found.depth == codes.shape[1] else NOTHING

    monkeypatch.setattr(cases_grouping, "grouping", wrong)
    assert cases_grouping.mismatches(50) > 0
