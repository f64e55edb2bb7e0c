"""Rules of closure as a project declares them."""

from __future__ import annotations

import pytest

from construction.closure.rules import (
    ArticlesOf,
    Condition,
    Neighbours,
    Place,
    Sanctions,
    parse,
    starter,
)
from corpus.graph.model import EdgeType
from corpus.model import Level
from tests.construction.closure.small_rules import RULES
from tests.support.refusals import refusal


def test_the_starter_has_the_four_kinds_of_the_paper_and_names_no_provision() -> None:
    found = parse(starter())
    assert [rule.key.split("_")[0] for rule in found.rules] == ["r1", "r2", "r2", "r3", "r4", "r4"]
    assert found.named_units() == [] and len(found.sanctions) == 6
    for rule in found.rules:
        assert set(rule.label) == {"en", "ko"} and rule.triggers and rule.adds
    for sanction in found.sanctions:  # terms of both languages
        assert any(word.isascii() for word in sanction.words)
        assert any(not word.isascii() for word in sanction.words)


def test_rules_are_read_with_their_triggers_and_effects() -> None:
    found = parse(RULES)
    by_key = {rule.key: rule for rule in found.rules}
    assert [each.articles for each in found.domains] == [("나루법_1조",)]
    assert by_key["r3"].condition is Condition.ALL
    assert by_key["r4"].triggers == (Sanctions(("fine",), (Place.QUESTION, Place.HEADING)),)
    assert by_key["r4"].adds == (ArticlesOf("sanction", (EdgeType.REFERENCES,)),)
    beside = by_key["annexes"].adds[0]
    assert beside == Neighbours(
        (EdgeType.REFERENCES, EdgeType.SPECIFIES), "both", ("기준",), (Level.ARTICLE,)
    )
    assert found.named_units() == [("costs", "나루법_1조"), ("r3", "나루법_5조")]


TAX = "- {key: tax, label: {en: Tax, ko: 세무}, default: true}"
MANY = ", ".join(f"가{number}" for number in range(501))


@pytest.mark.parametrize(
    ("before", "after", "code", "field"),
    [
        ("key: r3", "key: R3", "closure_key", "rules[3].key"),
        ("key: r4", "key: r3", "closure_key_twice", "rules[4].key"),
        ("condition: all", "condition: most", "closure_unknown", "rules[3].condition"),
        ("direction: both", "direction: up", "closure_unknown", "add[1].direction"),
        ("levels: [article]", "levels: [book]", "closure_unknown", "add[1].levels"),
        ("in: [question]", "in: [title]", "closure_unknown", "rules[3].triggers[1].in"),
        ("sanction: [fine]", "sanction: [whip]", "closure_unknown", "triggers[1].sanction"),
        ("sanction: [fine]", "sanction: []", "field_missing", "triggers[1].sanction"),
        ("edges: [applies]", "edges: [part_of]", "closure_unknown", "triggers[1].edges"),
        ("edges: [applies]", "edges: [applies], words: [가]", "closure_kind", "triggers[1]"),
        ("edges: [applies]", "paths: [applies]", "closure_kind", "rules[2].triggers[1]"),
        ("articles: [나루법_5조]", "articles: [나루법_]", "closure_unit", "add[1].articles"),
        ("articles: [나루법_1조]", "default: perhaps", "field_not_yes", "domains[1].default"),
        ("articles: [나루법_1조]", f"default: yes\n{TAX}", "closure_default_twice", "default"),
        ("sanction: [fine], in", "words: [가], in", "closure_unfired", "add[1].articles_of"),
        ("words: [부득이]", "words: []", "field_missing", "rules[3].triggers[1].words"),
        ("triggers:\n  - {sanction", "trigger:\n  - {sanction", "field_unknown", "trigger"),
        ("headings: [과태료]", "headings: []", "field_missing", "sanctions[1].headings"),
        ("except: [절차]", "except: 절차", "field_not_texts", "sanctions[1].except"),
        ("words: [부득이]", f"words: [{'가' * 101}]", "text_too_long", "triggers[1].words"),
        ("words: [부득이]", f"words: [{MANY}]", "closure_many", "triggers[1].words"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line_and_field(
    before: str, after: str, code: str, field: str
) -> None:
    assert before in RULES
    error = refusal(parse, RULES.replace(before, after, 1), "mine.yaml")
    assert (error.code, error.where.file) == (code, "mine.yaml")
    assert (error.where.field or "").endswith(field), error.where
    line = RULES[: RULES.index(before)].count("\n") + 1
    assert error.where.line is not None and line - 2 <= error.where.line <= line + 3


def test_no_rules_are_rules() -> None:
    assert parse("rules: []").rules == ()
