"""Attribution report screen: systems compared, and runs of the judge of their claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from annotation.people.roles import Act
from evaluation.attribution.systems import KINDS
from evaluation.tables import Cell, Table, text_of
from llm.roles import Role
from pages.attribution.corrected_part import draw_corrected
from pages.shell.context import Context
from pages.shell.draft_state import kept_choices, kept_place, kept_value
from pages.shell.guard import guarded, plain
from pages.shell.notices import allowed, draw_head
from pages.shell.plain_text import plain_text
from pages.shell.task_progress import begin, draw_end, draw_model, draw_task
from pages.shell.widgets import choose, download, download_row
from services.attribution.answer_citations import citations_of_answers
from services.attribution.answer_claims import answered, claims_of_answer
from services.attribution.asking import STATES, TEMPERATURE, TOP_P, AskingDone, AttributionOptions
from services.attribution.claims import plan_splits, start_splitting
from services.attribution.labelling import plan_labels, splitters, start_labelling
from services.attribution.report import ANSWERED, AttributionReport, report, revision
from services.attribution.report_tables import (
    PARTS,
    as_text,
    citation_table,
    claim_tables,
    comparison_table,
    drawing,
    kind_table,
    kind_words,
    mistake_table,
    overview_table,
    state_table,
    strata_table,
)
from services.background.tasks import TaskKind
from services.models.workspace_models import roles
from storage.attribution.claims import SAID
from storage.db.workspace import Workspace

_TABS = ("tab_report", "tab_run")
_WORDS = "attribution_report"
_ROWS, _HEIGHT = 20, 600  # more rows than this scroll within so many pixels
_FILES = {"csv": "csv", "md": "markdown", "tex": "latex"}


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, _WORDS)
    if not allowed(context, Act.SEE_SCORES):
        return
    names = [context.say(f"{_WORDS}.{tab}") for tab in _TABS]
    figures, run = st.tabs(names, on_change="rerun", key="attribution-tab")
    if figures.open:
        with figures:
            _report(context)
    if run.open:
        with run:
            _run(context)


@st.cache_data(max_entries=8, show_spinner=False)
def _cached_report(
    place: str, project: str, version: str, judge: str | None, split: str, _ws: Workspace
) -> AttributionReport:
    # Permission was checked by `revision`, and rows are only added.
    return report(_ws, project, judge, split=split)


def _report(context: Context) -> None:
    found = _chosen_report(context)
    if not found.lines:
        st.info(context.say(f"{_WORDS}.no_systems"), icon=":material/info:")
        return
    if found.judge is None:
        st.info(context.say(f"{_WORDS}.no_labels"), icon=":material/info:")
    _draw_table(overview_table(found, context.language))
    _draw_table(strata_table(found, context.language))
    _draw_table(mistake_table(found, context.language))
    _intervals(context, found)
    _figure(context, found)
    _citations(context, found)
    _answer(context, found)
    draw_corrected(context)
    _comparisons(context, found)
    _draw_table(state_table(found, context.language))
    files = {
        ending: partial(_file, found, name, context.language) for ending, name in _FILES.items()
    }
    download_row(context, f"{_WORDS}.", files, f"{context.project}-attribution", "attribution")


def _chosen_report(context: Context) -> AttributionReport:
    """Return the report for the chosen judge and split column, by default first and none."""
    found = _current_report(context)
    judge, split = None, ""
    left, right = st.columns(2)
    if len(found.judges) > 1:
        label = context.say(f"{_WORDS}.judge")
        judge = left.selectbox(label, found.judges, key="attribution-judge")
    if found.columns:
        split = right.selectbox(
            context.say(f"{_WORDS}.split"),
            ["", *found.columns],
            format_func=lambda each: each or context.say(f"{_WORDS}.split_none"),
            key="attribution-split",
        )
    return _current_report(context, judge, split) if judge or split else found


def _draw_table(table: Table) -> None:
    if not table.rows:
        return
    st.header(table.title, anchor=False)
    columns = {
        name: _column_cells([row[at] for row in table.rows]) for at, name in enumerate(table.head)
    }
    long = len(table.rows) > _ROWS
    st.dataframe(columns, hide_index=True, height=_HEIGHT if long else "content", alt=table.title)
    for note in table.notes:
        st.caption(plain(note))


def _column_cells(cells: Sequence[Cell]) -> Sequence[Cell]:
    """Return a column's cells; if any is undefined, all as text with dashes for those."""
    if None not in cells:
        return cells
    return ["–" if cell is None else text_of(cell) for cell in cells]


def _comparisons(context: Context, found: AttributionReport) -> None:
    """Draw the significant differences of systems, or all pairwise comparisons."""
    if not found.tests:
        return
    every = st.toggle(context.say(f"{_WORDS}.tests_all"), key="attribution-every-pair")
    table = comparison_table(found, context.language, only_significant=not every)
    if table.rows:
        _draw_table(table)
        return
    st.header(table.title, anchor=False)
    st.caption(context.say(f"{_WORDS}.tests_none"))


