from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from annotation.gold import derivation
from annotation.gold.derivation import GoldItem
from corpus.model import Question
from services.gold.gold_set import GoldSet, gold_of, read_gold, require_judged
from services.gold.gold_set import gold_set as gold_set_of
from services.runs.retrieving import retrieve
from services.runs.scoring import score_run
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions
from storage.reformulation import Parentage
from tests.projects.small_law import ACT, RULE, SLUG
from tests.services.small_gold import FIRST, LAMP, LIFE_JACKETS, Gold
from tests.support.refusals import refused


def gold_set(**grades: int) -> GoldSet:
    items: Any = [Gold("q", ("a", "b"), grades=grades), Gold("none")]
    return GoldSet(items, 0)


@pytest.mark.parametrize(
    ("grades", "expected"),
    [
        ({}, {"a": 1, "b": 1}),
        ({"a": 3, "c": 2}, {"a": 3, "b": 1}),
        ({"a": 0, "b": -1}, {"a": 1, "b": 1}),
    ],
)
def test_accepted_units_have_the_grade_of_their_source(
    grades: dict[str, int], expected: dict[str, int]
) -> None:
    assert gold_set(**grades).qrels == {"q": expected, "none": {}}


def test_hashes_tell_grades_apart_and_stay_what_they_were_without() -> None:
    plain, graded = gold_set(), gold_set(a=2)
    assert gold_set(a=1, b=0).hash == plain.hash != graded.hash
    assert plain.question_hashes["q"] != graded.question_hashes["q"]
    assert plain.question_hashes["none"] == graded.question_hashes["none"]


@pytest.mark.parametrize(
    ("reason", "code"),
    [("not_begun", "no_gold"), ("amended", "gold_amended"), ("no_candidates", "gold_waits")],
)
def test_where_nothing_is_gold_it_is_said_why(reason: Any, code: str) -> None:
    items = [GoldItem(1, "q1", "Which?", "pending", pending=(reason,))]
    with refused(code) as caught:
        require_judged(gold_of(items), SLUG)
    assert ("q1" in caught.value.what()) is (code != "no_gold")


LABELLED = [
    Question("s1", "구명조끼?", "", "ko", gold_ids=(f"{ACT}_2조제1항", f"{ACT}_별표1-1호의나")),
    Question(
        *("s2", "Lamp?", "", "en"),
        gold_ids=(LAMP, "Lost-Act_article-9"),
        grades=((LAMP, 3), (f"{RULE}_article-2", 0)),
    ),
]


@pytest.fixture
def labelled(ws: Workspace, decided: Callable[[Any], None]) -> Workspace:
    """Return the workspace with two questions that brought labels; people decided on others."""
    keep_questions(ws, SLUG, LABELLED, "data.jsonl")
    return ws


def names(ws: Workspace, name: str) -> list[str]:
    return list(gold_set_of(ws, SLUG, name=name).qrels)


def test_labels_of_a_source_are_cut_to_units_and_keep_their_grades(labelled: Workspace) -> None:
    found = gold_set_of(labelled, SLUG, name="source")
    assert found.qrels == {
        "s1": {LIFE_JACKETS: 1, f"{ACT}_별표1": 1},
        "s2": {LAMP: 3, "Lost-Act_article-9": 1},  # outside the law, so it counts as missed
    }
    assert found.labelled == 2 and {item.outcome for item in found.items} == {"source"}
    run = retrieve(labelled, SLUG)
    recall = {
        figure.name: figure.value for figure in score_run(labelled, run, gold="source").figures
    }
    assert recall["Recall@100"] == pytest.approx((1 + 1 / 2) / 2)


def test_what_people_decided_stands_over_the_source_question_by_question(
    labelled: Workspace, decided: Callable[[Any], None]
) -> None:
    decided([*FIRST, Gold("s1", (f"{ACT}_4조",))])
    both = gold_set_of(labelled, SLUG, name="people-over-source")
    assert list(both.qrels) == ["q1", "q2", "q4", "s1", "s2"]
    assert both.qrels["s1"] == {f"{ACT}_4조": 1} and both.labelled == 1
    assert gold_set_of(labelled, SLUG, name="source").qrels["s1"].keys() == {
        LIFE_JACKETS,
        f"{ACT}_별표1",
    }
    assert names(labelled, "people") == ["q1", "q2", "q4", "s1"]


def test_the_widest_gold_set_is_read_by_default_and_people_alone_where_it_is_exported(
    labelled: Workspace, decided: Callable[[Any], None]
) -> None:
    assert gold_set_of(labelled, SLUG, name="").name == "people-over-source"
    assert read_gold(labelled, SLUG).sizes() == {"people-over-source": 5, "people": 3, "source": 2}
    assert gold_set_of(labelled, SLUG).name == "people"  # what is nobody's decision is not in it
    decided([])
    assert gold_set_of(labelled, SLUG, name="").name == "source"
    assert read_gold(labelled, SLUG).sizes() == {"source": 2}
    assert names(labelled, "people") == []
    with refused("gold_unknown") as caught:
        gold_set_of(labelled, SLUG, name="theirs")
    assert "people, source, people-over-source" in caught.value.remedy()


def test_a_question_made_of_an_option_has_the_labels_of_the_other(
    labelled: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Parentage("s2", 1, 0, "A", "Lamps", "template", None, labelled.clock())
    keep_questions(labelled, SLUG, [Question("s2-A", "Lamps?", "", "en")], "made.jsonl")
    monkeypatch.setattr(derivation, "parentages", lambda *_: {"s2-A": made})
    found = gold_set_of(labelled, SLUG, name="source")
    assert found.qrels["s2-A"] == found.qrels["s2"]
    assert [item.inherited for item in found.items] == [None, None, made]
