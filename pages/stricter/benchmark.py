"""Benchmarks of court cases: export of both, and scoring runs on them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import streamlit as st

from annotation.people.roles import Act
from pages.shell.context import Context
from pages.shell.guard import fragment, guarded
from pages.shell.notices import progress_bar
from pages.shell.reports import draw_report
from pages.shell.uploads import PLAIN_MB
from pages.shell.widgets import download, select
from retrieval.text.tokenise import TOKENISERS
from services.bundle import zipped
from services.stricter.benchmark_export import CaseExport, export_benchmark
from services.stricter.groups import MOST_PER_GROUP, Drawing
from services.stricter.report_tables import scores_report
from services.stricter.scoring import CaseScores, score_bm25, score_file

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
    say = context.say
    number, seed, _ = st.columns([1, 1, 3])
    per_group = number.number_input(
        say("stricter.benchmark.per_group"), 1, MOST_PER_GROUP, 1, key="stricter-per-group"
    )
    drawn = seed.number_input(
        say("stricter.benchmark.seed"),
        *(0, _MOST_SEED, 0),
        help=say("stricter.benchmark.seed_help"),
        key="stricter-seed",
    )
    return Drawing(int(per_group), int(drawn), model)


def _export(context: Context, drawing: Drawing) -> None:
    """Draw the export of the benchmark."""
    say = context.say
    with st.container(border=True):
        st.header(say("stricter.benchmark.export"), anchor=False)
        st.caption(say("stricter.benchmark.export_help"))
        left, right = st.columns([3, 1], vertical_alignment="bottom")
        licence = left.text_input(
            say("stricter.benchmark.licence"), max_chars=_LICENCE_LIMIT, key="stricter-licence"
        )
        asked = right.button(
            say("stricter.benchmark.prepare"),
            key="stricter-prepare",
            icon=":material/save:",
            width="stretch",
        )
        about = context.project, drawing, licence or ""
        if asked:
            st.session_state.pop(_PREPARED, None)
            with guarded(context.language), tempfile.TemporaryDirectory() as name:
                place = *context.here, Path(name)
                done = export_benchmark(*place, drawing, licence or "", context.by)
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
        left, right = st.columns([3, 1], vertical_alignment="bottom")
        method = select(context, "stricter.benchmark.method", methods, "stricter-method", left)
        run = None
        if method == "file":
            run = st.file_uploader(
                say("stricter.benchmark.file"), max_upload_size=PLAIN_MB, key="stricter-run-file"
            )
        asked = right.button(
            say("stricter.benchmark.run"),
            key="stricter-score",
            type="primary",
            icon=":material/play_arrow:",
            width="stretch",
            disabled=method == "file" and run is None,
        )
        about = context.project, method, run and run.file_id, drawing
        if asked:
            scored = _score(context, str(method), drawing, run)
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
