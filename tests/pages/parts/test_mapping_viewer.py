"""The viewer's scripts and styles: complete, worded, and without a way for text to become HTML."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pages.parts import mapping_viewer
from pages.parts.mapping_data import ui_words
from words import LANGUAGES

FOLDER = Path(mapping_viewer.__file__).parent / "mapping"
SCRIPTS = sorted(FOLDER.glob("*.js"))
STYLES = sorted(FOLDER.glob("*.css"))
RISKY = r"innerHTML|outerHTML|AdjacentHTML|createContextualFragment|document\.write|eval\("
WORD = re.compile(r"""words\.([a-z_0-9]+)|words: "([a-z_]+)"|words\[`([a-z_]+)\$""")


def used_words() -> set[str]:
    found = set()
    for script in SCRIPTS:
        for plain, row, stem in WORD.findall(script.read_text(encoding="utf-8")):
            found.add(plain or row or stem)
    return found


def test_every_file_is_part_of_the_viewer():
    assert sorted(mapping_viewer._SCRIPTS) == [script.stem for script in SCRIPTS]
    assert sorted(mapping_viewer._STYLES) == [style.stem for style in STYLES]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_no_script_can_turn_text_into_html(script: Path):
    text = script.read_text(encoding="utf-8")
    risky = (
        r"innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|document\.write|eval\("
    )
    assert not re.search(risky, text)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_scripts_stay_small(script: Path):
    assert len(script.read_text(encoding="utf-8").splitlines()) <= 300


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_that_a_script_uses_is_in_the_catalogue(language: str):
    known = ui_words(language)
    missing = [
        word
        for word in sorted(used_words())
        if word not in known and not any(key.startswith(word) for key in known if word[-1] == "_")
    ]
    assert missing == []
    assert len(used_words()) > 50


def test_every_word_of_the_viewer_is_used():
    text = "".join(script.read_text(encoding="utf-8") for script in SCRIPTS)
    stems = {stem for _, _, stem in WORD.findall(text) if stem}
    made = ("flag_", "skip_", *stems)  # keys that scripts put together
    unused = [
        key
        for key in ui_words("en")
        if f'"{key}"' not in text
        and not re.search(rf"words\.{key}\b", text)
        and not key.startswith(made)
    ]
    assert unused == []


def test_what_is_asked_before_the_viewer_is_mounted_is_nothing():
    assert mapping_viewer.sent() is None
