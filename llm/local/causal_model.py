"""A causal language model in this process, with exact token probabilities.

Decoding is greedy unless a temperature is given, and then sampled with a seed. The first tokens
have alternatives as servers give them (`llm.reply.Alternatives`). If options are requested,
the first place lists them beside its likeliest tokens, so that
the entries of an option add up to the exact probability that the answer begins with it.

torch and transformers are loaded with the first model; the last model used stays in memory.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

from llm.local.files import ModelFiles
from llm.reply import Alternatives, Problem, log_sum_exp, option_said

LOGPROB_TOKENS = 16  # places of an answer with alternatives
_LONGEST_REASON = 300
_UNKNOWN_LENGTH = 2**20
LEADS = ("", " ", "\n")  # possible text before an option that is no single token


class LocalError(Exception):
    """A local model gave no answer."""

    def __init__(self, problem: Problem, reason: str = "") -> None:
        self.problem, self.reason = problem, reason
        super().__init__(f"{problem}: {reason}")


@dataclass(frozen=True, slots=True)
class Decoding:
    """Decoding settings: temperature 0 is greedy; `repeat` changes the seed."""

    max_tokens: int
    temperature: float
    top_p: float
    seed: int
    repeat: int
    alternatives: int  # per place; 0 for none
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """A generated answer; `finished`: the model ended it itself."""

    text: str
    finished: bool
    tokens_in: int
    tokens_out: int
    places: tuple[Alternatives, ...] | None


Said = Sequence[Mapping[str, str]]
"""A conversation for chat templates: messages with ``role`` and ``content``."""


@dataclass
class CausalModel:
    """A loaded model. Calls from several threads take turns."""

    network: Any
    tokeniser: Any
    longest: int
    ends: frozenset[int]
    turn: threading.Lock = field(default_factory=threading.Lock)
    known_options: dict[tuple[str, ...], dict[int, str]] = field(default_factory=dict)

    def tokens(self, conversation: Said, template: Mapping[str, Any] | None = None) -> list[int]:
        """Return a conversation's token ids in the model's chat template, else of its plain texts.

        By the chat template of the model where there is one; for a template without a system role
        the system text comes before the user's. Else the plain texts, separated by blank lines,
        for the model to continue. `template` are values for the chat template.
        """
        if not self.tokeniser.chat_template:
            plain = "\n\n".join(each["content"] for each in conversation)
            return _as_ints(self.tokeniser(plain)["input_ids"])
        try:
            return self._templated(conversation, template)
        except Exception as error:
            if type(error).__name__ not in ("TemplateError", "UndefinedError"):
                raise
        return self._templated(_merged_system(conversation), template)

    def _templated(self, conversation: Said, template: Mapping[str, Any] | None) -> list[int]:
        """Return the tokens of a conversation in the model's template."""
        found = self.tokeniser.apply_chat_template(
            [dict(each) for each in conversation],
            add_generation_prompt=True,
            return_dict=True,
            **dict(template or {}),
        )
        return _as_ints(found["input_ids"])

    def write(self, prompt: Sequence[int], how: Decoding, over: Callable[[], bool]) -> Written:
        """Generate an answer to the prompt's token ids; LocalError if too long, `over` or NaN.

        `over` is asked before each token whether to stop. Raises LocalError for a prompt that
        is too long, on timeout, and where the model computes NaN.
        """
        if not prompt or len(prompt) >= self.longest:
            reason = f"{len(prompt)} tokens; the model reads {self.longest - 1}"
            raise LocalError(Problem.TOO_LONG, reason)
        with self.turn:
            return _Writing(self, how, over).all(prompt)

    def options_by_token(self, options: tuple[str, ...]) -> dict[int, str]:
        """Return the option that each single token means, by token id; cached by `options`."""
        if options not in self.known_options:
            special = set(self.tokeniser.all_special_ids)
            said = {
                token: option_said(self.spelled(token), options)
                for token in sorted(self.tokeniser.get_vocab().values())
                if token not in special
            }
            found = {token: option for token, option in said.items() if option is not None}
            self.known_options[options] = found
        return self.known_options[options]

    def spelled(self, token: int) -> str:
        """Return the text of a token, its leading space kept."""
        raw = self.tokeniser.convert_ids_to_tokens(token)
        text = str(self.tokeniser.decode([token]))
        if isinstance(raw, str) and raw.startswith("▁") and not text.startswith(" "):
            return f" {text}"  # a leading space of such tokenisers, which decoding drops
        return text


