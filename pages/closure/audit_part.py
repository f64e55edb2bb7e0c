"""Audit of paragraph references: shares, and the questions with a leak."""

from __future__ import annotations

import streamlit as st

from annotation.work.submissions import beginning
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.plain_text import plain_text, split_by_marks
from pages.shell.widgets import pick_row
from services.closure.audit import AuditedSet, AuditReport, Leak, audit_references


def draw_audit(context: Context) -> None:
    """Draw the audit's findings in the law in use."""
    say = context.say
    found = audit_references(*context.here, context.by)
    st.caption(say("closure.audit.help"))
    if found.leaking.n == 0:
        st.info(say("closure.audit.nothing"), icon=":material/info:")
        return
    st.markdown(_shares(context, found))
    if not found.queue:
        st.success(say("closure.audit.clean"), icon=":material/done_all:")
        return
    columns: dict[str, list[object]] = {
        "question_id": [each.external_id for each in found.queue],
        "kind": [say(f"closure.kind.{each.kind}") for each in found.queue],
        "question": [beginning(each.question) for each in found.queue],
        "leaks": [
            ", ".join(_place(each, leak) for leak in each.found.leaks) for each in found.queue
        ],
    }
    row = pick_row(context, "closure.audit", columns, "closure-audit", wide="question")
    if row is None:
        st.caption(say("closure.audit.pick"))
        return
    _draw_set(context, found.queue[row])


def _shares(context: Context, found: AuditReport) -> str:
    lines = [
        context.say(f"closure.audit.{name}", share=figure.percent(), n=figure.n)
        for name, figure in (("leaking", found.leaking), ("references", found.references))
    ]
    if found.unknown:
        lines.append(context.say("closure.audit.unknown", count=found.unknown))
    return "  \n".join(lines)


def _place(found: AuditedSet, leak: Leak) -> str:
    return f"{found.places[leak.place.unit]} {leak.place.pinpoint}"


def _draw_set(context: Context, found: AuditedSet) -> None:
    """Draw the answer with its references marked, and the fault of each."""
    for leak in found.found.leaks:
        of = ", ".join(found.places[unit] for unit in leak.of) or context.say("closure.audit.none")
        st.markdown(f"**{plain(_place(found, leak))}**")
        st.caption(plain(context.say(f"closure.leak.{leak.kind}", of=of)))
    st.caption(context.say("closure.set.answer"))
    spans = [(leak.place.start, leak.place.end) for leak in found.found.leaks if leak.place.text]
    marked = split_by_marks(found.answer, {"match": spans})
    plain_text(marked, f"closure-audit-{found.kind}-{found.external_id}", language=found.language)
