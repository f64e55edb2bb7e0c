"""Speed of people: seconds and key presses per item of each task, by the keyboard in a browser.

    python -m benchmarks.keyboard [--items 100] [--task NAME ...] [--presses] [--json]

A real app serves a temporary project of as many items to a real Chromium, and what a person does
on each (decide all, now and then comment, flag or skip, submit, go on) is pressed as fast as the
screen takes it. The scripts are in `benchmarks/keyboard_scripts.py`. For each task:

* ``seconds_per_item[task]``: the median from an item on the screen to the next on the screen.
* ``presses_per_item[task]``: the mean of the keys pressed. A key counts once, with Shift, Ctrl or
  Alt held or not; every letter of a text that is typed counts. It is the same on every machine,
  and ``--presses`` counts it without a browser.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import program

TASKS = (
    *("citation_mapping", "ocr_correction", "mcq_solvability", "curation", "answer_rating"),
    *("judge_review", "factor_tagging", "attribution_review", "research"),
)
PARSER = program(__doc__, "seconds_per_item[*] presses_per_item[*]")
PARSER.add_argument("--items", type=int, default=100, help="of each task")
PARSER.add_argument("--task", choices=TASKS, action="append", help="only this one; several times")
PARSER.add_argument("--presses", action="store_true", help="count presses, without a browser")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import re
import tempfile
import time
from argparse import Namespace
from collections.abc import Sequence

from playwright.sync_api import Browser, Locator, Page

from benchmarks.keyboard_projects import PROJECTS
from benchmarks.keyboard_scripts import Step, script, strokes
from benchmarks.program import median_figure, run
from evaluation.figure import Figure, mean_figure
from tests.e2e.harness import chromium, running_app

PATIENCE_MS = 60_000
SELECT = """(box, words) => {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  const at = nodes.map((node) => node.data).join("").indexOf(words);
  const place = (offset) => {
    for (const node of nodes) {
      if (offset <= node.data.length) return [node, offset];
      offset -= node.data.length;
    }
  };
  getSelection().setBaseAndExtent(...place(at), ...place(at + words.length));
  box.dispatchEvent(new MouseEvent("mouseup", { bubbles: true }));
}"""


class Worker:
    """Somebody at the screen of a task, who knows how many keys they have pressed."""

    def __init__(self, page: Page, task: str) -> None:
        self.page, self.task = page, task
        self.presses = 0

    @property
    def place(self) -> Locator:
        """Where the name of the open item stands."""
        return self.page.get_by_test_id("item-id")

    def saved(self) -> None:
        """Wait until the server has acknowledged everything."""
        viewer = self.page.get_by_test_id(re.compile("^[a-z]+-viewer$"))
        viewer.and_(self.page.locator("[data-save=saved]")).wait_for()

    def does(self, step: Step) -> None:
        """Do one step of a script."""
        if step.kind == "stage":
            self.page.locator(f"[data-stage={step.what}]").wait_for()
            self.saved()
        elif step.kind == "hit":
            self.page.get_by_test_id("hit").first.click()
            self.page.get_by_test_id("authority").wait_for()
        elif step.kind == "mark":
            self.page.get_by_test_id("authority").evaluate(SELECT, step.what)
        for key in step.presses:
            self.page.keyboard.press(key) if key.isascii() else self.page.keyboard.insert_text(key)
            self.presses += 1

    def item(self) -> None:
        """Do all of the open item, and wait until another one is open, or none."""
        name = self.place.inner_text()
        found = re.search(r"\d+", name)
        for step in script(self.task, int(found[0]) if found else 1):
            self.does(step)
        named = self.place.filter(has_text=re.compile(r"\d"))  # it has no name at the end
        other = named.filter(has_not_text=re.compile(f"^{re.escape(name)}$"))
        other.or_(self.page.get_by_test_id("finished")).first.wait_for()
        self.saved()
        self.page.locator("[data-resting]").wait_for(state="detached")


def work_through(browser: Browser, address: str, task: str, items: int) -> list[Figure]:
    """Return the figures of a task over that many items; `address` is of its first one."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address)
    worker = Worker(page, task)
    worker.place.and_(page.get_by_text(re.compile(r"\d"))).wait_for()
    worker.saved()
    seconds, presses = [], []
    for _ in range(items):
        began, before = time.perf_counter(), worker.presses
        worker.item()
        seconds.append(time.perf_counter() - began)
        presses.append(float(worker.presses - before))
    page.close()
    return [
        median_figure(f"seconds_per_item[{task}]", seconds),
        mean_figure(f"presses_per_item[{task}]", presses),
    ]


def measure(tasks: Sequence[str], items: int) -> list[Figure]:
    """Return the figures of each task, each in a project and an app of its own."""
    figures = []
    with chromium() as browser:
        for task in tasks:
            with tempfile.TemporaryDirectory() as name:
                workspace = Path(name) / "workspace"
                bench = PROJECTS[task](workspace, items)
                with running_app(workspace) as address:
                    asked = f"project={bench.slug}&person={bench.person}&lang=en"
                    figures += work_through(browser, f"{address}/{task}?{asked}", task, items)
    return figures


def counted(tasks: Sequence[str], items: int) -> list[Figure]:
    """Return how many keys each task takes for items 1 to `items`, as the scripts say."""
    presses = {
        task: [float(len(strokes(task, number))) for number in range(1, items + 1)]
        for task in tasks
    }
    return [mean_figure(f"presses_per_item[{task}]", presses[task]) for task in tasks]


def figures_of(options: Namespace, folder: Path) -> list[Figure]:
    """Return seconds and key presses per item, or key presses alone."""
    found = counted if options.presses else measure
    return found(options.task or TASKS, options.items)


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
