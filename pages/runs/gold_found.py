"""The gold units of a question: where runs have them, which citations lead to a missed one."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.runs.retrieved import place
from pages.shell.context import Context
from pages.shell.plain_text import Span, plain_text
from services.gold.search_coverage import reason_said
from services.law.graph.citation_graph import NodeView
from services.runs.citation_path import FARTHEST, STARTS, CitationPath, Step, citation_path
from services.runs.questions import GoldUnit, QueryDetail
from services.runs.rows import RunLine

Found = Sequence[tuple[RunLine, QueryDetail]]


def draw_gold(context: Context, found: Found) -> None:
    """Draw each gold unit with its rank in every run of `found`; the first is the selected one."""
    run, detail = found[0]
    st.markdown(f"**{context.say('leaderboard.gold')}**")
    if not detail.gold:
        st.caption(context.say("leaderboard.gold_none"))
        return
    missed = {unit.semantic_id for unit in detail.missed}
    for unit in sorted(detail.gold, key=lambda each: each.semantic_id in missed):
        key = f"{run.run_id}-{detail.external_id}-{unit.semantic_id}"
        with st.container(border=True):
            _badges(context, found, unit.semantic_id)
            title = f"{unit.statute} {place(unit.label, unit.heading)}"
            plain_text(title, f"gold-title-{key}", "lead")
            if unit.text:
                with st.expander(context.say("leaderboard.text")):
                    plain_text(unit.text, f"gold-text-{key}", height=300)
            if unit.semantic_id in missed:
                _path(context, run, detail, unit, key)


def _badges(context: Context, found: Found, unit_id: str) -> None:
    with st.container(horizontal=True):
        for run, detail in found:
            unit = next((each for each in detail.gold if each.semantic_id == unit_id), None)
            if unit is None:
                continue
            missed = any(each.semantic_id == unit_id for each in detail.missed)
            words = "at_rank" if not missed else "missed" if unit.rank is None else "missed_at"
            said = context.say(f"leaderboard.{words}", rank=unit.rank)
            if unit.not_searched:
                said = reason_said(unit.not_searched, context.language)
            if len(found) > 1:
                said = f"{run.run_id} · {said}"
            if unit.not_searched:
                st.badge(said, color="orange", icon=":material/filter_alt_off:")
            elif missed:
                st.badge(said, color="red", icon=":material/close:")
            else:
                st.badge(said, color="green", icon=":material/check:")


def _path(context: Context, run: RunLine, detail: QueryDetail, unit: GoldUnit, key: str) -> None:
    """Draw by which citations the missed unit is reached, when that is asked for."""
    say = context.say
    words = say("leaderboard.path")
    if not st.toggle(words, key=f"path-{key}", help=say("leaderboard.path_help")):
        return
    path = citation_path(
        context.workspace, run.run_id, detail.external_id, unit.semantic_id, by=context.person.id
    )
    if path is None:
        st.caption(say("leaderboard.path_none", starts=STARTS, steps=FARTHEST))
        return
    _steps(context, path, key)


def _steps(context: Context, path: CitationPath, key: str) -> None:
    say = context.say
    st.caption(say("leaderboard.path_from", rank=path.rank, steps=len(path.steps)))
    for at, step in enumerate(path.steps):
        here, there = (step.source, step.target) if step.forwards else (step.target, step.source)
        ways = "edge" if step.forwards else "edge_in"
        link = say(f"corpus.{ways}.{step.type.value}")
        plain_text(f"{_name(here)}\n→ {link} → {_name(there)}", f"step-{key}-{at}")
        if step.cited:
            plain_text(_quoted(step), f"cited-{key}-{at}", "quiet")


def _quoted(step: Step) -> list[Span]:
    return [
        Span(f"… {step.before}"),
        Span(step.cited, ("resolved",)),
        Span(f"{step.after} …"),
    ]


def _name(node: NodeView) -> str:
    return f"{node.statute} {place(node.label, node.heading)}"