def _intervals(context: Context, found: AttributionReport) -> None:
    with st.expander(context.say(f"{_WORDS}.intervals"), icon=":material/straighten:"):
        words = {"-".join(kind): kind_words(kind, context.language) for kind in KINDS}
        name = choose(
            context, f"{_WORDS}.intervals_of", list(words), words.__getitem__, "attribution-kind"
        )
        kind = next(each for each in KINDS if "-".join(each) == name)
        _draw_table(kind_table(found, kind, context.language))


def _figure(context: Context, found: AttributionReport) -> None:
    say = context.say
    st.header(say(f"{_WORDS}.figure_title"), anchor=False)
    st.caption(say(f"{_WORDS}.figure_note"))
    if not any(each.setting.context for each in found.lines):
        st.info(say(f"{_WORDS}.figure_none"), icon=":material/info:")
        return
    words = {part: say(f"{_WORDS}.figure_{part}") for part in PARTS}
    part = choose(
        context, f"{_WORDS}.figure_of", list(PARTS), words.__getitem__, "attribution-figure"
    )
    mode = "dark" if st.context.theme.type == "dark" else "light"
    svg = drawing(found, part, "svg", mode, context.language).decode()
    st.image(svg, width="content", alt=say(f"{_WORDS}.figure_alt"))
    with st.container(horizontal=True):
        for name, ending in {"svg": "svg", "png": "png", "data": "csv"}.items():
            download(
                say(f"{_WORDS}.{name}"),
                partial(drawing, found, part, ending, "light", context.language),
                f"{context.project}-precision-{part}.{ending}",
                f"attribution-figure-{ending}",
            )


def _citations(context: Context, found: AttributionReport) -> None:
    """Draw a system's false, missing and unresolved citations."""
    label, icon = context.say(f"{_WORDS}.citations_title"), ":material/fact_check:"
    shown = st.expander(label, icon=icon, on_change="rerun", key="attribution-citations")
    if not shown.open:
        return
    with shown, guarded(context.language):
        names = [each.system for each in found.lines if each.answers.get(ANSWERED)]
        left, right = st.columns(2, vertical_alignment="bottom")
        system = left.selectbox(context.say(f"{_WORDS}.system"), names, key="attribution-cited-by")
        wrong = right.toggle(
            context.say(f"{_WORDS}.citations_wrong"), value=True, key="attribution-wrong"
        )
        answers = citations_of_answers(*context.here, (str(system),), context.by)
        table = citation_table(
            [each for each in answers if each.wrong or not wrong], context.language
        )
        if table.rows:
            _draw_table(table)
        else:
            st.info(context.say(f"{_WORDS}.citations_none"), icon=":material/info:")


def _answer(context: Context, found: AttributionReport) -> None:
    """Draw an answer's claims beside those of the official answer."""
    label, icon = context.say(f"{_WORDS}.answer_title"), ":material/format_list_bulleted:"
    shown = st.expander(label, icon=icon, on_change="rerun", key="attribution-answer")
    if not shown.open:
        return
    with shown, guarded(context.language):
        systems = answered(*context.here, context.by)
        if systems:
            _claims(context, found, systems)
        else:
            st.info(context.say(f"{_WORDS}.no_answers"), icon=":material/info:")


def _claims(
    context: Context, found: AttributionReport, systems: Mapping[str, Sequence[str]]
) -> None:
    say = context.say
    left, right = st.columns(2)
    system = left.selectbox(say(f"{_WORDS}.system"), list(systems), key="attribution-of")
    questions = systems[str(system)]
    question = right.selectbox(say(f"{_WORDS}.question"), questions, key="attribution-question")
    view = claims_of_answer(*context.here, str(question), str(system), found.judge, context.by)
    plain_text(view.case.question, "attribution-asked", "lead")
    if view.state != SAID:
        state = f"labels_{view.state}" if view.state else "not_labelled"
        st.info(say(f"{_WORDS}.state.{state}"), icon=":material/info:")
    for table in claim_tables(view, context.language):
        _draw_table(table)
    cited = citations_of_answers(*context.here, (str(system),), context.by)
    own = [each for each in cited if each.question == question]
    _draw_table(citation_table(own, context.language))


def _file(found: AttributionReport, name: str, language: str) -> bytes:
    # Excel reads a CSV as UTF-8 only with a byte order mark.
    return as_text(found, name, language).encode("utf-8-sig" if name == "csv" else "utf-8")


def _run(context: Context) -> None:
    """Draw the forms that run the judge, or the progress of a run."""
    if not allowed(context, Act.MAKE_ITEMS):
        return
    kind, words = TaskKind.ATTRIBUTE, f"{_WORDS}.running"
    if draw_task(context, kind, words, partial(_draw_outcome, context)):
        return
    if not draw_model(context, Role.JUDGE):
        return
    options = _options(context)
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, height="stretch"):
        _split(context, options)
    with right, st.container(border=True, height="stretch"):
        _label(context, options)


