"""Import of statutes in two steps: preview a source, then keep it or not."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from zlib import crc32

import streamlit as st

from corpus.importers.registry import AUTO, FORMATS, endings, formats
from corpus.importers.statutes.merge import Meeting
from corpus.importers.table import FIELDS, ReadingRules, suggested
from errors import UserError
from pages.law.snapshot_choice import link_to_all
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded, md_literal, show
from pages.shell.import_source import (
    ImportSource,
    jurisdiction_field,
    keep_or_drop,
    left_out,
    source_form,
)
from pages.shell.notices import progress_bar, redraw_with
from pages.shell.widgets import draw_table
from services.law.activation import change_line
from services.law.importing import import_statutes
from services.law.preview import Preview, preview_statutes, saved_rules, source_columns
from services.uploads import UPLOADED_ARCHIVES, Staged, staged_tree, statutes_at
from storage.law.imports import ImportReport

_PENDING = "data-statutes-pending"
_TABLE = "table"


def choose_add(context: Context, preview: Preview) -> bool:
    """Draw the choice, if statutes are in use; return True to add to them, else False."""
    if preview.in_use is None or preview.meeting is None:
        return False
    add = st.radio(
        context.say("preview.meeting.how"),
        [False, True],
        format_func=lambda each: context.say(f"preview.meeting.{'add' if each else 'replace'}"),
        key="data-statutes-add",
    )
    change = preview.change_if(add)
    lines = [
        change_line(change, language=context.language) if change else "",
        _change_text(context, preview.meeting, add),
        context.say("preview.meeting.kept", id=preview.in_use.id, name=preview.in_use.name),
    ]
    draw = st.warning if preview.meeting.others and not add else st.info
    draw(md_literal(" ".join(line for line in lines if line)), icon=":material/swap_horiz:")
    return add


def change_by_import(context: Context, done: ImportReport) -> str:
    """Return what an import changed about the statutes in use, "" if nothing."""
    if done.before is None or done.meeting is None:
        return ""
    back = context.say("preview.meeting.back", id=done.before)
    return f"{_change_text(context, done.meeting, done.added)} {back}"


def _change_text(context: Context, met: Meeting, add: bool) -> str:
    counts = {"common": met.common, "new": met.new, "others": met.others}
    return context.say(
        f"preview.meeting.{'added' if add else 'replaced'}",
        before=f"{met.in_use:,}",
        after=f"{met.after(add):,}",
        **{name: f"{count:,}" for name, count in counts.items()},
    )


def draw_preview(context: Context, preview: Preview) -> None:
    """Draw the import preview of statutes: format, counts, problems, the first provisions."""
    figures = {"format": context.say(f"preview.formats.{preview.format}")}
    for name in ("statutes", "units", "parts", "links"):
        figures[name] = f"{getattr(preview, name):,}"
    told = (f"{context.say(f'preview.{name}')}: {md_literal(v)}" for name, v in figures.items())
    st.caption(" · ".join(told))
    counts = ((context.say(f"data.levels.{e}"), f"{n:,}") for e, n in preview.levels.items())
    levels = (context.say("preview.level_count", name=name, count=n) for name, n in counts)
    st.caption(context.say("preview.levels", levels=", ".join(levels)))
    if any(preview.jurisdictions):
        unstated = context.say("data.not_said")
        of = ", ".join(f"{name or unstated} {n:,}" for name, n in preview.jurisdictions.items())
        st.caption(context.say("preview.jurisdictions", of=md_literal(of)))
    lines = [f"* {md_literal(note.render(context.language))}" for note in preview.problems]
    if lines:
        words = "\n".join((f"{context.say('preview.problems')}\n", *lines))
        st.warning(words, icon=":material/info:")
    else:
        st.caption(f":material/check: {context.say('preview.fine')}")
    st.markdown(f"**{context.say('preview.first')}**")
    names = ("statute", "label", "heading", "text", "characters", "parts")
    columns = {name: [getattr(unit, name) for unit in preview.first] for name in names}
    draw_table(context, "preview", columns, "data-statutes-first")


@dataclass(frozen=True, slots=True)
class Pending:
    """A previewed source that is not imported yet.

    `seen` is None if the source could not be read as requested; `error` then says why. `columns`
    are those of a table.
    """

    project: str
    asked: ImportSource
    format: str
    rules: ReadingRules | None
    seen: Preview | None
    error: UserError | None
    columns: tuple[str, ...]


def statutes_form(context: Context) -> None:
    """Draw the form that names a source of statutes; submitting previews the source."""
    kinds = [ending.removeprefix(".") for ending in (*endings(), *UPLOADED_ARCHIVES)]
    send, options = "preview_statutes", lambda: _options(context)
    asked = source_form(context, "statutes", kinds, many=True, send=send, options=options)
    if asked is not None:
        chosen = st.session_state["data-statutes-format"]
        _preview(context, asked, chosen, _form_rules(context))


def pending_statutes(context: Context, notice_key: str) -> None:
    """Draw the preview, if there is one, with keep and cancel; `notice_key` keeps the outcome."""
    pending = st.session_state.get(_PENDING)
    if pending is None or pending.project != context.project:
        return
    add = False
    with st.container(border=True, key="data-statutes-preview"):
        st.header(context.say("preview.title"), anchor=False)
        if pending.error is not None:
            show(pending.error, context.language)
        if pending.columns:
            _columns(context, pending)
        if pending.seen is not None:
            draw_preview(context, pending.seen)
            add = choose_add(context, pending.seen)
        words, ready = "data.add.run_statutes", pending.seen is not None
        keep = keep_or_drop(context, words, "data-statutes", ready, _PENDING)
    if keep:
        _import(context, pending, notice_key, add)


def _options(context: Context) -> None:
    """Draw the settings of the import."""
    names = {  # one of an installed package has no other name
        name: context.say(f"preview.formats.{name}") if name in (AUTO, *FORMATS) else name
        for name in (AUTO, *formats())
    }
    fields = Fields(context, "preview", "data-statutes")
    fields.pick("format", names, names)
    jurisdiction_field(context, "statutes")
    with st.expander(context.say("preview.options")):
        st.caption(context.say("preview.options_help"))
        fields.text("title_option", max_chars=300, key="title")
        fields.text("pattern", max_chars=200, help=md_literal(context.say("preview.pattern_help")))


def _form_rules(context: Context) -> ReadingRules | None:
    """Return the saved reading rules overridden by the form; None if the form is empty."""
    title = st.session_state["data-statutes-title"].strip()
    pattern = st.session_state["data-statutes-pattern"].strip()
    if not (title or pattern):
        return None
    try:
        base = saved_rules(*context.here, context.by)
    except UserError:  # damaged: the form's rules replace it
        base = ReadingRules()
    return replace(base, title=title or base.title, pattern=pattern or base.pattern)


def _staged_statutes(source: ImportSource) -> AbstractContextManager[Staged]:
    if source.path:
        return statutes_at(Path(source.path).expanduser())
    return staged_tree(source.rewound(), endings=endings())


def _preview(
    context: Context, source: ImportSource, chosen: str, rules: ReadingRules | None
) -> None:
    """Preview a source, kept in the session until it is imported or cancelled."""
    pending = Pending(context.project, source, chosen, rules, None, None, ())
    try:
        with _staged_statutes(source) as staged:
            pending = replace(pending, columns=tuple(source_columns(staged.path, chosen)))
            with progress_bar(context, "preview.reading") as report:
                what = *context.here, staged.path, chosen, rules, report, context.by
                seen = preview_statutes(*what, jurisdiction=source.jurisdiction)
        pending = replace(pending, seen=seen)
    except UserError as error:
        pending = replace(pending, error=error)
    st.session_state[_PENDING] = pending


def _columns(context: Context, pending: Pending) -> None:
    """Draw the assignment of a table's columns, and preview again when it changes."""
    base = pending.rules or saved_rules(*context.here, context.by)
    assigned = suggested(list(pending.columns)) | dict(base.columns)
    none = context.say("preview.no_column")
    table = crc32("\n".join(pending.columns).encode())  # another table gets fields of its own
    with st.form("data-statutes-columns"):
        st.markdown(f"**{context.say('preview.columns')}**")
        chosen: dict[str, str] = {}
        places = st.columns(3)
        options = [none, *pending.columns]
        for index, field in enumerate(FIELDS):
            at = assigned.get(field)
            column = places[index % 3].selectbox(
                context.say(f"preview.columns_of.{field}"),
                options,
                index=options.index(at) if at in pending.columns else 0,
                key=f"data-statutes-column-{field}-{table}",
            )
            if column != none:
                chosen[field] = column
        again = st.form_submit_button(context.say("preview.again"))
    if again:
        _preview(context, pending.asked, _TABLE, replace(base, columns=chosen))
        st.rerun()


def _import(context: Context, pending: Pending, notice_key: str, add: bool) -> None:
    """Import the previewed statutes, beside those in use if `add`, else instead; then redraw."""
    with guarded(context.language):
        with (
            _staged_statutes(pending.asked) as staged,
            progress_bar(context, "data.add.reading") as report,
        ):
            done = import_statutes(
                *context.here,
                staged.path,
                report,
                format=pending.format,
                rules=pending.rules,
                add=add,
                jurisdiction=pending.asked.jurisdiction,
                by=context.by,
            )
        del st.session_state[_PENDING]
        counts = {name: f"{getattr(done, name):,}" for name in ("statutes", "articles", "units")}
        told = "data.add.statutes_new" if done.new else "data.add.statutes_same"
        outcome = done.outcome
        redraw_with(
            notice_key,
            context.say(told, **counts),
            *(outcome.lines(context.language) if outcome else ()),
            change_by_import(context, done),
            *(note.render(context.language) for note in done.left_out),
            left_out(context, staged),
            link=link_to_all(context) if outcome and outcome.to_check.any else "",
        )
