"""Records of INCEpTION's exports: one for each document, with the label of each of its users.

An export is UIMA CAS JSON, a zip of UIMA CAS XMI with its type system, or the export of a whole
project, with such a file of each document and user under ``annotation``. The features of a layer
are fields: spans of the text, or choices for the document as a whole. What has a place but no
feature is a span in the field of its layer's name. Relations and links are left out, and so are the
initial and the curated annotations, which no annotator made.
"""

from __future__ import annotations

import json
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from copy import copy
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from annotation.exchange.foreign_tools import SHAPE_ERRORS, Given, Record, Value
from corpus.files.rows import as_text, read_bytes, too_large
from corpus.importers.law_center.xml_tree import read_xml
from errors import UserError, Where
from normalization import composed

if TYPE_CHECKING:
    from cassis import Cas

TOOL = "inception"
CAS_BYTES = 64 * 1024**2  # of one document's annotations
_TOTAL_BYTES = 512 * 1024**2  # of all of an export
_PROJECT = "exportedproject.json"
_STATES = {"FINISHED": "submitted", "IN_PROGRESS": "draft", "IGNORE": "discarded"}
_NOBODY = ("INITIAL_CAS", "CURATION_USER")
_NO_LAYERS = (
    "uima.",
    "de.tudarmstadt.ukp.dkpro.core.api.segmentation.",
    "de.tudarmstadt.ukp.dkpro.core.api.metadata.",
    "de.tudarmstadt.ukp.clarin.webanno.api.type.",
)
"""Beginnings of names of types that are no layers: tokens, sentences, metadata."""
_TITLED = "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData"
_MADE_BY = "de.tudarmstadt.ukp.clarin.webanno.api.type.CASMetadata"
_MOST_READ = 1_000
_READ: dict[bytes, tuple[str, str, Mapping[str, Value]]] = {}
_Files = Mapping[PurePosixPath, bytes]


def is_export(path: Path) -> bool:
    """Return True if a file or folder has the form of an export of INCEpTION."""
    if path.is_dir():
        return any(any(path.rglob(name)) for name in (_PROJECT, "*.xmi", "annotation/*/*"))
    if path.suffix.lower() in (".xmi", ".zip"):
        return True
    with path.open("rb") as file:
        return b'"%TYPES"' in file.read(65_536)


def records(path: Path) -> Iterator[Record | UserError]:
    """Yield a record for each document, and the error of each user's annotations that are unread.

    Raises UserError for what is no export, or larger than one may be.
    """
    files = dict(_files(path))
    states = _document_states(files)
    documents: dict[str, list[Given]] = {}
    for place, content in files.items():
        known = place.suffix.lower() in (".json", ".xmi") and place.name != _PROJECT
        if not known or _document_and_user(place)[1] in _NOBODY:
            continue
        try:
            name, given = _document_and_label(place, content, files)
        except UserError as error:
            yield error
            continue
        if given.user not in _NOBODY:
            _add_state(given, states.pop((name, given.user), {}))
            documents.setdefault(name, []).append(given)
    for (name, user), state in states.items():
        if state.get("state") == "IGNORE":
            documents.setdefault(name, []).append(Given(user, "discarded"))
    for name, read in sorted(documents.items()):
        ids = {"document": name, "name": PurePosixPath(name).stem}
        yield Record(Where(path.name, field=name), ids, [partial(copy, each) for each in read])


def _files(path: Path) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield the files of an export that may be annotations or say how; zips in it are unpacked.

    Raises UserError for an export that is too large, and without any such file.
    """
    total, found = 0, False
    for place, content in _members(path):
        total += len(content)
        if total > _TOTAL_BYTES:
            raise too_large(path.name, total, _TOTAL_BYTES)
        found |= place.suffix.lower() != ".xml" and place.name != _PROJECT
        yield place, content
    if not found:
        raise UserError("inception_none", Where(path.name))


def _members(path: Path) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield the annotation files of an export: folder, zip, or zips within."""
    inside = sorted(path.rglob("*")) if path.is_dir() else [path]
    for file in inside:
        place = PurePosixPath(*file.relative_to(path if path.is_dir() else path.parent).parts)
        if _is_wanted(place) and file.is_file():
            if place.suffix.lower() == ".zip" and file == path:
                with file.open("rb") as content, _open_zip(content, place) as archive:
                    yield from _unpacked(archive, PurePosixPath())
            else:
                yield from _whole(place, read_bytes(file, place.name, CAS_BYTES))


