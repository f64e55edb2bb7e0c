"""What a model that scores pairs is asked, whatever its kind: which files, which form, how long."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from errors import UserError
from retrieval.dense.model_files import shown

FORMS = ("auto", "pair", "yes_no")
INSTRUCTION = "Given a web search query, retrieve relevant passages that answer the query"
"""What Qwen3-Reranker is told where nothing else is said, as its makers have it."""

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Reader:
    """A model that reads pairs.

    `form` is ``pair`` for a classifier with one output, ``yes_no`` for a language model that is
    asked for yes or no. `max_length` 0 leaves the number of tokens to the model, `instruction` is
    said to language models only.
    """

    folder: Path
    fingerprint: str
    form: str
    max_length: int = 0
    instruction: str = INSTRUCTION


def form_of(folder: Path, said: str) -> str:
    """Return the form that `said` is, or for ``auto`` the one of the model in `folder`.

    Raises UserError for a folder whose config cannot be read.
    """
    if said != "auto":
        return said
    return "yes_no" if architecture(folder).endswith(("ForCausalLM", "LMHeadModel")) else "pair"


def architecture(folder: Path) -> str:
    """Return what kind of model the folder holds. Raises UserError for a config that is none."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        return str((config.get("architectures") or [""])[0])
    except (OSError, ValueError, AttributeError, TypeError, KeyError) as error:
        reason = type(error).__name__
        raise UserError("model_unreadable", model=shown(folder), reason=reason) from error
