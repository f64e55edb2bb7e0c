"""Invented law and questions that share no word, and a tiny encoder that knows nothing yet.

A provision is a subject and a duty in legal words, a question the same in everyday words. Which
word stands for which can only be learnt; what is learnt of one pair of words serves every question.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

from construction.gold.splitting import Recipe, Way
from corpus.model import Level, Question, Statute, Tier, Unit
from services.gold.splits import make_split
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project
from tests.conftest import FakeClock

SLUG = "harbour"
ACT = "harbour-act"
SUBJECTS = {
    "vessel": "boat",
    "mariner": "sailor",
    "conveyance": "ferry",
    "beacon": "lamp",
    "cargo": "goods",
    "wharf": "pier",
}
DUTIES = {
    "registration": "signed",
    "inspection": "checked",
    "insurance": "covered",
    "illumination": "lit",
    "demolition": "scrapped",
}


def _texts() -> dict[str, tuple[str, str]]:
    """Return id → provision and question."""
    pairs = product(SUBJECTS.items(), DUTIES.items())
    return {
        f"{number}": (f"{subject} {duty}", f"{asked} {wanted}")
        for number, ((subject, asked), (duty, wanted)) in enumerate(pairs, 1)
    }


def trainable(folder: Path, clock: FakeClock, split: bool = True) -> Workspace:
    """Return the workspace: 30 articles, a question on each labelled by its source, half train."""
    ws = Workspace(folder, clock)
    migrate(ws)
    create_project(ws, SLUG, "Harbour")
    units = tuple(
        Unit(f"{ACT}_article-{n}", ACT, Level.ARTICLE, f"Article {n}", "", text=text, order=int(n))
        for n, (text, _) in _texts().items()
    )
    keep_statutes(ws, SLUG, [Statute(ACT, "Harbour Act", "act", Tier.ACT, "en", units)], "first")
    asked = [
        Question(f"q{n}", text, "–", "en", gold_ids=(f"{ACT}_article-{n}",))
        for n, (_, text) in _texts().items()
    ]
    keep_questions(ws, SLUG, asked, "questions.jsonl")
    if split:
        make_split(ws, SLUG, Recipe(Way.NEAR, (60, 0, 40), near=0.99))
    return ws


def tiny_encoder(folder: Path) -> Path:
    """Write a BERT of random weights, with a tokeniser trained on the corpus."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers
    from tokenizers.processors import TemplateProcessing
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    made = Tokenizer(models.WordPiece(unk_token=special[1]))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    texts = [f"{text} {asked} Harbour Act Article" for text, asked in _texts().values()]
    trainer = trainers.WordPieceTrainer(vocab_size=300, special_tokens=special, show_progress=False)
    made.train_from_iterator(texts, trainer)
    ends = [(name, made.token_to_id(name)) for name in ("[CLS]", "[SEP]")]
    made.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    names = ("pad", "unk", "cls", "sep", "mask")
    named = {f"{name}_token": said for name, said in zip(names, special, strict=True)}
    PreTrainedTokenizerFast(tokenizer_object=made, **named).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=made.get_vocab_size(),
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=64,
    )
    BertModel(config).save_pretrained(folder)
    return folder
