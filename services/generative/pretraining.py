"""Continued pretraining of a causal language model on the text of the law in use.

The units that retrieval searches, each with its title, are joined with the end token between them
and cut into blocks of equal length; the loss is the cross-entropy of every next token. No question,
answer or gold is read. The folder is in Hugging Face format and serves as a local model
(``local:`` in models.toml), so a test before and after needs no server.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.people.roles import Act, reading_as
from llm.batch import End, Progress, Stop
from normalization.hashing import json_hash
from retrieval.dense.model_files import fingerprint, folder_of, model_display_name
from retrieval.dense.sentence_method import quiet, unreadable
from retrieval.text.passages import readable
from services.generative.training_loop import LoopOptions, TrainingLoop, require_free
from services.runs.methods.preparation import searched_corpus
from storage.db.workspace import Workspace
from storage.law.corpus import snapshot_of
from storage.runs.search_levels import levels_searched

BLOCK = 512  # default length of a block in tokens


@dataclass(frozen=True)
class LawTexts:
    """The texts of a project's law in use, and what they are."""

    texts: Sequence[str]
    about: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Pretrained:
    """Result of pretraining: units and tokens read per epoch, and the mean loss of each."""

    folder: Path
    units: int
    tokens: int
    steps: int
    losses: tuple[float, ...]
    device: str
    end: End


def law_texts(ws: Workspace, project_slug: str, by: int | None = None) -> LawTexts:
    """Return the texts of the units that the project searches in the law in use.

    Raises UserError for `by` (None: the operator) without permission, and without any unit.
    """
    with reading_as(ws, project_slug, by, Act.RUN_RETRIEVAL) as (session, project, _):
        law = snapshot_of(session, project, None)
        levels = levels_searched(session, project.id)
    corpus = searched_corpus(ws, law.id, levels, law.content_hash)
    texts = [readable(each.text) for each in corpus.documents if each.text.strip()]
    about = {
        "project": project_slug,
        "snapshot": law.content_hash,
        "levels": list(map(str, levels)),
    }
    return LawTexts(texts, {**about, "units": len(texts)})


class _Pretraining(TrainingLoop[NDArray[np.int64]]):
    def loss_of(self, batch: NDArray[np.int64]) -> Any:
        """Return the language model's loss on a batch."""
        import torch

        ids = torch.from_numpy(batch).to(self.device)
        return self.model(input_ids=ids, labels=ids).loss


async def pretrain(
    law: LawTexts, base: str, folder: Path, options: LoopOptions, progress: Progress, stop: Stop
) -> Pretrained:
    """Train the causal model `base` (a folder or a name) on the texts; write it to `folder`.

    Resumes an interrupted run of equal texts, base and options. Raises UserError for invalid
    options, a folder with a complete model or another run, and an unusable base.
    """
    options.check()
    require_free(folder)
    files = folder_of(base)
    from transformers import AutoModelForCausalLM, AutoTokenizer

    quiet()
    with unreadable(files):
        tokeniser: Any = AutoTokenizer.from_pretrained(files, local_files_only=True)
        model: Any = AutoModelForCausalLM.from_pretrained(files, local_files_only=True).float()
    longest = getattr(model.config, "max_position_embeddings", None) or BLOCK
    blocks = _blocks(law.texts, tokeniser, min(options.max_length or BLOCK, int(longest)))
    orders = (
        np.random.default_rng([options.seed, epoch]).permutation(len(blocks))
        for epoch in range(options.epochs)
    )
    starts = range(0, len(blocks), options.batch)
    epochs = [[blocks[order[at : at + options.batch]] for at in starts] for order in orders]
    training = _Pretraining(model, epochs, options)
    about = {
        "base": {"name": model_display_name(files), "files": fingerprint(files)},
        "pretraining": {**law.about, "tokens": int(blocks.size)},
    }

    def save() -> None:
        """Save model and tokeniser."""
        model.save_pretrained(folder)
        tokeniser.save_pretrained(folder)

    identity = json_hash([asdict(options), about])
    end = training.go(folder, identity, about, save, progress, stop)
    read = len(law.texts), int(blocks.size), training.step, training.losses, training.device
    return Pretrained(folder, *read, end)


def _blocks(texts: Sequence[str], tokeniser: Any, length: int) -> NDArray[np.int64]:
    """Return the texts as rows of `length` tokens; the last row overlaps the one before."""
    between = [] if tokeniser.eos_token_id is None else [tokeniser.eos_token_id]
    said = tokeniser(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
    ids = np.array([token for each in said for token in (*each, *between)], dtype=np.int64)
    length = min(length, len(ids))
    starts = [*range(0, len(ids) - length, length), len(ids) - length]
    return np.stack([ids[start : start + length] for start in starts])
