"""The one map of keys: no key means two things, and every screen does what the map says."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import pages
from annotation.guidelines.codebook_tree import Option
from messages import LANGUAGES, catalogue
from pages.adjudication.keys import WORDS
from pages.judging.viewer import rating_form, review_form
from pages.research.research import form_part as research_form
from pages.shell.navigation import key_map, shortcut
from pages.task.viewer import ui_words

HERE = Path(pages.__file__).parent
ADJUDICATION = "adjudication"
# whose words have another name, or stand in two places
NAMED = {
    "rating": ("rating", "declared"),
    "review": ("review", "declared"),
    "research": ("research", "declared", "research"),
    "own": ("own", "declared"),
    "attribution": ("attribution", "declared"),
    "ocr": ("ocr", "ocr_verification"),
}
# Where each screen says what runs for an action; declared forms share one, and panes may add to it.
DECLARED = "task/frontend/declared/keys.js"
BINDINGS = {
    "mapping": "mapping/frontend/keys.js",
    "ocr": "ocr/frontend/keys.js",
    "mcq": DECLARED,
    "curation": DECLARED,
    "own": DECLARED,
    "rating": DECLARED,
    "review": DECLARED,
    "tagging": "tagging/frontend/keys.js",
    "attribution": DECLARED,
    "research": DECLARED,
    "": "task/frontend/keyboard.js",
}
BESIDE = {"mapping": "mapping/frontend/evidence.js"}  # whose keys a screen spreads into its own
PANES = {
    "rating": "judging/frontend/answers.js",
    "review": "judging/frontend/matrix.js",
    "research": "research/frontend/finding.js",
}
FORMS = {"rating": rating_form, "review": review_form, "research": research_form}
SCRIPTS = sorted(
    script for script in HERE.rglob("frontend/**/*.js") if script.name not in ("keymap.js",)
)
# Keys of the browser and of the system, which no page may take from them.
TAKEN = {f"Control+{key}" for key in "acflnoprstuvwxz"} | {"Control+Tab", "Alt+F4", "F5", "Tab"}


def bound(screen: str) -> set[str]:
    """Return the actions that a screen's script binds: the names of the object it returns."""
    files = [each for each in (BINDINGS[screen], BESIDE.get(screen)) if each]
    text = "\n".join((HERE / each).read_text(encoding="utf-8") for each in files)
    found = set()
    for after in re.split(r"taskKeys\(\) \{|function \w+Keys\(viewer\) \{", text)[1:]:
        returned = after[after.index("return {") :]
        returned = returned[: re.search(r"\n *\};", returned).start()]  # type: ignore[union-attr]
        found |= set(re.findall(r"^ +(\w+)(?::|,$)", returned, re.M))
    return found | of_panes(screen) | of_answers(screen) if screen in PANES else found


def of_panes(screen: str) -> set[str]:
    """Return the actions that a screen's pane adds, with those of the pane that it extends."""
    text = (HERE / PANES[screen]).read_text(encoding="utf-8")
    added = re.search(rf"SCREEN_KEYS.{screen} = .*?\n}}\);", text, re.S)
    assert added, screen
    extends = re.findall(r"\.\.\.SCREEN_KEYS\.(\w+)", added[0])
    own = set(re.findall(r"^ +(\w+):", added[0], re.M))
    return own.union(*(of_panes(each) for each in extends))


def of_answers(screen: str) -> set[str]:
    """Return the actions that are answers to the screen's form, or lead to a field of it."""
    words = told_on(screen, "en")
    codebook = [Option(key, {"en": key}, {"en": key}) for key in ("correct", "incorrect", "none")]
    fields = FORMS[screen](words, codebook, "en")["fields"].values()
    answers = {option[4] for each in fields for option in each["options"] if len(option) > 4}
    return (answers | {each.get("action") for each in fields}) - {None}


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
    named = re.compile(r"""(?:(?:capOf|ariaKeys|keysOf)\(|\baction: )"(\w+)\"""")
    for script in SCRIPTS:
        text = script.read_text(encoding="utf-8")
        assert not re.search(r"""keyCap\(["'`]|aria-keyshortcuts": ["'`]""", text), script
        assert set(named.findall(text)) <= set(key_map()), script


def test_what_streamlit_draws_has_the_keys_of_the_map() -> None:
    assert (shortcut("submit"), shortcut("send_back")) == ("Ctrl+Enter", "Ctrl+b")
    assert (shortcut("case_next"), shortcut("case_previous")) == ("n", "p")
    for file in HERE.rglob("*.py"):
        assert not re.search(r"shortcut=f?[\"']", file.read_text(encoding="utf-8")), file
