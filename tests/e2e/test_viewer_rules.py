"""Rules of every viewer in the browser: particles, blocks of a text, keys and their guard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from messages.particles import chosen, marked
from pages.shell.bundle import joined
from pages.shell.navigation import SHORTCUT_BRIDGE
from tests.e2e.keyboard import keys_alone

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]
WORDS = (
    *("조문", "법률 제3조", "서울", "judge-two", "Park Jun", "mcq_votes", "LLM", "OCR", "net"),
    *(
        "80.0 % [37.6, 96.4]",
        "100.0 % [–]",
        "실행 2(기준)",
        "(미정)",
        "긴 이름…",
        "‘{’",
        "漢字",
        "",
    ),
)
PARTICLES = ("은(는)", "이(가)", "을(를)", "와(과)", "(으)로")
SCRIPT = joined((SHORTCUT_BRIDGE,), "js")
CHOICES = """<input type="radio" id="radio"><textarea id="words"></textarea>
<div data-testid="stButtonGroup"><button id="pill">one</button></div>"""
COUNT = """window.heard = []; window.pressed = 0;
addEventListener("keydown", (event) =>
  event.key === "Enter" && heard.push(event.target.tagName));
document.querySelector("#pill").addEventListener("click", () => { pressed += 1; });"""


def test_viewers_choose_particles_as_messages_do(page: Page) -> None:
    page.add_script_tag(content=joined(("shell/frontend/elements",), "js"))
    templates = [f"{{word}}{particle}" for particle in PARTICLES]
    fill = "([words, templates]) => words.map((word) => templates.map((t) => fill(t, { word })))"
    found = page.evaluate(fill, [WORDS, templates])
    assert found == [[chosen(marked(t).format(word=word)) for t in templates] for word in WORDS]


def test_a_text_in_blocks_is_never_cut_within_a_word_or_a_short_line(page: Page) -> None:
    page.add_script_tag(content=joined(("shell/frontend/blocks",), "js"))
    line = "Decide on what the answer rests on, and on nothing else.\n"
    pieces: list[tuple[str, int]] = [(line * 26, 0), ("Skip", 1)]
    pieces += [(" what you want to come back to.\n", 0), (line * 40, 0)]
    blocks = page.evaluate("(pieces) => blocksOf(pieces)", pieces)
    texts = ["".join(text for text, _ in block) for block in blocks]
    assert "".join(texts) == "".join(text for text, _ in pieces)
    assert len(texts) > 1 and all(len(text) <= 1_500 for text in texts)
    assert all(text.endswith("\n") for text in texts)


def test_a_choice_lets_ctrl_enter_through_and_keeps_enter(page: Page) -> None:
    page.set_content(CHOICES)
    page.add_script_tag(content=COUNT)
    page.add_script_tag(content=SCRIPT.replace("export default function", "(function") + ")()")
    for name in ("radio", "pill", "words"):
        page.focus(f"#{name}")
        page.keyboard.press("Control+Enter")
    assert page.evaluate("[heard, pressed]") == [["BODY", "BODY", "TEXTAREA"], 0]
    page.focus("#pill")
    page.keyboard.press("Enter")
    assert page.evaluate("pressed") == 1


def test_the_guard_of_keys_notices_a_mouse(page: Page) -> None:
    page.set_content("<button autofocus>press</button>")
    with keys_alone(page):
        page.keyboard.press("Enter")
    with pytest.raises(AssertionError, match="mouse"), keys_alone(page):
        page.mouse.click(10, 10)
