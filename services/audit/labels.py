"""Checks of ids, judgments and the card: what dangles, repeats, contradicts or is not said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from unicodedata import normalize

from corpus.benchmarks.model import Judgment
from normalization.grouping import grouped
from services.audit.material import CARD_FIELDS, EVERY_PART, Case, Check, Material, Text, folded
from services.audit.texts import snippet

_MOST_GRADE = 10
_QUESTION_LETTERS = 10  # of a question that may stand in its gold


def _place(each: Judgment) -> str:
    """Return file and line of a judgment."""
    return f"{each.file}:{each.line}"


def _firsts(part: str, material: Material) -> Mapping[str, Text]:
    """Return the first text of each id of a part."""
    return material.document_of if part == "documents" else material.query_of


def _repeated_ids(part: str, material: Material) -> Iterator[Case]:
    """Yield the texts of a part whose id an earlier one has."""
    for each in getattr(material, part):
        if each.id and (first := _firsts(part, material)[each.id]) is not each:
            yield Case(each.place, each.id, first.place, snippet(each.text))


def _unknown(part: str, material: Material) -> Iterator[tuple[Case, str | None]]:
    """Yield the judged ids that no text of a part has, each with an id alike to it or None."""
    known = _firsts(part, material)
    forms = _ids_by_fold(known)
    for each in material.judgments:
        pair = (each.query, each.document) if part == "queries" else (each.document, each.query)
        if pair[0] not in known:
            yield Case(_place(each), *pair), forms.get(_folded_id(pair[0]))


def _missing(part: str, material: Material) -> Iterator[Case]:
    """Yield the judged ids that no text of a part has, not even in another form."""
    return (case for case, alike in _unknown(part, material) if alike is None)


def _folded_id(key: str) -> str:
    """Return an id without white space and case, to find ids that differ by them alone."""
    return "".join(normalize("NFKC", key).casefold().split())


def _ids_by_fold(ids: Iterable[str]) -> dict[str, str]:
    """Map folded ids to the first id of that form."""
    return {form: same[0] for form, same in grouped((_folded_id(i), i) for i in ids).items()}


def _forms_differ(material: Material) -> Iterator[Case]:
    """Yield ids that are another's but for case, normal form and blanks."""
    for part in ("documents", "queries"):
        known = _firsts(part, material)
        forms = _ids_by_fold(known)
        for key, each in known.items():
            if key and (first := forms[_folded_id(key)]) != key:
                yield Case(each.place, key, first)
    for part in ("queries", "documents"):
        for case, alike in _unknown(part, material):
            if alike is not None:
                yield replace(case, other=alike)


def _contradictions(material: Material) -> Iterator[Case]:
    """Yield pairs that are judged with two grades."""
    known: dict[tuple[str, str], Judgment] = {}
    for each in material.judgments:
        first = known.setdefault((each.query, each.document), each)
        if first.grade != each.grade:
            grades = f"{first.grade:g} ({_place(first)}) ≠ {each.grade:g}"
            yield Case(_place(each), each.query, each.document, grades)


def _repeated_judgments(material: Material) -> Iterator[Case]:
    """Yield judgments that a file repeats with the same grade."""
    known: dict[tuple[str, str, str], Judgment] = {}
    for each in material.judgments:
        first = known.setdefault((each.file, each.query, each.document), each)
        if first is not each and first.grade == each.grade:
            yield Case(_place(each), each.query, each.document, _place(first))


def _odd_grades(material: Material) -> Iterator[Case]:
    """Yield judgments whose grade is negative, too high, or no whole number."""
    for each in material.judgments:
        if not 0 <= each.grade <= _MOST_GRADE or each.grade % 1:
            yield Case(_place(each), each.query, each.document, f"{each.grade:g}")


def _without_gold(material: Material) -> Iterator[Case]:
    """Yield queries without a relevant document that are not marked as having no answer."""
    for each in material.queries:
        if each.id not in material.gold and not each.no_answer:
            yield Case(each.place, each.id, "", snippet(each.text))


def _question_in_gold(material: Material) -> Iterator[Case]:
    """Yield gold documents that contain their question, if that is not too short to tell."""
    for query, documents in material.gold.items():
        text = material.query_of[query].text if query in material.query_of else ""
        asked = folded(text)
        for key in documents if len(asked) >= _QUESTION_LETTERS else ():
            document = material.document_of.get(key)
            if document and asked in folded(document.whole):
                yield Case(document.place, query, key, snippet(text))


def _unjudged_twins(material: Material) -> Iterator[Case]:
    """Yield for each gold document with unjudged twins, equal or nearly so, the first of them."""
    found = material.document_twins
    groups = grouped(
        (material.documents[at].id, group) for group in (*found.same, *found.near) for at in group
    )
    for query, documents in material.gold.items():
        judged = material.grades[query]
        for key in documents:
            every = (material.documents[at] for group in groups.get(key, ()) for at in group)
            others = {each.id: each for each in every if each.id not in judged}
            if others:
                twin, more = next(iter(others.values())), len(others) - 1
                said = f"{key}{f' (+{more:,})' if more else ''}: {snippet(twin.text)}"
                yield Case(twin.place, query, twin.id, said)


def _card_gaps(material: Material) -> Iterator[Case]:
    """Yield the fields that the dataset card lacks, or only the card if there is none."""
    card, files = material.benchmark.card, material.benchmark.files
    if card is None:
        yield Case("README.md", "card")
        return
    named = {name.rpartition("/")[2].partition(".")[0].lower() for name in files}
    licensed = bool(named & {"license", "licence", "copying"})
    for field in CARD_FIELDS:
        if not card.get(field) and not (field == "license" and (licensed or card.get("licence"))):
            yield Case("README.md", field)


CHECKS = (
    *(
        Check(f"{name}_missing", "error", "judgments", partial(_missing, part), (part, "judgments"))
        for name, part in (("query", "queries"), ("document", "documents"))
    ),
    *(
        Check(f"{name}_id_repeated", "error", part, partial(_repeated_ids, part), (part,))
        for name, part in (("document", "documents"), ("query", "queries"))
    ),
    Check("id_form", "error", "ids", _forms_differ),
    Check("grades_contradict", "error", "judgments", _contradictions, ("judgments",)),
    Check("grade_odd", "warning", "judgments", _odd_grades, ("judgments",)),
    Check("judgment_repeated", "warning", "judgments", _repeated_judgments, ("judgments",)),
    Check("query_unjudged", "warning", "queries", _without_gold, ("queries", "judgments")),
    Check("question_in_gold", "warning", "queries", _question_in_gold, EVERY_PART),
    Check("twin_unjudged", "warning", "judgments", _unjudged_twins, ("documents", "judgments")),
    Check("card_gap", "info", "card", _card_gaps),
)
