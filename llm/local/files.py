"""Files of a local model: location, identity, and whether they are a language model.

A local model has no server: its address is ``local:FOLDER``, and its name is that of a folder or of
a GGUF file in it. ``local:`` alone refers to the cache of Hugging Face's own tools on
this machine: the name is then the one on the hub, with ``@`` and a revision if wanted.
Nothing is downloaded, and no name leads out of the folder.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from errors import UserError

LOCAL = "local:"
ABSENT = "absent"  # the identity of missing files
_GGUF = ".gguf"
_PACKAGES = ("gguf", "accelerate")  # packages required to read such a file
_BLOCKS, _BLOCK = 256, 2**14  # of a large file so many blocks are hashed, evenly spaced
_UNUSED = (".md", ".gitattributes", ".lock", ".png", ".onnx", ".h5", ".msgpack", ".ot")
_KINDS = ("ForCausalLM", "LMHeadModel", "LMHead")


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A model's folder and, if it is one file in it, that file's name."""

    folder: Path
    gguf: str = ""

    @property
    def name(self) -> str:
        """Its name in messages, without the machine's path."""
        return self.gguf or self.folder.name


def is_local(address: str) -> bool:
    """Return whether an address is that of local files."""
    return address.startswith(LOCAL)


def files_of(address: str, model: str) -> ModelFiles:
    """Return the files of a local model; UserError if missing, unreadable here or not causal."""
    found = _find_model_files(address, model)
    if found is None:
        place = "models_local_absent" if address != LOCAL else "models_local_not_kept"
        raise UserError(place, model=model, folder=address.removeprefix(LOCAL))
    if found.gguf:
        lacking = [name for name in _PACKAGES if find_spec(name) is None]
        if lacking:
            raise UserError("models_local_gguf", model=model, packages=" ".join(lacking))
    else:
        _require_causal(found.folder, model)
    return found


def identity(address: str, model: str) -> str:
    """Return 12 hexadecimal digits of a hash of the files, `ABSENT` where there are none.

    It depends on the content alone: a copy elsewhere has the same. Of a large file the size and
    evenly spaced blocks are hashed, since reading all would take as long as loading it.
    """
    found = _find_model_files(address, model)
    if found is None:
        return ABSENT
    if found.gguf:
        files = [found.folder / found.gguf]
    else:
        every = sorted(found.folder.rglob("*"))
        files = [file for file in every if file.is_file() and not file.name.endswith(_UNUSED)]
    stamps = []
    for file in files:
        stat = file.stat()
        stamps.append((str(file.relative_to(found.folder)), stat.st_size, stat.st_mtime_ns))
    return _identity(found.folder, tuple(stamps))


@lru_cache(maxsize=32)
def _identity(folder: Path, stamps: tuple[tuple[str, int, int], ...]) -> str:
    """Hash a model's files; of large ones a sample."""
    said = sha256()
    for name, size, _ in stamps:
        said.update(f"{name}\0{size}\0".encode("utf-8", "surrogateescape"))
        with (folder / name).open("rb") as file:
            if size <= _BLOCKS * _BLOCK:
                said.update(file.read())
                continue
            for at in range(_BLOCKS):
                file.seek(at * (size - _BLOCK) // (_BLOCKS - 1))
                said.update(file.read(_BLOCK))
    return said.hexdigest()[:12]


def _find_model_files(address: str, model: str) -> ModelFiles | None:
    """Return a model's files at a local address or in the hub's cache; None if missing."""
    root = address.removeprefix(LOCAL)
    if not root:
        folder = _folder_in_hub_cache(model)
        return None if folder is None else _in_folder(folder)
    top = Path(root).expanduser()
    path = top / model
    if not path.resolve().is_relative_to(top.resolve()) or path == top:
        return None
    if path.is_file() and path.suffix == _GGUF:
        return ModelFiles(path.parent, path.name)
    return _in_folder(path) if path.is_dir() else None


def _in_folder(folder: Path) -> ModelFiles | None:
    """Return the model of a folder: in the library's format, or its only GGUF file; else None."""
    if (folder / "config.json").is_file():
        return ModelFiles(folder)
    files = sorted(each.name for each in folder.glob(f"*{_GGUF}"))
    return ModelFiles(folder, files[0]) if len(files) == 1 else None


def _folder_in_hub_cache(model: str) -> Path | None:
    """Return a model's folder in the cache of Hugging Face's tools, None if it is missing.

    Their layout: ``models--OWNER--NAME/refs/REVISION`` names the folder below ``snapshots``.
    """
    name, _, revision = model.partition("@")
    parts = name.split("/")
    if not all(parts) or any(part.startswith(".") or "\\" in part for part in parts):
        return None
    kept = _hub_cache() / "--".join(["models", *parts])
    wanted = revision or "main"
    if "/" in wanted or wanted.startswith("."):
        return None
    with suppress(OSError, UnicodeDecodeError):  # or the revision is a commit itself
        wanted = (kept / "refs" / wanted).read_text(encoding="ascii").strip()
    folder = kept / "snapshots" / wanted
    return folder if folder.is_dir() else None


def _hub_cache() -> Path:
    """Return the cache folder of Hugging Face's tools, by their environment variables."""
    named = os.environ.get("HF_HUB_CACHE", "")
    if named:
        return Path(named).expanduser()
    home = os.environ.get("HF_HOME", "") or "~/.cache/huggingface"
    return Path(home).expanduser() / "hub"


def _require_causal(folder: Path, model: str) -> None:
    """Raise UserError unless the folder holds a causal language model."""
    try:
        told = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        kinds = told.get("architectures") or []
    except (OSError, ValueError, AttributeError) as error:
        reason = f"config.json: {type(error).__name__}"
        raise UserError("models_local_kind", model=model, reason=reason) from None
    if kinds and not any(str(kind).endswith(_KINDS) for kind in kinds):
        raise UserError("models_local_kind", model=model, reason=", ".join(map(str, kinds)))
