from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import UserError
from llm.prompts.prompt_files import PACKAGED, edited, packaged_ids, prompt, read_prompt
from llm.structured.shapes import SHAPES
from messages import LANGUAGES
from tests.support.refusals import code_of, refused

TEXT = PACKAGED.text("judge_binary", "en") or ""
ALL = [(each, language) for each in packaged_ids() for language in LANGUAGES]


class Own:
    """A project that has its own wording of one prompt."""

    def __init__(self, text: str) -> None:
        self.own = text

    def text(self, prompt_id: str, language: str) -> str | None:
        return self.own if (prompt_id, language) == ("judge_binary", "en") else None


@pytest.mark.parametrize(("name", "language"), ALL)
def test_every_packaged_prompt_is_what_its_name_says(name: str, language: str) -> None:
    read = prompt(name, language)
    assert (read.id, read.language) == (name, language)
    assert read.schema in {"", *SHAPES}
    values = {place: f"<{place}>" for place in read.places}
    said = " ".join(message.text for message in read.messages(values))
    assert all(value in said for value in values.values())
    assert "{{" not in said


@pytest.mark.parametrize("name", packaged_ids())
def test_both_languages_of_a_prompt_ask_for_the_same(name: str) -> None:
    en, ko = prompt(name, "en"), prompt(name, "ko")
    assert (en.places, en.role, en.schema, en.number) == (ko.places, ko.role, ko.schema, ko.number)
    assert [speaker for speaker, _ in en.parts] == [speaker for speaker, _ in ko.parts]


@given(st.text(), st.text(), st.text())
def test_values_are_data(question: str, reference: str, answer: str) -> None:
    values = {"question": question, "reference": reference, "answer": answer}
    [_, user] = prompt("judge_binary", "en").messages(values)
    frame = user.text
    for value in ("Question:\n", "Official answer:\n", "Answer to be graded:\n"):
        assert value in frame
    expected = (
        f"Question:\n{question}\n\nOfficial answer:\n{reference}\n\n"
        f"Answer to be graded:\n{answer}\n\nYour grade, 1 or 0:"
    )
    assert frame == expected


@pytest.mark.parametrize(
    ("values", "missing", "unknown"),
    [
        ({}, "answer, question, reference", "–"),
        ({"question": "", "reference": "", "answer": "", "extra": ""}, "–", "extra"),
    ],
)
def test_a_missing_or_unknown_value_is_an_error(
    values: dict[str, str], missing: str, unknown: str
) -> None:
    with refused("prompt_values") as caught:
        prompt("judge_binary", "en").messages(values)
    assert caught.value.params == {"missing": missing, "unknown": unknown}


def test_a_project_has_its_own_wording_with_its_own_version() -> None:
    own = Own(TEXT.replace("version: 1", "version: 2").replace("You grade", "You mark"))
    read = prompt("judge_binary", "en", own)
    assert read.parts[0][1].startswith("You mark")
    assert read.version.startswith("2-")
    assert read.version != prompt("judge_binary", "en").version
    assert prompt("judge_binary", "ko", own) == prompt("judge_binary", "ko")


ABOUT = [
    *(f"expand_{each}" for each in ("paraphrase", "chain_of_thought", "structured")),
    *(f"query_{each}" for each in ("anchor", "decompose", "facts", "keywords")),
    *("answer_choice", "answer_choice_context", "answer_closed", "answer_context"),
    *("answer_provisions", "answer_pseudo", "answer_with_pseudo"),
]


@pytest.mark.parametrize("name", ABOUT)
def test_a_wording_may_name_jurisdiction_and_year(name: str) -> None:
    text = f"{PACKAGED.text(name, 'ko')}\n{{{{ jurisdiction }}}}, {{{{year}}}}"
    own = edited(text, prompt(name, "ko"))
    values = dict.fromkeys(own.places - own.optional, "x")
    both = own.messages(values | {"jurisdiction": "us-ny", "year": "2021"})[-1].text
    assert both.endswith("\nus-ny, 2021")
    one = own.messages(values | {"jurisdiction": "us-ny"})[-1].text
    assert one.endswith("\nus-ny, 명시되지 않음")
    neither = own.messages(values)
    assert neither == own.messages(values | {"year": " "})
    assert not any("명시되지" in each.text or "\n\n\n" in each.text for each in neither)


def test_a_line_without_its_optional_value_goes() -> None:
    [_, about] = prompt("answer_closed", "en").messages({"question": "May I?"})
    assert about.text == "Question:\nMay I?\n\nAnswer:"


def test_a_line_with_a_needed_place_stays_without_its_optional_value() -> None:
    text = (PACKAGED.text("expand_paraphrase", "en") or "").replace(
        "{{question}}", "{{question}} ({{jurisdiction}})"
    )
    own = edited(text, prompt("expand_paraphrase", "en"))
    assert own.messages({"question": "Why?"})[-1].text.endswith("Why? (unspecified)")


@pytest.mark.parametrize("name", ["judge_binary", "mcq_generate", "rerank_yes_no"])
def test_a_prompt_whose_asker_does_not_know_them_may_not(name: str) -> None:
    text = f"{PACKAGED.text(name, 'en')}{{{{jurisdiction}}}}"
    with refused("prompt_places"):
        edited(text, prompt(name, "en"))


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("{{answer}}", "the answer", "prompt_places"),
        ("{{answer}}", "{{answer}} {{judge}}", "prompt_places"),
        ("id: judge_binary", "id: judge_pairwise", "prompt_unreadable"),
        ("role: judge", "role: solve", "prompt_unreadable"),
        ("language: en", "language: ko", "prompt_unreadable"),
        ("version: 1", "version: one", "prompt_unreadable"),
        ("version: 1", "version: ²", "prompt_unreadable"),
        ("version: 1\n", "", "prompt_unreadable"),
        ("version: 1", "version: 1\nversion: 2", "prompt_unreadable"),
        ("version: 1", "version: 1\nmood: good", "prompt_unreadable"),
        ("=== user ===", "=== king ===", "prompt_unreadable"),
        ("=== user ===", "user", "prompt_unreadable"),
        ("=== system ===", "=== user ===", ""),
        ("{{answer}}", "{{ answer }}", ""),
        ("{{answer}}", "{{answer}} {{", "prompt_unreadable"),
        ("{{answer}}", "{{answer}} {{Answer}}", "prompt_unreadable"),
        ("---\n", "", "prompt_unreadable"),
        ("\n", "\r\n", ""),
    ],
)
def test_what_a_project_may_change_and_what_not(old: str, new: str, code: str) -> None:
    own = Own(TEXT.replace(old, new))
    if not code:
        assert prompt("judge_binary", "en", own).places == prompt("judge_binary", "en").places
        return
    with refused(code) as caught:
        prompt("judge_binary", "en", own)
    assert caught.value.render("ko") != caught.value.render("en")


@pytest.mark.parametrize("name", ["no_such", "../../etc/passwd", "judge_binary.en", "", "*"])
def test_an_id_is_a_name_of_a_packaged_prompt(name: str) -> None:
    assert code_of(prompt, name, "en") == "prompt_unknown"


HEAD = "---\nid: x\nversion: 1\nrole: judge\nlanguage: en\n---\n"


@given(st.sampled_from(["", HEAD]), st.text())
def test_no_text_breaks_the_reading(head: str, text: str) -> None:
    try:
        assert read_prompt(head + text, "file").parts
    except UserError as error:
        assert error.code == "prompt_unreadable"
