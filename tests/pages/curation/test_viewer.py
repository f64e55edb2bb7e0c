"""The scripts and styles of the screen for curation."""

from __future__ import annotations

import re

from annotation.curation.form import (
    ALONE_FIELDS,
    CAUSE,
    GOLD,
    LEVELS,
    SPEC,
    Stage,
    Verdict,
)
from messages import LANGUAGES, catalogue
from pages.curation.curation import CURATION
from pages.task.viewer import ASK_SCRIPT, SEARCH
from pages.task.viewer_data import ui_words
from tests.pages.mapping.test_citation_mapping import WORD
from tests.pages.task.viewer_files import HERE, key_words, require_own_files, require_plain, untold

OWN = sorted((HERE / "curation" / "frontend").glob("*.js"))
SCRIPTS = [*OWN, HERE / f"{ASK_SCRIPT}.js", HERE / f"{SEARCH}.js"]
TEXT = "".join(script.read_text(encoding="utf-8") for script in SCRIPTS)


def test_every_file_is_part_of_the_viewer_and_turns_no_text_into_html() -> None:
    require_own_files(CURATION)

    for script in SCRIPTS:
        require_plain(script)


def test_the_catalogue_has_every_word_that_scripts_use_and_no_other() -> None:
    known = ui_words("curation", "en")
    used = {plain or row or stem for plain, row, stem in WORD.findall(TEXT)}
    assert len(used) > 30
    assert untold(used, known) == []

    stems = tuple({stem for _, _, stem in WORD.findall(TEXT) if stem})
    made = (*stems, "says_", "verdict_", "flag_reason_")  # put together by scripts
    own = [key.removeprefix("curation.ui.") for key in catalogue() if key.startswith("curation.ui")]
    elsewhere = {"key_escape", "empty_lead", "added_any"}  # of the frame, and of Adjudication
    elsewhere |= key_words("curation")
    assert [
        key
        for key in own
        if not re.search(rf"words\.{key}\b", TEXT)
        and f'"{key}"' not in TEXT
        and not key.startswith(made)
        and key not in elsewhere
    ] == []


def test_scripts_and_rules_speak_of_the_same_fields() -> None:
    for field in (*ALONE_FIELDS, *Verdict, *LEVELS, CAUSE, GOLD, "reason", "edit"):
        assert f'"{field}"' in TEXT, field
    assert all(f".{field}" in TEXT for field in SPEC.seals)
    assert all(f'"{stage}"' in TEXT for stage in Stage)
    for language in LANGUAGES:
        words = ui_words("curation", language)
        assert all(f"ask_{field}" in words for field in (*SPEC.fields, *SPEC.seals))
