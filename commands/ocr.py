"""Commands about page images: import, draft, list, publish, report."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from commands.shell.arguments import argument, option
from commands.shell.groups import OCR
from commands.shell.reports import Language, Output, check_output, emit_report
from commands.shell.state import State
from errors import Where, require_known

if TYPE_CHECKING:
    from services.ocr.report import PageLine

ENGINE_NAMES = ("tesseract", "model")
"""The engines of `services.ocr.drafting` and `services.ocr.vision_drafting`, so that --help need
not load them."""


@OCR.command("import")
def bring_in(
    state: State,
    path: Annotated[Path, argument("A PDF or image, or a folder or archive of them.")],
    pages: Annotated[str, option("Which pages of each file, such as 1-20,35. Else all.")] = "",
    unit: Annotated[str, option("The id of the unit that the pages are, such as an annex.")] = "",
    language: Annotated[str, option("Language of the text: ko or en.")] = "ko",
) -> None:
    """Import pages: their images, the text that a PDF holds itself, an item for each page."""
    from services.ocr.importing import ImportOptions, import_pages

    wish = ImportOptions(pages, unit, language)
    with state.progress("Reading pages") as report:
        done = import_pages(*state.chosen, path, wish, report)
    lines = [
        f"{done.new:,} new pages of {done.files:,} files, {done.unchanged:,} already there.",
        f"{done.with_text:,} of the new pages hold their text themselves.",
    ]
    state.emit(asdict(done), lines)


@OCR.command("draft")
def draft(
    state: State,
    engine: Annotated[str, option(f"Who reads them: {' or '.join(ENGINE_NAMES)}.")] = "tesseract",
    every: Annotated[
        bool, option("Also pages with a draft, to compare engines.", "--every")
    ] = False,
) -> None:
    """Let an engine draft the text of pages that have none.

    What was stopped or killed is taken up by running it again: no page is read twice.
    """
    require_known("page_engine_unknown", ENGINE_NAMES, Where(field="engine"), engine=engine)
    from services.ocr.drafting import draft_pages
    from services.ocr.vision_drafting import draft_with_model, plan_vision, why

    if engine == "model":
        ready = plan_vision(*state.chosen, every)
        done = state.run("Reading pages", partial(draft_with_model, state.workspace, ready))
        how = f"by {ready.endpoint.model}"
    else:
        with state.progress("Reading pages") as report:
            done = draft_pages(*state.chosen, report, every=every)
        how = f"in {done.seconds:.1f} s"
    lines = [f"{done.drafted:,} of {done.pages:,} pages drafted {how}."]
    lines += [f"{done.already:,} had a draft before."] if done.already else []
    lines += [f"  {count:,} failed: {why(reason)}" for reason, count in done.problems.items()]
    lines += [f"Ended early ({done.end.value}): {done.reason}"] if done.left else []
    state.emit(asdict(done), lines, failed=bool(done.failed or done.left))


@OCR.command("list")
def listing(state: State) -> None:
    """List the pages: how far each is, and who worked on it."""
    from services.ocr.report import ocr_report

    found = ocr_report(*state.chosen).lines
    lines = [_page_line(each) for each in found] or ["There are no pages yet."]
    state.emit({"pages": [_page_json(each) for each in found]}, lines)


@OCR.command("publish")
def publish(state: State) -> None:
    """Add documents that are verified whole to the corpus, as a new snapshot."""
    from services.ocr.publishing import publish_pages

    with state.progress("Finding references") as report:
        done = publish_pages(*state.chosen, report)
    lines = [f"{done.units:,} units from {done.pages:,} pages of {done.documents:,} documents."]
    if done.snapshot_id is not None and done.units:
        lines += [f"Snapshot {done.snapshot_id} is in use{', and new' if done.new else ''}."]
    lines += [f"  waiting: {name} lacks {n:,} verified pages" for name, n in done.waiting.items()]
    state.emit(asdict(done), lines)


@OCR.command("report")
def report(state: State, output: Output = None, language: Language = "en") -> None:
    """Report how good each engine is against what people say, and how long people take."""
    from services.ocr.report import ocr_report
    from services.ocr.report_tables import as_report

    check_output(output)
    emit_report(state, as_report(ocr_report(*state.chosen), language), output)


def _page_line(each: PageLine) -> str:
    people = " → ".join(name for name in (each.corrector, each.verifier) if name)
    errors = "" if each.errors is None else f", {each.errors:,} characters corrected"
    return f"{each.page.external_id:<24} {each.state:<10} {each.engine}{errors} {people}".rstrip()


def _page_json(each: PageLine) -> dict[str, object]:
    told = {"id": each.page.external_id}
    told |= {name: getattr(each.page, name) for name in ("document", "number", "unit")}
    told |= {name: getattr(each, name) for name in ("state", "engine", "corrector", "verifier")}
    return told | {"characters_corrected": each.errors, "seconds": each.item_seconds}
