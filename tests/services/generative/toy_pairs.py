"""A folder of a few pairs, and options of a model of some thousand parameters."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from construction.generative.pairs import Pair, PairKind
from services.generative.pair_files import PairFolder, write_pairs
from services.generative.small_model import Size
from services.generative.training import TrainingOptions

WORDS = ("소방시설", "건축물", "과태료", "위험물", "허가", "설치", "점검", "신고")
TOY = TrainingOptions(
    size=Size(vocabulary=120, width=16, inner=16, heads=2, encoder_layers=1, decoder_layers=1),
    steps=8,
    epochs=10,
    batch=4,
    source=12,
    target=6,
    rate=1e-2,
    dropout=0.2,
    threads=1,
    every=2,
    device="cpu",
)


def toy_pairs(folder: Path) -> PairFolder:
    """Write the pairs: each sentence leads to its own key token and what follows."""
    pairs = []
    for at, word in enumerate(WORDS):
        for number in range(3):
            text = f"시장은 {word}에 관한 사항 {number}을 정한다"
            target = f"{word}에 관한 사항"
            name = f"법_{at}조"
            pairs.append(Pair(PairKind.PARAGRAPH_TO_OWN, text, target, name, name, str(number)))
    texts = [(pair.source_id, pair.source) for pair in pairs]
    held = [replace(pair, source_id="held") for pair in pairs[::5]]
    return write_pairs(folder, pairs, held, texts, {"made": "for tests"})
