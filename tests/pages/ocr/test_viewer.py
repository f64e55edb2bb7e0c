"""The scripts and styles of the viewer of pages: complete, worded, small, and without HTML."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from messages import LANGUAGES
from pages.ocr.formulas import script
from pages.ocr.viewer import OCR
from pages.task.viewer_data import ui_words
from tests.pages.task.viewer_files import HERE, RISKY, require_own_files, require_plain

SCRIPTS = sorted((HERE / "ocr" / "frontend").glob("*.js"))
WORD = re.compile(r"""words\.([a-z_0-9]+)|words: "([a-z_]+)"|words\[`([a-z_]*)\$""")
NAMED = re.compile(r"""tool\("[a-z]+", "[^"]+", "([a-z_]+)"|tool\("([a-z_]+)", "[^"]+", \(""")
QUOTED = re.compile(r"""words\[[^\]`]*?"([a-z_]+)"(?: : "([a-z_]+)")?\]""")


def used_words() -> set[str]:
    text = "".join(file.read_text(encoding="utf-8") for file in SCRIPTS)
    found = [each for pattern in (WORD, NAMED, QUOTED) for each in pattern.findall(text)]
    return {word for groups in found for word in groups if word}


def test_every_file_is_part_of_the_viewer():
    require_own_files(OCR)


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.name)
def test_no_script_can_turn_text_into_html(file: Path):
    require_plain(file)


def test_formulas_are_built_node_by_node():
    assert not re.search(rf"{RISKY}|new Function", script())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_that_a_script_uses_is_in_the_catalogue(language: str):
    known = ui_words("ocr", language)
    stems = {"option_"}  # of the project's codebook
    missing = [
        word
        for word in sorted(used_words() - stems)
        if word not in known and not any(key.startswith(word) for key in known if word[-1] == "_")
    ]
    assert missing == []
    assert len(used_words()) > 50


def test_every_word_of_the_viewer_is_used():
    own = set(ui_words("ocr", "en")) - set(ui_words("no_such_task", "en"))
    stems = tuple(word for word in used_words() if word[-1] == "_" and word != "key_")
    text = "".join(file.read_text(encoding="utf-8") for file in SCRIPTS)
    unused = [
        word
        for word in sorted(own - used_words())
        if not word.startswith(stems)
        and f'"{word.removeprefix("key_")}"' not in text
        and f'tool("{word.removesuffix("_hint")}"' not in text
    ]
    assert unused == []
