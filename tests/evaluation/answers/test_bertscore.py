from __future__ import annotations

from functools import partial
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evaluation.answers.bertscore import (
    BertScore,
    Encoded,
    Encoder,
    Pair,
    bert_scores,
    idf_of,
)
from tests.evaluation.answers.small_encoder import LAYERS, write_encoder

ANSWERS = (
    "관계인은 소화기를 설치하여야 한다",
    "점검 없다",
    "소화기 설치",
    "제12조 관계인 점검 점검 점검",
    "관계인은 소화기를 점검하여야 한다",
)
REFERENCES = (
    "관계인은 소화기를 설치하여야 한다",
    "관계인은 소화기를 점검하여야 한다",
    "제12조",
    "관계인은 점검하여야 한다",
    "설치 없다",
)
PAIRS: list[Pair] = list(zip(ANSWERS, REFERENCES, strict=True))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_encoder(tmp_path_factory.mktemp("encoder") / "tiny")


def theirs(folder: Path, layer: int, idf: bool) -> list[tuple[float, ...]]:
    """Score with bert-score's own functions.

    One at a time: in a batch it fills the shorter text up with cosines of 0, which count where a
    token has none above that, so its numbers would hang on the neighbours. (Its door counts the
    idf of the references in several processes, which is why it is counted with none here.)
    """
    from bert_score import utils

    tokeniser = utils.get_tokenizer(str(folder), use_fast=True)
    model = utils.get_model(str(folder), layer)
    weights: dict[int, float]
    if idf:
        weights = utils.get_idf_dict(list(REFERENCES), tokeniser, nthreads=0)
    else:
        weights = utils.defaultdict(partial(float, 1))
        weights |= {tokeniser.sep_token_id: 0, tokeniser.cls_token_id: 0}
    found = []
    for answer, reference in PAIRS:
        scores: Any = utils.bert_cos_score_idf(
            model, [reference], [answer], tokeniser, weights, device="cpu"
        )
        found.append(tuple(scores[0].tolist()))
    return found


def by_the_paper(encoder: Encoder, pair: Pair, weights: dict[int, float]) -> tuple[float, ...]:
    """Score as section 3 writes it, token by token."""
    answer, reference = encoder.encoded(pair)

    def mean(of: Encoded, against: Encoded) -> float:
        best = [max(float(one @ other) for other in against.vectors) for one in of.vectors]
        weighed = [weights.get(each, 1.0) for each in of.ids]
        inside = range(1, len(of.ids) - 1)  # without the marks at either end
        return sum(weighed[at] * best[at] for at in inside) / sum(weighed[at] for at in inside)

    precision, recall = mean(answer, reference), mean(reference, answer)
    return precision, recall, 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize("idf", [False, True])
def test_the_numbers_are_those_of_the_paper(folder: Path, idf: bool) -> None:
    encoder = Encoder(folder, 2)
    weights = idf_of(encoder, REFERENCES) if idf else None
    for pair, found in zip(PAIRS, bert_scores(encoder, PAIRS, weights), strict=True):
        wanted = by_the_paper(encoder, pair, weights or {})
        assert (found.precision, found.recall, found.f1) == pytest.approx(wanted, abs=1e-5)
    assert not np.allclose(
        encoder.encoded(ANSWERS)[0].vectors, Encoder(folder).encoded(ANSWERS)[0].vectors
    )


@pytest.mark.long
@pytest.mark.parametrize("layer", range(1, LAYERS + 1))
@pytest.mark.parametrize("idf", [False, True])
def test_the_numbers_are_those_of_bert_score(folder: Path, layer: int, idf: bool) -> None:
    encoder = Encoder(folder, layer)
    weights = idf_of(encoder, REFERENCES) if idf else None
    ours = bert_scores(encoder, PAIRS, weights)
    wanted = theirs(folder, layer, idf)
    got = [(each.precision, each.recall, each.f1) for each in ours]
    assert np.allclose(got, wanted, atol=1e-5)
    assert len({round(each.f1, 4) for each in ours}) > 3  # or equal numbers would prove nothing


def test_layer_0_is_the_last(folder: Path) -> None:
    assert bert_scores(Encoder(folder), PAIRS) == bert_scores(Encoder(folder, LAYERS), PAIRS)
    with pytest.raises(ValueError, match="3 layers"):
        Encoder(folder, LAYERS + 1)


def test_identical_texts_score_one_and_empty_ones_are_defined(folder: Path) -> None:
    encoder = Encoder(folder)
    [same] = bert_scores(encoder, [(ANSWERS[0], ANSWERS[0])])
    assert (same.precision, same.recall, same.f1) == pytest.approx((1, 1, 1), abs=1e-5)
    nothing, one, other = bert_scores(encoder, [("", "  "), ("", ANSWERS[0]), (ANSWERS[0], "")])
    assert nothing == BertScore(1, 1, 1)
    assert one == other == BertScore(0, 0, 0)


def test_the_order_of_pairs_and_their_neighbours_change_nothing(folder: Path) -> None:
    encoder = Encoder(folder)
    together = bert_scores(encoder, PAIRS)
    alone = [bert_scores(encoder, [pair])[0] for pair in reversed(PAIRS)][::-1]
    for one, other in zip(together, alone, strict=True):
        assert one.f1 == pytest.approx(other.f1, abs=1e-5)


def test_texts_longer_than_the_encoder_reads_are_cut(folder: Path) -> None:
    encoder = Encoder(folder)
    long = "소화기 설치 " * 500
    assert len(encoder.ids(long)) == 64
    [score] = bert_scores(encoder, [(long, long + "점검")])
    assert score.f1 == pytest.approx(1, abs=1e-5)


def test_a_rare_token_weighs_more(folder: Path) -> None:
    encoder = Encoder(folder)
    weights = idf_of(encoder, ["점검 없다", "점검 설치"])
    common, rare = (encoder.ids(word)[1] for word in ("점검", "설치"))
    assert weights[common] == pytest.approx(log(3 / 3))
    assert weights[rare] == pytest.approx(log(3 / 2))
    # No token of the text has weight: all weigh alike, and there is no division by nothing.
    [score] = bert_scores(encoder, [("점검", "점검")], idf_of(encoder, ["점검"]))
    assert score.f1 == pytest.approx(1, abs=1e-5)
