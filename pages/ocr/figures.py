"""The figures of the OCR report: engines side by side, and what people take and change."""

from __future__ import annotations

import json

import streamlit as st

from evaluation.figure import Figure
from pages.shell.context import Context
from pages.shell.guard import plain
from services.ocr.report import EngineLine, OcrReport

_SHARES = (
    "cer",
    "wer",
    "cell_accuracy",
    "cell_structure",
    "perfect_pages",
    "marked_of_wrong",
    "wrong_of_marked",
)

_FEW = 20  # pages below which a reading says that they are few


def draw_figures(context: Context, found: OcrReport) -> None:
    """Draw the report's figures, or what it waits for."""
    say = context.say
    if not found.engines:
        waits = "ocr_report.no_pages" if not found.lines else "ocr_report.none_corrected"
        st.info(say(waits), icon=":material/info:")
        return
    st.subheader(say("ocr_report.engines"), anchor=False)
    st.caption(say("ocr_report.engines_help"))
    st.dataframe(_table(context, found.engines), hide_index=True)
    for line in found.engines:
        st.caption(plain(_reading(context, line)))
    _people(context, found)
    st.download_button(
        say("ocr_report.download"),
        json.dumps(found.as_dict(), ensure_ascii=False, indent=2),
        file_name="ocr-report.json",
        mime="application/json",
        icon=":material/download:",
        key="ocr-download",
    )


def _table(context: Context, lines: tuple[EngineLine, ...]) -> dict[str, list[str]]:
    """Return a row for each figure and a column for each engine."""
    say = context.say
    rows = [("pages", [f"{line.pages:,}" for line in lines])]
    rows += [(name, [_share(line.figure(name)) for line in lines]) for name in _SHARES]
    rows += [
        ("characters", [f"{line.characters:,}" for line in lines]),
        ("words", [f"{line.words:,}" for line in lines]),
        ("seconds", [_seconds(line.seconds) for line in lines]),
    ]
    names = [f"ocr_report.figure.{n}" if n in _SHARES else f"ocr_report.{n}" for n, _ in rows]
    table = {say("ocr_report.measure"): [say(name) for name in names]}
    table |= {line.name: [values[at] for _, values in rows] for at, line in enumerate(lines)}
    return table | {say("ocr_report.meaning"): [say(f"ocr_report.means.{n}") for n, _ in rows]}


def _reading(context: Context, line: EngineLine) -> str:
    """Say in a sentence what an engine's figures mean for whoever corrects."""
    rate = line.figure("cer")
    if rate.value is None:
        return ""
    about = {"engine": line.name, "pages": line.pages, "per": f"{1000 * rate.value:,.0f}"}
    few = context.say("ocr_report.few", pages=line.pages) if line.pages < _FEW else ""
    return f"{context.say('ocr_report.reading', **about)} {few}".rstrip()


def _people(context: Context, found: OcrReport) -> None:
    say = context.say
    st.subheader(say("ocr_report.people"), anchor=False)
    figures = (
        ("correcting", found.correcting, _seconds),
        ("verifying", found.verifying, _seconds),
        ("changed", found.changed, _share),
    )
    for column, (name, figure, shown) in zip(st.columns(3), figures, strict=True):
        with column.container(border=True):
            value = shown(figure).split(" [")[0]
            st.metric(say(f"ocr_report.{name}"), value, help=say(f"ocr_report.{name}_help"))
            st.caption(_interval(context, figure, name))


def _interval(context: Context, figure: Figure, name: str) -> str:
    if figure.value is None or figure.low is None or figure.high is None:
        return context.say("ocr_report.nothing_yet")
    unit, factor = (" %", 100) if name == "changed" else ("", 1)
    low, high = (f"{each * factor:.0f}{unit}" for each in (figure.low, figure.high))
    return context.say("ocr_report.interval", low=low, high=high, n=figure.n)


def _share(figure: Figure) -> str:
    """Return e.g. ``2.3 % [1.1, 4.0]``; a dash where nothing was scored."""
    if figure.value is None:
        return "–"
    if figure.low is None or figure.high is None:
        return f"{100 * figure.value:.1f} %"
    return f"{100 * figure.value:.1f} % [{100 * figure.low:.1f}, {100 * figure.high:.1f}]"


def _seconds(figure: Figure) -> str:
    if figure.value is None:
        return "–"
    return f"{figure.value:.1f}" if figure.value < 10 else f"{figure.value:.0f}"
