"""The scripts and styles of the screen for multiple-choice questions."""

from __future__ import annotations

import re

from annotation.mcq.solvability import ASKED, OTHER, SEALS, SURE, Stage, Verdict
from messages import LANGUAGES, catalogue
from pages.mcq.mcq_solvability import MCQ
from pages.task.viewer import ASK_SCRIPT
from pages.task.viewer_data import ui_words
from tests.pages.mapping.test_citation_mapping import WORD
from tests.pages.task.viewer_files import HERE, key_words, require_own_files, require_plain, untold

SCRIPTS = sorted([*(HERE / "mcq" / "frontend").glob("*.js"), HERE / f"{ASK_SCRIPT}.js"])
TEXT = "".join(script.read_text(encoding="utf-8") for script in SCRIPTS)


def test_every_file_is_part_of_the_viewer_and_turns_no_text_into_html() -> None:
    require_own_files(MCQ)

    for script in SCRIPTS:
        require_plain(script)


def test_the_catalogue_has_every_word_that_scripts_use_and_no_other() -> None:
    known = ui_words("mcq", "en")
    used = {plain or row or stem for plain, row, stem in WORD.findall(TEXT)}
    assert len(used) > 30
    assert untold(used, known) == []

    stems = tuple({stem for _, _, stem in WORD.findall(TEXT) if stem})
    made = (*stems, "answerable_", "right_", "verdict_", "flag_reason_")  # put together by scripts
    own = [key.removeprefix("mcq.ui.") for key in catalogue() if key.startswith("mcq.ui.")]
    frame = {"key_sure", "key_escape", "empty_lead"}  # in the place of the frame's own
    frame |= key_words("mcq")
    assert [
        key
        for key in own
        if not re.search(rf"words\.{key}\b", TEXT)
        and f'"{key}"' not in TEXT
        and not key.startswith(made)
        and key not in frame
    ] == []


def test_scripts_and_rules_speak_of_the_same_fields() -> None:
    for field in (*ASKED[Stage.COMPARED], *SEALS, *Verdict, OTHER, "cause", "reason", "fix"):
        assert f'"{field}"' in TEXT, field
    assert all(f'"{name}"' in TEXT for name in ("answerable", "choice", "sure"))
    assert all(f'"{stage}"' in TEXT for stage in Stage)
    for language in LANGUAGES:
        words = ui_words("mcq", language)
        fields = [*ASKED[Stage.ALONE], *ASKED[Stage.BOTH], *ASKED[Stage.COMPARED]]
        assert all(f"ask_{field}" in words for field in (*fields, "cause", "reason", "fix"))
        assert all(f"sure_{value}" in words for value in SURE)
