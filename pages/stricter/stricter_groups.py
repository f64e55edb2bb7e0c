"""Stricter groups screen: the most similar cases, and benchmarks built from them.

Benchmarks of court cases: export of both, and scoring runs on them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from annotation.people.roles import Act
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.notices import allowed, progress_bar
from pages.shell.reports import draw_report
from pages.shell.uploads import PLAIN_MB
from pages.shell.widgets import choose, download, pick_row
from pages.stricter.group_detail import Wording, draw_one
from retrieval.text.tokenise import TOKENISERS
from services.bundle import zipped
from services.stricter.benchmark_export import CaseExport, export_benchmark
from services.stricter.groups import (
    MOST_PER_GROUP,
    Drawing,
    GroupFound,
    Stricter,
    revision,
    stricter,
    tagging_models,
)
from services.stricter.report_tables import scores_report
from services.stricter.scoring import CaseScores, score_bm25, score_file
from storage.db.workspace import Workspace

_PREPARED = "stricter-prepared"
_SCORED = "stricter-scored"
_LICENCE_LIMIT = 500  # characters
_MOST_SEED = 2**31 - 1


@fragment
def draw_benchmark(context: Context, model: str) -> None:
    """Draw sampling, export and scoring, as a fragment of its own."""
    drawing = _drawing(context, model)
    if context.may(Act.EXPORT_GOLD):
        _export(context, drawing)
    if context.may(Act.SEE_SCORES):
        _evaluate(context, drawing)


def _drawing(context: Context, model: str) -> Drawing:
    """Draw the settings of the benchmark; return them."""
    fields = Fields(context, "stricter.benchmark", "stricter")
    first, second, _ = fields.row([1, 1, 3])
    per_group = first.number("per_group", 1, MOST_PER_GROUP, 1)
    return Drawing(per_group, second.number("seed", 0, _MOST_SEED, 0), model)


def _export(context: Context, drawing: Drawing) -> None:
    """Draw the export of the benchmark."""
    say = context.say
    with st.container(border=True):
        st.header(say("stricter.benchmark.export"), anchor=False)
        st.caption(say("stricter.benchmark.export_help"))
        fields = Fields(context, "stricter.benchmark", "stricter")
        left, right = fields.row([3, 1], vertical_alignment="bottom")
        licence = left.text("licence", max_chars=_LICENCE_LIMIT)
        asked = right.press("prepare", icon=":material/save:", width="stretch")
        about = context.project, drawing, licence
        if asked:
            st.session_state.pop(_PREPARED, None)
            with guarded(context.language), tempfile.TemporaryDirectory() as name:
                place = *context.here, Path(name)
                done = export_benchmark(*place, drawing, licence, context.by)
                st.session_state[_PREPARED] = about, done, zipped(Path(name))
        known, done, archive = st.session_state.get(_PREPARED, (None, None, b""))
        if known == about:
            _download(context, done, archive)


def _download(context: Context, done: CaseExport, archive: bytes) -> None:
    """Draw the counts and the download."""
    told = {name: f"{count:,}" for name, count in done.queries.items()}
    told |= {"corpus": f"{done.corpus:,}", "pairs": f"{done.targets:,}"}
    st.caption(context.say("stricter.benchmark.counts", **told))
    words = context.say("stricter.benchmark.download")
    name = f"{context.project}-court-cases.zip"
    download(words, archive, name, "stricter-download")


def _evaluate(context: Context, drawing: Drawing) -> None:
    """Draw the evaluation of methods on the benchmark."""
    say = context.say
    methods, bm25 = dict[str, str](), say("stricter.benchmark.bm25")
    if context.may(Act.RUN_RETRIEVAL):
        methods = {e: f"{bm25} · {say(f'leaderboard.tokenisers.{e}')}" for e in TOKENISERS}
    methods["file"] = say("stricter.benchmark.file")
    with st.container(border=True):
        st.header(say("stricter.benchmark.evaluate"), anchor=False)
        st.caption(say("stricter.benchmark.evaluate_help"))
        fields = Fields(context, "stricter.benchmark", "stricter")
        left, right = fields.row([3, 1], vertical_alignment="bottom")
        method = left.pick("method", methods, methods.__getitem__)
        run = None
        if method == "file":
            run = st.file_uploader(
                say("stricter.benchmark.file"), max_upload_size=PLAIN_MB, key="stricter-run-file"
            )
        asked = right.press(
            "run",
            key="score",
            type="primary",
            icon=":material/play_arrow:",
            width="stretch",
            disabled=method == "file" and run is None,
        )
        about = context.project, method, run and run.file_id, drawing
        if asked:
            scored = _score(context, method, drawing, run)
            st.session_state[_SCORED] = about, scored
        known, scored = st.session_state.get(_SCORED, (None, None))
        if scored is not None and known == about:
            report = scores_report(scored, context.language)
            draw_report(context, report, "stricter-scores")


def _score(context: Context, method: str, drawing: Drawing, run: Any) -> CaseScores | None:
    """Return the scores, None after drawing an error."""
    how: dict[str, Any] = {"drawing": drawing, "by": context.by}
    with guarded(context.language):
        if run is None:
            with progress_bar(context, "stricter.benchmark.running") as report:
                return score_bm25(*context.here, method, progress=report, **how)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / (Path(run.name).name or "run")
            file.write_bytes(run.getvalue())
            return score_file(*context.here, file, **how)
    return None


TABS = ("groups", "benchmark")


@st.cache_resource(max_entries=4, show_spinner=False)
def _cached_groups(place: str, project: str, version: str, model: str, _ws: Workspace) -> Stricter:
    # Permission was checked by `revision`.
    """Return the stricter groups by the tags of `model`, "" for people's; cached."""
    return stricter(_ws, project, model=model)


