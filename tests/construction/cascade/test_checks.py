"""What each layer says: every wording in both languages, and each bound from both sides."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from construction.augmentation.rubric import PAPER, Reference, ReferenceSet
from construction.cascade import checks
from construction.cascade.checks import (
    Addition,
    Finding,
    Outcome,
    Reason,
    closure,
    completed,
    counts,
    gate,
    heuristics,
    judge,
    level,
    one_line,
)
from construction.cascade.layers import (
    Closure,
    Criterion,
    Difficulty,
    Gate,
    Heuristics,
    Judge,
    OnMissing,
    parse,
    starter,
)

LAYERS = parse(starter())
GATE = cast(Gate, LAYERS.steps[0])
HEURISTICS = cast(Heuristics, LAYERS.steps[2])
KO = "저희 대학 연구실의 분석 장비가 고장 났습니다. 수리비를 연구비로 내도 됩니까?"
EN = "Our laboratory's analyser broke down last week. May we pay for the repair out of the grant?"


@dataclass(frozen=True)
class Draft:
    text: str
    answer: str = "정한 용도라면 낼 수 있습니다. Yes, within the purpose."
    language: str = "ko"


@dataclass(frozen=True)
class Verdict:
    holds: bool
    reason: str = "so"


def english(text: str, **more: str) -> Draft:
    return Draft(text, "Yes, within the purpose.", "en", **more)


def codes(finding: Finding) -> list[str]:
    return [each.code for each in finding.reasons]


HELD = {
    "lists_institutions": (
        "대학, 기업, 정부출연연구기관은 장비 수리비를 어떻게 처리합니까?",
        "대학과 기업 및 병원은 언제까지 보고해야 합니까?",
        "대학·비영리법인·영리법인의 간접비는 얼마입니까?",
        "중소기업, 중견기업 또는 대기업은 얼마를 부담합니까?",
        "How do universities, companies and hospitals report their costs?",
        "Must a university, a company, or a hospital pay it back?",
    ),
    "for_each_institution": (
        "간접비 비율은 기관 유형별로 어떻게 다릅니까?",
        "기관마다 다른 정산 시기를 알려 주세요.",
        "각 기관의 정산 시기는 언제입니까?",
        "What is the deadline for each type of institution?",
        "Which duties do all kinds of organisations have?",
        "How does the rate change across different types of organizations?",
    ),
    "asks_for_comparison": (
        "직접비와 간접비를 비교하여 설명하세요.",
        "협약 변경과 해약의 차이점은 무엇입니까?",
        "직접비와 간접비의 차이를 설명해 주세요.",
        "사전 승인과 통보의 공통점을 알려 주세요.",
        "Compare the direct costs with the indirect costs.",
        "What are the differences between approval and notice?",
    ),
    "asks_for_summary": (
        "연구개발비 정산 절차를 요약해 주세요.",
        "학생인건비의 개념을 설명하시오.",
        "간접비에 대하여 서술하시오.",
        "제재 처분의 의의에 대해 설명해 주세요.",
        "Summarise the rules on settlement.",
        "Explain the concept of indirect costs.",
        "Please give an overview of the reporting duties.",
        "Discuss the main duties of the head of the project.",
    ),
}
PASSED = (
    KO,
    EN,
    "저희 대학이 기업과 함께 과제를 하는데 기업 부담금을 현물로 받아도 됩니까?",
    "우리 회사가 대학과 병원에 위탁했습니다. 위탁비를 먼저 주어도 됩니까?",
    "과제를 따로 특별히 관리해야 합니까? 저희 기업 별도 계좌로 받았습니다.",
    "매각 주체가 저희인데 장비를 팔면 누구에게 알려야 합니까?",
    "협약서에 적힌 금액과 실제 금액에 차이가 났습니다. 언제까지 고쳐야 합니까?",
    "The university and the company signed it together. May we, the company, buy the device?",
    "I compared the two invoices and they differ. Must I report it?",
    "What is the difference we have to pay back if we spent 3 million won less?",
)


@pytest.mark.parametrize(
    ("key", "text"), [(key, text) for key, texts in HELD.items() for text in texts]
)
def test_a_wording_of_the_gate_is_found(key: str, text: str) -> None:
    for said in (text, text.upper(), unicodedata.normalize("NFD", text), text.replace(" ", "\n ")):
        found = gate(Draft(said), GATE)
        assert found.outcome is Outcome.REJECTED
        assert f"wording.{key}" in codes(found), said
    [reason] = [e for e in gate(Draft(text), GATE).reasons if e.code == f"wording.{key}"]
    start, end = reason.values["start"], reason.values["end"]
    assert one_line(text)[start:end] == reason.values["text"] != ""


def test_every_wording_of_the_starter_is_tried() -> None:
    tried = {key: "".join(texts) for key, texts in HELD.items()} | SPOKEN
    assert set(tried) == set(LAYERS.labels())
    for wording in (*GATE.wordings, *HEURISTICS.wordings):
        texts = HELD.get(wording.key) or SPOKEN[wording.key]
        for pattern in wording.any:
            alone = replace(GATE, wordings=(replace(wording, any=(pattern,)),))
            assert any(gate(Draft(text), alone).reasons for text in texts), pattern.pattern


@pytest.mark.parametrize("text", PASSED)
def test_what_a_practitioner_asks_passes_the_gate(text: str) -> None:
    for said in (text, unicodedata.normalize("NFD", text)):
        assert gate(Draft(said), GATE) == Finding(Outcome.PASSED)


SPOKEN = {
    "speaks_of_material": (
        "제시된 조문에 따르면 수리비를 연구비로 내도 되는지 알려 주시겠습니까?",
        "본문에서 언급된 승인은 누구에게 언제까지 받아야 합니까, 담당자는요?",
        "Following the provided provisions, may our laboratory pay for the repair?",
        "According to the document, may our laboratory pay for the repair?",
    ),
    "speaks_as_machine": (
        "As an AI, may I ask whether our laboratory may pay for the repair?",
        "인공지능으로서 드리는 질문입니다. 저희 연구실의 수리비를 내도 됩니까?",
        "Sure! Here is a question: may our laboratory pay for the repair?",
        "물론입니다! 저희 연구실의 수리비를 연구비로 내도 되는지 궁금합니다.",
        "질문 1: 저희 연구실의 수리비를 연구비로 내도 되는지 궁금합니다.",
        "```저희 연구실의 수리비를 연구비로 내도 되는지 궁금합니다.",
    ),
}


@pytest.mark.parametrize(
    ("key", "text"), [(key, text) for key, texts in SPOKEN.items() for text in texts]
)
def test_a_wording_about_the_material_is_found(key: str, text: str) -> None:
    korean = any("가" <= letter <= "힣" for letter in text)
    for said in (text, unicodedata.normalize("NFD", text)):
        found = heuristics(Draft(said) if korean else english(said), HEURISTICS)
        assert codes(found) == [f"wording.{key}"]


@pytest.mark.parametrize("draft", [Draft(KO), english(EN), Draft(unicodedata.normalize("NFD", KO))])
def test_what_is_in_order_passes_heuristics(draft: Draft) -> None:
    assert heuristics(draft, HEURISTICS) == Finding(Outcome.PASSED)


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        (Draft("수리비는?"), ["length"]),
        (Draft("장비" + "가" * 1_500), ["length"]),
        (Draft(KO, "네."), ["length"]),
        (Draft(KO, ""), ["length"]),
        (Draft(KO.replace("수리비", "修理費")), ["script"]),
        (Draft(KO, "修理는 허용됩니다, 그렇습니다."), ["script"]),
        (Draft(KO + " これはなに"), ["script"]),
        (english(EN + " Да."), ["script"]),
        (english(EN + " 수리비"), ["script"]),
        (Draft(EN), ["other_language"]),
        (Draft(f"{KO} {KO}"), ["repeated"]),
        (Draft(KO, "정한 용도라면 낼 수 있습니다. " * 2), ["repeated"]),
        (english(KO), ["script", "other_language"]),
    ],
)
def test_each_heuristic_has_its_reason(draft: Draft, expected: list[str]) -> None:
    found = heuristics(draft, HEURISTICS)
    assert (found.outcome, sorted(set(codes(found)))) == (Outcome.REJECTED, sorted(expected))


@pytest.mark.parametrize(
    ("length", "outcome"),
    [(19, "rejected"), (20, "passed"), (1_500, "passed"), (1_501, "rejected")],
)
def test_lengths_are_counted_in_composed_letters(length: int, outcome: str) -> None:
    text = "".join(chr(0xAC00 + number * 7) for number in range(length))
    for said in (text, unicodedata.normalize("NFD", text)):
        assert heuristics(Draft(said), HEURISTICS).outcome == outcome


def test_a_reason_has_the_values_that_people_are_told() -> None:
    def told(text: str, answer: str = Draft.answer) -> list[tuple[str, dict[str, object]]]:
        found = heuristics(Draft(text, answer), HEURISTICS)
        return [(each.code, dict(each.values)) for each in found.reasons]

    assert told("수리비는?", "네.") == [
        ("length", {"part": "question", "length": 5, "shortest": 20, "longest": 1500}),
        ("length", {"part": "answer", "length": 2, "shortest": 10, "longest": 6000}),
    ]
    first = "저희 대학 연구실의 분석 장비가 고장 났습니다."
    assert told(f"{KO} {KO} АбА") == [
        ("script", {"part": "question", "letters": "Аб", "count": 3}),
        ("repeated", {"part": "question", "text": first, "times": 2}),
    ]
    assert told(EN + " 가나다") == [("other_language", {"share": 0.04, "language": "ko"})]
    found = references(2, conditional=True, sanction=True)
    assert level(found, "L1", Difficulty(3, on=True), PAPER).reasons[0].values == {
        **{"target": "L1", "actual": "L4", "references": 2, "institutions": 0, "arity": 1},
        **{"conditional": True, "cross_document": False, "external_law": False, "sanction": True},
    }


def test_bounds_can_be_moved() -> None:
    chinese = Draft(KO.replace("수리비", "修理費"))
    assert heuristics(chinese, replace(HEURISTICS, foreign_letters=3)).outcome is Outcome.PASSED
    assert heuristics(chinese, replace(HEURISTICS, foreign_letters=2)).outcome is Outcome.REJECTED
    twice = Draft(f"{KO} {KO}")
    assert heuristics(twice, replace(HEURISTICS, same_sentence=2)).outcome is Outcome.PASSED
    assert heuristics(Draft(EN), replace(HEURISTICS, own_share=0.0)).outcome is Outcome.PASSED
    allowed = {"ko": ("HANGUL", "LATIN", "CJK"), "en": ("LATIN",)}
    assert heuristics(chinese, replace(HEURISTICS, scripts=allowed)).outcome is Outcome.PASSED


@pytest.mark.parametrize("letter", ["ａ", "①", "㎡", "Å", "5", "%", "·", "「"])
def test_forms_of_letters_and_signs_are_of_no_other_script(letter: str) -> None:
    assert heuristics(Draft(f"{KO} {letter}"), HEURISTICS).outcome is Outcome.PASSED


def test_an_expression_that_takes_too_long_judges_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "TEXT_SECONDS", 0.2)
    text = "layers:\n- layer: gate\n  on: true\n  patterns:\n  - key: slow\n" \
        "    label: {en: Slow, ko: 느림}\n    any: ['(a|a){1,60}$']\n"  # fmt: skip
    slow = parse(text).steps[0]
    assert isinstance(slow, Gate)
    found = gate(Draft("a" * 4_000 + "!"), slow)
    assert (found.outcome, codes(found)) == (Outcome.UNJUDGED, ["slow"])


@pytest.mark.parametrize(
    ("fails", "must_hold", "outcome"),
    [
        ((), 4, Outcome.PASSED),
        (("concrete_context",), 4, Outcome.REJECTED),
        (("concrete_context",), 3, Outcome.PASSED),
        (("concrete_context", "single_institution"), 3, Outcome.REJECTED),
        (tuple(Criterion), 1, Outcome.REJECTED),
    ],
)
def test_so_many_criteria_have_to_hold(
    fails: tuple[str, ...], must_hold: int, outcome: Outcome
) -> None:
    said = {each: Verdict(each not in fails, f"about {each}") for each in Criterion}
    found = judge(said, Judge(tuple(Criterion), must_hold, on=True))
    assert found.outcome is outcome
    assert codes(found) == list(Criterion)
    against = [each.code for each in found.reasons if counts(each.as_dict())]
    assert against == [each for each in Criterion if each in fails]
    assert found.reasons[0].values["reason"] == "about practitioner_voice"


def references(count: int, **more: object) -> ReferenceSet:
    found = tuple(Reference(f"법_{n}조", "법") for n in range(count))
    return ReferenceSet(found, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "target", "tolerance", "outcome"),
    [
        (references(1), "L1", 0, Outcome.PASSED),
        (references(1), "L2", 0, Outcome.REJECTED),
        (references(1), "L2", 1, Outcome.PASSED),
        (references(1), "L3", 1, Outcome.REJECTED),
        (references(4), "L3", 0, Outcome.PASSED),
        (references(2, conditional=True, sanction=True), "L4", 0, Outcome.PASSED),
        (references(2, conditional=True, sanction=True), "L1", 3, Outcome.PASSED),
        (references(2, conditional=True, sanction=True), "L1", 2, Outcome.REJECTED),
        (references(0), "L1", 3, Outcome.UNJUDGED),
    ],
)
def test_the_level_is_that_of_the_rubric(
    found: ReferenceSet, target: str, tolerance: int, outcome: Outcome
) -> None:
    assert level(found, target, Difficulty(tolerance, on=True), PAPER).outcome is outcome


def test_a_level_that_the_rubric_does_not_have_is_no_target() -> None:
    with pytest.raises(ValueError, match="L5"):
        level(references(1), "L5", Difficulty(0, on=True), PAPER)


def test_closure_completes_or_rejects() -> None:
    missing = [Addition(unit, "r4", "제재") for unit in ("법_2조", "법_3조")]
    for on_missing, outcome in (
        (OnMissing.COMPLETE, Outcome.PASSED),
        (OnMissing.REJECT, Outcome.REJECTED),
    ):
        found = closure(missing, Closure(on_missing, on=True))
        assert (found.outcome, len(found.reasons)) == (outcome, 2)
        assert closure([], Closure(on_missing, on=True)) == Finding(Outcome.PASSED)
    found = closure(missing[:1], Closure(OnMissing.COMPLETE, on=True), missing[1:])
    assert [(each.code, each.values["unit"]) for each in found.reasons] == [
        ("added_before", "법_3조"),
        ("missing", "법_2조"),
    ]
    assert completed(found, references(0), "L1", PAPER) == found
    assert completed(found, references(4), "", PAPER).reasons == (
        *found.reasons,
        Reason("completed_level", {"target": "–", "actual": "L3"}),
    )


@given(st.text(max_size=300), st.sampled_from(["en", "ko"]))
def test_any_text_gets_an_answer_that_its_composition_does_not_change(
    text: str, language: str
) -> None:
    for form in ("NFC", "NFD"):
        said = Draft(unicodedata.normalize(form, text), language=language)
        assert gate(said, GATE) == gate(Draft(text, language=language), GATE)
        expected = heuristics(Draft(text, language=language), HEURISTICS)
        assert heuristics(said, HEURISTICS) == expected
