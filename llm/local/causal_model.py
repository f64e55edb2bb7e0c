"""A causal language model in this process: a prompt's tokens in, an answer's tokens out, exactly.

Decoding is greedy unless a temperature is given, and then drawn with a seed. The first tokens come
with alternatives as servers give them (`llm.reply.Alternatives`). For options that are asked for,
the first place tells all there is to know: beside its likeliest tokens stand the options, so that
what is told of an option adds up to the exact probability that the answer begins with it.

torch and transformers are loaded with the first model; the last model used stays in memory.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from inspect import signature
from typing import Any

from llm.local.files import ModelFiles
from llm.reply import Alternatives, Problem, option_said

LOGPROB_TOKENS = 16  # places of an answer whose alternatives are told
_LONGEST_REASON = 300
_UNKNOWN_LENGTH = 2**20
LEADS = ("", " ", "\n")  # what may stand before an option that no token says by itself


class LocalError(Exception):
    """A local model brought no answer."""

    def __init__(self, problem: Problem, reason: str = "") -> None:
        self.problem, self.reason = problem, reason
        super().__init__(f"{problem}: {reason}")


@dataclass(frozen=True, slots=True)
class Decoding:
    """How an answer is written: 0 of temperature is greedy; `repeat` draws another one."""

    max_tokens: int
    temperature: float = 0.0
    top_p: float = 1.0
    seed: int = 0
    repeat: int = 0
    alternatives: int = 0  # per place; 0 for none
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """An answer; `finished` is whether the model ended it itself."""

    text: str
    finished: bool
    tokens_in: int
    tokens_out: int
    places: tuple[Alternatives, ...] | None


Said = Sequence[Mapping[str, str]]
"""A conversation as chat templates take it: each with ``role`` and ``content``."""


@dataclass
class CausalModel:
    """A model that is loaded. Calls of several threads take turns."""

    network: Any
    tokeniser: Any
    longest: int
    ends: frozenset[int]
    turn: threading.Lock = field(default_factory=threading.Lock)

    def tokens(self, said: Said, template: Mapping[str, Any] | None = None) -> list[int]:
        """Return a conversation as the model reads it.

        By the chat template of its makers where there is one; a template without a place for the
        system has its words before the user's. Else the texts as they are, a blank line between
        them, for the model to write on. `template` are values for the chat template.
        """
        if not self.tokeniser.chat_template:
            plain = "\n\n".join(each["content"] for each in said)
            return _listed(self.tokeniser(plain)["input_ids"])
        try:
            return self._templated(said, template)
        except Exception as error:
            if type(error).__name__ not in ("TemplateError", "UndefinedError"):
                raise
        return self._templated(_without_system(said), template)

    def _templated(self, said: Said, template: Mapping[str, Any] | None) -> list[int]:
        found = self.tokeniser.apply_chat_template(
            [dict(each) for each in said],
            add_generation_prompt=True,
            return_dict=True,
            **dict(template or {}),
        )
        return _listed(found["input_ids"])

    def write(self, prompt: Sequence[int], how: Decoding, over: Callable[[], bool]) -> Written:
        """Write an answer to a prompt.

        `over` is asked before each token whether time is up. Raises LocalError for a prompt that
        is too long, when time is up, and where the model computes what is no number.
        """
        if not prompt or len(prompt) >= self.longest:
            reason = f"{len(prompt)} tokens; the model reads {self.longest - 1}"
            raise LocalError(Problem.TOO_LONG, reason)
        with self.turn:
            return _Writing(self, how, over).all(prompt)

    def sayings(self, options: Sequence[str]) -> dict[int, str]:
        """Return the tokens that say an option by themselves, and which one each says."""
        return _sayings(_Vocabulary(self.tokeniser), tuple(options))

    def spelled(self, token: int) -> str:
        """Return a token as text, with the space that it begins with."""
        return _spelled(self.tokeniser, token)


def _without_system(said: Said) -> list[dict[str, str]]:
    words = [each["content"] for each in said if each["role"] == "system"]
    rest = [dict(each) for each in said if each["role"] != "system"]
    if rest and words:
        rest[0]["content"] = "\n\n".join([*words, rest[0]["content"]])
    return rest


def _listed(tokens: Any) -> list[int]:
    return [int(token) for token in tokens]


class _Writing:
    """One answer under way."""

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
        most = min(self._how.max_tokens, self._model.longest - len(prompt))
        places: list[Alternatives] = []
        told: list[int] = []
        finished = False
        with self._torch.inference_mode():
            found = self._next(prompt)
            for at in range(most):
                chosen = self._drawn(found)
                finished = chosen in self._model.ends
                if self._how.alternatives and at < LOGPROB_TOKENS and not (at and finished):
                    places.append(self._place(prompt, found, chosen, first=at == 0))
                if finished:
                    break
                told.append(chosen)
                if at + 1 < most:
                    found = self._next([chosen])
        text = self._model.tokeniser.decode(told, skip_special_tokens=True)
        kept = tuple(places) if self._how.alternatives else None
        return Written(text, finished, len(prompt), len(told) + finished, kept)

    def _next(self, tokens: Sequence[int], past: bool = True) -> Any:
        """Return the log-probability of each token after these, which follow what was read."""
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

    def _drawn(self, found: Any) -> int:
        if self._how.temperature <= 0:
            return int(found.argmax())
        chances = (found / self._how.temperature).softmax(-1)
        ranked, tokens = chances.sort(descending=True, stable=True)
        kept = ranked * ((ranked.cumsum(-1) - ranked) < self._how.top_p)
        at = int(self._torch.multinomial(kept, 1, generator=self._chance))
        return int(tokens[at])

    def _place(self, prompt: Sequence[int], found: Any, chosen: int, first: bool) -> Alternatives:
        wanted = min(self._how.alternatives, len(found))
        values, tokens = found.topk(wanted)
        pairs = zip((-values).tolist(), tokens.tolist(), strict=True)
        best = [token for _, token in sorted(pairs) if token != chosen]
        shown = [chosen, *best]
        told = [(self._model.spelled(token), float(found[token])) for token in shown]
        if first and self._how.options:
            told += self._options(prompt, found, frozenset(shown))
        return tuple(told)

    def _options(
        self, prompt: Sequence[int], found: Any, shown: frozenset[int]
    ) -> list[tuple[str, float]]:
        """Return for each option what the tokens that are not shown add to its probability.

        An option that no token says by itself has the probability of its tokens in a row, with
        white space before it or none.
        """
        options = self._how.options
        by_option: dict[str, list[int]] = {option: [] for option in options}
        for token, option in self._model.sayings(options).items():
            by_option[option].append(token)
        told = []
        for option in options:
            if by_option[option]:
                rest = [float(found[token]) for token in by_option[option] if token not in shown]
                told.append((option, _summed(rest)))
            else:
                told.append((option, self._in_a_row(prompt, found, option)))
        return [(option, value) for option, value in told if value > -math.inf]

    def _in_a_row(self, prompt: Sequence[int], found: Any, option: str) -> float:
        spelled = self._model.tokeniser
        rows = {
            tuple(_listed(spelled(f"{lead}{option}", add_special_tokens=False)["input_ids"]))
            for lead in LEADS
        }
        return _summed([self._row(prompt, found, row) for row in sorted(rows) if row])

    def _row(self, prompt: Sequence[int], found: Any, row: Sequence[int]) -> float:
        value = float(found[row[0]])
        for at in range(1, len(row)):
            value += float(self._next([*prompt, *row[:at]], past=False)[row[at]])
        return value


def _summed(values: Sequence[float]) -> float:
    most = max(values, default=-math.inf)
    if most == -math.inf:
        return most
    return most + math.log(sum(math.exp(value - most) for value in values))


@dataclass(frozen=True)
class _Vocabulary:
    """The tokens of a model; one tokeniser is another's equal only where it is the same."""

    tokeniser: Any

    def __hash__(self) -> int:
        return id(self.tokeniser)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Vocabulary) and self.tokeniser is other.tokeniser


