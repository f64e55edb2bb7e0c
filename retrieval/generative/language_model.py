"""Language models that write for a question: any encoder–decoder or decoder of Hugging Face.

An encoder–decoder reads the question and continues its decoder's first tokens; a decoder reads the
question and continues it. Both cache their computations, and reorder the cache by the beams
chosen; a model without a reorderable cache reads its beams anew at each step.

The beams of one question are one batch. Questions are not batched together: padding would change
the last bits of scores, and with them rankings.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from retrieval.dense.model_files import model_display_name
from retrieval.dense.sentence_method import LOCK, precision, quiet, unreadable
from retrieval.text.passages import readable

PLACE = "{query}"
"""The placeholder of the question in a prompt."""
_DECODER_PROMPT = f"{PLACE}\n"
_AT_ONCE = 1_000  # texts tokenised together

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Tokeniser:
    """The tokeniser of a model folder with a given fingerprint of its files."""

    folder: Path
    fingerprint: str

    def tokens(self, texts: Iterable[str]) -> Iterator[list[int]]:
        """Yield the token ids of each text, without special tokens."""
        rest = iter(texts)
        while some := [readable(text) for text in islice(rest, _AT_ONCE)]:
            with LOCK:
                said = _tokeniser(self)(some, add_special_tokens=False, verbose=False)
            yield from said["input_ids"]

    def places(self, text: str) -> list[Place] | None:
        """Return each token's character span in `text`; None for a tokeniser without offsets."""
        with LOCK:
            tokeniser = _tokeniser(self)
            if not tokeniser.is_fast:
                return None
            said = tokeniser(
                readable(text), add_special_tokens=False, return_offsets_mapping=True, verbose=False
            )
        return [(int(start), int(end)) for start, end in said["offset_mapping"]]

    def text(self, tokens: Sequence[int]) -> str:
        """Decode tokens to text."""
        with LOCK:
            return str(_tokeniser(self).decode(list(tokens))).strip()


@lru_cache(maxsize=2)
def _tokeniser(model: Tokeniser) -> Any:
    """Load the tokeniser of a model, once."""
    quiet()
    from transformers import AutoTokenizer

    with unreadable(model.folder):
        return AutoTokenizer.from_pretrained(str(model.folder), local_files_only=True)


def is_encoder_decoder(folder: Path) -> bool:
    """Return whether the model in `folder` is an encoder–decoder. UserError: unreadable config."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        return bool(config.get("is_encoder_decoder"))
    except (OSError, ValueError, AttributeError) as error:
        reason = type(error).__name__
        raise UserError(
            "model_unreadable", model=model_display_name(folder), reason=reason
        ) from error


@lru_cache(maxsize=1)
def _network(model: Tokeniser) -> Any:
    """Load the network of a model, once."""
    quiet()
    import torch
    from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM

    kind = AutoModelForSeq2SeqLM if is_encoder_decoder(model.folder) else AutoModelForCausalLM
    with unreadable(model.folder):
        network, loading = kind.from_pretrained(
            str(model.folder), local_files_only=True, output_loading_info=True, **precision()
        )
        if loading["missing_keys"]:  # the library would initialise them randomly
            raise ValueError("its files lack the weights of a language model")
    return network.eval().to("cuda" if torch.cuda.is_available() else "cpu")


def vocabulary_size(model: Tokeniser) -> int:
    """Return the size of the model's output vocabulary.

    Raises UserError for files that are no language model.
    """
    with LOCK:
        return int(_network(model).get_output_embeddings().weight.shape[0])


@dataclass(frozen=True, slots=True)
class Reading:
    """A model's input: the prompt, "" for the default, and the maximum tokens of a question."""

    prompt: str = ""
    query_tokens: int = 512


