"""The map of the law in a real browser: a press on a node, and a row of its table, open the law."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Frame, Page, expect

from annotation.people.members import add_person
from services.law.graph.citation_graph import build
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project
from tests.conftest import FakeClock
from tests.e2e.people import SLOW, at_rest, box_of, come_in, open_part
from tests.e2e.ready import running_app
from tests.pages.law_with_graph import law
from tests.pages.small_project import SLUG

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
MAP = "iframe[data-map]"
# Where the canvas has the colour of an act, the blue that map_drawing.TIERS gives it.
AN_ACT = """() => {
  const canvas = document.querySelector("canvas");
  if (!canvas || !canvas.width) return null;
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  for (let at = 0; at < data.length; at += 4) {
    if (data[at] === 0 && data[at + 1] === 0x72 && data[at + 2] === 0xb2 && data[at + 3] === 255) {
      const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
      const { data: near } = canvas.getContext("2d").getImageData(x - 3, y + 4, 7, 1);
      if (near.every((value, place) => value === [0, 0x72, 0xb2, 255][place % 4]))
        return [(x * canvas.clientWidth) / width, ((y + 4) * canvas.clientHeight) / height];
    }
  }
  return null;
}"""


def test_the_map_of_the_law(page: Page, address: str) -> None:
    opened: list[Page] = []
    page.context.on("page", lambda each: opened.append(each))
    come_in(page, address, "Choi Yuna", "graph_report")
    open_part(page, "Map")
    frame = drawn(page)
    press_an_act(page, frame)
    expect(page.get_by_role("radio", name="Provisions of a statute")).to_have_attribute(
        "aria-checked", "true", timeout=SLOW
    )
    press_an_act(page, drawn(page))
    expect(page.locator("[data-testid=unit-view] h2")).to_be_visible(timeout=SLOW)
    expect(page).to_have_url(re.compile(r"/corpus\?.*unit="))
    came_by_map = page.locator("[data-testid=unit-view] h2").inner_text()
    open_part(page, "Map")
    drawn(page)
    row = page.get_by_test_id("stDataFrame").first
    row.scroll_into_view_if_needed()
    row.click(position={"x": 18, "y": 52 + 35 * 3})
    expect(page.locator("[data-testid=unit-view] h2")).to_be_visible(timeout=SLOW)
    at_rest(page)
    assert page.locator("[data-testid=unit-view] h2").inner_text() != came_by_map
    page.go_back()
    expect(page.locator("[data-testid=unit-view] h2")).to_have_text(came_by_map, timeout=SLOW)
    assert not opened


def test_a_script_in_every_title_stays_text(page: Page, tmp_path: Path, clock: FakeClock) -> None:
    """The canvas sets what it calls a title as HTML, and a double click would open it."""
    calls: list[str] = []
    page.expose_function("planted", lambda: calls.append("planted"))
    page.context.on("page", lambda each: calls.append(f"opened {each.url}"))
    with running_app(hostile_law(tmp_path, clock)) as address:
        come_in(page, address, "Kim Ara", "corpus")
        open_part(page, "Map")
        frame = drawn(page)
        x, y = frame.evaluate(AN_ACT)
        page.mouse.move(*middle(page, x, y))
        page.mouse.dblclick(*middle(page, x, y))
        expect(page.get_by_role("radio", name="Provisions of a statute")).to_have_attribute(
            "aria-checked", "true", timeout=SLOW
        )
        drawn(page)
        assert page.locator("img[src=x]").count() == 0
        assert frame_images(page) == 0
    assert calls == []


def hostile_law(folder: Path, clock: FakeClock) -> Path:
    """Return a workspace whose statutes and headings are scripts."""
    ws = Workspace(folder / "hostile", clock)
    migrate(ws)
    create_project(ws, SLUG, "Hostile")
    titles = ("<img src=x onerror=planted()>", "javascript:planted()")
    named = dict(zip((one.semantic_id for one in law()), titles, strict=True))
    statutes = [
        replace(
            one,
            title=named[one.semantic_id],
            units=tuple(replace(unit, heading=titles[0]) for unit in one.units),
        )
        for one in law()
    ]
    keep_statutes(ws, SLUG, statutes, "law")
    build(ws, SLUG)
    add_person(ws, SLUG, "Kim Ara", "researcher")
    return ws.folder


def middle(page: Page, x: float, y: float) -> tuple[float, float]:
    box = box_of(page.locator(MAP))
    return box["x"] + x, box["y"] + y


def frame_images(page: Page) -> int:
    frame = page.locator(MAP).element_handle().content_frame()
    assert frame is not None
    return frame.locator("img[src=x]").count()


def drawn(page: Page) -> Frame:
    """Return the frame of the map once it is drawn; it has a name that says what it is."""
    frame = page.locator(MAP)
    expect(frame).to_have_attribute(
        "title", re.compile(r"^Map of the law: \d+ nodes?, \d+ edges?\b"), timeout=SLOW
    )
    at_rest(page)
    inside = frame.element_handle().content_frame()
    assert inside is not None
    inside.wait_for_function(AN_ACT, timeout=SLOW)
    return inside


def press_an_act(page: Page, frame: Frame) -> None:
    x, y = frame.evaluate(AN_ACT)
    page.locator(MAP).scroll_into_view_if_needed()
    page.locator(MAP).click(position={"x": x, "y": y})
    at_rest(page)
