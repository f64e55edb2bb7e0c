from __future__ import annotations

import re

import pytest

from corpus.cases.model import Section
from corpus.cases.patterns import FIELDS, languages, packaged, packaged_text, patterns_with
from tests.support.refusals import code_of, refusal

_ENDLESS = re.compile(r"(?<!\\)(?:[*+]|\{\d*,\})(?![^\[\]]*\])")  # but in a class of characters


def test_every_packaged_language_has_sections_and_every_field():
    assert languages() == ("en", "ko", "zh")
    for language in languages():
        patterns = packaged()[language]
        assert {each.section for each in patterns.begins} >= set(Section) - {Section.HEAD}
        assert set(patterns.rules) == set(FIELDS)


def test_packaged_patterns_can_be_saved_and_read_as_ones_own():
    own = patterns_with(packaged_text("ko"))
    assert len(own["ko"].begins) == 2 * len(packaged()["ko"].begins)


@pytest.mark.parametrize(
    ("text", "code", "field"),
    [
        ("[ko", "patterns_toml", None),
        ("ko = 1", "patterns_table", "ko"),
        ("[ko]\nnothing = 1", "patterns_key", "ko.nothing"),
        ("[ko.sections]\nmiddle = ['a']", "patterns_key", "ko.sections.middle"),
        ("[ko.sections]\nfacts = 'a'", "patterns_list", "ko.sections.facts"),
        ("[ko.sections]\nfacts = ['(']", "pattern_broken", "ko.sections.facts[1]"),
        ("[ko.sections]\nfacts = ['a', 'a{4000}']", "pattern_large", "ko.sections.facts[2]"),
        ("[ko.charges]\nfind = ['a']", "patterns_rules", "ko.charges"),
        (
            "[[ko.charges]]\nsections = ['x']\nfind = ['a']",
            "patterns_key",
            "ko.charges[1].sections",
        ),
        ("[[ko.charges]]\nsplit = ','", "patterns_list", "ko.charges[1].find"),
        (f"[ko.sections]\nfacts = ['{'a' * 1001}']", "pattern_long", "ko.sections.facts[1]"),
        (" " * 70_000 + "x", "patterns_long", None),
    ],
)
def test_what_is_no_pattern_is_refused_with_its_key(text, code, field):
    error = refusal(patterns_with, text, "own.toml")
    assert (error.code, error.where.file, error.where.field) == (code, "own.toml", field)


def test_no_packaged_pattern_repeats_without_end() -> None:
    """An endless repetition tried at every place of a long text takes the square of its length."""
    for language in languages():
        patterns = packaged()[language]
        rules = [rule for listed in patterns.rules.values() for rule in listed]
        found = [begin.pattern for begin in patterns.begins]
        found += [each for rule in rules for each in (*rule.find, *rule.within)]
        assert [each.pattern for each in found if _ENDLESS.search(each.pattern)] == []


def test_an_unknown_language_has_no_packaged_patterns():
    assert code_of(packaged_text, "tlh") == "patterns_language"
