"""Report on pages: progress, quality of each engine, and people's time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.people.roles import Act, reading_as
from corpus.ocr.blocks import of_json
from evaluation import ocr as error_rates
from evaluation.figure import Figure, mean_figure, share_figure
from evaluation.ocr import PageScore, score_page
from services.ocr.publishing import PageText, page_texts
from storage.db.workspace import Workspace
from storage.ocr import DRAFTED, DraftInfo, PageInfo, drafts, pages, published_pages

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
    `seconds` is the engine's time per page. `confused` counts pairs of the character read and the
    right one, one of them empty where it was added or left out.
    """

    name: str
    pages: int
    characters: int
    words: int
    figures: tuple[Figure, ...]
    seconds: Figure
    confused: Counter[tuple[str, str]]

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

    `changed` is the share of verified pages on which the verifier changed the correction, `pairs`
    tells it, and the share of characters changed, of each corrector and verifier; the times are
    people's active seconds per page.
    """

    states: Mapping[str, int]
    engines: tuple[EngineLine, ...]
    correcting: Figure
    verifying: Figure
    changed: Figure
    pairs: Mapping[tuple[str, str], tuple[Figure, Figure]]
    lines: tuple[PageLine, ...]


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
    pairs = _pairs(texts)
    return OcrReport(
        states={state: sum(line.state == state for line in lines) for state in STATES},
        engines=_engines(made, texts),
        correcting=mean_figure("correcting", [t.correction.seconds for t in texts.values()]),
        verifying=mean_figure("verifying", [_seconds(each) for each in checked]),
        changed=_changed([score for each in pairs.values() for score in each]),
        pairs={
            people: (_changed(scores), error_rates.cer(scores))
            for people, scores in sorted(pairs.items())
        },
        lines=lines,
    )


def _seconds(text: PageText) -> float | None:
    """Return the time of a page's verification, None if there was none."""
    return None if text.verification is None else text.verification.seconds


def _pairs(texts: Mapping[int, PageText]) -> dict[tuple[str, str], list[PageScore]]:
    """Compare each correction with its verification, by the people who made them."""
    found: dict[tuple[str, str], list[PageScore]] = {}
    for text in texts.values():
        made, check = text.correction, text.verification
        if check is not None:
            score = score_page(made.blocks, check.blocks)
            found.setdefault((made.person, check.person), []).append(score)
    return found


def _changed(scores: Sequence[PageScore]) -> Figure:
    """Return the share of pages that were changed."""
    return share_figure("changed", sum(not score.perfect for score in scores), len(scores))


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
        sum((Counter(score.confused) for score in scores), Counter[tuple[str, str]]()),
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
