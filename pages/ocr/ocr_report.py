"""OCR report screen: quality of engines, import of pages, list of pages."""

from __future__ import annotations

import json

import streamlit as st

from annotation.people.roles import Act
from evaluation.figure import Figure
from pages.ocr.importing import draw_bring
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.notices import allowed, draw_head, show_remembered
from pages.shell.widgets import choose, download, draw_figure, pick_row
from services.ocr.publishing import image_of
from services.ocr.report import STATES, EngineLine, OcrReport, PageLine, ocr_report

_SHARES = (
    "cer",
    "wer",
    "cell_accuracy",
    "cell_structure",
    "perfect_pages",
    "marked_of_wrong",
    "wrong_of_marked",
)

_FEW = 20  # pages below which the interpretation notes a small sample
_KEY = "ocr-pages"
NOTICE = "ocr-report-notice"
TABS = ("report", "bring", "pages")


def draw_figures(context: Context, found: OcrReport) -> None:
    """Draw the report's figures, or what is missing for them."""
    say = context.say
    if not found.engines:
        waits = "ocr_report.no_pages" if not found.lines else "ocr_report.none_corrected"
        st.info(say(waits), icon=":material/info:")
        return
    st.header(say("ocr_report.engines"), anchor=False)
    st.caption(say("ocr_report.engines_help"))
    st.dataframe(_engine_table(context, found.engines), hide_index=True)
    for line in found.engines:
        st.caption(md_literal(_interpretation(context, line)))
    _people(context, found)
    download(
        say("ocr_report.download"),
        json.dumps(found.as_dict(), ensure_ascii=False, indent=2),
        "ocr-report.json",
        "ocr-download",
    )


def _engine_table(context: Context, lines: tuple[EngineLine, ...]) -> dict[str, list[str]]:
    """Return a row per figure and a column per engine."""
    say = context.say
    rows = [("pages", [f"{line.pages:,}" for line in lines])]
    rows += [(name, [line.figure(name).percent() for line in lines]) for name in _SHARES]
    rows += [
        ("characters", [f"{line.characters:,}" for line in lines]),
        ("words", [f"{line.words:,}" for line in lines]),
        ("seconds", [_seconds(line.seconds) for line in lines]),
    ]
    names = [f"ocr_report.figure.{n}" if n in _SHARES else f"ocr_report.{n}" for n, _ in rows]
    table = {say("ocr_report.measure"): [say(name) for name in names]}
    table |= {line.name: [values[at] for _, values in rows] for at, line in enumerate(lines)}
    return table | {say("ocr_report.meaning"): [say(f"ocr_report.means.{n}") for n, _ in rows]}


def _interpretation(context: Context, line: EngineLine) -> str:
    """Return a sentence on what an engine's error rate means for correctors."""
    rate = line.figure("cer")
    if rate.value is None:
        return ""
    about = {"engine": line.name, "pages": line.pages, "per": f"{1000 * rate.value:,.0f}"}
    few = context.say("ocr_report.few", pages=line.pages) if line.pages < _FEW else ""
    return f"{context.say('ocr_report.reading', **about)} {few}".rstrip()


def _people(context: Context, found: OcrReport) -> None:
    say = context.say
    st.header(say("ocr_report.people"), anchor=False)
    figures = (
        ("correcting", found.correcting, _seconds),
        ("verifying", found.verifying, _seconds),
        ("changed", found.changed, Figure.percent),
    )
    for column, (name, figure, shown) in zip(st.columns(3), figures, strict=True):
        with column.container(border=True):
            value = shown(figure).split(" [")[0]
            hint = say(f"ocr_report.{name}_help")
            draw_figure(context, say(f"ocr_report.{name}"), value, figure.weak, hint)
            st.caption(_interval(context, figure, name))


def _interval(context: Context, figure: Figure, name: str) -> str:
    if figure.value is None:
        return context.say("ocr_report.nothing_yet")
    if figure.low is None or figure.high is None:
        return context.say("ocr_report.no_interval", n=figure.n)
    unit, factor = (" %", 100) if name == "changed" else ("", 1)
    low, high = (f"{each * factor:.0f}{unit}" for each in (figure.low, figure.high))
    return context.say("ocr_report.interval", low=low, high=high, n=figure.n)


def _seconds(figure: Figure) -> str:
    if figure.value is None:
        return "–"
    return f"{figure.value:.1f}" if figure.value < 10 else f"{figure.value:.0f}"


def draw_list(context: Context, found: OcrReport) -> None:
    """Draw the table of pages, with the image of the selected one."""
    say = context.say
    if not found.lines:
        st.info(say("ocr_report.no_pages"), icon=":material/info:")
        return
    st.caption(say("ocr_report.list_help"))
    table, image = st.columns([3, 2], gap="medium")
    with table:
        row = pick_row(
            context, "ocr_report", _page_table(context, found.lines), _KEY, placeholder="–"
        )
    with image:
        if row is not None:
            _page(context, found.lines[row])


def _page_table(context: Context, lines: tuple[PageLine, ...]) -> dict[str, list[object]]:
    say = context.say
    return {
        "page": [line.page.external_id for line in lines],
        "how_far": [say(f"ocr_report.state.{line.state}") for line in lines],
        "engine": [line.engine for line in lines],
        "characters": [line.errors for line in lines],
        "corrector": [line.corrector for line in lines],
        "verifier": [line.verifier for line in lines],
        "time": [_whole_seconds(line.item_seconds) for line in lines],
        "unit": [line.page.unit for line in lines],
    }


def _page(context: Context, line: PageLine) -> None:
    page = line.page
    about = {"file": page.file, "number": page.number, "width": page.width, "height": page.height}
    st.caption(md_literal(context.say("ocr_report.about", **about)))
    _, content = image_of(*context.here, page.id, context.by)
    st.image(content, width="stretch")


def _whole_seconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds)


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "ocr_report")
    show_remembered(NOTICE)
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    found = ocr_report(*context.here, context.by)
    _states(context, found)
    shown = [name for name in TABS if name != "bring" or context.may(Act.MAKE_ITEMS)]
    chosen = choose(
        context,
        "ocr_report.tab.label",
        shown,
        "ocr_report.tab",
        "ocr-tab",
        default="bring" if not found.lines and "bring" in shown else shown[0],
    )
    if chosen == "bring":
        draw_bring(context, found, NOTICE)
    elif chosen == "pages":
        draw_list(context, found)
    else:
        draw_figures(context, found)


def _states(context: Context, found: OcrReport) -> None:
    """Draw the number of pages per state; each page counts once."""
    for column, state in zip(st.columns(len(STATES)), STATES, strict=True):
        words = context.say(f"ocr_report.state.{state}")
        column.metric(
            words,
            f"{found.states[state]:,}",
            border=True,
            help=context.say(f"ocr_report.is.{state}"),
        )
