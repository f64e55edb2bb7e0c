"""The content hash of a corpus: equal law has an equal hash, wherever its files are."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256

from corpus.model import Statute, Unit


def content_hash(statutes: Iterable[Statute]) -> str:
    """Return the SHA-256 of the statutes in canonical form, as 64 hexadecimal digits.

    Canonical form: one JSON array per statute and per unit, statutes by semantic id, units in
    document order. Every field counts but `file`, which is no content. Units without hyperlinks and
    statutes without a jurisdiction have no place for them, so that their hashes match those from
    before these fields.
    """
    digest = sha256()
    for statute in sorted(statutes, key=lambda s: s.semantic_id):
        digest.update(_line(_statute_fields(statute)))
        for unit in statute.units:
            digest.update(_line(_unit_fields(unit)))
    return digest.hexdigest()


def _line(fields: list[object]) -> bytes:
    """Return fields as a line to hash."""
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"), default=str)
    return (text + "\n").encode("utf-8", "surrogatepass")


def _statute_fields(s: Statute) -> list[object]:
    """Return what of a statute goes into the fingerprint of the law."""
    return [
        "statute",
        *(s.semantic_id, s.title, s.kind, int(s.tier), s.language),
        *(s.promulgated, s.number, s.effective, s.source, len(s.units)),
        *([s.jurisdiction] if s.jurisdiction else []),
    ]


def _unit_fields(u: Unit) -> list[object]:
    """Return what of a unit goes into the fingerprint of the law."""
    parts = [[part.path, part.start, part.end] for part in u.parts]
    return [
        "unit",
        *(u.semantic_id, u.level, u.label, u.heading, u.text, u.order, u.path, parts),
        *(u.deleted, u.text_missing, u.effective),
        *([[link.start, link.end, link.href] for link in u.links]),
    ]
