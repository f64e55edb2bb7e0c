"""Report on pages: progress, quality of each engine, and people's time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.people.roles import Act, reading_as
from corpus.ocr.blocks import of_json
from evaluation.figure import Figure, mean_figure, share_figure
from evaluation.ocr import error_rates
from evaluation.ocr.error_rates import score_page
from services.ocr.publishing import PageText, page_texts
from storage.db.workspace import Workspace
from storage.ocr.pages import DRAFTED, DraftInfo, PageInfo, drafts, pages, published_pages

_MEASURES = (
    error_rates.cer,
    error_rates.wer,
    error_rates.cell_accuracy,
    error_rates.cell_structure,
    error_rates.perfect_pages,
    error_rates.marked_of_wrong,
    error_rates.wrong_of_marked,
)


@dataclass(frozen=True, slots=True)
class EngineLine:
    """One engine and version compared with people's text of the same pages.

    `pages` were drafted and corrected; `characters` and `words` are the numbers corrected on them.
    `seconds` is the engine's time per page.
    """

    name: str
    pages: int
    characters: int
    words: int
    figures: tuple[Figure, ...]
    seconds: Figure

    def figure(self, name: str) -> Figure:
        """Return one of the figures by name."""
        return next(each for each in self.figures if each.name == name)


@dataclass(frozen=True, slots=True)
class PageLine:
    """A page with its state: new, drafted, corrected, verified or published."""

    page: PageInfo
    state: str
    engine: str
    errors: int | None
    corrector: str
    verifier: str
    item_seconds: float | None


@dataclass(frozen=True, slots=True)
class OcrReport:
    """The whole report.

    `changed` is the share of verified pages on which the verifier changed the correction; the times
    are people's active seconds per page.
    """

    states: Mapping[str, int]
    engines: tuple[EngineLine, ...]
    correcting: Figure
    verifying: Figure
    changed: Figure
    lines: tuple[PageLine, ...]

    def as_dict(self) -> dict[str, object]:
        """Return the report for ``--json`` output, without the single pages."""
        return {
            "pages": dict(self.states),
            "engines": [_engine_json(engine) for engine in self.engines],
            "people": {
                each.name: each.as_json()
                for each in (self.correcting, self.verifying, self.changed)
            },
        }


STATES = ("new", "drafted", "corrected", "verified", "published")


def ocr_report(ws: Workspace, project_slug: str, by: int | None = None) -> OcrReport:
    """Return the report; `by` is the reader, None for the operator.

    Raises UserError for `by` who may not read others' labels.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        found = pages(session, project.id)
        made = drafts(session, project.id)
        texts = page_texts(session, project.id)
        published = published_pages(session, project.id)
    lines = _page_lines(found, made, texts, published)
    checked = [text for text in texts.values() if text.verification is not None]
    changed = sum(_differs(each) for each in checked)
    return OcrReport(
        states={state: sum(line.state == state for line in lines) for state in STATES},
        engines=_engines(made, texts),
        correcting=mean_figure("correcting", [t.correction.seconds for t in texts.values()]),
        verifying=mean_figure("verifying", [_seconds(each) for each in checked]),
        changed=share_figure("changed", changed, len(checked)),
        lines=lines,
    )


def _seconds(text: PageText) -> float | None:
    return None if text.verification is None else text.verification.seconds


def _differs(text: PageText) -> bool:
    check = text.verification
    return check is not None and not score_page(text.correction.blocks, check.blocks).perfect


def _engines(made: Sequence[DraftInfo], texts: Mapping[int, PageText]) -> tuple[EngineLine, ...]:
    """Return a line per engine and version, using the newest draft of each page."""
    newest: dict[str, dict[int, DraftInfo]] = {}
    for draft in made:
        if draft.state == DRAFTED and draft.page_id in texts:
            newest.setdefault(draft.name, {})[draft.page_id] = draft
    return tuple(_engine_line(name, newest[name], texts) for name in sorted(newest))


def _engine_line(
    name: str, made: Mapping[int, DraftInfo], texts: Mapping[int, PageText]
) -> EngineLine:
    scores = [score_page(of_json(made[page].blocks), texts[page].best) for page in sorted(made)]
    return EngineLine(
        name,
        len(scores),
        sum(score.character_errors for score in scores),
        sum(score.word_errors for score in scores),
        tuple(measure(scores) for measure in _MEASURES),
        mean_figure("seconds", [made[page].seconds for page in sorted(made)]),
    )


def _page_lines(
    found: Sequence[PageInfo],
    made: Sequence[DraftInfo],
    texts: Mapping[int, PageText],
    published: Mapping[int, int],
) -> tuple[PageLine, ...]:
    by_id = {draft.id: draft for draft in made}
    drafted = {draft.page_id: draft for draft in made if draft.state == DRAFTED}
    return tuple(_page_line(page, texts.get(page.id), by_id, drafted, published) for page in found)


def _page_line(
    page: PageInfo,
    text: PageText | None,
    by_id: Mapping[int, DraftInfo],
    drafted: Mapping[int, DraftInfo],
    published: Mapping[int, int],
) -> PageLine:
    if text is None:
        draft = drafted.get(page.id)
        state, engine = ("drafted", draft.name) if draft else ("new", "")
        return PageLine(page, state, engine, None, "", "", None)
    shown = by_id.get(text.correction.draft_id or 0)
    check = text.verification
    done = check is not None and published.get(page.id) == check.annotation_id
    state = "published" if done else "corrected" if check is None else "verified"
    seconds = text.correction.seconds + (check.seconds if check else 0.0)
    errors = (
        None if shown is None else score_page(of_json(shown.blocks), text.best).character_errors
    )
    verifier = check.person if check else ""
    engine = shown.name if shown else ""
    return PageLine(page, state, engine, errors, text.correction.person, verifier, seconds)


def _engine_json(line: EngineLine) -> dict[str, object]:
    return {
        "engine": line.name,
        "pages": line.pages,
        "characters_corrected": line.characters,
        "words_corrected": line.words,
        **{figure.name: figure.as_json() for figure in line.figures},
        "seconds": line.seconds.as_json(),
    }
