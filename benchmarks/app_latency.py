"""How fast the Citation mapping screen is: on the server, and from key press to painted.

    python -m benchmarks.app_latency [--statutes DIR] [--questions FILE] [--whole-law] [--json]
    python -m benchmarks.app_latency --pages [NAME ...] [--json]

A real app serves a temporary workspace with the real fire-safety law (``--whole-law``: with all
205,000 articles, from the archive beside it) to a real Chromium. Figures, medians in milliseconds:

* ``open_server_ms``, ``save_server_ms``: a script run that opens an item, or saves a decision,
  from its first line to its last, as the app itself notes it.
* ``key_to_painted_ms``: from the key press to the frame after the one in which the decision is
  shown as saved, which is after the database has committed it.
* the same with the suffix ``_10_sessions``: ten people at once, each deciding every second.

With ``--pages``, on the sample project and nothing else, medians of five in milliseconds:

* ``page_paint_ms[<page>]``: from the click on a page's link or tab until nothing more is drawn.
* ``page_cpu_ms[<page>]``, ``page_browser_cpu_ms[<page>]``: what it takes of the processor, which a
  busy machine hardly lengthens, on the server and in the thread that draws.
* ``page_first_cpu_ms[<page>]``: on the server at the first time since the app started.
* ``first_page_ms``: from the request of the app's address until the start page is drawn.
* ``empty_app_ms``: the same of an app of Streamlit that writes one line.
* ``decided_ms``: from the keys that decide a case of the adjudication until the screen is drawn.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import SHARED, program

PARSER = program(
    __doc__,
    "open_server_ms* save_server_ms* key_to_painted_ms* "
    "first_page_ms empty_app_ms decided_ms "
    "page_paint_ms* page_cpu_ms* page_browser_cpu_ms* page_first_cpu_ms*",
)
PARSER.add_argument("--statutes", type=Path, default=SHARED / "korean-law" / "fire-safety")
PARSER.add_argument("--questions", type=Path, default=SHARED / "searchfiresafety" / "qna.jsonl")
PARSER.add_argument("--items", type=int, default=20, help="items opened in one session")
PARSER.add_argument("--whole-law", action="store_true", help="also with all 205,000 articles")
PARSER.add_argument("--pages", nargs="*", metavar="NAME", help="how long each page takes to draw")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import asyncio
import json
import tempfile
import time
from argparse import Namespace
from dataclasses import replace

from playwright.async_api import async_playwright
from playwright.sync_api import Page

from benchmarks.corpus import unpacked
from benchmarks.page_paint import measure_pages
from benchmarks.program import median_figure, need, run
from evaluation.figure import Figure
from pages.shell.entry.timing import TIMING_VARIABLE
from scripts.bootstrap import find_browser
from tests.e2e.harness import CHROMIUM_FLAGS, chromium, command_line, running_app

SESSIONS = 10
THINK_SECONDS = 1.0
KEYS = "aru"

PROBE = """
window.touchstoneViewer = () => {
  const inside = (root) => {
    const found = root.querySelector('[data-testid="mapping-viewer"]');
    if (found) return found;
    for (const each of root.querySelectorAll('*')) {
      const deep = each.shadowRoot && inside(each.shadowRoot);
      if (deep) return deep;
    }
    return null;
  };
  return inside(document);
};
window.addEventListener('keydown', () => {
  const pressed = performance.now();
  const viewer = window.touchstoneViewer();
  let saving = false;
  const watch = new MutationObserver(() => { saving ||= viewer.dataset.save === 'saving'; });
  if (viewer) watch.observe(viewer, { attributes: true, attributeFilter: ['data-save'] });
  window.touchstoneLatency = new Promise((resolve, reject) => {
    const look = () => {
      const state = window.touchstoneViewer()?.dataset.save;
      if (state === 'saving') saving = true;
      if (saving && state === 'saved') {
        watch.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - pressed));
      } else if (performance.now() - pressed > 60000) {
        reject(new Error(`no save was seen, the viewer says ${state}`));
      } else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  window.touchstoneLatency.catch(() => {}); // of a key that nobody waits for
}, { capture: true });
"""

SEVERAL_SESSIONS = """
async (presses) => {
  const pause = (ms) => new Promise((go) => setTimeout(go, ms));
  const times = [];
  await pause(Math.random() * 1000);
  for (let index = 0; index < presses; index += 1) {
    const key = 'aru'[index % 3];
    document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    times.push(await window.touchstoneLatency);
    await pause(THINK_MS);
  }
  return times;
}
""".replace("THINK_MS", str(int(THINK_SECONDS * 1000)))


def run_command(workspace: Path, *words: str) -> None:
    """Run a command of the command line on the workspace, and end the benchmark if it fails."""
    done = command_line(workspace, *words)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}: {done.stderr or done.stdout}")


def prepare(workspace: Path, statutes: Path, questions: Path, people: int) -> None:
    """Make a workspace with the law, the questions and that many people to answer them."""
    run_command(workspace, "init")
    run_command(workspace, "project", "latency", "--overlap", "5")
    for index in range(people):
        run_command(workspace, "person", "add", f"Reader {index + 1}")
    run_command(workspace, "import", "statutes", str(statutes))
    run_command(workspace, "import", "questions", str(questions))
    run_command(workspace, "candidates")


def run_times(noted: Path) -> list[float]:
    """Return and forget the script run times that the app noted there, in milliseconds."""
    time.sleep(0.3)
    lines = noted.read_text("utf-8").splitlines() if noted.exists() else []
    noted.unlink(missing_ok=True)
    return [json.loads(line)["ms"] for line in lines]


def one_session(page: Page, noted: Path, address: str, items: int) -> list[Figure]:
    """Open `items` items one after the other and decide on three candidates of each."""
    opened: list[float] = []
    saved: list[float] = []
    painted: list[float] = []
    for item in range(1, items + 1):
        open_item(page, address, 1, item)
        opened += run_times(noted)[-1:]
        for key in KEYS:
            page.keyboard.press(key)
            painted.append(page.evaluate("() => window.touchstoneLatency"))
            page.keyboard.press("j")
        saved += run_times(noted)
    warm = slice(1, None)  # the first item pays for imports and caches of the process
    return [
        median_figure("open_server_ms", opened[warm]),
        median_figure("save_server_ms", saved[3:]),
        median_figure("key_to_painted_ms", painted[3:]),
    ]


def open_item(page: Page, address: str, person: int, item: int) -> None:
    """Open an item as a person and wait until it is on the screen."""
    page.goto(f"{address}/citation_mapping?project=latency&person={person}&item={item}")
    page.get_by_test_id("candidate").first.wait_for()


async def several_sessions(address: str, presses: int, people: int) -> list[float]:
    """Let people decide at once, each on an item of their own; return every latency."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_browser(), args=CHROMIUM_FLAGS
        )
        pages = []
        for index in range(people):
            page = await (await browser.new_context()).new_page()
            await page.add_init_script(PROBE)
            number = index + 1
            where = f"citation_mapping?project=latency&person={number}&item={number}"
            await page.goto(f"{address}/{where}")
            await page.get_by_test_id("candidate").first.wait_for()
            pages.append(page)
        times = await asyncio.gather(*(page.evaluate(SEVERAL_SESSIONS, presses) for page in pages))
        await browser.close()
    return [each for session in times for each in session[1:]]


