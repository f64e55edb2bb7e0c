"""Identifiers under the ranking of a question; what they are is worked out elsewhere."""

from __future__ import annotations

from typing import Any

from messages import say
from pages.runs import query_scores as drawn
from retrieval.generative.legalsearchlm import Identifier
from services.runs.identifiers import IdentifiedHit, StandingIdentifier
from services.runs.retrieving import retrieve
from tests.pages.runs.test_leaderboard import select
from tests.pages.small_project import SLUG, Small, page, shown

HITS = (
    IdentifiedHit(
        *(1, 2.5, "law_1조", "나루안전법", "제1조", "목적"),
        (
            StandingIdentifier(Identifier("나룻배", 2.0, 1.5, -1.0, 7, False, 4, 7), "이 ", "의"),
            StandingIdentifier(Identifier("제1조", 0.5, 0.7, -2.0, 1, True), "", ""),
        ),
    ),
    IdentifiedHit(2, 0.1, "law_2조", "나루안전법", "제2조", "", ()),
)


def test_they_are_worked_out_when_asked_for(small: Small, monkeypatch):
    run = retrieve(small.workspace, SLUG)
    asked = []

    def found(ws, run_id, question, by=None):
        asked.append((run_id, question, by))
        return HITS

    drawn_texts: list[Any] = []
    monkeypatch.setattr(drawn, "plain_text", lambda spans, *_, **__: drawn_texts.append(spans))
    monkeypatch.setattr(drawn, "identifiers_found", found)
    monkeypatch.setattr(drawn, "tells_identifiers", lambda method, params: method == "bm25")
    at = page("leaderboard", small, small.sora).run()
    at = select(at, f"leaderboard-queries-{run}", 0)
    assert not asked
    toggle = next(each for each in at.toggle if each.label == say("identifiers.show"))
    at = toggle.set_value(True).run()
    assert len(asked) == 1 and asked[0][0] == run and asked[0][2] == small.sora.id
    text = shown(at)
    drawn_texts = [spans for spans in drawn_texts if not isinstance(spans, str)]
    assert [[span.text for span in spans] for spans in drawn_texts] == [
        ["이 ", "나룻배", "의"],
        ["제1조"],
    ]
    numbers = {"added": 2.0, "weight": 1.5, "chance": 0.37, "times": 7}
    assert say("identifiers.written", **numbers) in text.replace("\\", "")
    assert say("identifiers.at", start=5, end=7) in text.replace("\\", "")
    assert say("identifiers.in_title") in text
    assert say("identifiers.none") in text


def test_runs_of_other_methods_offer_none(small: Small):
    run = retrieve(small.workspace, SLUG)
    at = page("leaderboard", small, small.sora).run()
    at = select(at, f"leaderboard-queries-{run}", 0)
    assert not any(each.label == say("identifiers.show") for each in at.toggle)
