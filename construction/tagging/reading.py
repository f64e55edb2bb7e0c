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
from construction.tagging.fields import SCOPE, CodebookFields
from construction.tagging.validation import check
from construction.tagging.writing import write as write
from corpus.files.textfile import is_storable
from corpus.files.yaml_fields import places, read_value
from errors import UserError, Where

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
    if not is_storable(text):
        raise UserError("text_unstorable")
    root = read_value(text, None, deepest=_DEEPEST)
    if not isinstance(root.content, dict):
        raise UserError("field_not_mapping", Where(line=root.line))
    fields = CodebookFields(None, root.line, root.content, "")
    fields.only(BOOK_FIELDS)
    factors = tuple(map(_factor, _rows(fields, "factors")))
    standing = tuple(each.key for factor in factors for each in factor.sub_factors)
    order = fields.keys("order") if "order" in fields.values else standing
    book = Codebook(factors, order)
    check(book, dict(places(root)))
    return book


def _factor(fields: CodebookFields) -> Factor:
    fields.only(FACTOR_FIELDS)
    scope = fields.keys("scope", SCOPE)
    if not scope:
        raise UserError("factors_empty", fields.where("scope"))
    inner = tuple(map(_sub_factor, _rows(fields, "sub_factors")))
    label, text = fields.by_language("label"), fields.by_language("help")
    return Factor(fields.key(), label, text, scope, inner)


def _sub_factor(fields: CodebookFields) -> SubFactor:
    fields.only(SUB_FACTOR_FIELDS)
    claim = fields.truth("claim", False)
    exclusive, ordered = fields.truth("exclusive", True), fields.truth("ordered", False)
    if ordered and not exclusive:
        raise UserError("factors_scale", fields.where("ordered"))
    return SubFactor(
        key=fields.key(),
        label=fields.by_language("label"),
        help=fields.by_language("help"),
        options=_claimed(fields) if claim else tuple(map(_option, _rows(fields, "options"))),
        claim=claim,
        required=fields.truth("required", True),
        exclusive=exclusive,
        ordered=ordered,
        when=_conditions(fields),
        source=fields.one_of("source", SOURCES, "written"),
        options_source=fields.one_of("options_source", SOURCES, "paper" if claim else "written"),
    )


def _claimed(fields: CodebookFields) -> tuple[Option, ...]:
    for name in _NOT_OF_CLAIMS:
        if name in fields.values:
            raise UserError("factors_claim", fields.where(name))
    return CLAIM_ANSWERS


def _option(fields: CodebookFields) -> Option:
    fields.only(OPTION_FIELDS)
    return Option(fields.key(), fields.by_language("label"), fields.by_language("help"))


def _conditions(fields: CodebookFields) -> dict[str, tuple[str, ...]]:
    if "when" not in fields.values:
        return {}
    inner = fields.inside("when")
    if not inner.values:
        raise UserError("factors_when_empty", fields.where("when"))
    return {other: inner.keys(other) for other in inner.values}


def _rows(fields: CodebookFields, name: str) -> list[CodebookFields]:
    """Return the entries of a list. Raises UserError where there is none."""
    found = fields.rows(name, "factors_list")
    if not found:
        raise UserError("factors_empty", fields.where(name))
    return found