def measure(
    statutes: Path, questions: Path, items: int, suffix: str = "", people: int = SESSIONS
) -> list[Figure]:
    """Return every figure of one corpus; `suffix` ends their names.

    `people` are at work at once for the last two, whose names say how many.
    """
    with tempfile.TemporaryDirectory() as name:
        workspace, noted = Path(name, "workspace"), Path(name, "timing.jsonl")
        prepare(workspace, statutes, questions, people)
        with running_app(workspace, {TIMING_VARIABLE: str(noted)}) as address:
            with chromium() as browser:
                page = browser.new_page(viewport={"width": 1440, "height": 900})
                page.add_init_script(PROBE)
                figures = one_session(page, noted, address, items)
            run_times(noted)
            painted = asyncio.run(several_sessions(address, items, people))
            saved = run_times(noted)[people:]
            figures.append(median_figure(f"save_server_ms_{people}_sessions", saved))
            figures.append(median_figure(f"key_to_painted_ms_{people}_sessions", painted))
    return [replace(each, name=each.name + suffix) for each in figures]


def figures_of(options: Namespace, folder: Path) -> list[Figure]:
    """Return the times of every page, or of the Citation mapping screen."""
    if options.pages is not None:
        run_command(folder / "workspace", "init", "--sample")
        return measure_pages(folder / "workspace", options.pages)
    need(options, "statutes", "questions")
    found = measure(options.statutes, options.questions, options.items)
    if options.whole_law:
        with unpacked(SHARED / "korean-law-all.tar.xz") as law:
            found += measure(law, options.questions, options.items, "_whole_law")
    return found


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
