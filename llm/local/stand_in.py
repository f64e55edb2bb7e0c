"""A stand-in for a language model, to try out what needs one: rules, no model, no network.

It is deterministic and of no quality: it picks sentences, options and numbers by the words that
they share with the question. What it says has the form that was asked for, so every table is
filled; its name, `MODEL`, stands on whatever is made of it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any
from zlib import crc32

from llm.request import Request
from llm.transport.openai_client import Form, ServerReply

ADDRESS = MODEL = "stand-in"
"""The address and the model of its endpoint."""
VARIABLE = "TOUCHSTONE_STAND_IN"
"""The environment variable that lets it play, at 1, every role without a model."""
_SENTENCE = re.compile(r"(?<=[.?!])\s+|\n+")
_WORD = re.compile(r"\w{2,}")
_OPTION = re.compile(r"^ {0,4}\(?([A-Ja-jNY]|[0-9]{1,2})[.)] {1,4}(\S.*)$", re.MULTILINE)
_QUESTION = re.compile(r"^## (\w+):(.*(?:\n(?!#).*)*)", re.MULTILINE)
_KEYED = re.compile(r"^- (\w+): (.+)$", re.MULTILINE)
_ID = re.compile(r"^\[([^\]\s]+)\]", re.MULTILINE)
_DIMENSIONS = 128
ALIKE, PARTLY = 0.45, 0.2  # share of common words from which a claim matches, or does in part


class StandIn:
    """The transport of the stand-in; it reaches no server."""

    async def send(self, request: Request, form: Form) -> ServerReply:
        """Return its reply; a token counts as four characters."""
        if request.inputs:
            return ServerReply(vectors=tuple(map(_vector, request.inputs)), tokens_in=1)
        text = "\n".join(each.text for each in request.messages)
        said, logprobs = _reply(request)
        return ServerReply(
            said,
            "stop",
            tokens_in=len(text) // 4,
            tokens_out=len(said) // 4 + 1,
            logprobs=(tuple(logprobs),) if logprobs and request.logprobs else None,
        )

    async def close(self) -> None:
        """Do nothing."""


def _reply(request: Request) -> tuple[str, list[tuple[str, float]]]:
    """Return the stand-in's reply to a request, with probabilities of options."""
    asked = request.messages[-1].text
    if request.schema is not None:
        return json.dumps(_formed(request.schema, asked), ensure_ascii=False), []
    if request.prompt.startswith("judge_binary"):
        good = common_words(_part(asked, 2), _part(asked, 1)) >= PARTLY
        return _chosen({"1": float(good), "0": float(not good)})
    if request.prompt.startswith("judge_pairwise"):
        law, answers = _part(asked, 1), (_part(asked, 2), _part(asked, 3))
        return _chosen({each: common_words(a, law) for each, a in zip("AB", answers, strict=True)})
    if request.options or request.prompt.startswith("answer_choice"):
        said: dict[str, str] = dict(_OPTION.findall(asked if request.options else _part(asked, -2)))
        material = asked.partition("\n\n")[0]
        texts = {each: said.get(each, each) for each in request.options or said}
        return _chosen({each: common_words(text, material) for each, text in texts.items()})
    return _answer(asked), []


def _part(asked: str, index: int) -> str:
    """Return the part at this index of a request split at empty lines; "" if it has fewer."""
    parts = asked.split("\n\n")
    return parts[index] if -len(parts) <= index < len(parts) else ""


def _chosen(scores: Mapping[str, float]) -> tuple[str, list[tuple[str, float]]]:
    """Return the best option, and each one's log-probability, likeliest first; none are alike."""
    apart = {each: 4 * score + crc32(each.encode()) / 2**42 for each, score in scores.items()}
    total = sum(map(math.exp, apart.values()))
    logs = [(each, score - math.log(total)) for each, score in apart.items()]
    best = max(logs, key=lambda each: each[1])
    return best[0], sorted(logs, key=lambda each: -each[1])


