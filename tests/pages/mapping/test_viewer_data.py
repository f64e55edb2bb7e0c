"""What the mapping viewer is told: texts cut into pieces, words, guideline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotation.mapping.candidate_views import CitationView, WhyView
from annotation.work import queue_service
from corpus.citations.model import Reason, Status
from corpus.model import Tier
from messages import LANGUAGES, catalogue, say
from pages.mapping.citation_mapping import PAGE
from pages.mapping.viewer_data import _citation, _reasons, decided_part, fixed_part
from pages.task.page import item_key
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.small_project import small_project


def test_an_item_is_told_whole_and_as_json(tmp_path: Path, clock: FakeClock):
    small = small_project(Workspace(tmp_path / "workspace", clock))
    item = queue_service.open_item(small.workspace, small.ara.id, small.items["q1"])
    fixed = fixed_part(item, "en")
    assert "".join(piece for piece, _ in fixed["answer"]) == item.answer
    cited = [piece for piece, index in fixed["answer"] if index is not None]
    assert cited == [citation.text for citation in item.citations]
    for told, candidate in zip(fixed["candidates"], item.candidates, strict=True):
        assert "".join(piece for piece, _ in told["pieces"]) == candidate.text
    assert json.loads(json.dumps([fixed, decided_part(item)])) == [fixed, decided_part(item)]


def test_cards_and_citations_are_tied(tmp_path: Path, clock: FakeClock):
    small = small_project(Workspace(tmp_path / "workspace", clock))
    item = queue_service.open_item(small.workspace, small.ara.id, small.items["q1"])
    for told in fixed_part(item, "en")["candidates"]:
        meant = [each.index for each in item.citations if told["unit"] in each.unit_ids]
        assert told["citations"] == meant
    assert any(each.unit_ids for each in item.citations)


def test_the_key_changes_with_the_language_and_the_candidates(tmp_path: Path, clock: FakeClock):
    small = small_project(Workspace(tmp_path / "workspace", clock))
    one, two = (
        queue_service.open_item(small.workspace, small.ara.id, small.items[each])
        for each in ("q1", "q2")
    )
    assert len({item_key(PAGE, *each) for each in ((one, "en"), (one, "ko"), (two, "en"))}) == 3


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_told_in_words_of_its_own(reason: Reason, language: str):
    status = Status.AMBIGUOUS if reason is Reason.SEVERAL_MATCH else Status.UNRESOLVED
    citation = CitationView(0, "「건축법」 제5조", 0, 10, status, reason, "건축법", (1, 2))
    told = _citation(citation, language)["reason"]
    assert told == say(f"mapping.reason.{reason}", language, title="건축법", count=2)


def test_former_law_that_the_project_keeps_is_told_with_its_snapshot():
    reason = Reason.FORMER_VERSION
    cited = CitationView(
        0, "구 건축법 제5조", 0, 9, "unresolved", reason, "건축법", (1,), "law of 2005"
    )
    assert "snapshot law of 2005" in _citation(cited, "en")["reason"]


@pytest.mark.parametrize("tier", Tier)
def test_every_tier_has_a_name(tier: Tier):
    assert f"mapping.tier.{int(tier)}" in catalogue()


def test_reasons_that_read_the_same_are_told_once():
    cited = WhyView("citation", None, None, "「건축법」\n제5조", "")
    ranked = WhyView("title", 2, 1.5, "「건축법」 제5조", "")
    chips = _reasons([cited, cited, ranked], "en")
    assert [chip["text"] for chip in chips] == ["cited as 「건축법」 제5조", "Found by title, #2"]
