"""Research: passages that state the rule of law, found by two people with their queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from annotation.forms.form import answer
from annotation.research import FOUND, OUTCOME, PASSAGES, RULE, TERMS
from annotation.work.queue_service import open_item
from scripts.sample_project.desk import Act, Desk, read_yaml, unit_name
from services.research.search import Collection, make_research_items, open_for_item, search_for_item
from services.sample.people import SLUG
from storage.tasks import Task


def acts() -> Iterator[Act]:
    """Yield the work on research."""
    written = read_yaml("research.yaml")
    yield Act("2026-11-16 14:00", partial(_make_items, written=written))
    for session in written["sessions"]:
        yield Act(session["when"], partial(_research, session=session))


def _make_items(desk: Desk, written: Mapping[str, Any]) -> None:
    """Make the research items."""
    by = desk.person("Han Bora")
    make_research_items(desk.ws, SLUG, limit=written["number"], seed=written["seed"], by=by)


def _research(desk: Desk, session: Mapping[str, Any]) -> None:
    """Search, open, mark and submit, question by question."""
    person = desk.person(session["person"])
    for question, said in session["items"].items():
        item = desk.item(Task.RESEARCH, question)
        open_item(desk.ws, person, item)
        for query in said["queries"]:
            desk.think(20, 90)
            search_for_item(desk.ws, person, item, query)
        if said.get("outcome"):
            answer(desk.ws, person, item, OUTCOME, said["outcome"])
        else:
            _mark(desk, person, item, question, said)
        desk.think()
        desk.finish(person, item, {"confidence": 4}, send=True)


def _mark(desk: Desk, person: int, item: int, question: str, said: Mapping[str, Any]) -> None:
    """Open the authority, and mark the passage that states the rule."""
    unit = unit_name(said["open"], question[:2])
    text = open_for_item(desk.ws, person, item, Collection.STATUTES, unit).text
    desk.think(60, 300)
    start = text.index(said["quote"])
    where = {"collection": str(Collection.STATUTES), "id": unit}
    passage = {**where, "start": start, "end": start + len(said["quote"]), "quote": said["quote"]}
    fields = {RULE: said["rule"], TERMS: said["terms"], OUTCOME: FOUND, PASSAGES: [passage]}
    for name, value in fields.items():
        answer(desk.ws, person, item, name, value)
