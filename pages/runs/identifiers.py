"""Identifiers generated for a question, and where they occur in a run's hits."""

from __future__ import annotations

import math

import streamlit as st

from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.plain_text import Span, plain_text
from services.runs.identifiers import (
    IdentifiedHit,
    StandingIdentifier,
    identifiers_found,
    tells_identifiers,
)
from services.runs.rows import RunLine


def draw_identifiers(context: Context, run: RunLine, question: str) -> None:
    """Draw the identifiers of the first hits on request, if the run has any."""
    say = context.say
    if not tells_identifiers(run.method, run.params):
        return
    key = f"{run.run_id}-{question}"
    words = say("identifiers.show")
    if not st.toggle(words, key=f"identifiers-{key}", help=say("identifiers.show_help")):
        return
    hits = identifiers_found(context.workspace, run.run_id, question, by=context.by)
    if not hits:
        st.caption(say("leaderboard.nothing_retrieved"))
        return
    st.caption(say("identifiers.note", count=len(hits)))
    for hit in hits:
        with st.container(border=True):
            _hit(context, hit, f"{key}-{hit.rank}")


def _hit(context: Context, hit: IdentifiedHit, key: str) -> None:
    place = hit.label + (f" ({hit.heading})" if hit.heading else "")
    said = {"rank": hit.rank, "score": hit.score, "statute": hit.statute, "place": place}
    st.markdown(f"**{plain(context.say('identifiers.hit', **said))}**")
    if not hit.identifiers:
        st.caption(context.say("identifiers.none"))
    for at, each in enumerate(hit.identifiers):
        plain_text(_quoted(each), f"identifier-{key}-{at}")
        st.caption(_occurrence_text(context, each))


def _quoted(each: StandingIdentifier) -> list[Span]:
    spans = [Span(each.before), Span(each.identifier.text, ("match",)), Span(each.after)]
    return [span for span in spans if span.text]


def _occurrence_text(context: Context, each: StandingIdentifier) -> str:
    say, found = context.say, each.identifier
    numbers = {"added": found.added, "weight": found.weight, "chance": math.exp(found.logprob)}
    said = [say("identifiers.written", **numbers, times=found.times)]
    if found.in_title:
        said.append(say("identifiers.in_title"))
    if found.start is not None and found.end is not None:
        # Character positions are shown from one.
        said.append(say("identifiers.at", start=found.start + 1, end=found.end))
    return " · ".join(said)
