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
from normalization.grouping import grouped, nested
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
    """Return the report on pages and engines; `by` is the reader, None for the operator.

    Raises UserError for `by` who may not read others' labels.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        found = pages(session, project.id)
        made = drafts(session, project.id)
        texts = page_texts(session, project.id)
        published = published_pages(session, project.id)
    by_id = {draft.id: draft for draft in made}
    drafted = {draft.page_id: draft for draft in made if draft.state == DRAFTED}
    lines = []
    for page in found:
        text, draft = texts.get(page.id), drafted.get(page.id)
        if text is not None:
            draft = by_id.get(text.correction.draft_id or 0)
        lines.append(_page_line(page, text, draft, published.get(page.id)))
    checked = [(text.correction, check) for text in texts.values() if (check := text.verification)]
    pairs = grouped(
        ((made.person, check.person), score_page(made.blocks, check.blocks))
        for made, check in checked
    )
    return OcrReport(
        states={state: sum(line.state == state for line in lines) for state in STATES},
        engines=_engines(made, texts),
        correcting=mean_figure("correcting", [t.correction.seconds for t in texts.values()]),
        verifying=mean_figure("verifying", [check.seconds for _, check in checked]),
        changed=_changed([score for each in pairs.values() for score in each]),
        pairs={
            people: (_changed(scores), error_rates.cer(scores))
            for people, scores in sorted(pairs.items())
        },
        lines=tuple(lines),
    )


def _changed(scores: Sequence[PageScore]) -> Figure:
    """Return the share of verified pages on which the verifier changed the correction."""
    return share_figure("changed", sum(not score.perfect for score in scores), len(scores))


def _engines(made: Sequence[DraftInfo], texts: Mapping[int, PageText]) -> tuple[EngineLine, ...]:
    """Return a line per engine and version, over its newest drafts of the corrected pages."""
    there = (each for each in made if each.state == DRAFTED and each.page_id in texts)
    newest = nested((each.name, each.page_id, each) for each in there)
    lines = []
    for name, by_page in sorted(newest.items()):
        drafts = sorted(by_page.items())
        scores = [score_page(of_json(draft.blocks), texts[page].best) for page, draft in drafts]
        line = EngineLine(
            name,
            len(scores),
            sum(score.character_errors for score in scores),
            sum(score.word_errors for score in scores),
            tuple(measure(scores) for measure in _MEASURES),
            mean_figure("seconds", [draft.seconds for _, draft in drafts]),
            sum((Counter(score.confused) for score in scores), Counter[tuple[str, str]]()),
        )
        lines.append(line)
    return tuple(lines)


def _page_line(
    page: PageInfo, text: PageText | None, draft: DraftInfo | None, published: int | None
) -> PageLine:
    """Return a page's line; `draft` is the one shown, `published` the id of a verification."""
    engine = draft.name if draft else ""
    if text is None:
        return PageLine(page, "drafted" if draft else "new", engine, None, "", "", None)
    check = text.verification
    done = check is not None and published == check.annotation_id
    state = "published" if done else "corrected" if check is None else "verified"
    score = None if draft is None else score_page(of_json(draft.blocks), text.best)
    errors = None if score is None else score.character_errors
    seconds = text.correction.seconds + (check.seconds if check else 0.0)
    people = text.correction.person, check.person if check else ""
    return PageLine(page, state, engine, errors, *people, seconds)
