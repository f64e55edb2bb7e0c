"""The report against values worked by hand, with every state counted, and its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.attribution import KINDS, MEASURES
from services.attribution.report import AttributionReport, report, revision
from services.attribution.report_tables import as_report
from services.attribution.scored_answers import SystemLine
from storage.judging import cases
from tests.annotation.house import SLUG, House
from tests.conftest import FakeClock
from tests.projects.attribution_project import (
    FILE,
    FORM,
    FREE,
    RETRIEVED,
    judged_by,
    label,
    labelled,
    labels,
    make,
    script,
    split,
)
from tests.support.refusals import code_of

GREEDY, OPTIMAL, ARTICLE, EXACT = KINDS


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> House:
    return labelled(tmp_path_factory.mktemp("labelled") / "ws", FakeClock())


@pytest.fixture(scope="module")
def made(done: House) -> AttributionReport:
    return found(done)


def found(house: House, judge: str | None = None) -> AttributionReport:
    return report(house.ws, SLUG, judge, resamples=200)


def line(made: AttributionReport, system: str) -> SystemLine:
    return next(each for each in made.lines if each.system == system)


def means(made: AttributionReport, system: str, kind: str) -> list[float | None]:
    return [line(made, system).figures[f"{kind}_{part}"].value for part in MEASURES]


def test_scores_are_those_worked_by_hand(made: AttributionReport) -> None:
    assert made.judge == "judge"
    # By provision: 1.5 of 3 claims (2 gold) and .5 of 2; articles 1 and 3, then 2 and 4.
    assert means(made, FORM, GREEDY) == pytest.approx([0.375, 0.5, 0.425])
    assert means(made, FORM, OPTIMAL) == pytest.approx([0.375, 0.5, 0.425])
    assert means(made, FORM, ARTICLE) == pytest.approx([0.75, 1.0, 5 / 6])
    assert means(made, FORM, EXACT) == pytest.approx([0.5, 0.75, 7 / 12])
    # Free: all four that were shown are cited, then article 2 and one that was not shown.
    assert means(made, FREE, GREEDY) == pytest.approx([0.25, 0.25, 0.25])
    assert means(made, FREE, ARTICLE) == pytest.approx([0.5, 1.0, 2 / 3])
    assert means(made, RETRIEVED, ARTICLE) == [0.0, 0.0, 0.0]
    assert means(made, FILE, ARTICLE) == pytest.approx([1.0, 0.5, 2 / 3])
    assert means(made, FILE, EXACT) == [0.0, 0.0, 0.0]
    assert [each.figures["greedy_f1"].n for each in made.lines] == [1, 1, 2, 2]


def test_wrong_citations_are_told_apart_and_invalid_ones_counted(made: AttributionReport) -> None:
    told = {
        each.system: (
            each.counts.known,
            each.counts.inside,
            each.counts.outside,
            each.counts.unused,
            each.counts.invalid,
            each.counts.sources,
        )
        for each in made.lines
    }
    assert told == {
        FORM: (2, 1, 0, 0, 0, {"keys": 2}),
        FREE: (2, 2, 1, 0, 1, {"footer": 2}),
        RETRIEVED: (1, 1, 1, 1, 0, {"keys": 1}),
        FILE: (0, None, None, None, 0, {"prose": 1}),
    }
    assert line(made, FORM).answers == {"answered": 2, "refused": 1}
    assert line(made, RETRIEVED).answers == {"answered": 1, "cut_off": 1}
    assert line(made, RETRIEVED).counts.states["citations"] == {"scored": 1}


def test_an_answer_that_is_not_labelled_or_could_not_be_is_missing(
    tmp_path: Path, clock: FakeClock
) -> None:
    house = make(tmp_path / "ws", clock)

    def states() -> dict[str, int]:
        return dict(line(found(house), FREE).counts.states["claims"])

    assert states() == {"not_cut": 2}
    with judged_by(house.ws) as server:
        server.on("case 2?\n\nAnswer:\nBoats need a lamp. Rafts", labels())  # no claims
        server.on("That was not in the form", labels())
        script(server)
        split(house.ws, systems=(FREE,))
        assert states() == {"claims_unread": 1, "not_labelled": 1}
        server.rules.insert(0, server.rules[1])
        server.rules[0].match = "Official claims:"
        label(house.ws, systems=(FREE,))
    made = found(house)
    assert states() == {"claims_unread": 1, "labels_unread": 1}
    assert means(made, FREE, GREEDY) == [None] * 3
    assert line(made, FORM).counts.states["claims"] == {"not_cut": 2}


def test_systems_are_compared_on_the_questions_that_both_answered(made: AttributionReport) -> None:
    assert [len(list(each.pairs())) for each in made.tests.values()] == [6] * 4
    test = made.tests["article_precision"].tests[FREE][FORM]
    assert test.n == 2
    assert test.difference.value == pytest.approx(0.25)
    assert (test.tally.wins, test.tally.losses) == (1, 0)


def test_precision_goes_from_the_oracle_to_what_is_retrieved(
    made: AttributionReport,
) -> None:
    rows = as_report(made, "en").as_json()["precision_citations"]
    assert [(each["context"], each["series"], each["precision"]["value"]) for each in rows] == [
        ("oracle", "gpt · by provision", pytest.approx(0.75)),
        ("oracle", "gpt · free form", pytest.approx(0.5)),
        ("bm25", "gpt · by provision", 0.0),
    ]
    assert len(as_report(made, "ko").as_json()["precision_claims"]) == 3


def test_every_figure_and_count_is_in_the_report(made: AttributionReport) -> None:
    whole = as_report(made, "en", all_pairs=True)
    told = whole.as_json()
    scores = [row for row in told["variants"] if row["system"] == FORM]
    assert [row["of"] for row in scores] == ["greedy", "optimal", "article", "exact"]
    assert scores[0]["f1"]["value"] == pytest.approx(0.425)
    states = {(row["what"], row["outcome"]) for row in told["states"] if row["system"] == FORM}
    assert states >= {("answers", "answered"), ("answers", "refused"), ("citations", "scored")}
    assert len(told["tests"]) == 4 * 6
    assert made.gold is not None and made.gold.say("en") in whole.notes
    assert "attribution_report" not in as_report(made, "ko").written("markdown")


def test_a_new_row_changes_the_revision(tmp_path: Path, clock: FakeClock) -> None:
    done = labelled(tmp_path / "ws", clock)
    before = revision(done.ws, SLUG)
    assert revision(done.ws, SLUG) == before
    with judged_by(done.ws) as server:
        script(server)
        split(done.ws, systems=(FILE,), repeat=1)
    assert revision(done.ws, SLUG) != before


def test_what_there_is_none_of_is_refused(done: House) -> None:
    assert code_of(found, done, judge="nobody") == "attribution_judge_unknown"
    assert code_of(report, done.ws, SLUG, split="nothing") == "column_unknown"


def test_a_column_splits_the_figures(
    done: House, made: AttributionReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    with done.ws.reading() as session:
        names = sorted({each.external_id for each in cases(session, 1)})
    said = {name: {"level": "L1" if name == names[0] else None} for name in names}
    monkeypatch.setattr("services.attribution.scored_answers.question_columns", lambda *_: said)
    by_level = report(done.ws, SLUG, resamples=200, split="level")
    assert by_level.columns == ("gold_count", "gold_difficulty", "level")
    assert list(by_level.parts) == ["L1", ""]
    assert by_level.lines == made.lines
    for at, each in enumerate(by_level.lines):
        parts = [lines[at] for lines in by_level.parts.values()]
        assert [part.system for part in parts] == [each.system] * 2
        for kind in KINDS:
            counts = [part.figures[f"{kind}_f1"].n for part in parts]
            assert sum(counts) == each.figures[f"{kind}_f1"].n
            assert counts[0] <= 1 <= len(names)
    rows = as_report(by_level, "en").as_json()["strata"]
    assert {row["stratum"] for row in rows} == {"L1", "not stated"}
    assert len(rows) == 2 * len(made.lines)
