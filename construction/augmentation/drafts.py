"""Prompt values for writing questions, and detection of repeated drafts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rapidfuzz.fuzz import ratio

from construction.augmentation.axes import Axes
from construction.augmentation.governing import Provision
from construction.mcq.filters import comparable

WRITE = "augment_write"  # the id of the prompt
ALIKE = 0.9  # likeness of two questions, 0 to 1, from which one is a repeat
_STYLE = 2_000  # characters of the question that is shown for its style
_SEED = 6_000  # of a question to vary, with its answer
_NONE = {"en": "(none)", "ko": "(없음)"}


def writing_values(
    axes: Axes,
    said: Mapping[str, object],
    provisions: Sequence[Provision],
    style: str = "",
    seed: str = "",
) -> dict[str, str]:
    """Return the values of the writing prompt: the cell in words, the provisions, a style example.

    `seed` is the question to vary, with its answer. `said` are the values of the axes, {type,
    difficulty, facets, domain}. All are in the language of the provisions.
    """
    language = provisions[0].language
    domain = next((each for each in axes.domains if each.key == said["domain"]), None)
    return {
        "type": axes.type(str(said["type"])).about[language],
        "difficulty": axes.level(str(said["difficulty"])).about[language],
        "facets": _facets(axes, said["facets"], language),
        "domain": domain.label[language] if domain else _NONE[language],
        "style": style[:_STYLE] or _NONE[language],
        "seed": seed[:_SEED],
        "provisions": "\n\n".join(f"[{n}] {each.shown}" for n, each in enumerate(provisions, 1)),
    }


def repeats(
    drafts: Sequence[str], known: Iterable[tuple[str, str]], alike: float = ALIKE
) -> dict[int, str]:
    """Return the drafts that repeat known questions: index → name of the repeated one.

    `known` are names and texts. A draft is compared with those and with the earlier drafts that are
    no repeats; such a draft is named by its number, counted from 1. Case, punctuation and runs of
    spaces are ignored.
    """
    there = [(name, comparable(text)) for name, text in known]
    found: dict[int, str] = {}
    for place, draft in enumerate(drafts):
        text = comparable(draft)
        like = next((name for name, other in there if _alike(text, other, alike)), None)
        if like is None:
            there.append((f"#{place + 1}", text))
        else:
            found[place] = like
    return found


def _alike(one: str, other: str, alike: float) -> bool:
    return one == other or ratio(one, other, score_cutoff=100 * alike) > 0


def _facets(axes: Axes, facets: object, language: str) -> str:
    if not isinstance(facets, Mapping) or not facets:
        return _NONE[language]
    lines = []
    for key, value in facets.items():
        facet = axes.facet(key)
        label = next(each.label for each in facet.values if each.key == value)
        lines.append(f"- {facet.label[language]}: {label[language]}")
    return "\n".join(lines)
