"""What a screen of a task says where nothing is open to its reader."""

from __future__ import annotations

from pages.curation.curation import CURATION
from pages.judging.viewer import RATING_VIEWER
from pages.research.viewer import RESEARCH
from pages.task.viewer_data import ui_words

COMMANDS = {
    CURATION: '"curation items"',
    RESEARCH: '"research items"',
    RATING_VIEWER: '"judge cases"',
}


def test_an_empty_screen_names_what_makes_its_items() -> None:
    for viewer, command in COMMANDS.items():
        said = ui_words(viewer.name, "en")["empty_lead"]
        assert command in said
        assert said != ui_words("mapping", "en")["empty_lead"]
