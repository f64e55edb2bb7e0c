"""Viewers choose Korean particles as the catalogue of messages does."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from messages.particles import chosen, marked
from pages.shell.bundle import joined

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


def test_viewers_choose_particles_as_messages_do(browser: Browser) -> None:
    page = browser.new_page()
    page.add_script_tag(content=joined(("shell/frontend/elements",), "js"))
    templates = [f"{{word}}{particle}" for particle in PARTICLES]
    fill = "([words, templates]) => words.map((word) => templates.map((t) => fill(t, { word })))"
    found = page.evaluate(fill, [WORDS, templates])
    assert found == [[chosen(marked(t).format(word=word)) for t in templates] for word in WORDS]
    page.close()
