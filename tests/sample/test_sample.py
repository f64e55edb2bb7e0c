"""The sample project is what a new user meets first: its law must hold together."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from corpus.importers.beir import read_questions
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level, Question, Statute, Tier, Unit, parse_place, split_id

SAMPLE = Path(__file__).resolve().parents[2] / "sample"
NUMBERED = {Level.ARTICLE, Level.SECTION}

# A decree or rule calls the act "법" / "the Act" and the decree "영" / "the Decree"; without such
# a word it means itself.
_KO_PLACE = re.compile(
    r"(?:(?P<where>법|영|「[^」]+」(?:\(이하 \"법\"이라 한다\))?) )?"
    r"(?:제(?P<article>\d+)조(?:의(?P<branch>\d+))?|별표 (?P<annex>\d+)|별지 제(?P<form>\d+)호서식)"
)
_EN_PLACE = re.compile(
    r"(?:Article (?P<article>\d+)(?:-(?P<branch>\d+))?|Annex (?P<annex>\d+)|Form (?P<form>\d+))"
    r"(?:\(\d+\)\d*)*(?: and \(\d+\))?"
    r"(?: of the (?P<where>Act|Decree|Gaon Fire Safety Act|Enforcement Decree of the Gaon[\w ]+))?"
)


@pytest.fixture(scope="module")
def statutes() -> list[Statute]:
    return read_tree(SAMPLE / "statutes")


@pytest.fixture(scope="module")
def units(statutes: list[Statute]) -> dict[str, Unit]:
    return {unit.semantic_id: unit for statute in statutes for unit in statute.units}


@pytest.fixture(scope="module")
def questions() -> list[Question]:
    return read_questions(SAMPLE / "questions.jsonl")


def test_yes_and_no_are_as_often_right_and_their_gold_is_in_the_law(units: dict[str, Unit]) -> None:
    found = read_questions(SAMPLE / "yes_no.jsonl")
    assert Counter(each.answer for each in found) == {"Yes": 25, "No": 25}
    assert all(units[gold].text for each in found for gold in each.gold_ids)


def _of(statutes: list[Statute], language: str) -> dict[Tier, Statute]:
    return {s.tier: s for s in statutes if s.language == language}


@pytest.mark.parametrize("language", ["ko", "en"])
def test_each_language_holds_the_four_instruments(statutes: list[Statute], language: str) -> None:
    found = _of(statutes, language)
    sizes = {
        tier.name: sum(u.level in NUMBERED for u in s.units) for tier, s in sorted(found.items())
    }
    assert sizes == {"ACT": 21, "DECREE": 11, "RULE": 7, "NOTICE": 7}
    levels = Counter(u.level for s in found.values() for u in s.units)
    assert (levels[Level.ANNEX], levels[Level.FORM], levels[Level.ADDENDUM]) == (7, 4, 9)
    assert [u.label for u in found[Tier.ACT].units if u.deleted] == [
        {"ko": "제11조", "en": "Article 11"}[language]
    ]


def test_the_languages_agree_unit_for_unit_and_part_for_part(statutes: list[Statute]) -> None:
    def shape(statute: Statute) -> list[tuple[object, ...]]:
        rows: list[tuple[object, ...]] = []
        for unit in statute.units:
            place = parse_place(split_id(unit.semantic_id)[1])
            depths = [part.path.count("/") for part in unit.parts]
            rows.append((unit.level, place, unit.deleted, len(unit.path), depths))
        return rows

    korean, english = _of(statutes, "ko"), _of(statutes, "en")
    assert set(korean) == set(english)
    for tier, statute in korean.items():
        other = english[tier]
        assert shape(statute) == shape(other), statute.title
        assert (statute.promulgated, statute.number, statute.effective) == (
            other.promulgated,
            other.number,
            other.effective,
        )


def _place(found: re.Match[str]) -> tuple[Level, str]:
    if found["article"]:
        branch = f"의{found['branch']}" if found["branch"] else ""
        return Level.ARTICLE, found["article"] + branch
    if found["annex"]:
        return Level.ANNEX, found["annex"]
    return Level.FORM, found["form"]


def _meant(where: str, own: Tier) -> Tier:
    if not where:
        return own
    if where == "영" or "Decree" in where or "시행령" in where:
        return Tier.DECREE
    return Tier.ACT


@pytest.mark.parametrize("language", ["ko", "en"])
def test_every_cross_reference_points_at_a_place_in_force(
    statutes: list[Statute], language: str
) -> None:
    found = _of(statutes, language)
    places = {
        (tier, *parsed)
        for tier, statute in found.items()
        for unit in statute.units
        if not unit.deleted and (parsed := parse_place(split_id(unit.semantic_id)[1]))
    }
    pattern = _KO_PLACE if language == "ko" else _EN_PLACE
    checked = 0
    for tier, statute in found.items():
        for unit in statute.units:
            if unit.level is Level.ADDENDUM:
                continue
            for reference in pattern.finditer(f"{unit.heading}\n{unit.text}"):
                target = (_meant(reference["where"] or "", tier), *_place(reference))
                assert target in places, f"{unit.semantic_id}: {reference[0]}"
                checked += 1
    assert checked > 60


@pytest.mark.parametrize(
    ("language", "tier", "phrase", "word"),
    [
        ("ko", Tier.DECREE, "대통령령으로 정", "법"),
        ("ko", Tier.RULE, "안전부령으로 정", "법"),
        ("en", Tier.DECREE, "prescribed by Presidential Decree", "Act"),
        ("en", Tier.RULE, "prescribed by Ministerial Rule", "Act"),
    ],
)
def test_every_delegating_article_is_taken_up_below(
    statutes: list[Statute], language: str, tier: Tier, phrase: str, word: str
) -> None:
    found = _of(statutes, language)
    below = "\n".join(unit.text for unit in found[tier].units)
    pattern = _KO_PLACE if language == "ko" else _EN_PLACE
    taken_up = {
        _place(m)
        for m in pattern.finditer(below)
        if word in (m["where"] or "") or "Gaon" in (m["where"] or "")
    }
    delegating = [u for u in found[Tier.ACT].units if phrase in u.text]
    assert len(delegating) >= 5
    for unit in delegating:
        assert parse_place(split_id(unit.semantic_id)[1]) in taken_up, unit.label


def test_questions_are_distinct_and_in_both_languages(questions: list[Question]) -> None:
    assert Counter(q.language for q in questions) == {"ko": 14, "en": 10}
    assert len({q.external_id for q in questions}) == len(questions)
    assert len({q.text for q in questions}) == len({q.answer for q in questions}) == len(questions)
    assert all(q.external_id.startswith(f"{q.language}-") for q in questions)


def test_gold_is_law_in_force_of_the_question_s_language(
    questions: list[Question], units: dict[str, Unit], statutes: list[Statute]
) -> None:
    language = {s.semantic_id: s.language for s in statutes}
    for question in questions:
        assert len(set(question.gold_ids)) == len(question.gold_ids), question.external_id
        for gold in question.gold_ids:
            assert gold in units, f"{question.external_id}: {gold}"
            assert not units[gold].deleted
            assert language[units[gold].statute_id] == question.language


def test_the_hard_cases_are_there(questions: list[Question]) -> None:
    no_provision = [q.external_id for q in questions if not q.gold_ids]
    uncited = [q.external_id for q in questions if q.gold_ids and not q.citation_strings]
    assert (no_provision, uncited) == (["en-08", "ko-10"], ["en-06", "ko-09"])
    assert sum(len(q.gold_ids) > 1 for q in questions) >= 12


def test_the_readme_names_only_questions_that_exist(questions: list[Question]) -> None:
    named = set(re.findall(r"\b(?:ko|en)-\d\d\b", (SAMPLE / "README.md").read_text("utf-8")))
    assert len(named) >= 15
    assert named <= {q.external_id for q in questions}
