"""Tagging a court case: what may be said of a sub-factor, and when a case can be submitted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.forms import form as form_commands
from annotation.forms.adjudication import settle
from annotation.guidelines.editing import new_version
from annotation.tagging.codebook import MOST_EVIDENCE, checked, fits_any_codebook, labels_of
from annotation.work import commands
from construction.tagging.codebook import NOT_STATED
from construction.tagging.reading import parse
from storage.subjects import add_candidate_set
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.projects.tagging_project import BOOK, SLUG, TaggingHouse, answer, build, quoted, value
from tests.support.refusals import code_of, refused

SUBS = {sub.key: sub for factor in parse(BOOK).factors for sub in factor.sub_factors}
TEXT = "𠮷田는 e\u0301clat와 합의하였다."


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> TaggingHouse:
    return build(tmp_path / "workspace", clock)


def test_options_are_kept_in_the_codebooks_order_and_evidence_in_the_texts() -> None:
    said = value(
        "manner_09",
        "manner_02",
        "manner_09",
        evidence=[quoted(TEXT, "합의", "manner_02"), quoted(TEXT, "𠮷田", "manner_09")] * 2,
    )
    kept = checked(SUBS["manner"], said, TEXT)
    assert kept["options"] == ["manner_02", "manner_09"]
    assert [(each["start"], each["quote"]) for each in kept["evidence"]] == [
        (0, "𠮷田"),
        (TEXT.index("합의"), "합의"),
    ]


PIECE = quoted(TEXT, "합의", "yes")


def proved(*pieces: dict[str, Any]) -> dict[str, Any]:
    return value("yes", evidence=pieces)


@pytest.mark.parametrize(
    ("field", "said", "code"),
    [
        ("deceived", value(), "tag_value"),
        ("deceived", ["yes"], "tag_value"),
        ("deceived", {**value("yes"), "more": 1}, "tag_value"),
        ("deceived", {"options": [1], "evidence": []}, "tag_value"),
        ("deceived", value("maybe"), "tag_option_gone"),
        ("deceived", value("yes", "no"), "tag_exclusive"),
        ("manner", value("manner_01", NOT_STATED), "tag_not_stated_alone"),
        ("insanity", value(NOT_STATED), "tag_option_gone"),
        ("deceived", proved(PIECE | {"option": "no"}), "tag_evidence_option"),
        (
            "deceived",
            value(NOT_STATED, evidence=[PIECE | {"option": NOT_STATED}]),
            "tag_evidence_option",
        ),
        ("deceived", proved(PIECE | {"end": 900}), "tag_evidence_past"),
        ("deceived", proved(PIECE | {"end": len(TEXT) + 1}), "tag_evidence_past"),
        *(
            ("deceived", proved(PIECE | wrong), "tag_value")
            for wrong in (
                *({"end": PIECE["start"], "quote": ""}, {"start": -3}, {"start": True}),
                *({"end": True}, {"quote": 3}, {"more": 3}),
            )
        ),
        ("deceived", value("yes") | {"evidence": "no"}, "tag_evidence_many"),
        ("deceived", {"options": "yes", "evidence": []}, "tag_value"),
        ("deceived", {"options": ["yes", 1], "evidence": []}, "tag_value"),
        ("deceived", proved(PIECE | {"quote": "합이"}), "tag_evidence_other"),
        ("deceived", proved({"option": "yes"}), "tag_value"),
        ("deceived", proved(*[PIECE] * (MOST_EVIDENCE + 1)), "tag_evidence_many"),
    ],
)
def test_what_is_no_answer_is_refused(field: str, said: Any, code: str) -> None:
    with refused(code) as caught:
        checked(SUBS[field], said, TEXT)
    assert caught.value.where.field == field
    assert SUBS[field].label["en"] in caught.value.what("en")


def test_as_many_and_as_long_passages_as_are_allowed_are_kept() -> None:
    assert checked(SUBS["deceived"], proved(*[PIECE] * MOST_EVIDENCE), TEXT) == proved(PIECE)
    long = {"option": "yes", "start": 1, "end": 10_001, "quote": "x" * 10_000}
    assert checked(SUBS["deceived"], proved(long), "x" * 10_009) == proved(long)
    with refused("tag_evidence_long"):
        checked(SUBS["deceived"], proved(long | {"end": 10_002}), "x" * 10_009)


def test_what_some_codebook_may_have_allowed_is_read_back() -> None:
    for said in (value("no", "yes", evidence=[PIECE]), value(NOT_STATED)):
        assert fits_any_codebook(said, TEXT)
    some = {"options": "yes", "evidence": []}, {"options": ["yes", 1], "evidence": []}
    for wrong in (value("yes", "yes"), value("no", evidence=[PIECE]), value(), *some, "yes"):
        assert not fits_any_codebook(wrong, TEXT)


@given(start=st.integers(0, len(TEXT) - 1), length=st.integers(1, 8))
def test_evidence_counts_characters_of_any_width(start: int, length: int) -> None:
    piece = {
        "option": "yes",
        "start": start,
        "end": min(start + length, len(TEXT)),
        "quote": TEXT[start : start + length],
    }
    assert checked(SUBS["deceived"], value("yes", evidence=[piece]), TEXT)["evidence"] == [piece]


def test_a_condition_that_does_not_hold_is_refused(house: TaggingHouse) -> None:
    item = house.items[0]
    said = (house, house.ann, item, [("manner", value("manner_01"))])
    assert code_of(commands.submit, house.ws, house.ann, item) == "tag_nothing"
    assert code_of(answer, *said) == "tag_condition"
    answer(house, house.ann, item, [("deceived", value("yes")), ("manner", value("manner_01"))])
    answer(
        house, house.ann, item, [("deceived", value("no")), ("insanity", value("not_mentioned"))]
    )
    assert code_of(commands.submit, house.ws, house.ann, item) == "tag_idle"
    form_commands.answer(house.ws, house.ann, item, "manner", None)
    commands.submit(house.ws, house.ann, item)


def test_only_what_applies_to_the_groups_is_asked(house: TaggingHouse) -> None:
    fraud, traffic = house.items[0], house.items[-1]
    assert code_of(answer, house, house.ann, fraud, [("drunk", value("yes"))]) == "tag_field"
    assert code_of(answer, house, house.ann, fraud, [("no_such", value("yes"))]) == "tag_field"
    answer(house, house.ann, traffic, [("drunk", value("no"))])
    with refused("tag_required") as missing:
        commands.submit(house.ws, house.ann, traffic)
    assert missing.value.where.field == "insanity"


def test_an_option_that_a_newer_codebook_removed_is_refused(house: TaggingHouse) -> None:
    item = house.items[0]
    answer(house, house.ann, item)
    option = (
        "          - {key: no, label: {en: No, ko: No}, help: {en: When No., ko: No인 경우.}}\n"
    )
    newer = BOOK.replace(option, "", 1)
    assert newer != BOOK
    new_version(house.ws, SLUG, "codebook", Task.FACTOR_TAGGING, {"mul": newer}, "drop no", 2)
    with refused("tag_option_gone") as gone:
        commands.submit(house.ws, house.ann, item)
    assert gone.value.where.field == "deceived"
    assert "Yes" in gone.value.remedy("en")
    answer(house, house.ann, item, [("deceived", value(NOT_STATED))])
    commands.submit(house.ws, house.ann, item)


def test_groups_shown_anew_change_what_is_asked(house: TaggingHouse) -> None:
    item = house.items[0]
    answer(house, house.ann, item)
    with house.ws.writing() as session:
        shown = {"typology": 2, "groups": ["traffic.other"], "suggestions": "after", "suggested": 0}
        add_candidate_set(session, item, shown, house.ws.clock())
    assert code_of(commands.submit, house.ws, house.ann, item) == "tag_field"
    form_commands.answer(house.ws, house.ann, item, "deceived", None)
    answer(house, house.ann, item, [("drunk", value("yes"))])
    commands.submit(house.ws, house.ann, item)


def test_an_adjudicator_decides_what_is_in_dispute_alone(house: TaggingHouse) -> None:
    item = house.items[0]
    for who, said in ((house.ann, "yes"), (house.ben, "no")):
        more = [("manner", value("manner_01"))] if said == "yes" else []
        answer(
            house,
            who,
            item,
            [("deceived", value(said)), *more, ("insanity", value("not_mentioned"))],
        )
        commands.submit(house.ws, who, item)
    where = house.ws, house.judge, item
    assert code_of(settle, *where, {"deceived": value("perhaps")}, "why") == "tag_option_gone"
    assert code_of(settle, *where, {}, "why") == "tag_nothing"
    assert settle(*where, {"manner": value("manner_02")}, "As the judgment says.")


def test_sub_factors_and_their_options_are_called_something(house: TaggingHouse) -> None:
    found = labels_of(house.ws, SLUG, "ko")
    for sub in SUBS.values():
        assert found[sub.key] == sub.label["ko"]
        assert all(found[f"{sub.key}.{each.key}"] == each.label["ko"] for each in sub.options)
