"""Figures screen: neighbourhoods, hit rates, runs, and comparison of data sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from annotation.people.roles import Act
from annotation.work.submissions import beginning
from corpus.importers.beir import QRELS_ENDINGS
from evaluation.figures.buckets import WIDTH
from evaluation.ranking.scoring import offered, parse_measure
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.gold_choice import draw_gold_choice
from pages.shell.notices import allowed, draw_head
from pages.shell.reports import draw_report
from pages.shell.uploads import archive_help
from pages.shell.widgets import draw_parts
from retrieval.core.model import COMPARED
from retrieval.core.presets import describe
from retrieval.text.tokenise import DEFAULT, TOKENISERS
from services.figures.dataset_statistics import (
    MEAN,
    NEAREST,
    BeirFolder,
    Likening,
    Other,
    Statistics,
    statistics,
)
from services.figures.figure_data import (
    DIRECTIONS,
    EDGES,
    MOST,
    STANDARD,
    View,
    askable,
    dense_specs,
    edges_named,
    other_projects,
)
from services.figures.reports import (
    bars_report,
    edge_words,
    hits_report,
    neighbourhood_report,
    similarity_report,
    statistics_report,
)
from services.figures.series import (
    MOST_BARS,
    MOST_RUNS,
    hit_rates,
    question_figure,
    run_bars,
    run_names,
    similarity_curves,
)
from services.uploads import UPLOADED_ARCHIVES, Upload, staged_tree

_BARS = ("Recall@5", "Recall@10", "nDCG@10")
_WIDTHS = (0.05, WIDTH, 0.2)
_FEW = 4  # newest runs that are compared before anybody chooses
_TEXT = 70  # characters of a question in the list
_FOUND = "figures-statistics"


def _measures() -> list[str]:
    """Return the names of the measures on offer."""
    return list(dict.fromkeys([*_BARS, *map(repr, offered())]))


def _fields(context: Context) -> Fields:
    return Fields(context, "figures", "figures")


def draw_similarity(context: Context, gold: str) -> None:
    """Draw a measure of runs against the similarity of question and gold."""
    st.markdown(context.say("figures.similarity_lead"))
    runs = _runs(context, "similarity")
    left, middle, right = _fields(context).row(3)
    measure = parse_measure(left.pick("measure", _measures(), first="Recall@10"))
    width = middle.pick("width", _WIDTHS, first=WIDTH)
    how = _similarity_choice(right, "similarity")
    if not runs:
        return
    with st.spinner(context.say("figures.drawing")):
        found = similarity_curves(
            context.workspace, runs, measure, width, how, gold=gold, by=context.by
        )
    report = similarity_report(found, repr(measure), context.language, how)
    draw_report(context, report, "similarity")


def draw_bars(context: Context, gold: str) -> None:
    """Draw measures of runs as bars."""
    st.markdown(context.say("figures.bars_lead"))
    runs = _runs(context, "bars", MOST_BARS)
    chosen = _fields(context).several("measures", _measures(), chosen=_BARS, key="bar-measures")
    if not runs or not chosen:
        return
    measures = [parse_measure(each) for each in chosen]
    found = run_bars(context.workspace, runs, measures, gold=gold, by=context.by)
    draw_report(context, bars_report(found, context.language), "bars")


def _similarity_choice(fields: Fields, part: str) -> Likening:
    """Draw the choices of what cosines compare."""
    names = "leaderboard.tokenisers"
    return Likening(
        fields.pick("tokeniser", TOKENISERS, names, DEFAULT, key=f"{part}-tokeniser"),
        fields.pick(
            "compared", COMPARED.choices, "parameter_choice.compared", key=f"{part}-compared"
        ),
        fields.pick("of_several", (MEAN, NEAREST), "figures.several", key=f"{part}-several"),
    )


def _runs(context: Context, part: str, most: int = MOST_RUNS) -> list[int]:
    """Draw the choice of runs; return their numbers, with a note if there are none.

    Retired runs are counted, not offered; one that was retired while it was chosen stays so.
    """
    found = run_names(*context.here, by=context.by)
    chosen = st.session_state.get(f"figures-{part}-runs") or ()
    names = {
        each.run_id: context.say("figures.run_retired", name=each.name)
        if each.marks.retired
        else each.name
        for each in found
        if not each.marks.retired or each.run_id in chosen
    }
    if not names:
        said = "figures.all_retired" if found else "figures.no_runs"
        st.info(context.say(said), icon=":material/info:")
        return []
    if away := len(found) - len(names):
        st.caption(context.say("figures.not_offered", count=away))
    shown = {"max_selections": most, "key": f"{part}-runs"}
    return _fields(context).several("runs", names, names.__getitem__, list(names)[:_FEW], **shown)


def draw_neighbourhood(context: Context, gold: str) -> None:
    """Draw the neighbourhood of the chosen question."""
    st.markdown(context.say("figures.neighbourhood_lead"))
    questions = askable(*context.here, gold, by=context.by)
    asked = _asked(
        context, "neighbourhood", "draw", questions, lambda: _question(context, questions)
    )
    if asked is None:
        return
    question, drawn = asked
    with st.spinner(context.say("figures.drawing")):
        found = question_figure(*context.here, question, drawn, gold=gold, by=context.by)
    draw_report(context, neighbourhood_report(found, context.language), f"neighbourhood-{question}")


def draw_hits(context: Context, gold: str) -> None:
    """Draw the hit rates of three graphs."""
    st.markdown(context.say("figures.hits_lead"))
    questions = askable(*context.here, gold, by=context.by)
    asked = _asked(context, "hits", "compute", questions, lambda: "")
    if asked is None:
        return
    with st.spinner(context.say("figures.drawing")):
        found = hit_rates(*context.here, asked[1], gold=gold, by=context.by)
    draw_report(context, hits_report(found, context.language), "hits")


def _asked(
    context: Context, part: str, send: str, questions: Mapping[str, str], draw: Callable[[], str]
) -> tuple[str, View] | None:
    """Draw the form of a figure; return what was asked of this project last, None for nothing.

    `draw` draws the first field and returns its value. There is nothing to ask without gold.
    """
    if not questions:
        st.info(context.say("figures.no_gold"), icon=":material/hourglass_empty:")
        return None
    key = f"figures-{part}-asked"
    with st.form(f"figures-{part}", border=False):
        wanted = draw(), _view(context, part)
        if st.form_submit_button(context.say(f"figures.{send}"), type="primary"):
            st.session_state[key] = context.project, wanted
    project, asked = st.session_state.get(key, ("", None))
    return asked if project == context.project else None


def _question(context: Context, texts: Mapping[str, str]) -> str:
    """Draw the choice of a question; return its id."""

    def named(question: str) -> str:
        """Return a question's id and beginning."""
        return f"{question} · {beginning(texts[question], _TEXT)}"

    return _fields(context).pick("question", texts, named)


