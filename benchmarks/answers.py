"""Answers at size: how long their overlap with official ones takes, beside rouge-score.

The texts are made by a fixed seed: official answers of words drawn as in a language (few are
common, most rare), and answers that leave out, change and move some of their words. Both sides cut
them into content morphemes, by the same tokeniser, which has met every word before; rouge-score
gets it as its tokeniser object, and both score ROUGE-1, ROUGE-2 and ROUGE-L. Figures:

``pairs``               answers, each with its official one
``words``               in a text, on average
``seconds``             cutting and scoring all of them
``seconds_rouge_score`` the same by rouge-score, in the same run
``rouge_speedup``       how many times as fast that is
``rouge_difference``    the largest difference of any precision, recall or F1 between the two

And is the server kept busy while answers are read and kept? A project of made-up law, questions and
a stored run is asked through `services.answers` under three contexts (none, the run's first ten
provisions, a pseudo-passage), so one of four calls waits for another; the scripted server of the
tests answers each after ``--delay`` seconds, give or take half, in a process of its own. Figures:

``mean_concurrency``    calls under way at the server, on average from its first call to its last
``share_of_allowed``    that over what is allowed (at least 0.9 is wanted)
``most_concurrency``    at most
``calls_per_second``    that were answered
``answers``             how many were kept in the end
``missing``             how many of those wanted were not
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import program, several

PARSER = program(
    __doc__,
    "pairs words seconds seconds_rouge_score rouge_speedup rouge_difference"
    " mean_concurrency share_of_allowed most_concurrency calls_per_second answers missing",
)
PARTS = ("scoring", "asking")
PARSER.add_argument(
    "--only", type=several(PARTS), default=PARTS, help="parts, a comma between them"
)
PARSER.add_argument("--pairs", type=int, default=10_000, help="answers to score")
PARSER.add_argument("--words", type=int, default=80, help="in a text, on average")
PARSER.add_argument("--questions", type=int, default=600, help="in the project that is asked")
PARSER.add_argument("--concurrency", type=int, default=16, help="calls under way at once")
PARSER.add_argument("--delay", type=float, default=0.5, help="seconds the server takes")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import random
import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate

from rouge_score import rouge_scorer

from benchmarks.llm_batch import serving, told_by
from benchmarks.program import program, run, several
from construction.answers import ContextSpec, Kind
from corpus.model import Level, Question, Statute, Tier, Unit
from evaluation.answers.overlap import Rouge, rouges
from evaluation.figure import Figure
from retrieval.text.tokenise import cut_all, tokeniser
from services.answers.asking import ask_answers
from services.answers.planning import AnswerOptions, plan_answers
from services.background.tasks import watched
from storage.answers import standing_answers
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project
from storage.runs.run_store import RunKey, keep_run

SEED = 0
HOW = "morphemes"
MEASURES = ("rouge1", "rouge2", "rougeL")
_STEMS = (
    "소방 시설 설치 관리 점검 건축 허가 신고 기준 면적 용도 층수 관계인 소화기 감지기 피난 계단 "
    "방화 구획 위험물 저장 취급 자격 선임 기간 과태료 벌칙 대상 예외 규정 조항 시행 부칙 "
    "증축 개축 대수선 변경 화재"
)
_TAILS = ("", "을", "은", "의", "에", "하여야", "하는", "된다", "으로", "및", "에서", "한다")


def measure(pairs: int, words: int) -> list[Figure]:
    """Return the figures. Raises ValueError where the two do not agree at all."""
    made = invented(pairs, words)
    answers, references = [one for one, _ in made], [other for _, other in made]
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder)
        list(cut_all(HOW, [*answers, *references], kept))  # every word has been met
        start = time.perf_counter()
        ours = rouges(cut_all(HOW, answers, kept), cut_all(HOW, references, kept))
        seconds = time.perf_counter() - start
    theirs, seconds_theirs = by_rouge_score(made)
    count = sum(len(text.split()) for text in references) / len(references)
    return [
        Figure("pairs", pairs, pairs),
        Figure("words", count, pairs),
        Figure("seconds", seconds, pairs),
        Figure("seconds_rouge_score", seconds_theirs, pairs),
        Figure("rouge_speedup", seconds_theirs / seconds, pairs),
        Figure("rouge_difference", _apart(ours, theirs), pairs),
    ]


def by_rouge_score(
    pairs: Sequence[tuple[str, str]],
) -> tuple[list[dict[str, tuple[float, float, float]]], float]:
    """Return what rouge-score finds, and in how many seconds."""

    class Cutter:
        """What rouge-score asks of a tokeniser."""

        cut = staticmethod(tokeniser(HOW))

        def tokenize(self, text: str) -> list[str]:
            return self.cut(text)

    cutter = Cutter()
    for pair in pairs:
        for text in pair:
            cutter.tokenize(text)  # every word has been met
    scorer = rouge_scorer.RougeScorer(list(MEASURES), tokenizer=cutter)
    start = time.perf_counter()
    found = [scorer.score(reference, answer) for answer, reference in pairs]
    seconds = time.perf_counter() - start
    return [{name: tuple(each[name]) for name in MEASURES} for each in found], seconds


def invented(pairs: int, words: int) -> list[tuple[str, str]]:
    """Return answers with their official ones, by a fixed seed."""
    rng = random.Random(SEED)
    vocabulary = [stem + tail for stem in _STEMS.split() for tail in _TAILS]
    rng.shuffle(vocabulary)
    shares = list(accumulate(1 / rank for rank in range(1, len(vocabulary) + 1)))
    found = []
    for _ in range(pairs):
        size = rng.randint(words // 2, words + words // 2)
        official = rng.choices(vocabulary, cum_weights=shares, k=size)
        answer = [
            word if rng.random() < 0.7 else rng.choice(vocabulary)
            for word in official
            if rng.random() < 0.8
        ]
        turn = rng.randrange(len(answer) + 1)
        found.append((" ".join(answer[turn:] + answer[:turn]), " ".join(official)))
    return found


def _apart(ours: Sequence[Rouge], theirs: Sequence[dict[str, tuple[float, float, float]]]) -> float:
    furthest = 0.0
    for one, other in zip(ours, theirs, strict=True):
        for name in MEASURES:
            mine = getattr(one, name)
            numbers = (mine.precision, mine.recall, mine.f1)
            gaps = (abs(a - b) for a, b in zip(numbers, other[name], strict=True))
            furthest = max(furthest, *gaps)
    return furthest


SLUG, ARTICLES, SHOWN = "depot", 60, 10
_TEXT = "Whoever keeps {n} litres or more shall notify the chief within {n} days. " * 12


def asking_figures(folder: Path, questions: int, concurrency: int, delay: float) -> list[Figure]:
    """Return how busy asking for answers keeps the server."""
    ws = Workspace(folder)
    run_id = _project(ws, questions)
    contexts = (
        ContextSpec(Kind.PSEUDO),
        ContextSpec(Kind.NONE),
        ContextSpec(Kind.RUN, SHOWN, run_id=run_id),
    )
    with serving(delay) as address:
        text = f'base_url = "{address}"\nmodel = "model"\nmax_tokens = 64\n'
        (ws.folder / "models.toml").write_text(f"{text}concurrency = {concurrency}\n", "utf-8")
        plan = plan_answers(ws, SLUG, AnswerOptions(contexts=contexts))
        start = time.perf_counter()
        watched(partial(ask_answers, ws, plan), lambda done, total: None)
        seconds = time.perf_counter() - start
        told = told_by(address)
    calls = int(told["requests"])
    with ws.reading() as session:
        kept = len(standing_answers(session, 1))
    return [
        Figure("mean_concurrency", told["mean"], calls),
        Figure("share_of_allowed", told["mean"] / concurrency, calls),
        Figure("most_concurrency", told["most"], calls),
        Figure("calls_per_second", calls / seconds, calls),
        Figure("answers", kept, calls),
        Figure("missing", len(contexts) * questions - kept, calls),
    ]


def _project(ws: Workspace, questions: int) -> int:
    """Make a project with law, questions and a run; return the run's id."""
    migrate(ws)
    create_project(ws, SLUG, "Depots")
    keep_statutes(ws, SLUG, [_law()], "law")
    asked = [
        Question(
            f"q{n}", f"A depot {n} keeps paint. Whom does the keeper tell?", "The chief.", "en"
        )
        for n in range(questions)
    ]
    keep_questions(ws, SLUG, asked, "questions.jsonl")
    hits = {
        each.external_id: [
            (f"depots_{(n + rank) % ARTICLES}", 1.0 / (rank + 1)) for rank in range(10)
        ]
        for n, each in enumerate(asked)
    }
    with ws.writing() as session:
        return keep_run(session, RunKey(1, 1, "bm25", {"k": SHOWN}, ""), hits, ws.clock())


def _law() -> Statute:
    units = tuple(
        Unit(f"depots_{n}", "depots", Level.ARTICLE, f"Article {n}", "Paint", _TEXT.format(n=n), n)
        for n in range(ARTICLES)
    )
    return Statute("depots", "Depots Act", "act", Tier.ACT, "en", units)


def figures_of(options: Namespace, folder: Path) -> Iterator[Figure]:
    """Yield what scoring takes and how busy asking keeps the server."""
    if "scoring" in options.only:
        yield from measure(options.pairs, options.words)
    if "asking" in options.only:
        yield from asking_figures(folder, options.questions, options.concurrency, options.delay)


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
