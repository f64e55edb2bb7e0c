"""The report on factors: what it counts, whose it is, and its files."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotation.tagging.disputes import decide
from evaluation.agreement.interpretation import Reading
from evaluation.tagging.agreement import Why
from services.tagging.report import FactorLine, FactorReport, factor_report, revision
from services.tagging.report_tables import as_report, readings, tags_csv
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.projects import tagged_project
from tests.projects.court_cases import suggestion
from tests.projects.project_cache import kept_project
from tests.projects.tagged_project import HOSTILE, SLUG, TagHouse
from tests.support.refusals import code_of

PARADOX = {"share": "75 %", "kappa": "0.00", "ac1": "0.60"}


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> TagHouse:
    """Return four cases of which people differ on two, and one settled."""
    ws = Workspace(tmp_path / "workspace", clock)
    return kept_project("four tagged cases", ws, lambda: _tagged(ws.folder, clock))


def _tagged(folder: Path, clock: FakeClock) -> TagHouse:
    made = tagged_project.build(folder, clock, number=4)
    knife = {"weapon": [("knife", "with a knife")]}
    tagged_project.tag(made, made.ann, 0, knife)
    tagged_project.tag(made, made.ben, 0, {"weapon": [("gun", "a knife")]}, HOSTILE, weapon="gun")
    for at, motives in ((1, "money"), (2, "fear"), (3, "fear")):
        tagged_project.tag(made, made.ann, at, motives=motives)
    for at, motives in ((1, "money+fear"), (2, "fear")):
        tagged_project.tag(made, made.ben, at, motives=motives)
    decide(made.ws, made.judge, made.items[1], {"motives": ["money"]}, "Only money.")
    return made


def lines(report: FactorReport) -> dict[str, FactorLine]:
    return {each.sub.key: each for each in report.lines}


def suggest(house: TagHouse, at: int, options: list[str], state: str = "unquoted") -> None:
    row = suggestion(house.cases[at], "motives", options, house.ws.clock(), state=state, model="m")
    with house.ws.writing() as session:
        session.add(row)


def test_each_sub_factor_has_its_counts_and_agreement(house: TagHouse) -> None:
    report = factor_report(house.ws, SLUG, house.lead)
    assert (report.cases, report.people, report.open) == (3, ("Ann", "Ben"), 1)
    found = lines(report)
    weapon, motives = found["weapon"], found["motives"]
    assert (weapon.agreement.paired, weapon.agreement.differing, weapon.open) == (3, 1, 1)
    assert weapon.agreement.raw.figure.value == pytest.approx(2 / 3)
    assert weapon.comments == 1
    assert (motives.settled, motives.open) == (1, 0)
    assert motives.agreement.alpha.statistic == "alpha_masi"
    assert found["blade"].agreement.asked_of_some == 1
    assert weapon.evidence.likeness.value == pytest.approx(len("a knife") / len("with a knife"))
    assert Why.COMMENTS in {each.key: each for each in report.needs}["weapon"].reasons


def test_a_model_is_held_to_what_people_decided(house: TagHouse) -> None:
    suggest(house, 0, ["not_stated"], "not_stated")
    suggest(house, 1, ["fear"])
    suggest(house, 1, ["money"])  # the newest counts
    suggest(house, 2, ["money", "fear"])
    suggest(house, 3, ["fear"])  # one has yet to submit
    [(model, found)] = lines(factor_report(house.ws, SLUG))["motives"].models
    assert model == "m"
    assert found.right.value == pytest.approx(2 / 3)
    assert found.right.n == 3
    assert [(each.decided, each.said) for each in found.confusions] == [
        (("fear",), ("fear", "money"))
    ]
    suggest(house, 1, ["envy"])  # which only an older codebook had
    [(_, found)] = lines(factor_report(house.ws, SLUG))["motives"].models
    assert (found.right.n, found.missing) == (2, 1)


def test_a_scope_narrows_the_cases_and_has_its_name_in_the_typology(
    house: TagHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = factor_report(house.ws, SLUG, scope="violence")
    assert report.scopes == ("violence", "violence.injury")
    assert report.cases == 3
    assert code_of(factor_report, house.ws, SLUG, scope="property") == "factor_scope"
    monkeypatch.setattr("annotation.tagging.tags._groups", lambda _: ("traffic.drunk_driving",))
    names = factor_report(house.ws, SLUG).names
    assert names.keys() == {"traffic", "traffic.drunk_driving"}
    assert names["traffic.drunk_driving"]["ko"].startswith("도로교통법위반")


def rows(report: FactorReport, section: str, language: str = "en", chosen: str = "") -> list[Any]:
    found: list[Any] = as_report(report, language, chosen).as_json()[section]
    return found


def test_every_figure_of_a_sub_factor_is_in_a_section(house: TagHouse) -> None:
    suggest(house, 1, ["fear"])
    report = factor_report(house.ws, SLUG)
    found = {row["sub_factor"]: row for row in rows(report, "agreement")}
    assert next(iter(found)) == report.needs[0].key  # worst first
    weapon = found["weapon"]
    line = lines(report)["weapon"]
    assert weapon["raw"] == line.agreement.raw.figure.as_json()
    assert weapon["overlap"]["value"] == line.evidence.likeness.value
    assert (weapon["paired"], weapon["differing"], weapon["open"]) == (3, 1, 1)
    assert "comments" in weapon["reasons"].split()
    assert weapon["alpha_masi"] is None and found["motives"]["ac1"] is None
    assert found["insanity_claim"]["alpha_nominal"]["note"].startswith("Everybody gave the same")
    shares = {(row["sub_factor"], row["option"]): row["share"] for row in rows(report, "answers")}
    assert shares["weapon", "gun"] == dict(line.agreement.prevalence)["gun"].as_json()
    assert ("insanity_claim", "not_stated") not in shares
    [model] = rows(report, "models")
    assert (model["model"], model["right"]["value"], model["commonest"]["n"]) == ("m", 0.0, 1)
    [wrong] = rows(report, "mistakes")
    assert (wrong["decided"], wrong["said"], wrong["n"]) == ("money", "fear", 1)


def test_pairs_of_answers_are_drawn_of_the_chosen_sub_factor(house: TagHouse) -> None:
    report = factor_report(house.ws, SLUG)
    pairs = {
        (row["one"], row["other"]): row["pairs"]
        for row in rows(report, "confusions")
        if row["sub_factor"] == "motives"
    }
    assert pairs == {
        ("money", "money"): 0, ("money+fear", "money+fear"): 0, ("fear", "fear"): 1,
        ("not_stated", "not_stated"): 1, ("money", "money+fear"): 1,
    }  # fmt: skip
    section = as_report(report, "ko", "motives").sections[1]
    assert section.lead == (
        "사람 · 동기: 답 3쌍 가운데 1쌍이 다르며, 가장 잦은 것은 돈·돈, 두려움(1쌍)입니다."
    )
    assert section.chart and section.chart.only == ("sub_factor", "motives")
    line = lines(report)["weapon"]
    paradox = Reading("statistics.paradox", PARADOX | {"category": "knife"})
    line = replace(line, agreement=replace(line.agreement, paradox=paradox))
    said = list(readings(line, "ko"))
    assert not any("knife" in each for each in said), "options are read by their names"
    assert "조정을 기다리는 판결: 1건." in said
    long = as_report(replace(report, lines=report.lines * 8), "en").sections[0]
    assert long.lead.endswith("The picture has the first 30.")
    assert long.chart and (long.chart.first, len(long.sheet.rows)) == (30, 32)


def test_a_project_without_tagged_cases_has_its_sentence(tmp_path: Path, clock: FakeClock) -> None:
    made = tagged_project.build(tmp_path / "workspace", clock, number=1)
    report = as_report(factor_report(made.ws, SLUG), "en")
    assert report.lead.startswith("No case is tagged completely")
    assert not report.filled


def test_tags_are_told_with_their_evidence_and_why_there_is_none(house: TagHouse) -> None:
    tags = list(csv.DictReader(io.StringIO(tags_csv(house.ws, SLUG))))
    told = {(row["case"], row["sub_factor"]): row for row in tags}
    assert told["case-1", "weapon"]["state"] == "disputed"
    assert told["case-1", "blade"]["state"] == "not_asked"
    assert told["case-2", "motives"]["state"] == "settled"
    before = revision(house.ws, SLUG)
    decide(house.ws, house.judge, house.items[0], {"weapon": ["knife"]}, "A blade.")
    assert revision(house.ws, SLUG) != before
    tags = list(csv.DictReader(io.StringIO(tags_csv(house.ws, SLUG))))
    weapon = next(row for row in tags if row["sub_factor"] == "weapon")
    assert (weapon["options"], weapon["evidence"]) == ("knife", "with a knife")