def _merged_system(conversation: Said) -> list[dict[str, str]]:
    """Merge system messages into the user's, for templates without a system role."""
    words = [each["content"] for each in conversation if each["role"] == "system"]
    rest = [dict(each) for each in conversation if each["role"] != "system"]
    if rest and words:
        rest[0]["content"] = "\n\n".join([*words, rest[0]["content"]])
    return rest


def _as_ints(tokens: Any) -> list[int]:
    """Return token ids as ints."""
    return [int(token) for token in tokens]


class _Writing:
    """The generation of one answer."""

    def __init__(self, model: CausalModel, how: Decoding, over: Callable[[], bool]) -> None:
        import torch

        self._model, self._how, self._over = model, how, over
        self._torch = torch
        self._past: Any = None
        seed = (how.seed * 1_000_003 + how.repeat) % 2**63
        self._chance = torch.Generator().manual_seed(seed)
        last_only = "logits_to_keep" in signature(model.network.forward).parameters
        self._more = {"logits_to_keep": 1} if last_only else {}

    def all(self, prompt: Sequence[int]) -> Written:
        """Generate the whole reply."""
        most = min(self._how.max_tokens, self._model.longest - len(prompt))
        places: list[Alternatives] = []
        told: list[int] = []
        finished = False
        with self._torch.inference_mode():
            found = self._next_logprobs(prompt)
            for at in range(most):
                chosen = self._sampled_token(found)
                finished = chosen in self._model.ends
                if self._how.alternatives and at < LOGPROB_TOKENS and not (at and finished):
                    places.append(self._alternatives_at(prompt, found, chosen, first=at == 0))
                if finished:
                    break
                told.append(chosen)
                if at + 1 < most:
                    found = self._next_logprobs([chosen])
        text = self._model.tokeniser.decode(told, skip_special_tokens=True)
        kept = tuple(places) if self._how.alternatives else None
        return Written(text, finished, len(prompt), len(told) + finished, kept)

    def _next_logprobs(self, tokens: Sequence[int], past: bool = True) -> Any:
        """Return the next token's log-probabilities after `tokens`; `past`: after all so far."""
        if self._over():
            raise LocalError(Problem.TIMEOUT)
        network = self._model.network
        ids = self._torch.tensor([list(tokens)], device=network.device)
        kept = self._past if past else None
        out = network(input_ids=ids, past_key_values=kept, use_cache=past, **self._more)
        if past:
            self._past = out.past_key_values
        found = out.logits[0, -1].double().cpu().log_softmax(-1)
        if bool(self._torch.isnan(found).any()):
            raise LocalError(Problem.NOT_FINITE)
        return found

    def _sampled_token(self, logits: Any) -> int:
        """Return the next token: the likeliest at temperature 0, else drawn within top-p."""
        if self._how.temperature <= 0:
            return int(logits.argmax())
        chances = (logits / self._how.temperature).softmax(-1)
        ranked, tokens = chances.sort(descending=True, stable=True)
        kept = ranked * ((ranked.cumsum(-1) - ranked) < self._how.top_p)
        at = int(self._torch.multinomial(kept, 1, generator=self._chance))
        return int(tokens[at])

    def _alternatives_at(
        self, prompt: Sequence[int], scores: Any, chosen: int, first: bool
    ) -> Alternatives:
        """Return (token, log-probability) of the chosen, the likeliest, if `first` the options."""
        wanted = min(self._how.alternatives, len(scores))
        values, tokens = scores.topk(wanted)
        pairs = zip((-values).tolist(), tokens.tolist(), strict=True)
        best = [token for _, token in sorted(pairs) if token != chosen]
        shown = [chosen, *best]
        told = [(self._model.spelled(token), float(scores[token])) for token in shown]
        if first and self._how.options:
            told += self._option_logprobs(prompt, scores, frozenset(shown))
        return tuple(told)

    def _option_logprobs(
        self, prompt: Sequence[int], scores: Any, shown_tokens: frozenset[int]
    ) -> list[tuple[str, float]]:
        """Return each possible option's log-probability, less that of the tokens shown already.

        An option that is no single token has the probability of its token sequence, with
        white space before it or none.
        """
        options = self._how.options
        by_option: dict[str, list[int]] = {option: [] for option in options}
        for token, option in self._model.options_by_token(options).items():
            by_option[option].append(token)
        told = []
        for option in options:
            if by_option[option]:
                rest = [
                    float(scores[token]) for token in by_option[option] if token not in shown_tokens
                ]
                told.append((option, log_sum_exp(rest)))
            else:
                told.append((option, self._sequences_logprob(prompt, scores, option)))
        return [(option, value) for option, value in told if value > -math.inf]

    def _sequences_logprob(self, prompt: Sequence[int], scores: Any, option: str) -> float:
        """Return the log-probability of an option in any of its spellings."""
        spelled = self._model.tokeniser
        rows = {
            tuple(_as_ints(spelled(f"{lead}{option}", add_special_tokens=False)["input_ids"]))
            for lead in LEADS
        }
        return log_sum_exp(
            [self._sequence_logprob(prompt, scores, row) for row in sorted(rows) if row]
        )

    def _sequence_logprob(self, prompt: Sequence[int], scores: Any, row: Sequence[int]) -> float:
        """Return the log-probability of a row of tokens after the prompt."""
        value = float(scores[row[0]])
        for at in range(1, len(row)):
            value += float(self._next_logprobs([*prompt, *row[:at]], past=False)[row[at]])
        return value