def _view(context: Context, part: str) -> View:
    """Draw the choice of the embedding and neighbours to show; return it."""
    specs = dense_specs(*context.here, by=context.by)
    fields = Fields(context, "figures", f"figures-{part}")
    method, count, near, way = fields.row([3, 1, 1, 1.6], vertical_alignment="bottom")
    place = method.pick("method", range(len(specs)), lambda at: describe(specs[at]))
    seeds = count.number("seeds", 1, MOST, STANDARD.seeds)
    neighbours = near.number("neighbours", 1, MOST, STANDARD.neighbours)
    direction = way.pick("direction", DIRECTIONS, "figures.way")
    named = fields.several("edges", EDGES, lambda each: edge_words(each, context.language))
    return View(specs[place], seeds, neighbours, direction, *edges_named(named))


def draw_datasets(context: Context, gold: str) -> None:
    """Draw the form, and the statistics last computed for this project."""
    st.markdown(context.say("figures.datasets_lead"))
    _form(context, gold)
    kept = st.session_state.get(_FOUND)
    if kept is None or kept[:2] != (context.project, gold):
        return
    found: Statistics = kept[2]
    draw_report(context, statistics_report(found, context.language), "datasets")


def _form(context: Context, gold: str) -> None:
    """Draw the choice of data sets to compare; compute their statistics when it is sent."""
    account = context.account.id if context.account else None
    known = other_projects(*context.here, account, by=context.by)
    by_slug, fields = {each.slug: each for each in known}, _fields(context)
    with st.form("figures-datasets", border=False):
        left, right = fields.row([2, 1])
        chosen = left.several("others", by_slug)
        how = _similarity_choice(right, "datasets")
        bounds = archive_help(context, context.say("figures.beir_help"))
        given = fields.file("beir", UPLOADED_ARCHIVES, help=bounds)
        sent = st.form_submit_button(context.say("figures.compute"), type="primary")
    if sent:
        st.session_state.pop(_FOUND, None)
        others: list[Other] = [by_slug[slug] for slug in chosen]
        upload = Upload(given.name, given) if given else None
        with st.spinner(context.say("figures.drawing")):
            found = _statistics(context, others, how, upload, gold)
        st.session_state[_FOUND] = (context.project, gold, found)


def _statistics(
    context: Context, others: list[Other], how: Likening, upload: Upload | None, gold: str
) -> Statistics:
    """Compute the statistics of the data sets, an uploaded one among them."""
    if upload is None:
        return statistics(*context.here, others, how, gold=gold, by=context.by)
    with staged_tree([upload], endings=(".jsonl", *QRELS_ENDINGS)) as staged:
        folder = BeirFolder(staged.path, upload.name.rsplit("/")[-1].split(".")[0])
        return statistics(*context.here, [*others, folder], how, gold=gold, by=context.by)


KEY = "figures-tab"
PARTS = {  # first what is cheap enough to be drawn without a press
    "bars": draw_bars,
    "similarity": draw_similarity,
    "neighbourhood": draw_neighbourhood,
    "hits": draw_hits,
    "datasets": draw_datasets,
}


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "figures")
    if not allowed(context, Act.SEE_SCORES):
        return
    gold = draw_gold_choice(context)
    parts = {name: partial(draw, gold=gold) for name, draw in PARTS.items()}
    draw_parts(context, "figures.tab.", parts, KEY)