def _whole(place: PurePosixPath, content: bytes) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield a file as it is, or the files of a zip."""
    if place.suffix.lower() != ".zip":
        yield place, content
        return
    with _open_zip(BytesIO(content), place) as archive:
        yield from _unpacked(archive, place)


def _unpacked(
    archive: zipfile.ZipFile, below: PurePosixPath
) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield the annotation files of a zip. Raises UserError for damaged or too large ones."""
    for info in archive.infolist():
        place = below / info.filename
        if info.is_dir() or not _is_wanted(place):
            continue
        try:
            with archive.open(info) as file:
                content = file.read(CAS_BYTES + 1)
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError) as error:
            raise _unreadable_error(place, error) from error
        if len(content) > CAS_BYTES:
            raise too_large(str(place), max(info.file_size, len(content)), CAS_BYTES)
        nested = place.suffix.lower() == ".zip" and below == PurePosixPath()
        yield from _whole(place, content) if nested else [(place, content)]


def _is_wanted(place: PurePosixPath) -> bool:
    """Return True for a file of annotations; of a project the others are sources and its log."""
    known = place.suffix.lower() in (".json", ".xmi", ".xml", ".zip")
    whole = "annotation" in place.parts or len(place.parts) == 1 or place.name == _PROJECT
    return known and (whole or len(place.parts) == 2)


def _open_zip(content: Any, place: PurePosixPath) -> zipfile.ZipFile:
    """Open a zip. Raises UserError if it is damaged."""
    try:
        return zipfile.ZipFile(content)
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise _unreadable_error(place, error) from error


def _unreadable_error(place: PurePosixPath, error: Exception) -> UserError:
    """Return the error for a file that cannot be read."""
    words = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    return UserError("inception_unread", Where(str(place)), problem=words)


def _document_states(files: _Files) -> dict[tuple[str, str], Mapping[str, Any]]:
    """Return the stored state of each (document, user); {} for a single document."""
    found: dict[tuple[str, str], Mapping[str, Any]] = {}
    for place, content in files.items():
        if place.name == _PROJECT:
            try:
                for each in json.loads(content)["annotation_documents"]:
                    found[each["name"], each["user"]] = each
            except (RecursionError, *SHAPE_ERRORS) as error:
                raise _unreadable_error(place, error) from error
    return found


def _add_state(given: Given, state: Mapping[str, Any]) -> None:
    """Set a label's status and time from INCEpTION's annotation state."""
    given.status = _STATES.get(str(state.get("state")), "submitted")
    at = state.get("updated") or state.get("timestamp")
    if isinstance(at, int):
        given.made_at = datetime.fromtimestamp(at / 1000, UTC)


def _document_and_label(place: PurePosixPath, content: bytes, files: _Files) -> tuple[str, Given]:
    """Return the document's name and the label of its user.

    Both are told by the path in a project, else by the metadata, else by the file's name.
    """
    title, made_by, values = _read(place, content, files)
    document, owner = _document_and_user(place)
    name, user = document or title or place.stem, owner or made_by or place.stem
    return composed(name), Given(composed(user), "submitted", dict(values))


def _read(
    place: PurePosixPath, content: bytes, files: _Files
) -> tuple[str, str, Mapping[str, Value]]:
    """Return a file's document title, user and features of annotations; recent ones are cached.

    A form about a file reads it again at every answer, and reading takes .1 s a document.
    """
    types = b"" if place.suffix.lower() == ".json" else _type_system(place, files)
    key = sha256(content).digest() + sha256(types).digest()
    found = _READ.get(key)
    if found is None:
        cas = _cas(place, content, types)
        try:
            told = (
                _first_feature(cas, _TITLED, "documentTitle"),
                _first_feature(cas, _MADE_BY, "username"),
            )
            found = *told, _values(cas)
        except SHAPE_ERRORS as error:
            raise _unreadable_error(place, error) from error
        _READ[key] = found
        for old in list(_READ)[:-_MOST_READ]:
            _READ.pop(old, None)
    return found


