"""Scores of answers against official ones, computed once per pair of texts.

ROUGE is fast: computed on demand and cached in memory. BERTScore needs a model: computed in the
background in batches, and cached in the workspace by the model's files, layer, token weights and
both texts. So an interrupted run resumes when repeated, and a report shows existing scores and
counts missing ones.

Counts of one or more judges' verdicts on a system's answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from annotation.judging.state import CaseState
from annotation.people.roles import allow
from construction.attribution import without_footer
from errors import UserError, Where, require_known
from evaluation.answers.bertscore import (
    BertScore,
    Encoder,
    NoSuchLayerError,
    Pair,
    Weights,
    bert_scores,
    idf_of,
)
from evaluation.answers.overlap import Rouge, characters, latin_words, rouges
from evaluation.figure import Figure, share_of
from evaluation.judging.judged import MAJORITY
from llm.batch import End, Progress, Stop
from retrieval.dense.embedding_method import EmbeddingCache
from retrieval.dense.model_files import fingerprint, folder_of, model_display_name
from retrieval.dense.sentence_method import LOCK, unreadable
from retrieval.text.tokenise import cut_all
from services.background.tasks import BackgroundTask, TaskKind, start
from storage.db.workspace import Workspace
from storage.judging import CaseView, cases
from storage.projects import find_project

TOKENISERS = ("morphemes", "whitespace", "characters", "bigram", "rouge-score")
"""Tokenisers for ROUGE; the first is the default. The last drops all Hangul."""
REFERENCE, QUESTION = "reference", "question"  # what BERTScore compares an answer with
LAYERS = 200  # largest layer accepted

_OWN: Mapping[str, Callable[[str], list[str]]] = {
    "characters": characters,
    "rouge-score": latin_words,
}
_AT_ONCE = 64  # answers scored per batch
_REMEMBERED = 100_000  # pairs of texts in memory
_SETTING = "setting.json"
_Vector = NDArray[np.float32]
_known: dict[bytes, Rouge] = {}
_guard = Lock()


@dataclass(frozen=True, slots=True)
class BertSetting:
    """BERTScore setting: model folder or name, layer (0: the last), idf weights.

    An answer is compared with the official one, or with its question if `against` is QUESTION. With
    `idf` the project's texts of that kind, each question's once, are the corpus.
    """

    model: str
    layer: int = 0
    idf: bool = False
    against: str = REFERENCE

    def __post_init__(self) -> None:
        require_known("answer_report_against", (REFERENCE, QUESTION), said=self.against)

    def name(self) -> str:
        """Return the display name; a folder is shown by its last part only."""
        layer = f", layer {self.layer}" if self.layer else ""
        other = f", {QUESTION}" if self.against == QUESTION else ""
        return f"{model_display_name(Path(self.model))}{layer}{', idf' if self.idf else ''}{other}"

    def pair(self, case: CaseView) -> Pair:
        """Return an answer and what it is compared with."""
        return without_references(case.answer), getattr(case, self.against)


def scorable(case: CaseView) -> bool:
    """Return True if an answer and an official one exist to compare."""
    return bool(case.reference.strip() and case.answer.strip())


def without_references(answer: str) -> str:
    """Return an answer without its footer of references, as it is scored.

    A prompt may ask for such a footer and the official answer has none, so its ids would count as
    wrong words. An answer that is only a footer is unchanged.
    """
    bare = without_footer(answer)
    return bare if bare.strip() else answer


def rouge_scores(
    ws: Workspace, tokeniser: str, answers: Sequence[CaseView]
) -> dict[int, Rouge | None]:
    """Return ROUGE of each answer against the official one, by case id; None without both.

    Raises UserError for an unknown tokeniser.
    """
    require_known("unknown_tokeniser", TOKENISERS, name=tokeniser)
    fit = [case for case in answers if scorable(case)]
    keys = {case.id: _digest(tokeniser, *_answer_pair(case)) for case in fit}
    with _guard:
        found = {key: _known[key] for key in keys.values() if key in _known}
    new = {keys[case.id]: case for case in fit if keys[case.id] not in found}
    made = dict(zip(new, _rouge_of(ws, tokeniser, list(new.values())), strict=True))
    with _guard:
        if len(_known) + len(made) > _REMEMBERED:
            _known.clear()
        _known.update(made)
    found |= made
    return {case.id: found[keys[case.id]] if case.id in keys else None for case in answers}


def _rouge_of(ws: Workspace, tokeniser: str, answers: Sequence[CaseView]) -> list[Rouge]:
    """Compute ROUGE of answers; each official answer is tokenised once."""
    texts = list(dict.fromkeys(text for case in answers for text in _answer_pair(case)))
    own = _OWN.get(tokeniser)
    cut = map(own, texts) if own else cut_all(tokeniser, texts, ws.cache)
    tokens = dict(zip(texts, cut, strict=True))
    pairs = [_answer_pair(case) for case in answers]
    return rouges((tokens[said] for said, _ in pairs), (tokens[official] for _, official in pairs))


def kept_bert_scores(
    ws: Workspace, setting: BertSetting, answers: Sequence[CaseView], corpus: Sequence[CaseView]
) -> dict[int, BertScore | None]:
    """Return the cached BERTScores by case id; None for answers without one yet.

    `corpus` are all answers of the project, whose official answers idf counts. Raises UserError for
    a missing model.
    """
    fit = [case for case in answers if scorable(case)]
    kept = EmbeddingCache(_score_folder(ws, setting, corpus)).kept(
        [_cache_text(setting.pair(case)) for case in fit]
    )
    found: dict[int, BertScore | None] = {case.id: None for case in answers}
    for case, vector in zip(fit, kept, strict=True):
        found[case.id] = None if vector is None else BertScore(*map(float, vector))
    return found


@dataclass(frozen=True, slots=True)
class ScorePlan:
    """What is to be scored: `pairs` are the distinct ones without a score, of `total`."""

    folder: Path
    setting: BertSetting
    references: tuple[str, ...]
    pairs: tuple[Pair, ...]
    total: int


def plan_scores(
    ws: Workspace, project_slug: str, setting: BertSetting, by: int | None = None
) -> ScorePlan:
    """Plan the BERTScores that a project's answers lack.

    Raises UserError for `by` without permission, for a missing model, and where there is no answer
    to a question with an official one.
    """
    allow(ws, project_slug, by, TaskKind.SCORE_ANSWERS.act)
    with ws.reading() as session:
        answers = cases(session, find_project(session, project_slug).id)
    # Pairs of one official answer stand together, so that it is encoded once.
    every = sorted(
        {setting.pair(case) for case in answers if scorable(case)}, key=lambda pair: pair[::-1]
    )
    if not every:
        raise UserError("answer_report_none")
    folder = _score_folder(ws, setting, answers)
    kept = EmbeddingCache(folder).kept([_cache_text(pair) for pair in every])
    missing = tuple(pair for pair, vector in zip(every, kept, strict=True) if vector is None)
    return ScorePlan(folder, setting, tuple(_references(answers, setting)), missing, len(every))


async def score_answers(ws: Workspace, plan: ScorePlan, progress: Progress, stop: Stop) -> Progress:
    """Compute missing scores; return how it ended.

    Raises UserError for a model that cannot be read, and for a layer that it lacks.
    """
    progress.total, progress.done = plan.total, plan.total - len(plan.pairs)
    progress.recalled = progress.done
    if plan.pairs:
        encoder, weights = _encoder_and_weights(plan)
        cache = EmbeddingCache(plan.folder)
        for part in _parts(plan.pairs):
            if stop.is_set():
                _keep_setting(plan)  # finished scores can be read
                progress.end = End.STOPPED
                return progress
            cache.get(
                [_cache_text(pair) for pair in part], partial(_score_vectors, encoder, weights)
            )
            progress.done += len(part)
    _keep_setting(plan)
    progress.end = End.DONE
    return progress


def start_scoring(
    ws: Workspace, project_slug: str, setting: BertSetting, by: int | None = None
) -> BackgroundTask[Progress]:
    """Start scoring answers in the background.

    Raises UserError as `plan_scores` does, and while answers are being scored in the project.
    """
    plan = plan_scores(ws, project_slug, setting, by)
    kind, work = TaskKind.SCORE_ANSWERS, partial(score_answers, ws, plan)
    return start(ws, project_slug, kind, work, name=setting.name(), by=by, total=plan.total)


def settings_kept(ws: Workspace) -> list[BertSetting]:
    """Return the settings of cached scores whose model still exists, in order.

    Without the model's files its scores cannot be identified.
    """
    found = {_stored_setting(file) for file in (ws.cache / "bertscore").glob(f"*/{_SETTING}")}
    there = [each for each in found if each is not None and _is_there(each.model)]
    return sorted(there, key=lambda each: (each.model, each.layer, each.idf))


def _stored_setting(file: Path) -> BertSetting | None:
    """Return the setting kept in a file; None for one that cannot be read."""
    try:
        return BertSetting(**json.loads(file.read_text("utf-8")))
    except (OSError, ValueError, TypeError):  # half written, or of another version
        return None


def _is_there(model: str) -> bool:
    """Return True if the folder of a model still exists."""
    try:
        folder_of(model)
    except UserError:
        return False
    return True


def _encoder_and_weights(plan: ScorePlan) -> tuple[Encoder, Weights]:
    """Return the encoder of a plan, and idf weights if it wants them, else None."""
    folder = folder_of(plan.setting.model)
    with LOCK:  # tokenisers must not be used by two threads at once
        encoder = _encoder(folder, fingerprint(folder), plan.setting.layer)
        return encoder, idf_of(encoder, plan.references) if plan.setting.idf else None


@lru_cache(maxsize=1)
def _encoder(folder: Path, _fingerprint: str, layer: int) -> Encoder:
    """Load the encoder at a layer; the last is kept. Raises UserError if the model lacks it."""
    with unreadable(folder):
        try:
            return Encoder(folder, layer)
        except NoSuchLayerError as error:
            where = Where(field="layer")
            raise UserError(
                "answer_report_layer", where, said=layer, layers=error.layers
            ) from error


def _score_vectors(encoder: Encoder, weights: Weights, texts: Sequence[str]) -> _Vector:
    """Return precision, recall and F1 (BERTScore) of each pair; `texts` are from `_cache_text`."""
    answers = [tuple(json.loads(text)) for text in texts]
    with LOCK:
        scores = bert_scores(encoder, answers, weights)
    return np.array([(each.precision, each.recall, each.f1) for each in scores], dtype=np.float32)


def _score_folder(ws: Workspace, setting: BertSetting, answers: Iterable[CaseView]) -> Path:
    """Return the cache folder; its name hashes all that scores depend on but the texts."""
    if not 0 <= setting.layer <= LAYERS:
        raise UserError(
            "answer_report_layer", Where(field="layer"), said=setting.layer, layers=LAYERS
        )
    corpus = _digest(*_references(answers, setting)).hex() if setting.idf else ""
    model = fingerprint(folder_of(setting.model))
    of = [setting.against] if setting.against != REFERENCE else []
    name = _digest("1", model, str(setting.layer), corpus, *of).hex()[:24]
    return ws.cache / "bertscore" / name


def _keep_setting(plan: ScorePlan) -> None:
    """Write the setting of the scores beside them."""
    try:
        plan.folder.mkdir(parents=True, exist_ok=True)
        said = json.dumps(asdict(plan.setting), ensure_ascii=False)
        (plan.folder / _SETTING).write_text(said, "utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError("index_unwritten", Where(file=str(plan.folder)), reason=reason) from error


def _references(answers: Iterable[CaseView], setting: BertSetting) -> list[str]:
    """Return the text that answers to each question are compared with, by ascending question id."""
    found = {each.external_id: setting.pair(each)[1] for each in answers if each.reference.strip()}
    return [text for _, text in sorted(found.items())]


def _answer_pair(case: CaseView) -> Pair:
    """Return an answer without its footer of references, and the official answer."""
    return without_references(case.answer), case.reference


def _cache_text(pair: Pair) -> str:
    """Return the text under which the score of a pair is cached."""
    return json.dumps(pair, ensure_ascii=False)


def _parts(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    """Split pairs into batches of the size that is scored at once."""
    rest = iter(pairs)
    while part := list(islice(rest, _AT_ONCE)):
        yield part


def _digest(*parts: str) -> bytes:
    """Return the SHA-256 of the parts, as JSON."""
    return sha256(json.dumps(parts).encode("utf-8")).digest()


def scores_kept(ws: Workspace) -> int:
    """Return the number of cached score files, which grows with every batch."""
    return sum(1 for _ in (ws.cache / "bertscore").glob("*/*.npy"))


@dataclass(frozen=True, slots=True)
class VerdictCounts:
    """Share of answers found `correct`, with n and interval, and counts of the others.

    `unread` answers were judged without a readable verdict; `ties` have as many correct as
    incorrect verdicts; `not_judged` were not judged. `judges` are the fewest and the most readable
    verdicts behind one of the n answers; None without any.
    """

    correct: Figure
    unread: int
    ties: int
    not_judged: int
    judges: tuple[int, int] | None

    @property
    def answers(self) -> int:
        """Number of answers."""
        return self.correct.n + self.unread + self.ties + self.not_judged

    @property
    def uneven(self) -> bool:
        """Whether answers rest on different numbers of judges."""
        return self.judges is not None and self.judges[0] != self.judges[1]


def verdict_counts(own: Sequence[CaseState], judge: str) -> VerdictCounts:
    """Count the verdicts of a judge, or the majority, on these answers."""
    verdicts = [each.verdict(judge) for each in own]
    values = [None if each is None else float(each) for each in verdicts]
    said = [_readable_verdicts(each, judge) for each in own]
    asked = [judge in each.verdicts or bool(judge == MAJORITY and each.verdicts) for each in own]
    counted = [n for n, verdict in zip(said, verdicts, strict=True) if verdict is not None]
    return VerdictCounts(
        correct=share_of("judge", values),
        unread=sum(there and not n for there, n in zip(asked, said, strict=True)),
        ties=sum(bool(n) and one is None for n, one in zip(said, verdicts, strict=True)),
        not_judged=sum(not there for there in asked),
        judges=(min(counted), max(counted)) if counted else None,
    )


def _readable_verdicts(case: CaseState, judge: str) -> int:
    """Return the number of readable verdicts on an answer."""
    names = case.verdicts if judge == MAJORITY else [judge]
    return sum(case.verdicts.get(name) is not None for name in names)
