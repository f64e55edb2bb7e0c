"""The scripts and styles of answer rating and judge review: complete, worded, no text as HTML."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pages
from annotation.judging.forms import FIELDS
from pages.judging.viewer import RATING_VIEWER, REVIEW_VIEWER
from pages.task.declared import WORDS
from pages.task.viewer import Viewer
from pages.task.viewer_data import ui_words
from tests.pages.task.viewer_files import key_words, require_plain, untold

HERE = Path(pages.__file__).parent
FOLDER = HERE / "judging" / "frontend"
ANSWERS, BESIDE = "judging/frontend/answers", ("matrix", "voices")  # of both, of review alone
VIEWERS = [RATING_VIEWER, REVIEW_VIEWER]
SCRIPTS = sorted(FOLDER.glob("*.js"))
DATA = HERE / "judging" / "viewer.py"  # uses words, too
WORD = re.compile(r"""words\.([a-z_0-9]+)|words: "([a-z_]+)"|words(?::|\[)\s?`([a-z_]+)\$""")
OF_ITEM = ("option_",)  # of the codebook, beside the catalogue


def text_of(viewer: Viewer) -> str:
    files = [HERE / f"{name}.js" for name in viewer.scripts]
    return "".join(file.read_text(encoding="utf-8") for file in files)


def used(text: str) -> set[str]:
    return {plain or row or stem for plain, row, stem in WORD.findall(text)}


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda each: each.name)
def test_every_file_is_part_of_the_viewer(viewer: Viewer) -> None:
    own = {f"judging/frontend/{file.stem}" for file in SCRIPTS}
    assert own & set(viewer.scripts) == (own if viewer is REVIEW_VIEWER else {ANSWERS})
    assert {f"judging/frontend/{file.stem}" for file in FOLDER.glob("*.css")} <= set(viewer.styles)
    assert all((HERE / f"{name}.js").is_file() for name in viewer.scripts)


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda each: each.name)
def test_every_word_that_a_script_uses_is_in_the_catalogue(viewer: Viewer) -> None:
    known = ui_words(viewer.name, "en", *WORDS)
    words = {each for each in used(text_of(viewer)) if not each.startswith(OF_ITEM)}
    words |= key_words(viewer.name)
    assert untold(words, known) == []
    assert len(words) > 10


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda each: each.name)
def test_every_word_of_the_viewer_is_used(viewer: Viewer) -> None:
    data = DATA.read_text(encoding="utf-8")
    text = text_of(viewer) + data
    stems = (
        *(stem for _, _, stem in WORD.findall(text) if stem),
        *(f"{each}_" for each in FIELDS),  # of answers, as forms name them
        *re.findall(r'words\[f"(\w+_)\{', data),
    )
    own = set(ui_words(viewer.name, "en")) - set(ui_words("no_such_task", "en"))
    own -= {*key_words(viewer.name), *FIELDS, *(f"{each}_hint" for each in FIELDS)}
    unused = [
        key
        for key in own
        if f'"{key}"' not in text
        and not re.search(rf"words\.{key}\b", text)
        and not key.startswith(stems)
    ]
    assert sorted(unused) == []


def test_no_script_can_turn_text_into_html_and_rating_knows_of_no_judge() -> None:
    for script in SCRIPTS:
        require_plain(script)
        assert "://" not in script.read_text(encoding="utf-8"), script
    own = (HERE / f"{ANSWERS}.js").read_text(encoding="utf-8")
    assert not re.search(r"verdict|system|rater|\bjudge\b", own)
    assert not set(RATING_VIEWER.scripts) & {f"judging/frontend/{each}" for each in BESIDE}
