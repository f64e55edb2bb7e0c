"""Corrected claim scores, for those who may read others' labels."""

from __future__ import annotations

from annotation.people.roles import Act
from pages.shell.context import Context
from pages.shell.reports import draw_report
from pages.shell.widgets import choose
from services.attribution.corrected import MEASURES, corrected
from services.attribution.corrected_table import corrected_report


def draw_corrected(context: Context) -> None:
    """Draw scores as labelled and as corrected, with files, to readers of others' labels only.

    Draws nothing without the permission to read others' labels.
    """
    if not context.may(Act.READ_OTHERS_LABELS):
        return
    found, measure = corrected(*context.here, by=context.by), None
    if found:
        measure = choose(
            context,
            "attribution_corrected.head.measure",
            list(MEASURES),
            "attribution_corrected.measure",
            "attribution-corrected-measure",
        )
    draw_report(context, corrected_report(found, context.language, measure), "claims-corrected")
