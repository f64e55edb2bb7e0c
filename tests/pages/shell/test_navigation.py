"""The one map of keys: no key means two things, and every screen does what the map says."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

import pages
from messages import LANGUAGES, catalogue
from pages.adjudication.keys import WORDS
from pages.shell.navigation import key_map, shortcut
from pages.task.viewer_data import ui_words

HERE = Path(pages.__file__).parent
ADJUDICATION = "adjudication"
# whose words have another name, or stand in two places
NAMED = {
    "own": ("own", "declared"),
    "attribution": ("attribution", "declared"),
    "ocr": ("ocr", "ocr_verification"),
}
# Where each screen says what runs for an action; declared forms share one.
DECLARED = "task/frontend/declared/keys.js"
BINDINGS = {
    "mapping": "mapping/frontend/keys.js",
    "ocr": "ocr/frontend/keys.js",
    "mcq": DECLARED,
    "curation": DECLARED,
    "own": DECLARED,
    "rating": "judging/frontend/rating/viewer.js",
    "review": "judging/frontend/review/viewer.js",
    "tagging": "tagging/frontend/keys.js",
    "attribution": DECLARED,
    "research": "research/frontend/keys.js",
    "": "task/frontend/keyboard.js",
}
SCRIPTS = sorted(
    script for script in HERE.rglob("frontend/**/*.js") if script.name not in ("keymap.js",)
)
# Keys of the browser and of the system, which no page may take from them.
TAKEN = {f"Control+{key}" for key in "acflnoprstuvwxz"} | {"Control+Tab", "Alt+F4", "F5", "Tab"}


def bound(screen: str) -> set[str]:
    """Return the actions that a screen's script binds: the names of the object it returns."""
    text = (HERE / BINDINGS[screen]).read_text(encoding="utf-8")
    after = re.split(r"taskKeys\(\) \{|function \w+Keys\(viewer\) \{", text)[1]
    returned = after[after.index("return {") :]
    returned = returned[: re.search(r"\n *\};", returned).start()]  # type: ignore[union-attr]
    return set(re.findall(r"^ +(\w+)(?::|,$)", returned, re.M))


def told_on(screen: str, language: str) -> dict[str, str]:
    """Return the words of a screen."""
    name, *more = NAMED.get(screen, (screen,))
    return ui_words(name, language, *more)


def test_no_key_means_two_things() -> None:
    uses = Counter(key for each in key_map().values() for key in (*each.keys, *each.also))
    assert [key for key, count in uses.items() if count > 1] == []
    assert len(uses) > 90


def test_no_key_is_one_of_the_browser() -> None:
    used = {key for each in key_map().values() for key in (*each.keys, *each.also)}
    assert used & TAKEN == set()
    held = {key for key in used if len(key) > 1 and "+" in key}
    assert held == {
        *(f"Alt+{number}" for number in range(1, 6)),
        *("Control+Enter", "Shift+Enter", "Control+b", "Control+k"),
        *("Alt+n", "Alt+ArrowDown", "Alt+p", "Alt+ArrowUp", "Alt+Enter"),
    }


def test_screens_do_what_the_map_says_and_nothing_else() -> None:
    for screen in BINDINGS:
        told = {name for name, each in key_map().items() if screen in each.on}
        shares = BINDINGS[screen] == DECLARED  # which has those of them that the map gives it
        assert (bound(screen) >= told) if shares else (bound(screen) == told), screen
    text = (HERE / "adjudication/frontend/keys.js").read_text(encoding="utf-8")
    told = set(re.findall(r'\{ action: "(\w+)"', text))
    assert told == {name for name, each in key_map().items() if ADJUDICATION in each.on}
    others = {"correct", "incorrect"}  # of the task in which a is correct
    assert {each.on.get(ADJUDICATION) for each in key_map().values()} - {None} == set(
        WORDS
    ) - others


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_has_words_for_its_keys(language: str) -> None:
    words = {screen: told_on(screen, language) for screen in BINDINGS}
    for each in key_map().values():
        for screen, word in each.on.items():
            if screen != ADJUDICATION:
                assert words[screen].get(word), (each.name, screen, word)
        assert catalogue()[f"keys.action.{each.name}"][language]


def test_scripts_name_actions_and_no_keys() -> None:
    named = re.compile(r"""(?:capOf|ariaKeys|keysOf)\("(\w+)\"""")
    for script in SCRIPTS:
        text = script.read_text(encoding="utf-8")
        assert not re.search(r"""keyCap\(["'`]|aria-keyshortcuts": ["'`]""", text), script
        assert set(named.findall(text)) <= set(key_map()), script


def test_what_streamlit_draws_has_the_keys_of_the_map() -> None:
    assert (shortcut("submit"), shortcut("send_back")) == ("Ctrl+Enter", "Ctrl+b")
    assert (shortcut("case_next"), shortcut("case_previous")) == ("n", "p")
    for file in HERE.rglob("*.py"):
        assert not re.search(r"shortcut=f?[\"']", file.read_text(encoding="utf-8")), file


def test_the_map_is_plain_data() -> None:
    text = (HERE / "shell/frontend/keymap.js").read_text(encoding="utf-8")
    code = "\n".join(line for line in text.splitlines() if not line.startswith("//"))
    told = code.removeprefix("const KEY_MAP = ").rstrip().removesuffix(";")
    assert list(json.loads(told)) == list(key_map())
