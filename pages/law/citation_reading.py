"""Citation parsing of pasted text: citations marked, each with its resolution."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from corpus.citations.model import Status
from pages.shell.context import Context
from pages.shell.guard import guarded, plain
from services.law.citations import ReadCitation, ReadText, read_citations

_COLOURS = {Status.RESOLVED: "green", Status.AMBIGUOUS: "orange", Status.UNRESOLVED: "red"}


def draw_citation_reading(context: Context) -> None:
    """Draw the text box and the citations found in the text."""
    with st.form("corpus-citations", border=False):
        st.caption(context.say("citation_reading.help"))
        text = st.text_area(
            context.say("citation_reading.text"), height=220, key="corpus-citations-text"
        )
        label = context.say("citation_reading.run")
        st.form_submit_button(label, type="primary", icon=":material/frame_inspect:")
    if text.strip():
        with guarded(context.language):
            _draw(context, read_citations(*context.here, text, context.by))


def _draw(context: Context, read: ReadText) -> None:
    if not read.citations:
        st.info(context.say("citation_reading.none"), icon=":material/search_off:")
        return
    counts = Counter(each.resolution.status for each in read.citations)
    by_status = {str(status): counts[status] for status in Status}
    st.markdown(context.say("citation_reading.counts", total=len(read.citations), **by_status))
    with st.container(border=True):
        st.markdown("".join(_marked(each.text, each.status) for each in read.segments))
    with st.expander(
        context.say("citation_reading.table"), icon=":material/table_rows:", expanded=True
    ):
        st.markdown("\n".join(_citation_line(context, each) for each in read.citations))


def _citation_line(context: Context, read: ReadCitation) -> str:
    """Return a citation with its status, its units, and the reason in full."""
    found = read.resolution
    status = context.say(f"mapping.ui.status_{found.status}")
    cited = _marked(" ".join(found.citation.text.split()), found.status)
    units = f" · {plain(_unit_names(context, read))}" if found.targets or found.unit_ids else ""
    return f"- {cited} **{status}**{units}  \n  {plain(read.why(context.language))}"


def _marked(text: str, status: Status | None) -> str:
    """Return a stretch of the text as Markdown; line ends are kept."""
    words = plain(text).replace("\n", "  \n")
    return words if status is None else f":{_COLOURS[status]}-background[{words}]"


def _unit_names(context: Context, read: ReadCitation) -> str:
    found = read.resolution
    if found.targets:
        return ", ".join(f"{each.unit_id} {each.pinpoint}".strip() for each in found.targets)
    return context.say("citation_reading.candidates", units=", ".join(found.unit_ids))
