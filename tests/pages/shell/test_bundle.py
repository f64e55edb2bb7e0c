"""Every front-end part finds the scripts and styles that it joins."""

from __future__ import annotations

from pages.law import corpus, graph_panel
from pages.mapping.citation_mapping import MAPPING
from pages.shell.bundle import GRAPH_SCRIPTS, GRAPH_STYLE, joined
from pages.task.viewer import FRAME_SCRIPTS, FRAME_STYLES


def test_every_script_and_style_that_a_part_names_is_there() -> None:
    scripts = {*FRAME_SCRIPTS, *MAPPING.scripts, *GRAPH_SCRIPTS, *graph_panel.SCRIPTS}
    scripts |= {*corpus.TREE, *corpus.UNIT}
    for name in sorted(scripts):
        assert joined((name,), "js").strip(), name
    for name in sorted({*FRAME_STYLES, *MAPPING.styles, GRAPH_STYLE}):
        assert joined((name,), "css").strip(), name
