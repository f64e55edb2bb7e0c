"""Removal of a model's reasoning from its reply, by the marks that models put around it.

One parser for every reply. A template may write the opening mark into the prompt, so that a reply
has the closing one alone; a reply that was truncated has the opening one alone.
"""

from __future__ import annotations

import re

_NAMES = r"(?:seed:)?(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis)"
_SPACE = r"[ \t]{0,3}"
_ANGLE = rf"(?:<|&lt;|◁|⟨){_SPACE}", rf"{_SPACE}(?:>|&gt;|▷|⟩)"
_OPENING = (
    rf"{_ANGLE[0]}{_NAMES}(?:[ \t][^<>\n]{{0,60}})?{_ANGLE[1]}",  # also with attributes
    r"\[THINK\]",
    r"<\|(?:begin_of_thought|START_THINKING|thinking|think)\|>",
    r"<unused94>",
    r"<\|channel\|>\s?(?:analysis|commentary)\b[^<>\n]{0,80}<\|message\|>",
    r"<\|channel>thought\b",
    r"\A(?-i:analysis(?=[A-Z\"'“]))",  # channel marks whose special tokens were removed in decoding
)
_CLOSING = (
    rf"{_ANGLE[0]}/{_SPACE}{_NAMES}{_ANGLE[1]}",
    r"\[/THINK\]",
    r"<\|(?:end_of_thought|END_THINKING|/thinking|/think|START_RESPONSE|begin_of_solution)\|>",
    r"<unused95>",
    r"<\|channel\|>\s?final\b[^<>\n]{0,80}<\|message\|>",
    r"<channel\|>",
    r"(?-i:assistantfinal)",
)
_MARK = re.compile(
    rf"(?P<opening>{'|'.join(_OPENING)})|(?P<closing>{'|'.join(_CLOSING)})", re.IGNORECASE
)
_CONTROL = re.compile(
    r"<\|(?:start\|>\s?assistant\b|im_start\|>\s?assistant\b|(?:end|return|call|im_start|im_end|eot_id"
    r"|eom_id|endoftext|end_of_text|end_of_solution|END_RESPONSE|END_OF_TURN_TOKEN|eos)\|>)"
    r"|<(?:end_of_turn|eos)>|</s>\s*\Z"
)


def without_thought(text: str) -> str:
    """Return a reply without reasoning, and without marks of its template.

    A closing mark without an opening one ends reasoning that began with the reply; an opening mark
    without a closing one begins reasoning that never ended.
    """
    return _CONTROL.sub("", "".join(text[start:end] for start, end in _answer_spans(text)))


def answer_start(text: str) -> int:
    """Return the offset of the answer after the last reasoning; the length if there is none."""
    return next((start for start, _ in reversed(_answer_spans(text))), len(text))


def _answer_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of a reply outside reasoning."""
    kept: list[tuple[int, int]] = []
    at, thinking = 0, False
    for mark in _MARK.finditer(text):
        if mark["closing"]:
            kept = kept if thinking else []
            at, thinking = mark.end(), False
        elif not thinking:
            kept += [(at, mark.start())] if mark.start() > at else []
            thinking = True
    return kept if thinking else [*kept, (at, len(text))]