@lru_cache(maxsize=16)
def _sayings(vocabulary: _Vocabulary, options: tuple[str, ...]) -> dict[int, str]:
    tokeniser = vocabulary.tokeniser
    special = set(tokeniser.all_special_ids)
    said = {
        token: option_said(_spelled(tokeniser, token), options)
        for token in sorted(tokeniser.get_vocab().values())
        if token not in special
    }
    return {token: option for token, option in said.items() if option is not None}


def _spelled(tokeniser: Any, token: int) -> str:
    raw = tokeniser.convert_ids_to_tokens(token)
    text = str(tokeniser.decode([token]))
    if isinstance(raw, str) and raw.startswith("▁") and not text.startswith(" "):
        return f" {text}"  # how these tokenisers write a space, and what decoding drops
    return text


_loading = threading.Lock()
_held: dict[str, CausalModel] = {}


def loaded(files: ModelFiles, content: str) -> CausalModel:
    """Return the model of these files, whose identity is `content`; it is loaded once.

    Raises LocalError for files that are no model, are not whole, or do not fit into memory.
    """
    with _loading:
        if content not in _held:
            _held.clear()  # before the next is loaded: two may not fit
            _held[content] = _load(files)
        return _held[content]


def _load(files: ModelFiles) -> CausalModel:
    try:
        return _read(files)
    except Exception as error:  # the libraries have errors of many kinds for unfit files
        if is_about_memory(error):
            raise LocalError(Problem.MEMORY) from error
        said = str(error).replace(str(files.folder), files.folder.name).strip()
        reason = (said.splitlines() or [type(error).__name__])[0]
        raise LocalError(Problem.UNLOADABLE, reason[:_LONGEST_REASON]) from error


def is_about_memory(error: BaseException) -> bool:
    """Whether an error of torch says that there is not enough memory."""
    said = str(error).lower()
    return (
        isinstance(error, MemoryError)
        or "OutOfMemory" in type(error).__name__
        or "out of memory" in said
        or "not enough memory" in said
    )


def _read(files: ModelFiles) -> CausalModel:
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
    if loading["missing_keys"]:  # the library would fill them with random numbers
        raise ValueError("its files lack weights of a language model")
    network = network.eval().to("cuda" if gpu else "cpu")
    longest = getattr(network.config, "max_position_embeddings", None) or _UNKNOWN_LENGTH
    return CausalModel(network, tokeniser, int(longest), _ends(network, tokeniser))


def _ends(network: Any, tokeniser: Any) -> frozenset[int]:
    told = [tokeniser.eos_token_id]
    for config in (network.generation_config, network.config):
        ends = getattr(config, "eos_token_id", None)
        told += ends if isinstance(ends, list) else [ends]
    return frozenset(int(end) for end in told if end is not None)


def clock_of(seconds: float, stopped: threading.Event) -> Callable[[], bool]:
    """Return what says whether so many seconds from now are over, or somebody has stopped."""
    end = time.monotonic() + seconds
    return lambda: stopped.is_set() or time.monotonic() > end
