"""Every screen as somebody finds it who sees little, hears it read or has no mouse: axe-core."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

import app
from tests.e2e.people import SLOW, at_rest
from tests.e2e.ready import running_app

pytestmark = pytest.mark.e2e

ANNOTATOR, LEAD, ADJUDICATOR = 1, 3, 4  # people of the sample project
# Two screens in English, two in Korean, and so on: the words change what stands where and not how
# it is marked up. Each is looked at in both themes.
LANGUAGES = ("en", "en", "ko", "ko")
PARTS = 4


@pytest.fixture(scope="module")
def served(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("access") / "workspace"
    with running_app(Path(shutil.copytree(sample, folder))) as address:
        yield address


@pytest.mark.parametrize("part", range(PARTS))
def test_no_screen_has_a_fault(browser: Browser, served: str, part: int) -> None:
    faults = []
    for place, name in [*enumerate(sorted(app.PAGES))][part::PARTS]:
        language = LANGUAGES[place // PARTS % len(LANGUAGES)]
        page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="light")
        page.goto(f"{served}/{name}?person={_who(name)}&lang={language}")
        page.get_by_test_id("stMain").locator("h1, h2").first.wait_for(timeout=SLOW)
        at_rest(page)
        faults += [(name, language, "light", each) for each in _faults(page)]
        page.emulate_media(color_scheme="dark")
        at_rest(page)
        faults += [(name, language, "dark", each) for each in _faults(page)]
        page.context.close()
    assert faults == []


def _who(name: str) -> int:
    if name == "adjudication":
        return ADJUDICATOR
    return ANNOTATOR if name in app.SECTIONS["review"] else LEAD


def _faults(page: Page) -> list[str]:
    """Return what axe-core finds, each with its rule, an element and what is wrong with it."""
    found: dict[str, Any] = Axe().run(page, options={"resultTypes": ["violations"]}).response
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:200]} {node['failureSummary'][:200]}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
