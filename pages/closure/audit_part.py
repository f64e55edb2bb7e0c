"""Audit of paragraph references: shares, and the misplaced ones with their answers."""

from __future__ import annotations

import streamlit as st

from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.plain_text import plain_text, split_by_marks
from pages.shell.reports import draw_report
from services.closure.audit import AuditedSet, audit_references
from services.closure.report_tables import audit_report, leak_words, leaks_of


def draw_audit(context: Context) -> None:
    """Draw the audit's findings in the law in use."""
    found = audit_references(*context.here, context.by)
    st.caption(context.say("closure.audit.help"))
    report = audit_report(found, context.language)
    row = draw_report(context, report, "closure-audit").get("leaks")
    if row is not None:
        _draw_set(context, list(leaks_of(found))[row][0])
    elif found.queue:
        st.caption(context.say("closure.audit.pick"))


def _draw_set(context: Context, found: AuditedSet) -> None:
    """Draw the answer with its references marked, and the fault of each."""
    for leak in found.found.leaks:
        place = f"{found.places[leak.place.unit]} {leak.place.pinpoint}"
        st.markdown(f"**{plain(place)}**")
        st.caption(plain(leak_words(found, leak, context.language)))
    st.caption(context.say("closure.set.answer"))
    spans = [(leak.place.start, leak.place.end) for leak in found.found.leaks if leak.place.text]
    marked = split_by_marks(found.answer, {"match": spans})
    plain_text(marked, f"closure-audit-{found.kind}-{found.external_id}", language=found.language)
