"""Card of a candidate provision: title, reasons, text."""

from __future__ import annotations

import streamlit as st

from annotation.mapping.candidate_views import CandidateView
from pages.shell.context import Context
from pages.shell.plain_text import plain_text, split_by_marks

_HEIGHT = 420  # pixels of a text before it scrolls
_LONG = 900  # characters


def title_of(unit: CandidateView) -> str:
    """Return a unit's title, such as ``건축법 시행령 제64조 (방화문의 구분)``."""
    return f"{unit.statute} {unit.label}" + (f" ({unit.heading})" if unit.heading else "")


def why_of(context: Context, unit: CandidateView) -> str:
    """Return the reasons why the unit is a candidate, joined, including addition by hand."""
    reasons = [
        context.say(f"mapping.why.{why.source}", text=why.citation_text or "", rank=why.rank or "")
        for why in unit.why
    ]
    if unit.added and not unit.mark:
        reasons.append(context.say("adjudication.added"))
    return " · ".join(dict.fromkeys(reasons))


def unit_text(context: Context, unit: CandidateView, key: str, language: str) -> None:
    """Draw the unit's text with pinpoints and matches marked, or a note if it is missing."""
    if unit.deleted:
        st.caption(context.say("adjudication.deleted"))
    if unit.text_missing or not unit.text:
        st.caption(context.say("adjudication.text_missing"))
        return
    marks = {"pinpoint": unit.pinpoints, "match": unit.marks}
    height = _HEIGHT if len(unit.text) > _LONG else None
    plain_text(split_by_marks(unit.text, marks), key, language=language, height=height)