_loading = threading.Lock()
_held: dict[str, CausalModel] = {}


def loaded(files: ModelFiles, content: str) -> CausalModel:
    """Return the model of these files, whose identity is `content`; the last one is kept in memory.

    Raises LocalError for files that are no model, are incomplete, or do not fit into memory.
    """
    with _loading:
        if content not in _held:
            _held.clear()  # before the next is loaded: two may not fit
            _held[content] = _load(files)
        return _held[content]


def _load(files: ModelFiles) -> CausalModel:
    """Load a model. Raises LocalError for invalid files or too little memory."""
    try:
        return _load_files(files)
    except Exception as error:  # the libraries raise many kinds of errors for invalid files
        if is_about_memory(error):
            raise LocalError(Problem.MEMORY) from error
        said = str(error).replace(str(files.folder), files.folder.name).strip()
        reason = (said.splitlines() or [type(error).__name__])[0]
        raise LocalError(Problem.UNLOADABLE, reason[:_LONGEST_REASON]) from error


def is_about_memory(error: BaseException) -> bool:
    """Return whether an error of torch means out of memory."""
    said = str(error).lower()
    return (
        isinstance(error, MemoryError)
        or "OutOfMemory" in type(error).__name__
        or "out of memory" in said
        or "not enough memory" in said
    )


def _load_files(files: ModelFiles) -> CausalModel:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()
    folder, gpu = str(files.folder), torch.cuda.is_available()
    more = {"local_files_only": True} | ({"gguf_file": files.gguf} if files.gguf else {})
    tokeniser = AutoTokenizer.from_pretrained(folder, **more)
    network, loading = AutoModelForCausalLM.from_pretrained(
        folder, output_loading_info=True, dtype="auto" if gpu else torch.float32, **more
    )
    if loading["missing_keys"]:  # the library would initialise them randomly
        raise ValueError("its files lack weights of a language model")
    network = network.eval().to("cuda" if gpu else "cpu")
    longest = getattr(network.config, "max_position_embeddings", None) or _UNKNOWN_LENGTH
    return CausalModel(network, tokeniser, int(longest), _end_tokens(network, tokeniser))


def _end_tokens(network: Any, tokeniser: Any) -> frozenset[int]:
    """Return the tokens that end a reply."""
    told = [tokeniser.eos_token_id]
    for config in (network.generation_config, network.config):
        ends = getattr(config, "eos_token_id", None)
        told += ends if isinstance(ends, list) else [ends]
    return frozenset(int(end) for end in told if end is not None)


def deadline_check(seconds: float, stopped: threading.Event) -> Callable[[], bool]:
    """Return a function that tells whether `seconds` have passed or `stopped` is set."""
    end = time.monotonic() + seconds
    return lambda: stopped.is_set() or time.monotonic() > end
