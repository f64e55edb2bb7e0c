"""The benchmarks of court cases: every case is found again, groups are those of the algorithm."""

from benchmarks import cases, cases_tagging
from construction.stricter.grouping import NOTHING, grouping
from evaluation.figure import Figure


def test_the_parts_that_are_asked_for_come_in_their_order(tmp_path, monkeypatch):
    for part in ("mapping", "grouping"):
        told = [Figure(f"{part}_seconds", 1.5, 3)]
        monkeypatch.setattr(cases, f"{part}_figures", lambda *options, told=told: told)
    monkeypatch.setattr(cases_tagging, "figures_of", lambda *options: [Figure("tagging_ms", 1, 1)])
    for said, names in (
        ("tagging, grouping", ["grouping_seconds", "tagging_ms"]),
        ("mapping", ["mapping_seconds"]),
    ):
        options = cases.PARSER.parse_args(["--only", said])
        assert [each.name for each in cases.figures_of(options, tmp_path)] == names


def test_every_case_of_411_groups_is_found_again() -> None:
    figures = {each.name: each.value for each in cases.mapping_figures(cases=4_000, seed=1)}
    assert figures["mapping_groups"] == 411
    assert figures["mapping_wrong"] == 0
    assert 0.8 < (figures["mapping_share"] or 0) < 0.9
    assert len(cases.GROUPS) == 33


def test_a_grouping_that_never_backs_off_is_noticed(monkeypatch):
    assert cases.mismatches(20) == 0

    def wrong(codes):
        found = grouping(codes)
        return found if found.depth == codes.shape[1] else NOTHING

    monkeypatch.setattr(cases, "grouping", wrong)
    assert cases.mismatches(50) > 0
