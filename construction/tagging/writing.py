"""A codebook of factors as text, which `construction.tagging.reading` reads back as the same."""

from __future__ import annotations

from typing import Any

import yaml

from construction.tagging.codebook import Codebook, Factor, Option, SubFactor

_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_WIDE = 100  # characters of a line before a text goes on in the next


def write(book: Codebook) -> str:
    """Return the codebook as YAML; what is as usual is left out."""
    said = {"order": list(book.order), "factors": [_factor(each) for each in book.factors]}
    return str(yaml.dump(said, Dumper=_DUMPER, sort_keys=False, allow_unicode=True, width=_WIDE))


def _named(each: Factor | SubFactor | Option) -> dict[str, Any]:
    return {"key": each.key, "label": dict(each.label), "help": dict(each.help)}


def _factor(each: Factor) -> dict[str, Any]:
    inner = [_sub_factor(one) for one in each.sub_factors]
    return _named(each) | {"scope": list(each.scope), "sub_factors": inner}


def _sub_factor(each: SubFactor) -> dict[str, Any]:
    said = _named(each)
    if each.claim:
        said["claim"] = True
    for name, usual in (("required", True), ("exclusive", True), ("ordered", False)):
        if getattr(each, name) is not usual:
            said[name] = not usual
    if each.when:
        said["when"] = {key: list(options) for key, options in each.when.items()}
    said |= {"source": each.source, "options_source": each.options_source}
    if not each.claim:
        said["options"] = [_named(option) for option in each.options]
    return said