@fragment
def draw_groups(context: Context, model: str) -> None:
    """Draw the list and the selected group, as a fragment: choices redraw nothing else."""
    version = revision(*context.here, context.by)
    found = _cached_groups(
        context.workspace.place, context.project, version, model, context.workspace
    )
    if not found.groups:
        st.info(context.say("stricter.no_groups"), icon=":material/info:")
        return
    _counts(context, found)
    if not found.tagged:
        st.info(context.say("stricter.no_tags"), icon=":material/info:")
    words = Wording(context, found)
    lines = _filtered(context, found, words)
    if not lines:
        st.caption(context.say("stricter.list.none"))
        return
    chosen = _table(context, lines, words)
    if chosen is not None:
        draw_one(context, found, chosen, words)


def _counts(context: Context, stricter: Stricter) -> None:
    """Draw how many groups were formed, of how many cases."""
    left_out = {case for group in stricter.groups for case in group.table.gaps}
    formed = [group for group in stricter.groups if group.groups]
    told = {
        "groups": len(stricter.groups),
        "formed": len(formed),
        "cases": len({case for each in formed for case in each.groups[0]}),
        "tagged": len(stricter.tagged),
        "left_out": len(left_out),
    }
    with st.container(horizontal=True):
        for name, count in told.items():
            st.metric(context.say(f"stricter.count.{name}"), f"{count:,}", border=True)


def _filtered(context: Context, stricter: Stricter, wording: Wording) -> list[GroupFound]:
    """Draw the filters; return the groups that pass them."""
    categories = {e.place.category.key: wording.category(e.place) for e in stricter.groups}
    fields = Fields(context, "stricter.list", "stricter")
    left, right = fields.row(2, vertical_alignment="bottom")
    category = left.pick("category", categories, categories.__getitem__, none="stricter.list.all")
    formed = any(group.groups for group in stricter.groups)
    only = right.switch("only_formed", formed, disabled=not formed, key="formed")
    return [
        group
        for group in stricter.groups
        if category in ("", group.place.category.key) and (group.groups or not only)
    ]


def _table(context: Context, lines: Sequence[GroupFound], wording: Wording) -> GroupFound | None:
    """Draw the groups as a table; return the picked one."""
    say = context.say
    alike = []
    for line in lines:
        told = {"depth": line.found.depth, "all": len(line.table.columns)}
        alike.append(None if line.found.depth is None else say("stricter.list.alike_of", **told))
    columns = {
        "group": [wording.group(line.place) for line in lines],
        "category": [wording.category(line.place) for line in lines],
        "cases": [len(line.cases) for line in lines],
        "tagged": [len(line.table.rows) for line in lines],
        "stricter": [len(line.groups[0]) if line.groups else None for line in lines],
        "more": [max(len(line.groups) - 1, 0) or None for line in lines],
        "alike": alike,
    }
    row = pick_row(
        context,
        "stricter.list",
        columns,
        "stricter-list",
        "stricter.list.pick",
        wide="group",
        config={"tagged": st.column_config.NumberColumn(help=say("stricter.list.tagged_help"))},
        placeholder="–",
        selection_default={"selection": {"rows": [0]}},
    )
    return None if row is None else lines[row]


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("app.pages.stricter_groups"), anchor=False)
    st.markdown(context.say("stricter.lead"))
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    chosen = choose(context, "stricter.tab.label", TABS, "stricter.tab", "stricter-tab")
    draw = draw_benchmark if chosen == "benchmark" else draw_groups
    draw(context, _tag_source(context))


def _tag_source(context: Context) -> str:
    """Draw whose tags form the groups, if models tagged; return the model, "" for people."""
    models = tagging_models(*context.here, context.by)
    if not models:
        return ""
    fields = Fields(context, "stricter", "stricter")
    chosen = fields.pick("tags_of", models, none="stricter.tags_of_people")
    if chosen:
        words = context.say("stricter.from_model", model=chosen)
        st.warning(md_literal(words), icon=":material/robot_2:")
    return chosen
