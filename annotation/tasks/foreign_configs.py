"""A first draft of a task's declaration, from a configuration of another tool.

Label Studio's labelling configuration is XML: an object tag for each column that is shown, a
control tag for each question. Potato's is YAML with `annotation_schemes`, INCEpTION's the layers in
``exportedproject.json``. What has no counterpart is listed with its line, and left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from annotation.tasks.spec import SCREEN_KEYS, SHORTCUT
from corpus.files.yaml_fields import Value, read_value
from corpus.importers.law_center.xml_tree import Element, read_xml
from errors import UserError, Where, require_known

_OBJECTS = ("Text", "HyperText", "Paragraphs")
_FRAMES = ("View", "Header", "Style", "Collapse", "Panel")  # layout, which has no answer
_DEEPEST = 12
CONFIG_BYTES = 4 * 1024**2
_Field = dict[str, Any]


@dataclass(slots=True)
class TaskDraft:
    """A draft of a declaration: its text, and what the configuration has that it lacks.

    `columns` are those that an item shows; `left_out` the names of those parts, each with its line.
    """

    text: str = ""
    columns: list[str] = field(default_factory=list)
    left_out: list[tuple[str, int]] = field(default_factory=list)


def draft_task(text: str, tool: str, file: str = "") -> TaskDraft:
    """Return the draft of a task from a configuration of that tool.

    Raises UserError for an unknown tool, a text that is no such configuration, and one without any
    question that has a counterpart.
    """
    require_known("labels_tool", _READERS, Where(field="tool"), tool=tool)
    draft = TaskDraft()
    fields = list(_READERS[tool](text, file, draft))
    if not fields:
        raise UserError("task_draft_empty", Where(file or None), tool=tool)
    _make_unique(fields)
    columns = list(dict.fromkeys(draft.columns)) or ["text"]
    content = {
        "task": "my_task",
        "title": "My task",
        "subject": {"kind": "text", "file": "rows.csv", "title": columns[0], "show": columns},
        "fields": fields,
    }
    lacks = [
        f"# Left out, as it has no counterpart: {part}, line {n}" for part, n in draft.left_out
    ]
    written = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100)
    draft.text = "\n".join((*lacks, written))
    return draft


def _make_unique(fields: list[_Field]) -> None:
    """Number equal keys, and drop conditions on missing fields."""
    names: dict[str, str] = {}
    for each in fields:
        name, base = each.pop("name"), each["field"]
        taken = {*names.values()}
        number = next(n for n in range(1, len(fields) + 1) if _numbered(base, n) not in taken)
        names[name] = each["field"] = _numbered(base, number)
    for each in fields:
        when = {names[on]: value for on, value in each.get("shown_when", {}).items() if on in names}
        each.pop("shown_when", None)
        if when and each["field"] not in when:
            each["shown_when"] = when


def _numbered(base: str, number: int) -> str:
    """Return a key with a number, the first without."""
    return base if number == 1 else f"{base[:60]}_{number}"


def _key(name: str) -> str:
    """Return a name as a key: small letters, digits and underscores."""
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    return (plain if plain[:1].isalpha() else f"field_{plain}".rstrip("_"))[:64]


def _field_declaration(name: str, kind: str, *, required: bool, **more: Any) -> _Field:
    """Return the declaration of a field, without empty entries."""
    made: _Field = {"name": name, "field": _key(name), "kind": kind}
    return made | {k: v for k, v in more.items() if v} | ({} if required else {"required": "no"})


def _controls(
    element: Element, shown: Mapping[str, list[str]], draft: TaskDraft
) -> Iterator[_Field]:
    """Yield the fields of an element and those below it, with the condition that shows them."""
    shown = {**shown, **_condition(element)}
    tag = element.tag
    if tag in _OBJECTS:
        draft.columns.append(element.attributes.get("value", "").lstrip("$") or "text")
    elif tag in _CONTROLS:
        yield _control(element) | (
            {"shown_when": {k: [*v] for k, v in shown.items()}} if shown else {}
        )
    elif tag in _FRAMES:
        for child in element.children:
            yield from _controls(child, shown, draft)
    else:
        draft.left_out.append((tag, element.line))


def _condition(element: Element) -> dict[str, list[str]]:
    """Return the choices of another control that show an element; empty for any other condition."""
    of = element.attributes
    if of.get("visibleWhen") != "choice-selected" or not of.get("whenTagName"):
        return {}
    values = [each.strip() for each in of.get("whenChoiceValue", "").split(",")]
    return {of["whenTagName"]: values} if any(values) else {}


def _options(element: Element, tag: str) -> list[Any]:
    """Return the options of a control: the stored value, with label and key where they differ."""
    options = []
    for each in element.below(tag):
        of = each.attributes
        value = of.get("alias") or of.get("value", "")
        more = {"label": of.get("value", ""), "key": _shortcut(of.get("hotkey"))}
        extra = {name: said for name, said in more.items() if said and said != value}
        options.append({"option": value, **extra} if extra else value)
    return options


def _shortcut(key: object) -> str:
    """Return a key that an option may have here, "" for any other, such as ``ctrl+y``."""
    fits = isinstance(key, str) and SHORTCUT.fullmatch(key) and key not in SCREEN_KEYS
    return str(key) if fits else ""


def _control(element: Element) -> _Field:
    """Declare a control of Label Studio."""
    of, tag = element.attributes, element.tag
    kind, more = _CONTROLS[tag], dict[str, Any]()
    match tag:
        case "Choices":
            kind = "choices" if of.get("choice") == "multiple" else kind
            more["options"] = _options(element, "Choice")
        case "Rating":
            more = {"least": "1", "most": of.get("maxRating", "5")}
        case "Number":
            more = {"least": of.get("min"), "most": of.get("max")}
        case "Pairwise":
            more["options"] = ["left", "right"]
        case "Labels" | "HyperTextLabels" | "ParagraphLabels":
            more["options"] = _options(element, "Label")
    required = of.get("required", "").lower() == "true"
    return _field_declaration(of.get("name") or tag.lower(), kind, required=required, **more)


_CONTROLS = {
    **{"Choices": "choice", "Pairwise": "choice", "TextArea": "text"},
    **dict.fromkeys(("Labels", "HyperTextLabels", "ParagraphLabels"), "spans"),
    **{"Rating": "scale", "Number": "number"},
}


def _listed(text: str, file: str, key: str) -> tuple[Mapping[str, Value], list[Value]]:
    """Read a YAML or JSON configuration; return its entries, and the list that one of them is."""
    root = read_value(text, file or None, deepest=_DEEPEST)
    content = root.content if isinstance(root.content, dict) else {}
    listed = content.get(key, Value([], root.line)).content
    return content, listed if isinstance(listed, list) else []


def _potato(text: str, file: str, draft: TaskDraft) -> Iterator[_Field]:
    """Yield the fields of the annotation schemes; the text column is that of `item_properties`."""
    content, schemes = _listed(text, file, "annotation_schemes")
    properties = content["item_properties"].plain() if "item_properties" in content else {}
    if isinstance(properties, dict):
        draft.columns.append(str(properties.get("text_key", "text")))
    for each in schemes:
        scheme = each.plain()
        kind = scheme.get("annotation_type") if isinstance(scheme, dict) else None
        if kind in _SCHEMES:
            yield _scheme(scheme, kind)
        else:
            draft.left_out.append((str(kind or "annotation_schemes"), each.line))


def _scheme(scheme: Mapping[str, Any], kind: str) -> _Field:
    """Declare an annotation scheme of Potato."""
    stated = scheme.get("label_requirement")
    required = isinstance(stated, dict) and str(stated.get("required")).lower() in ("true", "yes")
    label = str(scheme.get("description", ""))
    ours, more = _SCHEMES[kind], dict[str, Any]()
    if ours == "scale":
        more = {"least": "1", "most": str(scheme.get("size", "5"))}
    elif ours == "number":
        more = {"least": scheme.get("min_value"), "most": scheme.get("max_value")}
    elif ours != "text":
        more = {"options": [_label(each) for each in scheme.get("labels", ())]}
    return _field_declaration(
        str(scheme.get("name", kind)), ours, required=required, label=label, **more
    )


def _label(label: Any) -> Any:
    """Return a label of a scheme as an option: a name, or a mapping with `name` and `key_value`."""
    if not isinstance(label, dict):
        return label
    key = _shortcut(label.get("key_value"))
    return {"option": label.get("name", ""), "key": key} if key else label.get("name", "")


_SCHEMES = {
    **{"radio": "choice", "select": "choice", "multiselect": "choices", "likert": "scale"},
    **{"slider": "number", "number": "number", "text": "text", "textbox": "text"},
    **{"span": "spans", "highlight": "spans"},
}


def _inception(text: str, file: str, draft: TaskDraft) -> Iterator[_Field]:
    """Yield the features of the layers in use: spans of the text, or of the whole document."""
    content, layers = _listed(text, file, "layers")
    sets = content["tag_sets"].plain() if "tag_sets" in content else []
    tags = {
        str(each.get("name")): [str(tag.get("tag_name")) for tag in _mappings(each.get("tags"))]
        for each in _mappings(sets)
    }
    draft.columns.append("text")
    for each in layers:
        layer = each.plain()
        if not isinstance(layer, dict) or str(layer.get("enabled")).lower() == "false":
            continue
        kinds = {"span": ("spans", "spans"), "document-metadata": ("choice", "text")}
        kind = kinds.get(str(layer.get("type")))
        if kind is None:
            draft.left_out.append((str(layer.get("uiName", layer.get("name"))), each.line))
            continue
        for feature in _mappings(layer.get("features")) or [{}]:
            yield _feature(layer, feature, tags, *kind)


def _mappings(listed: Any) -> list[dict[str, Any]]:
    """Return the mappings in a list; [] if it is no list."""
    return [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []


def _feature(
    layer: Mapping[str, Any],
    feature: Mapping[str, Any],
    tags: Mapping[str, list[str]],
    tagged_kind: str,
    free_kind: str,
) -> _Field:
    """Declare a feature of an INCEpTION layer."""
    (of,) = _mappings([feature.get("tag_set")]) or [{}]
    layer_name = str(layer.get("name", "")).rpartition(".")[2]
    options = tags.get(str(of.get("name"))) or ([layer_name] if free_kind == "spans" else [])
    name = f"{layer_name}.{feature['name']}" if "name" in feature else layer_name
    label = " · ".join(str(e["uiName"]) for e in (layer, feature) if e.get("uiName"))
    required = free_kind != "spans" and str(feature.get("required")).lower() == "true"
    kind = tagged_kind if options else free_kind
    return _field_declaration(name, kind, required=required, label=label, options=options)


def _label_studio(text: str, file: str, draft: TaskDraft) -> Iterator[_Field]:
    """Yield the fields of a Label Studio configuration."""
    return _controls(read_xml(text, file), {}, draft)


_READERS = {"label-studio": _label_studio, "potato": _potato, "inception": _inception}
