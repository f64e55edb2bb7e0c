"""The scripts and styles of the frame and its task: complete, worded, and without a way for text
to become HTML.
"""

from __future__ import annotations

import re
from pathlib import Path

import pages
from pages.mapping.viewer import MAPPING
from pages.shell.bundle import STATUTE_TEXT
from pages.task.viewer import ASK_SCRIPT, FORM_SCRIPTS, FRAME_SCRIPTS, FRAME_STYLES, SEARCH
from pages.task.viewer_data import ui_words
from tests.pages.task.viewer_files import RISKY

HERE = Path(pages.__file__).parent
FRAME = [HERE / f"{name}.js" for name in FRAME_SCRIPTS]
OWN = HERE / "mapping" / "frontend"
SHARED = (STATUTE_TEXT, SEARCH)  # scripts of other rooms that it joins to its own
SCRIPTS = [*FRAME, *(HERE / f"{name}.js" for name in SHARED), *sorted(OWN.glob("*.js"))]
FRAMING = [HERE / f"{name}.css" for name in (*FRAME_STYLES, SEARCH)]
STYLES = sorted([*FRAMING, *OWN.glob("*.css")])
WORD = re.compile(r"""words\.([a-z_0-9]+)|words: "([a-z_]+)"|words\[`([a-z_]+)\$""")


def used_words() -> set[str]:
    found = set()
    for script in SCRIPTS:
        for plain, row, stem in WORD.findall(script.read_text(encoding="utf-8")):
            found.add(plain or row or stem)
    return found


def named(files: list[Path]) -> list[str]:
    return sorted(str(file.relative_to(HERE).with_suffix("")) for file in files)


def test_every_file_is_part_of_the_viewer():
    own = [name for name in MAPPING.scripts if name.startswith(("mapping/frontend/", *SHARED))]
    assert sorted([*FRAME_SCRIPTS, *own]) == named(SCRIPTS)
    frame = {f"task/frontend/{file.stem}" for file in (HERE / "task" / "frontend").glob("*.js")}
    assert frame - {*FORM_SCRIPTS, ASK_SCRIPT, SEARCH} <= set(FRAME_SCRIPTS)
    drawn = [name for name in MAPPING.styles if name.startswith(("mapping/frontend/", *SHARED))]
    assert sorted([*FRAME_STYLES, *drawn]) == named(STYLES)


def test_the_frame_knows_nothing_of_citation_mapping():
    """Another task's screen is the frame with that task's files in place of these."""
    for script in FRAME:
        if script.stem == "keymap":  # the keys of all tasks
            continue
        text = script.read_text(encoding="utf-8")
        assert not re.search(r"candidate|citation|decision|provision|\bcards?\b|\btrail\b", text), (
            script.name
        )


def test_a_task_changes_only_what_the_frame_lets_it():
    """Each hook that citation mapping fills is one that the frame names."""
    frame = (HERE / "task" / "frontend" / "frame.js").read_text(encoding="utf-8")
    hooks = frame[frame.index("// What a task says of its own") :]
    asked = set(re.findall(r"^  ([a-zA-Z]+)\(", hooks, re.MULTILINE))
    mine = (OWN / "viewer.js").read_text(encoding="utf-8")
    part = mine[
        mine.index("// What the frame asks of a task") : mine.index("// What a person does")
    ]
    hooks = (HERE / "task" / "frontend" / "saying.js").read_text(encoding="utf-8")
    said = set(re.findall(r"^  ([a-zA-Z]+)\(", hooks, re.MULTILINE))
    mine = (OWN / "saying.js").read_text(encoding="utf-8")
    assert set(re.findall(r"^  ([a-zA-Z]+)\(act", mine, re.MULTILINE)) - said == {"labels"}
    filled = set(re.findall(r"^  ([a-zA-Z]+)\(", part, re.MULTILINE))
    assert len(asked) > 10
    assert filled - asked == {"fail"}  # which calls the frame's own


def test_the_frame_brings_its_own_words():
    bare = ui_words("no_such_task", "en")
    for script in FRAME:
        for plain, row, stem in WORD.findall(script.read_text(encoding="utf-8")):
            word = plain or row or stem
            assert word in bare or any(key.startswith(word) for key in bare), word


def test_no_script_can_turn_text_into_html_and_all_stay_small():
    for script in SCRIPTS:
        text = script.read_text(encoding="utf-8")
        assert not re.search(RISKY, text), script.name
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), script.name
        assert len(text.splitlines()) <= 300, script.name


def test_the_catalogue_has_every_word_that_scripts_use_and_no_other():
    known = ui_words("mapping", "en")
    missing = [
        word
        for word in sorted(used_words())
        if word not in known and not any(key.startswith(word) for key in known if word[-1] == "_")
    ]
    assert missing == []
    assert len(used_words()) > 50

    text = "".join(script.read_text(encoding="utf-8") for script in SCRIPTS)
    stems = {stem for _, _, stem in WORD.findall(text) if stem}
    made = ("flag_", "skip_", "ask_back_", *stems)  # keys that scripts put together
    unused = [
        key
        for key in known
        if f'"{key}"' not in text
        and not re.search(rf"words\.{key}\b", text)
        and not key.startswith(made)
    ]
    assert unused == []


def test_what_is_asked_before_the_viewer_is_mounted_is_nothing():
    assert MAPPING.sent() is None
