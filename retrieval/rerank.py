"""Reranking: a model scores the question together with each of the best units of another method.

The model is a cross-encoder, or a language model asked whether a text answers a question, as
Qwen3-Reranker is. Such a model reads a
fixed frame around instruction, question and text; the score is the probability of
"yes" as the next token where only "yes" and "no" are possible (Zhang et al. 2025).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from normalization.hashing import text_hash
from retrieval.core.method import QUERY_CHARACTERS, Scoring
from retrieval.core.model import Corpus, Hit, Parameter, Query, best
from retrieval.dense.model_files import fingerprint, folder_of, model_display_name
from retrieval.dense.sentence_method import LOCK, precision, quiet, unreadable
from retrieval.text.passages import readable

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder


FORMS = ("auto", "pair", "yes_no")
INSTRUCTION = "Given a web search query, retrieve relevant passages that answer the query"
"""The default instruction of Qwen3-Reranker, from its makers."""

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Reader:
    """A model that scores pairs.

    `form` is ``pair`` for a classifier with one output, ``yes_no`` for a language model that is
    asked for yes or no. `max_length` 0 leaves the number of tokens to the model, `instruction` is
    for language models only.
    """

    folder: Path
    fingerprint: str
    form: str
    max_length: int
    instruction: str


def form_of(folder: Path, form: str) -> str:
    """Resolve the form: `form` itself, or for ``auto`` that of the model in `folder`.

    Raises UserError for a folder with an unreadable config.
    """
    if form != "auto":
        return form
    return "yes_no" if architecture(folder).endswith(("ForCausalLM", "LMHeadModel")) else "pair"


def architecture(folder: Path) -> str:
    """Return the architecture of the model in a folder. Raises UserError for an invalid config."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        return str((config.get("architectures") or [""])[0])
    except (OSError, ValueError, AttributeError, TypeError, KeyError) as error:
        reason = type(error).__name__
        raise UserError(
            "model_unreadable", model=model_display_name(folder), reason=reason
        ) from error


def classifier_scores(reader: Reader, pairs: Sequence[Pair], batch: int) -> NDArray[np.float64]:
    """Return the raw output for each pair, without activation: a sigmoid would make ties at 1.

    Raises UserError for a model that is no cross-encoder with one output.
    """
    import torch

    with LOCK:
        made = _loaded(reader).predict(
            list(pairs),
            batch_size=batch,
            show_progress_bar=False,
            activation_fn=torch.nn.Identity(),
        )
    return np.asarray(made, dtype=np.float64).reshape(len(pairs))


@lru_cache(maxsize=1)
def _loaded(reader: Reader) -> CrossEncoder:
    """Load the cross-encoder, once. Raises UserError if it has no output layer."""
    quiet()
    from sentence_transformers import CrossEncoder

    with unreadable(reader.folder):
        if not architecture(reader.folder).endswith("ForSequenceClassification"):
            # The library would add an output layer with random weights.
            raise ValueError("it is no classifier of pairs")
        model = CrossEncoder(
            str(reader.folder),
            local_files_only=True,
            max_length=reader.max_length or None,
            model_kwargs=precision(),
        )
        if model.num_labels != 1:
            raise ValueError(f"it has {model.num_labels} outputs, not one")
    return model


MAX_LENGTH = 8_192
# The frame of the model's training; it must match exactly.
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


def yes_no_scores(reader: Reader, pairs: Sequence[Pair], batch: int) -> NDArray[np.float64]:
    """Return the probability of yes for each pair. Raises UserError for an unsuitable model.

    Where a pair is too long, the text is truncated.
    """
    with LOCK:
        loaded = _language_model(reader)
        rows = _tokens(loaded.tokeniser, reader, pairs)
        found = np.zeros(len(pairs))
        # Sorted by length, so that little is padded.
        order = sorted(range(len(rows)), key=lambda at: (len(rows[at]), at))
        for start in range(0, len(order), batch):
            some = order[start : start + batch]
            found[some] = _yes_probabilities(loaded, [rows[at] for at in some])
    return found


def framed(instruction: str, question: str, text: str) -> str:
    """Return instruction, question and text as the part of a reranker's prompt that varies."""
    return f"<Instruct>: {instruction}\n<Query>: {question}\n<Document>: {text}"