def _answer(asked: str) -> str:
    """Return the two sentences nearest to the question, and the first two ids that it was shown."""
    question = _part(asked, -2) or asked
    sentences = [each.strip() for each in _SENTENCE.split(asked) if len(each) > 20]
    best = sorted(sentences, key=lambda each: -common_words(each, question))[:2]
    ids = list(dict.fromkeys(_ID.findall(asked)))[:2]
    last = f"\n[References] {', '.join(ids)}" if ids else ""
    return f"{' '.join(best) or asked[:200]}{last}"


def _formed(schema: Mapping[str, Any], asked: str) -> Any:
    """Return a value that fits the schema, made of the request's sentences."""
    if "labels" in schema.get("properties", {}) and (found := claim_labels(asked))["labels"]:
        return found
    if "answers" in schema.get("properties", {}) and (answers := list(_factor_answers(asked))):
        return {"answers": answers}
    sentences = [each.strip() for each in _SENTENCE.split(asked) if len(each.strip()) > 8]
    return _value(schema, schema.get("$defs", {}), iter(sentences * 50 or ["–"] * 50))


def _factor_answers(asked: str) -> Iterator[dict[str, Any]]:
    """Yield an option for each question on a judgment, with the sentence nearest to it."""
    judgment = asked.partition("\n## ")[0]
    sentences = [each for each in _SENTENCE.split(judgment) if len(each) > 8] or [judgment]
    for key, question in _QUESTION.findall(asked):
        options = dict(_KEYED.findall(question))
        near = {
            name: max(sentences, key=partial(common_words, text)) for name, text in options.items()
        }
        best = max(near, key=lambda name: common_words(options[name], near[name]), default="")
        yield {"sub_factor": key, "options": [best], "quote": near.get(best, "")}


def _value(schema: Mapping[str, Any], known: Mapping[str, Any], texts: Iterator[str]) -> Any:
    """Return a value that fits a schema; its texts are taken from `texts` in turn."""
    if "$ref" in schema:
        return _value(known[schema["$ref"].rpartition("/")[2]], known, texts)
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    kind = schema.get("type")
    if kind == "object":
        return {name: _value(s, known, texts) for name, s in schema["properties"].items()}
    if kind == "array":
        count = max(int(schema.get("minItems", 0)), 2)
        return [_value(schema["items"], known, texts) for _ in range(count)]
    if kind in ("integer", "number"):
        return int(schema.get("minimum", 1)) or 1
    return kind == "boolean" or next(texts, "–")[:300]


def claim_labels(asked: str) -> dict[str, Any]:
    """Return, for each claim of a request, the official ones that share its words."""
    gold, said = ([], *_numbered_lists(asked))[-2:]
    labels = []
    for number, claim in enumerate(said, 1):
        alike = {at: common_words(claim, other) for at, other in enumerate(gold, 1)}
        match = [at for at, share in alike.items() if share >= ALIKE]
        partial = [at for at, share in alike.items() if PARTLY <= share < ALIKE]
        labels.append({"claim": number, "match": match, "partial": partial})
    return {"labels": labels}


def _numbered_lists(asked: str) -> Iterator[list[str]]:
    """Yield the numbered lists of a request, each anew from 1; one empty list if there is none."""
    found: list[str] = []
    for number, line in re.findall(r"^(\d+)\. (.+)$", asked, re.MULTILINE):
        if number == "1" and found:
            yield found
            found = []
        found.append(line)
    yield found


def common_words(one: str, other: str) -> float:
    """Return the share of the shorter text's words that begin as a word of the other."""
    first, second = (set(_WORD.findall(each.casefold())) for each in (one, other))
    few, many = sorted((first, second), key=len)
    begin = {word[:4] for word in many}
    return sum(word[:4] in begin for word in few) / max(1, len(few))


def _vector(text: str) -> tuple[float, ...]:
    """Return the counts of a text's pairs of letters, hashed, at length 1."""
    counts = [0.0] * _DIMENSIONS
    for at in range(len(text) - 1):
        counts[crc32(text[at : at + 2].casefold().encode()) % _DIMENSIONS] += 1
    length = math.hypot(*counts) or 1.0
    return tuple(count / length for count in counts)
