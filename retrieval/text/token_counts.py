"""Token counts of texts, by a built-in tokeniser or a user's ``tokenizer.json``.

A corpus is described in the tokens of the model that is to read it, so any file in the format of
Hugging Face's tokenizers will do. Such a file is a program: its regular expressions run on every
text, and its size is unbounded. So it is read and run in a child process under limits
(`corpus.sandbox.pool`; the task is `retrieval.text.token_worker`). Special tokens are not counted,
and a limit on length that a file sets (truncation, padding) is not applied.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from typing import Any

from corpus.sandbox.pool import Bounds, ChildError, ChildPool
from errors import UserError, Where
from retrieval.text.tokenise import count_all, tokeniser

DEFAULT = "whitespace"
OFFERED = (DEFAULT, "morphemes")
LARGEST = 64 << 20  # bytes of a file; 250,000 pieces in a hundred languages take 17 MB
NAME_LIMIT = 100  # characters of a file's name in a report
BOUNDS = Bounds(seconds=300.0, processor=120.0, sent=4 << 20)  # for a batch of texts
POOL = ChildPool("retrieval.text.token_worker", 1)
_BATCH = 2_000  # texts
_ENDED = {"slow": "tokenizer_slow", "large": "tokenizer_memory", "crashed": "tokenizer_crashed"}

Count = Callable[[Iterable[str]], Iterator[int]]


@dataclass(frozen=True, slots=True)
class TokenCount:
    """A way to count tokens: `name` as shown in reports, `digest` the SHA-256 of a file or "".

    `count` yields the number of tokens of each text, in order. It raises UserError for an
    unusable file.
    """

    name: str
    digest: str = ""
    count: Count = field(compare=False, repr=False, default=lambda texts: map(len, texts))

    @property
    def said(self) -> str:
        """The name, with the beginning of a file's digest to distinguish files of one name."""
        return f"{self.name} (SHA-256 {self.digest[:12]})" if self.digest else self.name


def by_tokeniser(name: str) -> TokenCount:
    """Return token counts by a built-in tokeniser. Raises UserError for an unknown name."""
    tokeniser(name)
    return TokenCount(name, count=lambda texts: count_all(name, texts))


def by_file(content: bytes, file: str) -> TokenCount:
    """Return token counts by a ``tokenizer.json``; `file` is its name.

    Raises UserError for a file that is too large; `count` finds other errors.
    """
    if len(content) > LARGEST:
        limit = f"{LARGEST >> 20} MiB"
        raise UserError("tokenizer_large", Where(file), limit=limit)

    def count(texts: Iterable[str]) -> Iterator[int]:
        left = iter(texts)
        while batch := list(islice(left, _BATCH)):
            yield from _counted(content, file, batch)

    return TokenCount(file[-NAME_LIMIT:], sha256(content).hexdigest(), count)


def _counted(content: bytes, file: str, texts: list[str]) -> list[int]:
    blocks = content, json.dumps(texts).encode()
    try:
        made: Any = POOL.run("count", {"file": file}, blocks, BOUNDS).value
    except ChildError as error:
        raise UserError(_ENDED[error.why], Where(file)) from error
    known = isinstance(made, list) and len(made) == len(texts)
    if not known or not all(type(each) is int and each >= 0 for each in made):
        raise UserError("tokenizer_crashed", Where(file))
    return list(made)
