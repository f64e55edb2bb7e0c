"""Check by citations: provisions that a question or its answer cites, and nobody judged."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.citations.catalogue import Catalogue, CatalogueEntry
from corpus.citations.find import find
from corpus.citations.resolve import resolve
from corpus.model import Tier, parse_place, split_id
from normalization import composed
from services.audit.material import Case, Check, Material, Text
from services.audit.texts import snippet

_FEWEST = 0.5  # share of documents whose ids name a place of law, for the corpus to be law


def _cited_unjudged(material: Material) -> Iterator[Case]:
    law = [each for each in material.documents if parse_place(split_id(composed(each.id))[1])]
    if len(law) < _FEWEST * len(material.documents):
        return
    catalogue = Catalogue(map(_entry, law))
    for each in material.queries:
        judged = material.grades.get(each.id)
        if judged is None:  # nobody judged anything for it
            continue
        known = {composed(document) for document in judged}
        for unit, words in _cited(each, catalogue).items():
            if unit not in known:
                yield Case(each.place, each.id, unit, words)


def _entry(document: Text) -> CatalogueEntry:
    unit = composed(document.id)
    statute = split_id(unit)[0]
    title = composed(document.statute) or statute.replace("-", " ")
    return CatalogueEntry(statute, title, "", Tier.ACT, unit)


def _cited(query: Text, catalogue: Catalogue) -> dict[str, str]:
    """Return the units that question and answer cite, each with the words around."""
    asked = composed(query.text)
    found: dict[str, str] = {}
    before = resolve(find(asked), asked, catalogue)
    for text, resolutions in (
        (asked, before),
        (answer := composed(query.answer), resolve(find(answer), answer, catalogue, before)),
    ):
        for each in resolutions:
            words = snippet(text, each.citation.start, each.citation.end)
            for target in each.targets:
                found.setdefault(target.unit_id, words)
    return found


CHECKS = (
    Check(
        "cited_unjudged",
        "warning",
        "queries",
        _cited_unjudged,
        ("queries", "documents", "judgments"),
    ),
)
