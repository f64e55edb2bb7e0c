"""A codebook of factors read from its text, which is YAML.

``order`` lists the sub-factors in the order in which they count (left out: as they stand);
``factors`` is a list of ``key``, ``label``, ``help``, ``scope`` and ``sub_factors``, and each of
these of ``key``, ``label``, ``help``, ``options`` and what `construction.tagging.codebook` says of
``claim``, ``required``, ``exclusive``, ``ordered``, ``when``, ``source`` and ``options_source``. A
claim has no ``options``: its three are fixed. Labels and helps stand in every language.
"""

from __future__ import annotations

from functools import lru_cache

from construction.tagging.claims import CLAIM_ANSWERS
from construction.tagging.codebook import Codebook, Factor, Option, SubFactor
from construction.tagging.fields import KEY, SCOPE, Fields, keys_of, refuse
from construction.tagging.validation import check
from construction.tagging.writing import write as write
from corpus.files.textfile import is_storable
from corpus.files.yaml_fields import Value, read_value
from errors import UserError

BOOK_FIELDS = ("order", "factors")
FACTOR_FIELDS = ("key", "label", "help", "scope", "sub_factors")
SUB_FACTOR_FIELDS = (
    "key", "label", "help", "claim", "required", "exclusive", "ordered", "when", "source",
    "options_source", "options",
)  # fmt: skip
OPTION_FIELDS = ("key", "label", "help")
SOURCES = ("paper", "written")
_DEEPEST = 12  # lists and mappings within each other; a codebook has eight
_NOT_OF_CLAIMS = ("options", "exclusive", "ordered")


@lru_cache(maxsize=32)
def parse(text: str) -> Codebook:
    """Return the codebook that the text says.

    Raises UserError, with line and place, for what is no YAML, for a
    field that is missing, unknown or of another form, and for a codebook that does not hang
    together (`construction.tagging.validation`).
    """
    lines: dict[str, int] = {}
    if not is_storable(text):
        raise UserError("text_unstorable")
    fields = Fields(read_value(text, None, deepest=_DEEPEST), "", BOOK_FIELDS, lines)
    factors = tuple(_factor(node, place, lines) for place, node in fields.rows("factors"))
    if not factors:
        refuse("factors_empty", "factors", fields.node("factors").line)
    standing = tuple(each.key for factor in factors for each in factor.sub_factors)
    order = fields.keys("order") if fields.has("order") else standing
    book = Codebook(factors, order)
    check(book, lines)
    return book


def _factor(node: Value, place: str, lines: dict[str, int]) -> Factor:
    fields = Fields(node, place, FACTOR_FIELDS, lines)
    scope = fields.keys("scope", SCOPE)
    inner = tuple(_sub_factor(each, at, lines) for at, each in fields.rows("sub_factors"))
    for name, found in (("scope", scope), ("sub_factors", inner)):
        if not found:
            refuse("factors_empty", fields.place(name), fields.node(name).line)
    return Factor(fields.key(), fields.texts("label"), fields.texts("help"), scope, inner)


def _sub_factor(node: Value, place: str, lines: dict[str, int]) -> SubFactor:
    fields = Fields(node, place, SUB_FACTOR_FIELDS, lines)
    claim = fields.truth("claim", False)
    exclusive, ordered = fields.truth("exclusive", True), fields.truth("ordered", False)
    if ordered and not exclusive:
        refuse("factors_scale", fields.place("ordered"), fields.node("ordered").line)
    return SubFactor(
        key=fields.key(),
        label=fields.texts("label"),
        help=fields.texts("help"),
        options=_claimed(fields) if claim else _options(fields, lines),
        claim=claim,
        required=fields.truth("required", True),
        exclusive=exclusive,
        ordered=ordered,
        when=_conditions(fields, lines),
        source=fields.one_of("source", SOURCES, "written"),
        options_source=fields.one_of("options_source", SOURCES, "paper" if claim else "written"),
    )


def _claimed(fields: Fields) -> tuple[Option, ...]:
    for name in _NOT_OF_CLAIMS:
        if fields.has(name):
            refuse("factors_claim", fields.place(name), fields.node(name).line)
    return CLAIM_ANSWERS


def _options(fields: Fields, lines: dict[str, int]) -> tuple[Option, ...]:
    found = []
    for place, node in fields.rows("options"):
        each = Fields(node, place, OPTION_FIELDS, lines)
        found.append(Option(each.key(), each.texts("label"), each.texts("help")))
    if not found:
        refuse("factors_empty", fields.place("options"), fields.node("options").line)
    return tuple(found)


def _conditions(fields: Fields, lines: dict[str, int]) -> dict[str, tuple[str, ...]]:
    found = {}
    for other, node in fields.inner("when").items():
        place = f"{fields.place('when')}.{other}"
        found[other] = keys_of(node, place, KEY, lines)
    if fields.has("when") and not found:
        refuse("factors_when_empty", fields.place("when"), fields.node("when").line)
    return found
