"""A tiny BERT with random weights that reads Hangul, written into a folder: nothing is fetched."""

from __future__ import annotations

from pathlib import Path

WORDS = [
    "소화기", "를", "설치", "하여야", "한다", "관계인", "은", "점검", "제", "조", "없다", "1", "2",
]  # fmt: skip
LAYERS = 3


def write_encoder(folder: Path, longest: int = 64) -> Path:
    """Write model and tokeniser; return the folder."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder.mkdir(parents=True, exist_ok=True)
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = [*marks, *WORDS, *(f"##{each}" for each in WORDS)]
    tokeniser = BertTokenizerFast(
        vocab={word: number for number, word in enumerate(vocabulary)},
        do_lower_case=False,
        strip_accents=False,
        model_max_length=longest,
    )
    tokeniser.save_pretrained(folder)
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=LAYERS,
        num_attention_heads=2,
        intermediate_size=48,
        max_position_embeddings=longest,
    )
    BertModel(config).save_pretrained(folder)
    return folder
