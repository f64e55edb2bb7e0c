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
``mean_concurrency``    calls in flight at once on average, as a scripted server of models saw them
``share_of_allowed``    that, as a share of the calls that are allowed at once
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import program

PARSER = program(
    __doc__,
    "pairs words seconds seconds_rouge_score rouge_speedup rouge_difference"
    " mean_concurrency share_of_allowed",
)
PARSER.add_argument("--pairs", type=int, default=10_000, help="answers to score")
PARSER.add_argument("--words", type=int, default=80, help="in a text, on average")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import random
import tempfile
import time
from argparse import Namespace
from collections.abc import Sequence
from itertools import accumulate

from rouge_score import rouge_scorer

from benchmarks import answers_concurrency
from benchmarks.program import run
from evaluation.answers.overlap import Rouge, rouges
from evaluation.figure import Figure
from retrieval.text.tokenise import cut_all, tokeniser

SEED = 0
HOW = "morphemes"
_ASKING = ("mean_concurrency", "share_of_allowed")
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


def figures_of(options: Namespace, folder: Path) -> list[Figure]:
    """Return what scoring takes and how busy asking keeps the server."""
    asking = answers_concurrency.measure()
    return [
        *measure(options.pairs, options.words),
        *(Figure(name, asking[name], int(asking["answers"])) for name in _ASKING),
    ]


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
