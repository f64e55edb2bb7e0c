"""Checks of ids, judgments and the card: what dangles, repeats, contradicts or is not said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from unicodedata import normalize

from corpus.benchmarks.model import Judgment
from services.audit.material import CARD_FIELDS, Case, Check, Material, Text, folded
from services.audit.texts import snippet

_MOST_GRADE = 10
_QUESTION_LETTERS = 10  # of a question that may stand in its gold


def _place(each: Judgment) -> str:
    """Return file and line of a judgment."""
    return f"{each.file}:{each.line}"


def _repeated_ids(texts: Sequence[Text], first: Mapping[str, int]) -> Iterator[Case]:
    for at, each in enumerate(texts):
        if each.id and first[each.id] != at:
            yield Case(each.place, each.id, texts[first[each.id]].place, snippet(each.text))


def _missing_queries(material: Material) -> Iterator[Case]:
    forms = _ids_by_fold(material.query_at)
    for each in material.judgments:
        if each.query not in material.query_at and _folded_id(each.query) not in forms:
            yield Case(_place(each), each.query, each.document)


def _missing_documents(material: Material) -> Iterator[Case]:
    forms = _ids_by_fold(material.document_at)
    for each in material.judgments:
        if each.document not in material.document_at and _folded_id(each.document) not in forms:
            yield Case(_place(each), each.document, each.query)


def _folded_id(key: str) -> str:
    """Return an id without white space and case, to find ids that differ by them alone."""
    return "".join(normalize("NFKC", key).casefold().split())


def _ids_by_fold(ids: Iterable[str]) -> dict[str, str]:
    """Map folded ids to the first id of that form."""
    found: dict[str, str] = {}
    for each in ids:
        found.setdefault(_folded_id(each), each)
    return found


def _forms_differ(material: Material) -> Iterator[Case]:
    """Yield ids that are another's but for case, normal form and blanks."""
    for texts, known in (
        (material.documents, material.document_at),
        (material.queries, material.query_at),
    ):
        forms = _ids_by_fold(known)
        for key, at in known.items():
            if key and forms[_folded_id(key)] != key:
                yield Case(texts[at].place, key, forms[_folded_id(key)])
    queries, documents = _ids_by_fold(material.query_at), _ids_by_fold(material.document_at)
    for each in material.judgments:
        for key, ids, forms in (
            (each.query, material.query_at, queries),
            (each.document, material.document_at, documents),
        ):
            if key not in ids and _folded_id(key) in forms:
                yield Case(_place(each), key, forms[_folded_id(key)])


def _contradictions(material: Material) -> Iterator[Case]:
    """Yield pairs that are judged with two grades."""
    known: dict[tuple[str, str], Judgment] = {}
    for each in material.judgments:
        first = known.setdefault((each.query, each.document), each)
        if first.grade != each.grade:
            grades = f"{first.grade:g} ({_place(first)}) ≠ {each.grade:g}"
            yield Case(_place(each), each.query, each.document, grades)


def _repeated_judgments(material: Material) -> Iterator[Case]:
    known: dict[tuple[str, str, str], Judgment] = {}
    for each in material.judgments:
        first = known.setdefault((each.file, each.query, each.document), each)
        if first is not each and first.grade == each.grade:
            yield Case(_place(each), each.query, each.document, _place(first))


def _odd_grades(material: Material) -> Iterator[Case]:
    """Yield judgments with unusual grades."""
    for each in material.judgments:
        if not 0 <= each.grade <= _MOST_GRADE or each.grade % 1:
            yield Case(_place(each), each.query, each.document, f"{each.grade:g}")


def _unjudged(material: Material) -> Iterator[Case]:
    """Yield queries without judgments that are not marked as having no answer."""
    for each in material.queries:
        if each.id not in material.gold and not each.no_answer:
            yield Case(each.place, each.id, "", snippet(each.text))


def _question_in_gold(material: Material) -> Iterator[Case]:
    """Yield gold documents that contain their question."""
    for query, documents in material.gold.items():
        at = material.query_at.get(query)
        asked = folded(material.queries[at].text) if at is not None else ""
        for key in documents if len(asked) >= _QUESTION_LETTERS else ():
            place = material.document_at.get(key)
            if at is not None and place is not None:
                document = material.documents[place]
                if asked in folded(document.whole):
                    yield Case(document.place, query, key, snippet(material.queries[at].text))


def _unjudged_twins(material: Material) -> Iterator[Case]:
    """Yield gold of which nobody judged all that are equal or nearly equal to it."""
    groups: dict[str, list[tuple[int, ...]]] = {}
    found = material.document_twins
    for group in (*found.same, *found.near):
        for at in group:
            groups.setdefault(material.documents[at].id, []).append(group)
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
    """Yield the fields that the dataset card lacks."""
    card, files = material.benchmark.card, material.benchmark.files
    if card is None:
        yield Case("README.md", "card")
        return
    named = {name.rpartition("/")[2].partition(".")[0].lower() for name in files}
    licensed = bool(named & {"license", "licence", "copying"})
    for field in CARD_FIELDS:
        if not card.get(field) and not (field == "license" and (licensed or card.get("licence"))):
            yield Case("README.md", field)


_ALL = ("queries", "documents", "judgments")
CHECKS = (
    Check("query_missing", "error", "judgments", _missing_queries, ("queries", "judgments")),
    Check("document_missing", "error", "judgments", _missing_documents, ("documents", "judgments")),
    Check(
        "document_id_repeated",
        "error",
        "documents",
        lambda m: _repeated_ids(m.documents, m.document_at),
        ("documents",),
    ),
    Check(
        "query_id_repeated",
        "error",
        "queries",
        lambda m: _repeated_ids(m.queries, m.query_at),
        ("queries",),
    ),
    Check("id_form", "error", "ids", _forms_differ),
    Check("grades_contradict", "error", "judgments", _contradictions, ("judgments",)),
    Check("grade_odd", "warning", "judgments", _odd_grades, ("judgments",)),
    Check("judgment_repeated", "warning", "judgments", _repeated_judgments, ("judgments",)),
    Check("query_unjudged", "warning", "queries", _unjudged, ("queries", "judgments")),
    Check("question_in_gold", "warning", "queries", _question_in_gold, _ALL),
    Check("twin_unjudged", "warning", "judgments", _unjudged_twins, ("documents", "judgments")),
    Check("card_gap", "info", "card", _card_gaps),
)
