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
from tests.e2e.screens import who_opens

pytestmark = pytest.mark.e2e

# A screen of each part in English, the next in Korean, and so on: the words change what stands
# where and not how it is marked up. In the dark theme, only colours differ.
LANGUAGES = ("en", "ko")
PARTS = 4
LOOKS, BETWEEN_MS = 5, 1_000
# What Streamlit itself draws and no page can change: where files are dropped has a role that says
# nothing and a name, and the label of a field that is switched off is fainter than axe-core wants.
STREAMLITS = ('data-testid="stFileUploaderDropzone"',)
SWITCHED_OFF = ":has(:disabled) label"


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
        page.goto(f"{served}/{name}?person={who_opens(name)}&lang={language}")
        page.get_by_test_id("stMain").locator("h1, h2").first.wait_for(timeout=SLOW)
        at_rest(page)
        faults += [(name, language, "light", each) for each in _lasting(page, None)]
        page.emulate_media(color_scheme="dark")
        at_rest(page)
        faults += [(name, language, "dark", each) for each in _lasting(page, ["color-contrast"])]
        page.context.close()
    assert faults == []


def _lasting(page: Page, rules: list[str] | None) -> list[str]:
    """Return the faults that are there however often one looks: a page may yet be drawing."""
    faults: list[str] = []
    for _ in range(LOOKS):
        faults = _faults(page, rules)
        if not faults:
            break
        page.wait_for_timeout(BETWEEN_MS)
        at_rest(page)
    return faults


def _faults(page: Page, rules: list[str] | None) -> list[str]:
    """Return what axe-core finds by these rules, or by all: rule, element and what is wrong."""
    where = {"exclude": [[f".stElementContainer{SWITCHED_OFF}"]]}
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    found: dict[str, Any] = Axe().run(page, where, options).response
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:200]} {node['failureSummary'][:200]}"
        for rule in found["violations"]
        for node in rule["nodes"]
        if not any(each in node["html"] for each in STREAMLITS)
    ]
