from __future__ import annotations

import json
import re
import time
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.cases import safe_pattern as bounds
from corpus.cases.model import CaseRules
from corpus.cases.patterns import Patterns, packaged
from corpus.cases.reading import read_judgments
from corpus.cases.safe_pattern import (
    Budget,
    FileBudget,
    SafePattern,
    nests_repetition,
    safe_pattern,
    unrolled,
)
from errors import UserError, Where
from tests.corpus.cases.texts import CHINESE, ENGLISH, KOREAN
from tests.support.drawn_pages import written
from tests.support.refusals import code_of, refusal
from tests.support.thread_waits import longest_silence

ENDLESS = (  # each holds Python's own engine for years, on one of the texts
    r"(a|a)*$",
    r"(?:a{1,40}){1,40}$",
    r"(.|\w)*!$",
    r"(a+)+$",
    r"(\w|\s)+$",
    r"(?:a?){1,60}a{60}$",
    r"(?=(a+)+$)b",
    r"(a|aa)*[^a]$",
    r"^(?:.*,){20}x",
)
TEXTS_OF_ATTACK = ("a" * 2_000 + "!", "a" * 2_000 + "\n!?", "ab ," * 500 + "?", "xa" * 1_000 + ";")


def test_no_expression_outlasts_its_budget_or_holds_the_other_threads():
    slow = set()
    with longest_silence() as silence:
        for text, attack in product(ENDLESS, TEXTS_OF_ATTACK):
            pattern = safe_pattern(text, Where(field="ko.sections.facts[1]"))
            began = time.thread_time()
            try:
                list(pattern.finditer(attack, Budget("c-1", seconds=0.1)))
            except UserError as error:
                slow.add(text)
                assert (error.code, error.params["pattern"]) == ("pattern_slow", text)
                assert error.params["key"] == "ko.sections.facts[1]"
                assert error.params["text"] == "c-1"
                assert str(error.params["excerpt"])[:1] in "ax"
            assert time.thread_time() - began < 1.0
    assert silence[0] < 1.0
    assert len(slow) >= 5, "attacks that end in time prove nothing"


def test_a_slow_pattern_is_named_with_the_judgment_it_ran_on(tmp_path, monkeypatch):
    monkeypatch.setattr(bounds, "TEXT_SECONDS", 0.2)
    rows = [{"id": "c-1", "text": "피고인"}, {"id": "c-2", "text": "a" * 5_000 + "!"}]
    content = "\n".join(json.dumps(row) for row in rows).encode()
    path = written(tmp_path, "cases.jsonl", content)
    rules = CaseRules(language="ko", patterns="[ko.sections]\nfacts = ['(?:a{1,40}){1,40}$']")
    error = refusal(lambda: list(read_judgments(path, rules)))
    assert (error.code, error.where.file, error.where.line) == ("pattern_slow", "cases.jsonl", 2)
    assert (error.params["text"], error.params["excerpt"]) == ("c-2", "a" * 60)
    assert error.params["pattern"] == "(?:a{1,40}){1,40}$"
    for language in ("en", "ko"):
        assert "c-2" in error.what(language)


def test_a_file_has_a_budget_of_its_own(monkeypatch):
    monkeypatch.setattr(bounds, "FILE_SECONDS", 0.2)
    monkeypatch.setattr(bounds, "EACH_SECONDS", 0.0)
    pattern, whole = safe_pattern(r"(?:a{1,40}){1,40}$"), FileBudget()
    began = time.thread_time()
    for number in (1, 2, 3):
        with (
            pytest.raises(UserError) as refused,
            whole.for_text(f"c-{number}", Where("f", number)) as budget,
        ):
            list(pattern.finditer("a" * 5_000 + "!", budget))
        assert refused.value.code == "patterns_slow"
        assert refused.value.params["text"] == f"c-{number}"
    assert whole.spent >= 0.2
    assert time.thread_time() - began < 1.0


def test_what_fits_everywhere_is_refused():
    found = safe_pattern("a*").finditer("b" * 100, Budget("c-1", matches=50))
    assert code_of(list, found) == "pattern_everywhere"
    assert code_of(safe_pattern(",").split, "," * 100, Budget(matches=50)) == "pattern_everywhere"


@pytest.mark.parametrize("call", ["fullmatch", "split"])
def test_every_way_to_use_an_expression_has_the_limit(call):
    pattern, text = safe_pattern(r"(?:a{1,40}){1,40}$"), "a" * 5_000 + "!"
    arguments = (text, 0, len(text)) if call == "fullmatch" else (text,)
    assert code_of(getattr(pattern, call), *arguments, Budget(seconds=0.1)) == "pattern_slow"


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("abc", 3),
        ("a+", 2),
        ("a{2}", 3),
        ("(?:a{9}){9}", 120),
        ("(((a+)+)+)+", 30),
        (r"\{[{]{0,40}", 2),
        ("(?x)(a # (b\n) {3}", 8),
        ("(?#(a{9})a", 2),
    ],
)
def test_the_size_of_an_expression_counts_what_is_written_out(text, size):
    assert unrolled(text) == size


