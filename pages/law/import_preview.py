"""What a source holds, drawn: counts, the first units, and what a person should look at."""

from __future__ import annotations

import streamlit as st

from pages.shell.context import Context
from pages.shell.guard import plain
from services.law.preview import Preview


def draw_preview(context: Context, seen: Preview) -> None:
    """Draw a preview."""
    figures = {
        "format": context.say(f"preview.formats.{seen.format}"),
        "statutes": f"{seen.statutes:,}",
        "units": f"{seen.units:,}",
        "parts": f"{seen.parts:,}",
        "links": f"{seen.links:,}",
    }
    st.caption(
        " · ".join(f"{context.say(f'preview.{name}')}: {plain(v)}" for name, v in figures.items())
    )
    levels = ", ".join(
        context.say(
            "preview.level_count",
            name=context.say(f"data.levels.{level}"),
            count=f"{count:,}",
        )
        for level, count in seen.levels.items()
    )
    st.caption(context.say("preview.levels", levels=levels))
    _problems(context, seen)
    st.markdown(f"**{context.say('preview.first')}**")
    _units(context, seen)


def _units(context: Context, seen: Preview) -> None:
    st.dataframe(
        {
            context.say("preview.statute"): [unit.statute for unit in seen.first],
            context.say("preview.label"): [unit.label for unit in seen.first],
            context.say("preview.heading"): [unit.heading for unit in seen.first],
            context.say("preview.text"): [unit.text for unit in seen.first],
            context.say("preview.characters"): [unit.characters for unit in seen.first],
            context.say("preview.parts"): [unit.parts for unit in seen.first],
        },
        hide_index=True,
        key="data-statutes-first",
    )


def _problems(context: Context, seen: Preview) -> None:
    if not seen.problems:
        st.caption(f":material/check: {context.say('preview.fine')}")
        return
    lines = [f"* {plain(note.render(context.language))}" for note in seen.problems]
    st.warning(f"{context.say('preview.problems')}\n\n" + "\n".join(lines), icon=":material/info:")
