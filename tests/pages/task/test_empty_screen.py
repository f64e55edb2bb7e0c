"""What a screen of a task says where nothing is open to its reader."""

from __future__ import annotations

import pytest

from messages import LANGUAGES
from pages.curation.curation import CURATION
from pages.judging.viewer import RATING_VIEWER
from pages.research.viewer import RESEARCH
from pages.task.viewer_data import ui_words

COMMANDS = {
    CURATION: '"curation items"',
    RESEARCH: '"research items"',
    RATING_VIEWER: '"judge cases"',
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("viewer", COMMANDS, ids=lambda viewer: viewer.name)
def test_an_empty_screen_names_what_makes_its_items(viewer, language) -> None:
    said = ui_words(viewer.name, language)["empty_lead"]
    assert COMMANDS[viewer] in said
    assert said != ui_words("mapping", language)["empty_lead"]
