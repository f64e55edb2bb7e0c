"""The words that answer: marked, agreed on, decided, exported, and carried over to amended law."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.adjudication.disputes import decide
from annotation.agreement.report import totals
from annotation.agreement.views import View
from annotation.batches.commands import set_evidence
from annotation.check.project import check
from annotation.gold.derivation import derive
from annotation.gold.rechecks import rechecks
from annotation.mapping import commands as mapping_commands
from annotation.mapping.evidence import anchored, common, evidence_in, is_evidence, overlap
from annotation.work import commands, queue_service
from services.gold.export import export_gold
from tests.annotation.gold.test_rechecks import amend
from tests.annotation.house import SLUG, House, propose
from tests.support.refusals import code_of

LAMP = [6, 20]  # of "(1) Boats need lamp 1."
NAME = "lake-act_article-1"


@pytest.fixture
def asked(house: House) -> House:
    """A project that asks for the words that answer."""
    set_evidence(house.ws, SLUG, True)
    return house


def mark(house: House, person: int, *spans: list[int], number: int = 1) -> None:
    unit = house.units[number]
    mapping_commands.mark(house.ws, person, house.items[0], unit, [*spans])


def shown(house: House, person: int) -> dict[int, list[list[int]]]:
    return dict(queue_service.open_item(house.ws, person, house.items[0]).evidence)


def test_marked_words_accept_the_provision_and_go_with_its_decision(asked: House) -> None:
    ws, item, unit = asked.ws, asked.items[0], asked.units[1]
    mark(asked, asked.ann, [4, 9], [8, 20])
    view = queue_service.open_item(ws, asked.ann, item)
    assert view.asks_evidence and shown(asked, asked.ann) == {unit: [[4, 20]]}
    assert {c.unit_id: c.decision for c in view.candidates if c.decision} == {unit: "accept"}
    mapping_commands.label(ws, asked.ann, item, unit, "reject")
    mapping_commands.label(ws, asked.ann, item, unit, "accept")
    assert shown(asked, asked.ann) == {}
    for expected in ({}, {unit: [[4, 20]]}, {}):
        commands.undo(ws, asked.ann, item)
        assert shown(asked, asked.ann) == expected


def test_what_is_no_span_of_words_is_refused(asked: House) -> None:
    where = asked.ws, asked.ann, asked.items[0], asked.units[1]
    wrong: tuple[Any, ...] = ([[0, 42]], [[0, 3], [3, 4]], [[22, 23]])
    no_spans: tuple[Any, ...] = ([[3, 3]], [[4, 3]], [[-1, 4]], [[0, 1, 2]], ["01"], "all", {})
    for spans in (*wrong, *no_spans, [[0, True]], [[0, 1], [0, 5_000_001]]):
        assert code_of(mapping_commands.mark, *where, spans) == "evidence_span"
    for spans in (*no_spans, []):
        assert not is_evidence({"spans": spans, "sha256": ""})
    assert is_evidence({"spans": [[0, 5_000_000]], "sha256": ""})
    others: list[Any] = [[], {"spans": [[0, 1]]}, {"spans": [[0, 1]], "sha256": 1}]
    assert not any(map(is_evidence, others))


def test_words_are_marked_only_where_the_project_asks(house: House) -> None:
    assert code_of(mark, house, house.ann, LAMP) == "evidence_not_asked"


def test_gold_has_the_words_that_both_marked(asked: House, tmp_path: Path) -> None:
    mark(asked, asked.ann, [4, 20])
    mark(asked, asked.ben, [10, 22])
    for person in (asked.ann, asked.ben):
        commands.submit(asked.ws, person, asked.items[0])
    gold = derive(asked.ws, SLUG)[0]
    assert gold.settled and gold.evidence[NAME]["spans"] == [[10, 20]]
    assert check(asked.ws, SLUG) == []
    *_, table = totals(asked.ws, SLUG)
    figure = table.rows[0].finding.figure
    assert (table.view, figure.name, figure.n) == (View.EVIDENCE, "character_f1", 1)
    assert figure.value == pytest.approx(2 * 10 / 28)
    files = export_gold(asked.ws, SLUG, tmp_path).files
    assert "passage_qrels.tsv" in files
    assert (tmp_path / "passage_qrels.tsv").read_text().splitlines()[1:] == [f"q1\t{NAME}#10-20\t1"]
    line = json.loads((tmp_path / "gold.jsonl").read_text().splitlines()[0])
    assert line["evidence"]["spans"] == [{"start": 10, "end": 20, "text": "need lamp "}]
    assert [each["evidence"]["spans"] for each in line["decisions"]] == [[[4, 20]], [[10, 22]]]


def test_an_adjudicator_decides_on_the_words(asked: House) -> None:
    mark(asked, asked.ann, [4, 9])
    mark(asked, asked.ben, [10, 14])
    mapping_commands.label(asked.ws, asked.ben, asked.items[0], asked.units[2], "accept")
    for person in (asked.ann, asked.ben):
        commands.submit(asked.ws, person, asked.items[0])
    case = asked.ws, asked.judge, asked.items[0], [asked.units[1]], False, "as Ben", 1.0
    decide(*case)
    assert derive(asked.ws, SLUG)[0].evidence == {}
    decide(*case, evidence={asked.units[1]: [[10, 14]]})
    assert derive(asked.ws, SLUG)[0].evidence[NAME]["spans"] == [[10, 14]]
    assert check(asked.ws, SLUG) == []


def test_words_that_are_still_there_once_are_carried_over_to_amended_law(asked: House) -> None:
    ws, item = asked.ws, asked.items[0]
    mark(asked, asked.ann, LAMP)
    mark(asked, asked.ann, [4, 9], number=3)
    mapping_commands.add_unit(ws, asked.ann, item, asked.units[4])
    mark(asked, asked.ann, [4, 9], number=4)
    amend(asked)
    propose(asked, 2, 1, 5)
    doubts = {each.unit: each.words for each in rechecks(ws, asked.ann)}
    assert doubts == {NAME: "kept", "lake-act_article-3": "lost"}
    mapping_commands.recheck(ws, asked.ann, item)
    view = queue_service.open_item(ws, asked.ann, item)
    names = {c.unit_id: c.semantic_id for c in view.candidates}
    kept = {names[unit]: spans for unit, spans in view.evidence.items()}
    assert kept["lake-act_article-4"] == [[4, 9]]
    assert NAME in kept and "lake-act_article-3" not in kept
    now = next(unit for unit, name in names.items() if name == NAME)
    mapping_commands.label(ws, asked.ann, item, now, "accept")
    assert shown(asked, asked.ann)[now] == kept[NAME]
    commands.submit(ws, asked.ann, item)
    assert check(ws, SLUG) == []


def test_words_are_found_again_only_where_they_are_once() -> None:
    before, marked = "a lamp, lit", evidence_in("a lamp, lit", [[2, 6]])
    assert marked is not None and is_evidence(marked)
    again = anchored(marked, before, "now a lamp")
    assert again is not None and again["spans"] == [[6, 10]]
    again = anchored(marked, before, "lamp now")
    assert again is not None and again["spans"] == [[0, 4]]
    twice = evidence_in("lamp lamp", [[0, 4]])
    assert twice is not None and anchored(twice, "lamp lamp", "lamp lamp") == twice
    two = evidence_in("ab cc", [[0, 1], [3, 5]])
    assert two is not None and anchored(two, "ab cc", "ab ccc") is None
    assert anchored(marked, before, "lamp or lamp") is None
    assert anchored(marked, before, "no light") is None


def test_overlap_is_f1_over_characters() -> None:
    text = "0123456789"
    one, other = evidence_in(text, [[0, 4]]), evidence_in(text, [[2, 8]])
    assert one is not None and other is not None
    assert overlap(one, other) == pytest.approx(2 * 2 / 10)
    assert overlap(one, one) == 1.0
    assert overlap(one, {**other, "sha256": "another"}) is None
    shared = common([one, other])
    assert shared is not None and shared["spans"] == [[2, 4]]
    assert common([]) is common([one, {**other, "sha256": "another"}]) is None
    two, last = evidence_in(text, [[8, 10], [0, 2], [1, 3]]), evidence_in(text, [[7, 10]])
    assert two is not None and two["spans"] == [[0, 3], [8, 10]]
    assert last is not None and common([one, last]) is evidence_in(text, []) is None