def _options(context: Context) -> AttributionOptions:
    say, form = context.say, f"attribution-run-{context.project}"
    systems = [each.system for each in _current_report(context).lines]
    chosen = st.multiselect(
        say(f"{_WORDS}.systems"),
        systems,
        placeholder=say(f"{_WORDS}.systems_all"),
        **kept_choices(form, "attribution-systems", systems, []),
    )
    left, middle, right = st.columns(3)
    heat = left.number_input(
        say(f"{_WORDS}.temperature"),
        min_value=0.0,
        max_value=2.0,
        step=0.1,
        **kept_value(form, "attribution-temperature", TEMPERATURE),
    )
    top = middle.number_input(
        say(f"{_WORDS}.top_p"),
        min_value=0.01,
        max_value=1.0,
        step=0.05,
        **kept_value(form, "attribution-top-p", TOP_P),
    )
    repeat = right.number_input(
        say(f"{_WORDS}.repeat"),
        min_value=0,
        step=1,
        help=say(f"{_WORDS}.repeat_help"),
        **kept_value(form, "attribution-repeat", 0),
    )
    splitter = _splitter(context, form)
    again = st.checkbox(say(f"{_WORDS}.again"), **kept_value(form, "attribution-again", False))
    cut_all = st.checkbox(
        say(f"{_WORDS}.cut_all"), **kept_value(form, "attribution-cut-all", False)
    )
    numbers = float(heat), float(top), int(repeat)
    return AttributionOptions(tuple(chosen), *numbers, splitter, again, cut_all)


def _splitter(context: Context, form: str) -> str:
    """Return whose claim splits are labelled, "" for the judge's own.

    The choice is drawn only if others have split answers.
    """
    judge = next(each for each in roles(context.workspace) if each.role is Role.JUDGE)
    own = judge.endpoint.model if judge.endpoint else ""
    others = [each for each in splitters(*context.here, context.by) if each != own]
    if not others:
        return ""
    words, options = context.say(f"{_WORDS}.splitter_own", model=own), ["", *others]
    return str(
        st.selectbox(
            context.say(f"{_WORDS}.splitter"),
            options,
            format_func=lambda each: each or words,
            **kept_place(form, "attribution-splitter", options, ""),
        )
    )


def _current_report(
    context: Context, judge: str | None = None, split: str = ""
) -> AttributionReport:
    version = revision(*context.here, context.by)
    asked = context.workspace.place, context.project, version
    return _cached_report(*asked, judge, split, context.workspace)


def _split(context: Context, options: AttributionOptions) -> None:
    say = context.say
    st.header(say(f"{_WORDS}.split_title"), anchor=False)
    st.caption(say(f"{_WORDS}.split_help"))
    with guarded(context.language):
        plan = plan_splits(*context.here, options, context.by)
        counts = {"calls": len(plan.texts), "listed": len(plan.listed), "already": plan.already}
        st.text(say(f"{_WORDS}.split_planned", **counts))
        _draw_missing_count(context, plan.unsaid)
        if _start(context, "split", not (plan.texts or plan.listed)):
            begin(context, start_splitting, options)


def _label(context: Context, options: AttributionOptions) -> None:
    say = context.say
    st.header(say(f"{_WORDS}.label_title"), anchor=False)
    st.caption(say(f"{_WORDS}.label_help"))
    with guarded(context.language):
        plan = plan_labels(*context.here, options, context.by)
        counts = {"calls": plan.calls, "already": plan.already, "waiting": plan.not_cut}
        st.text(say(f"{_WORDS}.label_planned", **counts))
        _draw_missing_count(context, plan.unsaid)
        if plan.no_claims:
            st.text(say(f"{_WORDS}.no_claims", count=plan.no_claims))
        if _start(context, "label", not plan.pairs):
            begin(context, start_labelling, options)


def _draw_missing_count(context: Context, count: int) -> None:
    if count:
        st.text(context.say(f"{_WORDS}.unsaid", count=count))


def _start(context: Context, what: str, disabled: bool) -> bool:
    return st.button(
        context.say(f"{_WORDS}.{what}_start"),
        type="primary",
        icon=":material/play_arrow:",
        disabled=disabled,
        key=f"attribution-{what}",
    )


def _draw_outcome(context: Context, done: AskingDone) -> None:
    """Draw the outcome of a judge run."""
    words = context.say(
        f"{_WORDS}.came",
        asked=done.asked,
        listed=done.without_call,
        already=done.already,
        unanswered=done.unanswered,
        **{state: done.states.get(state, 0) for state in STATES},
    )
    draw_end(context, words, done.end, done.reason)
