"""Page of citation mapping: which provisions the official answer rests on.

Viewer of citation mapping: question, answer, candidates and decisions.

Viewer data of a citation mapping item, as plain JSON values.

The fixed part (texts, citations, candidates) is large and changes only with the item; the moving
part (decisions, comment, progress) is small and goes along with every answer. Character offsets
stay on the server: texts are sent already cut into pieces, because browsers count UTF-16 units.

Acts specific to citation mapping.

Neighbourhood graph beside a candidate in citation mapping.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from annotation.mapping import commands as mapping_commands
from annotation.mapping.candidate_views import CandidateView, CitationView, WhyView
from annotation.work import queue_service
from annotation.work.queue_service import ItemView
from errors import UserError
from messages import say
from pages.law.graph_panel import LIMIT, Walk, panel_data
from pages.shell.bundle import GRAPH_SCRIPTS, GRAPH_STYLE, OFFSETS, STATUTE_TEXT
from pages.shell.context import Context
from pages.shell.plain_text import text_pieces
from pages.task.acts import Act, Handlers, TaskSession, expected, leave, on_draft, reopening
from pages.task.page import TaskPage
from pages.task.unit_search import tell_found
from pages.task.viewer import SEARCH, Viewer
from services.law.citations import reason_words
from services.law.graph.citation_graph import neighbourhood, unit_page
from storage.db.workspace import Workspace
from storage.tasks import Task


def graph_part(
    ws: Workspace, snapshot_id: int, act: Mapping[str, Any], language: str
) -> dict[str, Any]:
    """Return the neighbourhood of the unit that the act names, or why it cannot be shown.

    A graph that cannot be shown must not block the decisions sent with the request.
    """
    walk = Walk(str(act["node"]))
    for kind in ("types", "hops"):
        walk = walk.after({"kind": kind, kind: act.get(kind)})
    try:
        found = neighbourhood(ws, snapshot_id, walk.unit_id, walk.types, walk.hops, LIMIT)
        text = unit_page(ws, snapshot_id, walk.unit_id).unit.text
    except UserError as error:
        return {"node": walk.unit_id, "error": f"{error.what(language)} {error.remedy(language)}"}
    return {"node": walk.unit_id, "told": panel_data(walk, found, language), "text": text}


_SCRIPTS = ("answer", "evidence", "card", "trail", "graph", "keys", "saying", "viewer", "mount")
_STYLES = ("panes", "answer", "cards")

MAPPING = Viewer(
    name="mapping",
    scripts=(
        *(*GRAPH_SCRIPTS, STATUTE_TEXT, SEARCH, OFFSETS),
        *("tagging/frontend/marks", "tagging/frontend/selection"),
        "task/frontend/declared/choosing",
        *(f"mapping/frontend/{name}" for name in _SCRIPTS),
    ),
    styles=(*(f"mapping/frontend/{name}" for name in _STYLES), SEARCH, GRAPH_STYLE),
)


def stage(item: ItemView) -> str:
    """Return the item's stage: its candidates, as a change of them requires a redraw."""
    return ",".join(str(candidate.unit_id) for candidate in item.candidates)


