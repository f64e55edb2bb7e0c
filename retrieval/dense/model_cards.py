"""What the makers of embedding models say of them: prompts, pooling, length.

A model on the hub does not always carry these with it, and without them it ranks badly and says
nothing. The prompts and ways of pooling are those of the papers and model cards; texts that are
longer than `max_length` tokens are cut there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

POOLINGS = ("mean", "cls", "lasttoken", "max")
_TASK = "Given a web search query, retrieve relevant passages that answer the query"


@dataclass(frozen=True, slots=True)
class Card:
    """How a model is to be used.

    A prompt stands before every text of its kind; None leaves it to the files of the model, as do
    a `pooling` of "" and a `max_length` of 0. `query_model` embeds the queries where that is
    another model.
    """

    query_prompt: str | None = None
    document_prompt: str | None = None
    pooling: str = ""
    max_length: int = 0
    query_model: str = ""


_PLAIN_MEAN = Card("", "", "mean")
_PLAIN_CLS = Card("", "", "cls", 512)

# The first whose pattern is found in the name, in lower case, holds.
_CARDS = (
    (r"all-minilm-l6", Card("", "", "mean", 256)),  # Reimers and Gurevych 2019
    (r"kr-sbert", _PLAIN_MEAN),  # SNU NLP
    (r"qwen3-embedding", Card(f"Instruct: {_TASK}\nQuery:", "", "lasttoken", 8192)),
    (r"bge-m3", Card("", "", "cls", 8192)),  # Chen et al. 2024; its dense vectors
    (r"e5-mistral", Card(f"Instruct: {_TASK}\nQuery: ", "", "lasttoken", 4096)),
    (r"(^|[/_-])(multilingual-)?e5-.*instruct", Card(f"Instruct: {_TASK}\nQuery: ", "", "mean")),
    (r"(^|[/_-])e5-", Card("query: ", "passage: ", "mean", 512)),  # Wang et al. 2022, 2024
    (r"contriever", Card("", "", "mean", 512)),  # Izacard et al. 2022
    (r"sailer", _PLAIN_CLS),  # Li et al. 2023
    (
        r"dpr-ctx_encoder-single-nq-base",  # Karpukhin et al. 2020: two encoders
        Card(
            "",
            "",
            "cls",
            512,
            "sentence-transformers/facebook-dpr-question_encoder-single-nq-base",
        ),
    ),
    (
        r"dpr-ctx_encoder-multiset-base",
        Card(
            "",
            "",
            "cls",
            512,
            "sentence-transformers/facebook-dpr-question_encoder-multiset-base",
        ),
    ),
    (r"(^|[/_-])dpr", _PLAIN_CLS),
)


def card_of(model: str) -> Card:
    """Return the card of a model by its name or folder; one that leaves all open if it has none."""
    name = model.replace("\\", "/").rstrip("/").lower()
    return next((card for pattern, card in _CARDS if re.search(pattern, name)), Card())