@pytest.mark.parametrize(
    "text",
    [
        "a{2001}",
        "(?:a{60}){60}",
        "(?:" * 40 + "a+" + ")+" * 40,
        "(?x)((a{100} #(\n){100}){100}",
        "(?x)(a{100}) #(\n{100}",
        "(?:(?#)))a{100}(?#(){100}){100}",
        "(?:" * 11 + "a" + "){2,}" * 11,
    ],
)
def test_what_would_be_large_when_compiled_is_refused_at_once(text):
    began = time.process_time()
    assert code_of(safe_pattern, text) in ("pattern_large", "pattern_broken")
    assert time.process_time() - began < 1.0


_ATOMS = st.sampled_from(["a", "b", ".", r"\w", "[ab]", "가", r"\d", "^", "$", r"\b", "[^a\n]"])
_TIMES = st.sampled_from(["*", "+", "?", "{2}", "{0,3}", "{40}", "*?", "+?", "{1,}"])


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    group = st.sampled_from(["(?:", "(", "(?=", "(?!"])
    return st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map("|".join),
        st.builds("{}{}){}".format, group, inner, st.one_of(st.just(""), _TIMES)),
        st.builds("{}{}".format, _ATOMS.filter(lambda a: a not in "^$" and a != r"\b"), _TIMES),
    )


_EXPRESSIONS = st.recursive(_ATOMS, _grown, max_leaves=12)


@given(_EXPRESSIONS)
def test_what_is_not_refused_compiles_in_a_moment(text):
    began = time.thread_time()
    try:
        safe_pattern(text)
    except UserError as error:
        assert error.code in ("pattern_large", "pattern_broken", "pattern_long")
    assert time.thread_time() - began < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "(?R)",
        "(?1)(a)",
        "(?V1)[a--b]",
        "(?:foo){e<=2}",
        "a(?x)b",
        "(?r)a",
        "(?|a)",
        "(?b:a)",
        "a{x",
    ],
)
def test_what_python_reads_otherwise_is_refused(text):
    where = Where("own.toml", field="ko.number[1].find[1]")
    error = refusal(safe_pattern, text, where)
    assert (error.code, error.where) == ("pattern_broken", where)


def every_pattern(patterns: Patterns) -> list[SafePattern]:
    rules = [rule for listed in patterns.rules.values() for rule in listed]
    found = [patterns.sentence_end, *(begin.pattern for begin in patterns.begins)]
    found += [each for rule in rules for each in (*rule.find, *rule.within)]
    return found + [each for rule in rules for each in (rule.split, rule.carry) if each]


def matches_as_python(pattern: SafePattern, text: str) -> bool:
    python = re.compile(pattern.pattern, re.MULTILINE)
    ours = [(m.span(), m.groups()) for m in pattern.finditer(text, Budget())]
    return ours == [(m.span(), m.groups()) for m in python.finditer(text)]


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_packaged_patterns_find_what_pythons_own_engine_finds(language):
    found = every_pattern(packaged()[language])
    assert len(found) > 15
    for pattern in found:
        for text in (CHINESE, ENGLISH, KOREAN):
            assert matches_as_python(pattern, text)
            python = re.compile(pattern.pattern, re.MULTILINE)
            assert pattern.split(text, Budget()) == python.split(text)


@pytest.mark.parametrize(
    ("text", "nests"),
    [
        (r"(a+)+$", True),
        (r"(?:a|b*)*", True),
        (r"(?:(?:a+)b?){2,}", True),
        (r"(?:a{2,}){1,5}", True),
        (r"((?:a*)b)+", True),
        (r"(?:a+)?b*", False),
        (r"(?:a{1,9}){1,9}", False),
        (r"(?:ab)+(?:c+)", False),
        (r"[*+](?:[+*]x)+", False),
        (r"(?:a\+)+", False),
    ],
)
def test_a_repetition_without_end_within_another_is_told(text, nests):
    assert nests_repetition(text) is nests


def test_any_case_and_lists_of_words():
    words = {"who": ["university", "univ.", "대학", "대학교"]}
    pattern = safe_pattern(r"\b\L<who> of (\w+)|\L<who> 총장", any_case=True, word_lists=words)
    assert pattern.search("the Univ. of X", Budget())[0] == "Univ. of X"
    assert pattern.search("그 대학교 총장", Budget())[0] == "대학교 총장"
    assert pattern.search("the univX of X", Budget()) is None  # a word of a list is no expression
    assert safe_pattern("a").search("A", Budget()) is None


def test_a_list_that_is_not_there_is_refused():
    assert code_of(safe_pattern, r"\L<who>") == "pattern_broken"
