"""The scripts and styles of the screen for factor tagging."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from corpus.cases.model import JudgmentPart, Section
from messages import catalogue
from pages.tagging.viewer import TAGGING, parts
from pages.task.viewer_data import ui_words
from tests.pages.task.viewer_files import HERE, key_words, require_own_files, require_plain, untold

SCRIPTS = sorted((HERE / "tagging" / "frontend").glob("*.js"))
TEXT = "".join(script.read_text(encoding="utf-8") for script in SCRIPTS)
WORD = re.compile(r"""words\.([a-z_0-9]+)|words: "([a-z_]+)"|words\[`([a-z_]*)\$|words\[[^\]`]*""")
QUOTED = re.compile(r"""words\[([^\]`]+)\]""")
PASSAGE = "머리 \n\n사실이다.  이유𠮷이다.\n"


def used() -> set[str]:
    found = {word for groups in WORD.findall(TEXT) for word in groups if word}
    return found | {name for each in QUOTED.findall(TEXT) for name in re.findall(r'"(\w+)"', each)}


def test_every_file_is_part_of_the_viewer_and_turns_no_text_into_html() -> None:
    require_own_files(TAGGING)

    for script in SCRIPTS:
        require_plain(script)


def test_the_catalogue_has_every_word_that_scripts_use_and_no_other() -> None:
    known = ui_words("tagging", "en")
    assert len(used() | key_words("tagging")) > 50
    assert untold(used(), known) == []
    assert all(f"section_{section}" in known for section in Section)

    own = {key.removeprefix("tagging.ui.") for key in catalogue() if key.startswith("tagging.ui.")}
    frame = {key.removeprefix("frame.ui.") for key in catalogue() if key.startswith("frame.ui.")}
    stems = tuple(word for word in used() if word[-1] == "_")
    noticed = {"notice_along_none"}  # the server names it
    told = used() | key_words("tagging")
    assert sorted(word for word in own - told - frame - noticed if not word.startswith(stems)) == []


def test_what_is_in_no_section_is_told_too() -> None:
    found = [JudgmentPart(Section.FACTS, 5, 10), JudgmentPart(Section.REASONING, 12, 17)]
    assert parts(PASSAGE, found) == [
        ["rest", 0, 5],
        ["facts", 5, 12],
        ["reasoning", 12, 17],
        ["rest", 17, 19],
    ]


@given(st.text("가 \n.", max_size=30), st.lists(st.integers(0, 30), max_size=8))
def test_sections_cover_the_text_once_and_in_order(text: str, cuts: list[int]) -> None:
    places = sorted(min(cut, len(text)) for cut in cuts)
    pairs = zip(places[::2], places[1::2], strict=False)
    told = parts(text, [JudgmentPart(Section.FACTS, start, end) for start, end in pairs])
    ends = [each[2] for each in told]
    assert [each[1] for each in told[1:]] == ends[:-1]
    assert all(start < end for _, start, end in told)
    outside = text[: told[0][1]] + text[ends[-1] :] if told else text
    assert not outside.strip()
