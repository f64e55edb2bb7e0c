"""What the mapping viewer is told: texts cut into pieces, words, guideline."""

from __future__ import annotations

import json

from annotation.mapping.candidate_views import CitationView, WhyView
from annotation.work import queue_service
from corpus.citations.model import Reason, Status
from corpus.model import Tier
from messages import catalogue, say
from pages.mapping.citation_mapping import PAGE, _citation, _reasons, decided_part, fixed_part
from pages.task.page import item_key
from storage.db.workspace import Workspace
from tests.pages.small_project import small_project


def test_an_item_is_told_whole_and_as_json(workspace: Workspace):
    small = small_project(workspace)
    item, other = (
        queue_service.open_item(workspace, small.ara.id, small.items[each]) for each in ("q1", "q2")
    )
    fixed = fixed_part(item, "en")
    assert "".join(piece for piece, _ in fixed["answer"]) == item.answer
    cited = [piece for piece, index in fixed["answer"] if index is not None]
    assert cited == [citation.text for citation in item.citations]
    for told, candidate in zip(fixed["candidates"], item.candidates, strict=True):
        assert "".join(piece for piece, _ in told["pieces"]) == candidate.text
        meant = [each.index for each in item.citations if told["unit"] in each.unit_ids]
        assert told["citations"] == meant, "cards and citations are tied"
    assert any(each.unit_ids for each in item.citations)
    assert json.loads(json.dumps([fixed, decided_part(item)])) == [fixed, decided_part(item)]
    shown = (item, "en"), (item, "ko"), (other, "en")
    assert len({item_key(PAGE, *each) for each in shown}) == 3


def test_every_reason_is_told_in_words_of_its_own():
    for reason in Reason:
        status = Status.AMBIGUOUS if reason is Reason.SEVERAL_MATCH else Status.UNRESOLVED
        citation = CitationView(0, "「건축법」 제5조", 0, 10, status, reason, "건축법", (1, 2))
        told = _citation(citation, "en")["reason"]
        assert told == say(f"mapping.reason.{reason}", title="건축법", count=2)


def test_former_law_that_the_project_keeps_is_told_with_its_snapshot():
    reason = Reason.FORMER_VERSION
    cited = CitationView(
        0, "구 건축법 제5조", 0, 9, "unresolved", reason, "건축법", (1,), "law of 2005"
    )
    assert "snapshot law of 2005" in _citation(cited, "en")["reason"]


def test_every_tier_has_a_name():
    assert {f"mapping.tier.{int(tier)}" for tier in Tier} <= set(catalogue())


def test_reasons_that_read_the_same_are_told_once():
    cited = WhyView("citation", None, None, "「건축법」\n제5조", "")
    ranked = WhyView("title", 2, 1.5, "「건축법」 제5조", "")
    chips = _reasons([cited, cited, ranked], "en")
    assert [chip["text"] for chip in chips] == ["cited as “「건축법」 제5조”", "Found by title, #2"]