class ModelWriter:
    """A model writing for one question (`retrieval.generative.constrained_beam.Writer`)."""

    def __init__(self, model: Tokeniser, question: str, reading: Reading, length: int) -> None:
        """Load the model if needed; `length` is the maximum number of tokens to write.

        Raises UserError for files that are no language model.
        """
        self._of = model
        with LOCK:
            self._network = _network(model)
            self._config = self._network.config
            self._paired = bool(self._config.is_encoder_decoder)
            read = self._prompt_tokens(readable(question), reading, length)
            # What the decoder has read before it writes.
            self._before = self._first_tokens() if self._paired else read
            self._encoded: Any = self._encoder_output(read) if self._paired else None
        self._past: Any = None
        self._rows: list[list[int]] = [[]]

    def begin(self) -> NDArray[np.float32]:
        """Return the log-probability of each token as the first."""
        said: NDArray[np.float32] = self._next([self._before])[0]
        return said

    def go_on(self, parents: Sequence[int], tokens: Sequence[int]) -> NDArray[np.float32]:
        """Return next-token rows; see `retrieval.generative.constrained_beam.Writer`."""
        import torch

        self._rows = [[*self._rows[at], token] for at, token in zip(parents, tokens, strict=True)]
        if self._past is None:
            return self._next([[*self._before, *row] for row in self._rows])
        self._past.reorder_cache(torch.tensor(list(parents), device=self._network.device))
        return self._next([[token] for token in tokens])

    def _next(self, rows: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """Return next-token log-probabilities for rows of tokens not yet read."""
        import torch

        device = self._network.device
        ids = torch.tensor([list(row) for row in rows], device=device)
        with LOCK, torch.inference_mode():
            given = self._encoder_arguments(len(rows)) if self._paired else {"input_ids": ids}
            if self._paired:
                given["decoder_input_ids"] = ids
            if self._past is not None:
                given["past_key_values"] = self._past
            out = self._network(**given, use_cache=True)
            said = out.logits[:, -1].float().log_softmax(-1).cpu().numpy()
        past = getattr(out, "past_key_values", None)
        self._past = past if hasattr(past, "reorder_cache") else None
        if np.isnan(said).any():
            raise UserError("scores_not_numbers", model=model_display_name(self._of.folder))
        return np.asarray(said, dtype=np.float32)

    def _encoder_output(self, read: Sequence[int]) -> Any:
        """Return the encoder's states of the text to read."""
        import torch

        ids = torch.tensor([list(read)], device=self._network.device)
        with torch.inference_mode():
            encoder = self._network.get_encoder()
            return encoder(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state

    def _encoder_arguments(self, rows: int) -> dict[str, Any]:
        """Return the encoded text as arguments of the decoder, repeated for each row."""
        import torch
        from transformers.modeling_outputs import BaseModelOutput

        hidden = self._encoded.expand(rows, -1, -1)
        mask = torch.ones(hidden.shape[:2], dtype=torch.long, device=hidden.device)
        return {
            "encoder_outputs": BaseModelOutput(last_hidden_state=hidden),
            "attention_mask": mask,
        }

    def _first_tokens(self) -> list[int]:
        """Return an encoder–decoder's first tokens: its start token, and a forced one if any."""
        found = [self._config_value("decoder_start_token_id", "bos_token_id", "pad_token_id")]
        forced = self._config_value("forced_bos_token_id")
        found += [] if forced is None else [forced]
        return [int(token) for token in found if token is not None]

    def _config_value(self, *names: str) -> Any:
        """Return the first of these settings that the model's files state, None if none is."""
        for name in names:
            for config in (self._network.generation_config, self._config):
                value = getattr(config, name, None)
                if value is not None:
                    return value
        return None

    def _prompt_tokens(self, question: str, reading: Reading, length: int) -> list[int]:
        """Return the tokens of the prompt with the question, truncated at its end if too long."""
        tokeniser = _tokeniser(self._of)
        prompt = reading.prompt or (PLACE if self._paired else _DECODER_PROMPT)
        frame = len(tokeniser(prompt.replace(PLACE, ""), verbose=False)["input_ids"])
        room = min(
            reading.query_tokens, self._max_tokens() - frame - (0 if self._paired else length)
        )
        inside = tokeniser(question, add_special_tokens=False, verbose=False)["input_ids"]
        if len(inside) > max(1, room):
            question = str(tokeniser.decode(inside[: max(1, room)]))
        said = tokeniser(prompt.replace(PLACE, question), verbose=False)["input_ids"]
        if not said:  # an empty input: a model reads at least one token
            said = [self._config_value("bos_token_id", "eos_token_id", "pad_token_id") or 0]
        return [int(token) for token in said]

    def _max_tokens(self) -> int:
        """Return the model's maximum number of tokens; a large one if unknown."""
        for name in ("max_position_embeddings", "n_positions"):
            value = getattr(self._config, name, None)
            if value and not getattr(self._config, "relative_attention_num_buckets", None):
                return int(value)
        return 2**20
