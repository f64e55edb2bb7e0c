"""Language models asked whether a text answers a question, as Qwen3-Reranker is.

The model reads a fixed frame around instruction, question and text, and its next token is looked
at: the score is the chance of "yes" where only "yes" and "no" are possible (Zhang et al. 2025).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrieval.dense.sentence_model import LOCK, precision, quiet, unreadable
from retrieval.rerank.pairs import Pair, Reader

MAX_LENGTH = 8_192
# The frame that the model was trained with; it has to be this to the letter.
_BEFORE = (
    "<|im_start|>system\n"
    "Judge whether the Document meets the requirements based on the Query and the Instruct "
    'provided. Note that the answer can only be "yes" or "no".<|im_end|>\n'
    "<|im_start|>user\n"
)
_AFTER = "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"


class _Loaded(NamedTuple):
    model: Any
    tokeniser: Any
    yes: int
    no: int


def scores(reader: Reader, pairs: Sequence[Pair], batch: int) -> NDArray[np.float64]:
    """Return the chance of yes for each pair. Raises UserError for a model that is none of these.

    Where a pair is too long, the text is cut at its end.
    """
    with LOCK:
        loaded = _loaded(reader)
        rows = _tokens(loaded.tokeniser, reader, pairs)
        found = np.zeros(len(pairs))
        # Pairs of like length together, so that little is padded.
        order = sorted(range(len(rows)), key=lambda at: (len(rows[at]), at))
        for start in range(0, len(order), batch):
            some = order[start : start + batch]
            found[some] = _chances(loaded, [rows[at] for at in some])
    return found


def framed(instruction: str, question: str, text: str) -> str:
    """Return what stands within the frame."""
    return f"<Instruct>: {instruction}\n<Query>: {question}\n<Document>: {text}"


def _tokens(tokeniser: Any, reader: Reader, pairs: Sequence[Pair]) -> list[list[int]]:
    before, after = (tokeniser.encode(part, add_special_tokens=False) for part in (_BEFORE, _AFTER))
    room = max(1, (reader.max_length or MAX_LENGTH) - len(before) - len(after))
    inside = tokeniser(
        [framed(reader.instruction, question, text) for question, text in pairs],
        add_special_tokens=False,
        truncation=True,
        max_length=room,
    )["input_ids"]
    return [[*before, *tokens, *after] for tokens in inside]


def _chances(loaded: _Loaded, rows: list[list[int]]) -> NDArray[np.float64]:
    import torch

    padded = loaded.tokeniser.pad({"input_ids": rows}, padding=True, return_tensors="pt")
    mask = padded["attention_mask"]
    with torch.inference_mode():
        said = loaded.model(
            input_ids=padded["input_ids"].to(loaded.model.device),
            attention_mask=mask.to(loaded.model.device),
            # Counted from the first real token, so that a score does not depend on the batch.
            position_ids=(mask.cumsum(-1) - 1).clamp(min=0).to(loaded.model.device),
        ).logits[:, -1, [loaded.yes, loaded.no]]
    yes, no = said.double().cpu().numpy().T
    chances: NDArray[np.float64] = 1 / (1 + np.exp(np.clip(no - yes, -700, 700)))
    return np.where(np.isfinite(yes - no), chances, np.nan)


@lru_cache(maxsize=1)
def _loaded(reader: Reader) -> _Loaded:
    quiet()
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    with unreadable(reader.folder):
        folder = str(reader.folder)
        tokeniser = AutoTokenizer.from_pretrained(
            folder, padding_side="left", local_files_only=True
        )
        tokeniser.pad_token = tokeniser.pad_token or tokeniser.eos_token
        yes, no = (_token(tokeniser, word) for word in ("yes", "no"))
        model, loading = AutoModelForCausalLM.from_pretrained(
            folder, local_files_only=True, output_loading_info=True, **precision()
        )
        if loading["missing_keys"]:  # the library would fill them with random numbers
            raise ValueError("its files lack the weights of a language model")
        device = "cuda" if torch.cuda.is_available() else "cpu"
    return _Loaded(model.eval().to(device), tokeniser, yes, no)


def _token(tokeniser: Any, word: str) -> int:
    number = tokeniser.convert_tokens_to_ids(word)
    if number is None or number == tokeniser.unk_token_id:
        raise ValueError(f'its tokeniser has no token "{word}"')
    return int(number)