def _tokens(tokeniser: Any, reader: Reader, pairs: Sequence[Pair]) -> list[list[int]]:
    """Return the token ids of each pair in the model's prompt, cut to its length."""
    before, after = (tokeniser.encode(part, add_special_tokens=False) for part in (_BEFORE, _AFTER))
    room = max(1, (reader.max_length or MAX_LENGTH) - len(before) - len(after))
    inside = tokeniser(
        [framed(reader.instruction, question, text) for question, text in pairs],
        add_special_tokens=False,
        truncation=True,
        max_length=room,
    )["input_ids"]
    return [[*before, *tokens, *after] for tokens in inside]


def _yes_probabilities(loaded: _Loaded, rows: list[list[int]]) -> NDArray[np.float64]:
    """Return the probability of "yes" against "no" for each row of tokens."""
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
def _language_model(reader: Reader) -> _Loaded:
    """Load a causal model that answers yes or no."""
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
        if loading["missing_keys"]:  # the library would initialise them randomly
            raise ValueError("its files lack the weights of a language model")
        device = "cuda" if torch.cuda.is_available() else "cpu"
    return _Loaded(model.eval().to(device), tokeniser, yes, no)


def _token(tokeniser: Any, word: str) -> int:
    """Return the id of a word. Raises ValueError if the tokeniser lacks it."""
    number = tokeniser.convert_tokens_to_ids(word)
    if number is None or number == tokeniser.unk_token_id:
        raise ValueError(f'its tokeniser has no token "{word}"')
    return int(number)


class Rerank(Scoring):
    """Reranks the best `depth` units of `base` with a model given by its name or folder.

    `form` is ``pair`` for any cross-encoder of sentence-transformers with
    one output, ``yes_no`` for a language model in the frame of Qwen3-Reranker with `instruction`;
    ``auto`` detects it. `max_length` 0 leaves the tokens to the model. Units of `base`
    beyond `depth` follow in its order, each scored below the one before it.
    """

    NAME = "rerank"
    PARAMETERS = (
        Parameter("base", "method", {"method": "bm25"}),
        Parameter("model", "text"),
        Parameter("depth", "int", 50, 1, 10_000),
        Parameter("form", "choice", "auto", choices=FORMS),
        Parameter("instruction", "text", INSTRUCTION),
        Parameter("max_length", "int", 0, 0, 131_072),
        Parameter("batch", "int", 16, 1, 4096),
    )

    @property
    def versions(self) -> str:
        """The versions with a hash of the model's files and form."""
        reader = self._reader()
        said = text_hash(repr((reader.fingerprint, reader.form)))[:16]
        return f"{super().versions}-{said}"

    def score(self, query: Query, unit_ids: Sequence[str]) -> NDArray[np.float64]:
        """Return the model's scores of units, whether or not the base finds them."""
        documents = self.corpus.documents
        texts = [documents[self.corpus.positions[unit]].text for unit in unit_ids]
        question = readable(query.text[:QUERY_CHARACTERS])
        asked = [(question, readable(text)) for text in texts]
        return scores(self._reader(), asked, self.spec["batch"])

    def _fit(self, corpus: Corpus) -> None:
        """Check that the model can be found."""
        self._reader()  # report a missing model before anything is searched

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        """Rank the first `depth` units of the base again, the others below them."""
        depth = int(self.spec["depth"])
        found = self.parts[0].search(queries, max(k, depth))
        return {query.id: self._reranked(query, found[query.id], depth)[:k] for query in queries}

    def _reranked(self, query: Query, hits: Sequence[Hit], depth: int) -> list[Hit]:
        """Rank the first hits by the model, the others below them."""
        read = [hit.unit_id for hit in hits[:depth]]
        said = dict(zip(read, self.score(query, read).tolist(), strict=True))
        ranked = list(best(said, len(said)))
        below = enumerate(hits[depth:], 1)
        return ranked + [Hit(hit.unit_id, ranked[-1].score - at) for at, hit in below]

    def _reader(self) -> Reader:
        """Return the settings that load the model."""
        spec, folder = self.spec, folder_of(str(self.spec["model"]))
        form = form_of(folder, spec["form"])
        instruction = spec["instruction"] if form == "yes_no" else ""
        return Reader(folder, fingerprint(folder), form, spec["max_length"], instruction)


def scores(reader: Reader, pairs: Sequence[Pair], batch: int) -> NDArray[np.float64]:
    """Return one score per (question, text): a classifier's output, or the probability of yes.

    Raises UserError for a model of another kind, and for scores that are not finite.
    """
    if not pairs:
        return np.zeros(0)
    if reader.form == "yes_no":
        found = yes_no_scores(reader, pairs, batch)
    else:
        found = classifier_scores(reader, pairs, batch)
    if not np.isfinite(found).all():
        raise UserError("scores_not_numbers", model=model_display_name(reader.folder))
    return found