def fixed_part(_ws: Workspace, _person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    """Return the item's texts: question, answer, citations, candidates."""
    return {
        "language": item.language,
        "question": item.question,
        "answer": _answer_pieces(item),
        "citations": [_citation(each, language) for each in item.citations],
        "candidates": [_candidate(each, item.citations, language) for each in item.candidates],
        "dropped": list(item.dropped),
        "asksEvidence": item.asks_evidence,
    }


def decided_part(_ws: Workspace, _person_id: int, item: ItemView, _language: str) -> dict[str, Any]:
    """Return the person's decisions on the item so far."""
    decided = {str(each.unit_id): each.decision for each in item.candidates if each.decision}
    evidence = {str(unit): spans for unit, spans in item.evidence.items()}
    return {"decisions": decided, "evidence": evidence, "noProvision": item.no_provision}


def kept_words(kept: Mapping[str, int], language: str) -> str:
    """Return the counts of units submitted as accepted, unsure, and neither, as text."""
    accepted, unsure = kept.get("accept", 0), kept.get("unsure", 0)
    counts = {
        "accepted": accepted,
        "unsure": unsure,
        "rest": sum(kept.values()) - accepted - unsure,
    }
    return say(f"mapping.kept.{'unsure' if unsure else 'sure'}", language, **counts)


def _answer_pieces(item: ItemView) -> list[list[Any]]:
    """Return ``[piece, citation index or None]``, concatenating to the answer."""
    pieces: list[list[Any]] = []
    at = 0
    for citation in sorted(item.citations, key=lambda each: (each.start, each.end)):
        if citation.start < at:
            continue
        pieces.append([item.answer[at : citation.start], None])
        pieces.append([item.answer[citation.start : citation.end], citation.index])
        at = citation.end
    pieces.append([item.answer[at:], None])
    return [piece for piece in pieces if piece[0]]


def _citation(citation: CitationView, language: str) -> dict[str, Any]:
    """Return a citation for the viewer, with why it is not resolved in words."""
    title, count = citation.instrument_title or citation.text, len(citation.unit_ids)
    why = citation.reason, citation.status, title, count, language, citation.kept_in
    return {
        "index": citation.index,
        "text": citation.text,
        "status": str(citation.status),
        "reason": reason_words(*why),
    }


def _candidate(
    candidate: CandidateView, citations: Iterable[CitationView], language: str
) -> dict[str, Any]:
    """Return a candidate for the viewer."""
    return {
        "unit": candidate.unit_id,
        "id": candidate.semantic_id,
        "statute": candidate.statute,
        "kind": candidate.kind,
        "tier": int(candidate.tier),
        "tierName": say(f"mapping.tier.{int(candidate.tier)}", language),
        "label": candidate.label,
        "heading": candidate.heading,
        "path": list(candidate.path),
        "pieces": text_pieces(candidate.text, candidate.marks, candidate.pinpoints),
        "deleted": candidate.deleted,
        "missing": candidate.text_missing,
        "added": candidate.added and not candidate.mark,
        "since": say(f"mapping.since.{candidate.mark}", language, former=candidate.former)
        if candidate.mark
        else "",
        "why": _reasons(candidate.why, language),
        "citations": _links(candidate, citations),
    }


def _links(candidate: CandidateView, citations: Iterable[CitationView]) -> list[int]:
    """Return the indices of citations related to the candidate."""
    cited = {why.citation_text for why in candidate.why if why.source == "citation"}
    return [
        each.index
        for each in citations
        if candidate.unit_id in each.unit_ids or (each.text in cited and each.unit_ids == ())
    ]


def _reasons(whys: Iterable[WhyView], language: str) -> list[dict[str, str]]:
    """Return the reason chips of a candidate, without duplicates."""
    chips: dict[str, dict[str, str]] = {}
    for why in whys:
        cited = " ".join((why.citation_text or "").split())
        words = say(f"mapping.why.{why.source}", language, text=cited, rank=why.rank or "")
        hint = say(f"mapping.why_hint.{why.source}", language, text=cited)
        chips.setdefault(words, {"source": why.source, "text": words, "hint": hint})
    return list(chips.values())


def _submit(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Submit the item and go to the next."""
    where, anyway = (ws, session.person_id, act["item"]), bool(act.get("anyway"))
    kept = mapping_commands.submit(*where, act.get("confidence"), expected(session, act), anyway)
    leave(ws, session, act, "submitted", kept=kept_words(kept, session.language))


def _graph(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Send the viewer the graph around a unit."""
    item = queue_service.open_item(ws, session.person_id, act["item"], session.task)
    session.told["graph"] = graph_part(ws, item.snapshot_id, act, session.language)


MAPPING_ACTS: Handlers = {
    "label": on_draft(mapping_commands.label, "unit", "decision"),
    "evidence": on_draft(mapping_commands.mark, "unit", "spans"),
    "add": on_draft(mapping_commands.add_unit, "unit"),
    "no_provision": on_draft(mapping_commands.set_no_provision, "value"),
    "submit": _submit,
    "recheck": reopening(mapping_commands.recheck),
    "search": partial(tell_found, identity="row_id"),
    "graph": _graph,
}


PAGE = TaskPage(
    task=Task.CITATION_MAPPING,
    viewer=MAPPING,
    fixed=fixed_part,
    stage=stage,
    acts=MAPPING_ACTS,
    moving=decided_part,
    option_prefix="",
)


def render(context: Context) -> None:
    """Draw the page."""
    PAGE.render(context)
