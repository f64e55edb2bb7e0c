"""The child process that runs a ``tokenizer.json``, for `retrieval.text.tokenise`."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from corpus.sandbox import child
from corpus.sandbox.child import Frame
from errors import UserError, Where

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_SHOWN = 200  # characters of the library's error message


def count(request: Any, blocks: Sequence[bytes]) -> Frame:
    """Count the tokens of each text; the blocks are the file and the texts as JSON."""
    tokenizer = _loaded(blocks[0], str(request["file"]))
    texts: list[str] = json.loads(blocks[1])
    return Frame([len(tokenizer.encode(each, add_special_tokens=False)) for each in texts])


@lru_cache(maxsize=1)
def _loaded(content: bytes, file: str) -> Tokenizer:
    """Load the tokenizer of a file, without its truncation and padding.

    Raises UserError for an invalid file.
    """
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    from tokenizers import Tokenizer

    try:
        said = json.loads(content.decode("utf-8-sig"))
        if not isinstance(said, dict) or not isinstance(said.get("model"), dict):
            raise ValueError("no model in it")
        found = Tokenizer.from_str(json.dumps(said))
    except RecursionError as error:
        raise UserError("tokenizer_form", Where(file), why="nested too deep") from error
    except Exception as error:
        raise UserError("tokenizer_form", Where(file), why=str(error)[:_SHOWN]) from error
    found.no_truncation()
    found.no_padding()
    return found


if __name__ == "__main__":
    child.serve({"count": count})