def _document_and_user(place: PurePosixPath) -> tuple[str, str]:
    """Return (document, user) that a path in a project names, else twice ""."""
    if "annotation" not in place.parts[:-2]:
        return "", ""
    at = place.parts.index("annotation")
    return place.parts[at + 1], PurePosixPath(place.parts[at + 2]).stem


def _cas(place: PurePosixPath, content: bytes, types: bytes) -> Cas:
    """Read annotations. Raises UserError for any that are broken, or lack their text or types."""
    import cassis

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of types that are not known, offsets outside
            if place.suffix.lower() == ".json":
                cas = cassis.load_cas_from_json(_json_text(place, content))
            else:
                _plain_xml(place, content)  # refuses entities before lxml sees them
                known = cassis.load_typesystem(BytesIO(types))
                cas = cassis.load_cas_from_xmi(BytesIO(content), known, lenient=True)
    except UserError:
        raise
    except Exception as error:  # the library raises errors of many kinds
        raise _unreadable_error(place, error) from error
    if not cas.sofa_string:
        raise UserError("inception_text", Where(str(place)))
    return cas


def _json_text(place: PurePosixPath, content: bytes) -> str:
    """Return the CAS's JSON text, not composed, as that would move offsets; refuse other JSON."""
    try:
        text = content.decode("utf-8-sig")
        said = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UserError("labels_json", Where(str(place))) from error
    if not (isinstance(said, dict) and "%FEATURE_STRUCTURES" in said):
        raise UserError("labels_shape", Where(str(place)), tool=TOOL)
    return text


def _plain_xml(place: PurePosixPath, content: bytes) -> bytes:
    """Return XML as it is. Raises UserError if it is broken, too large or declares entities."""
    read_xml(as_text(content, str(place)), str(place))
    return content


def _type_system(place: PurePosixPath, files: _Files) -> bytes:
    """Return the TypeSystem.xml that lies beside a CAS file. Raises UserError if there is none."""
    for other, content in files.items():
        if other.parent == place.parent and other.name.lower() == "typesystem.xml":
            return _plain_xml(other, content)
    raise UserError("inception_types", Where(str(place)))


def _first_feature(cas: Cas, type_name: str, feature: str) -> str:
    """Return the feature of the first annotation of a type, "" if there is none."""
    if cas.typesystem.contains_type(type_name):
        for each in cas.select(type_name):
            return str(getattr(each, feature, None) or "")
    return ""


def _values(cas: Cas) -> dict[str, Value]:
    """Return the features of all layers by name, in the order of the text."""
    text = str(cas.sofa_string)
    normal = _normal(text)
    short = Counter(each.name.rpartition(".")[2] for each in cas.typesystem.get_types())
    found: dict[str, Value] = {}
    for each in cas.select_all_fs():
        name = each.type.name
        layer = name.rpartition(".")[2]
        layer = name if short[layer] > 1 else layer
        if name.startswith(_NO_LAYERS) or each.type.get_feature("Governor"):
            continue
        said = list(_features(each, layer))
        if each.type.get_feature("begin"):
            at = [
                offset if text == normal else len(_normal(text[:offset]))
                for offset in (each.begin, each.end)
            ]
            for feature, label in said or [(layer, layer)]:
                before = found.setdefault(feature, Value([], "spans", text=normal))
                before.raw.append((*at, label))
        else:
            for feature, label in said:
                found.setdefault(feature, Value([])).raw.append(label)
    return found


def _features(each: Any, layer: str) -> Iterator[tuple[str, str]]:
    """Yield the name and value of each feature that is a text, a number or yes or no."""
    for feature in each.type.all_features:
        value = getattr(each, feature.name, None)
        if feature.name in ("begin", "end", "sofa") or value is None:
            continue
        for one in getattr(value, "elements", None) or [value]:
            if isinstance(one, str | int | float):
                yield f"{layer}.{feature.name}", composed(str(one))


def _normal(text: str) -> str:
    """Return a text as it is stored here: composed, with plain line ends."""
    return composed(text.replace("\r\n", "\n").replace("\r", "\n"))
