"""Exports of INCEpTION: places in UTF-16 units, layers as fields, whole projects, bad files."""

from __future__ import annotations

import io
import json
import unicodedata
import zipfile
from pathlib import Path
from typing import Any

import pytest

from annotation.exchange.foreign import Fields, read_labels, recognised, survey
from annotation.exchange.inception import CAS_BYTES
from tests.support.refusals import refusal

TEXT = "🚒 소방차는 길을 비킨다."
TYPES = {
    "webanno.custom.Part": {
        "%NAME": "webanno.custom.Part",
        "%SUPER_TYPE": "uima.tcas.Annotation",
        "role": {"%NAME": "role", "%RANGE": "uima.cas.String"},
    },
    "webanno.custom.Verdict": {
        "%NAME": "webanno.custom.Verdict",
        "%SUPER_TYPE": "uima.cas.AnnotationBase",
        "grade": {"%NAME": "grade", "%RANGE": "uima.cas.String"},
    },
}


def cas(text: Any = TEXT, begin: Any = 3, end: Any = 6, **more: Any) -> dict[str, Any]:
    """Return annotations: a part of the text by UTF-16 units, one without role, a verdict."""
    sofa = {"sofaNum": 1, "sofaID": "_InitialView", "mimeType": "text", "sofaString": text}
    part, verdict = (
        {"%TYPE": f"webanno.custom.{name}", "@sofa": 1} for name in ("Part", "Verdict")
    )
    made = [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa"} | sofa,
        {"%ID": 2} | part | {"begin": begin, "end": end, "role": "who"},
        {"%ID": 3} | part | {"begin": 0, "end": 2},
        {"%ID": 4} | verdict | {"grade": "3"},
    ]
    views = {"_InitialView": {"%SOFA": 1, "%MEMBERS": [2, 3, 4]}}
    return {"%TYPES": TYPES, "%FEATURE_STRUCTURES": made, "%VIEWS": views} | more


TYPE_SYSTEM = """<?xml version="1.0" encoding="UTF-8"?>
<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier"><types>
<typeDescription><name>webanno.custom.Part</name><description/>
<supertypeName>uima.tcas.Annotation</supertypeName><features><featureDescription><name>role</name>
<description/><rangeTypeName>uima.cas.String</rangeTypeName></featureDescription></features>
</typeDescription></types></typeSystemDescription>"""
XMI = f"""<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore"
 xmlns:custom="http:///webanno/custom.ecore" xmi:version="2.0"><cas:NULL xmi:id="0"/>
<custom:Part xmi:id="7" sofa="1" begin="3" end="6" role="who"/>
<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="{TEXT}"/>
<cas:View sofa="1" members="7"/></xmi:XMI>"""
BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'


def zipped(files: dict[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def project(folder: Path) -> Path:
    """Write the export of a project with two users, one document of JSON and one of XMI."""
    states = [
        {"name": "p1.txt", "user": "ann", "state": "FINISHED", "updated": 1_700_000_000_000},
        {"name": "p1.txt", "user": "ben", "state": "IN_PROGRESS"},
        {"name": "p2.txt", "user": "ben", "state": "IGNORE"},
        {"name": "p2.txt", "user": "eve", "state": "NEW"},
    ]
    xmi = zipped({"ben.xmi": XMI, "TypeSystem.xml": TYPE_SYSTEM})
    file = folder / "project.zip"
    file.write_bytes(
        zipped(
            {
                "exportedproject.json": json.dumps({"annotation_documents": states}),
                "source/p1.txt": TEXT,
                "annotation/p1.txt/INITIAL_CAS.json": json.dumps(cas()),
                "annotation/p1.txt/ann.json": json.dumps(cas()),
                "annotation/p1.txt/ben.zip": xmi,
                "annotation_ser/p1.txt/ann.ser": b"\xac\xed",
                "curation/p1.txt/CURATION_USER.json": json.dumps(cas()),
            }
        )
    )
    return file


def test_places_are_counted_in_utf_16_and_told_in_characters(tmp_path: Path) -> None:
    file = tmp_path / "p1.json"
    file.write_text(json.dumps(cas()), "utf-8")
    (label,) = read_labels(file, "inception", Fields("name", "Verdict.grade")).read
    assert (label.item, label.user) == ("p1", "p1")
    assert (label.status, label.choices) == ("submitted", ("3",))
    parts = label.values["Part.role"]
    assert (parts.units, parts.spans) == ("characters", [(2, 5, "who")])
    assert TEXT[2:5] == "소방차"
    assert label.values["Part"].spans == [(0, 1, "Part")]


def test_a_decomposed_text_has_the_places_of_the_composed_one(tmp_path: Path) -> None:
    text = unicodedata.normalize("NFD", TEXT.replace(" 길", "\r\n길"))
    begin = len("🚒 ".encode("utf-16-le")) // 2
    file = tmp_path / "p1.json"
    file.write_text(
        json.dumps(cas(text, begin, begin + len(unicodedata.normalize("NFD", "소방차"))))
    )
    (label,) = read_labels(file, "inception", Fields("name", "Verdict.grade")).read
    value = label.values["Part.role"]
    assert value.spans == [(2, 5, "who")]
    assert value.text == TEXT.replace(" 길", "\n길")


def test_a_project_tells_documents_users_and_states(tmp_path: Path) -> None:
    file = project(tmp_path)
    assert recognised(file) == "inception"
    found = survey(file, "inception", {"p1"})
    assert (found.records, dict(found.ids)) == (2, {"document": 0, "name": 1})
    assert [*found.users] == ["ann", "ben"]
    assert dict(found.statuses) == {"submitted": 1, "draft": 1, "discarded": 1}
    assert found.named("spans") == ("Part", "Part.role")
    assert list(found.fields["Part.role"].choices) == ["who"]
    labels = read_labels(file, "inception", Fields("document")).read
    told = [(each.item, each.user, each.status) for each in labels]
    assert told == [
        ("p1.txt", "ann", "submitted"),
        ("p1.txt", "ben", "draft"),
        ("p2.txt", "ben", "discarded"),
    ]
    assert labels[0].made_at and labels[0].made_at.year == 2023
    assert labels[1].values["Part.role"].spans == [(2, 5, "who")]
    folder = tmp_path / "unpacked"
    with zipfile.ZipFile(file) as archive:
        archive.extractall(folder)
    assert survey(folder, "inception", {"p1"}) == found


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("p1.json", "{", "labels_json"),
        ("p1.json", json.dumps(cas(**{"%VIEWS": 7})), "inception_unread"),
        ("p1.json", json.dumps(cas(None)), "inception_text"),
        ("p1.json", json.dumps(cas(**{"%TYPES": {"x": {"%SUPER_TYPE": "y"}}})), "inception_unread"),
        ("p1.json", "[" * 100_000, "labels_json"),
        ("p1.json", " " * CAS_BYTES + "{}", "file_too_large"),
        ("p1.xmi", XMI, "inception_types"),
        ("p1.zip", zipped({"p1.xmi": XMI[:-9], "TypeSystem.xml": TYPE_SYSTEM}), "xml_broken"),
        (
            "p1.zip",
            zipped({"p1.xmi": BOMB + XMI[38:], "TypeSystem.xml": TYPE_SYSTEM}),
            "xml_doctype",
        ),
        (
            "p1.zip",
            zipped({"p1.xmi": XMI, "TypeSystem.xml": BOMB + TYPE_SYSTEM[38:]}),
            "xml_doctype",
        ),
        ("p1.zip", zipped({"notes/readme.txt": "x"}), "inception_none"),
        ("p1.zip", b"PK no zip", "inception_unread"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(
    tmp_path: Path, name: str, content: str | bytes, code: str
) -> None:
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    error = refusal(survey, file, "inception")
    assert error.code == code and "\n" not in error.what()


def test_broken_annotations_of_one_user_leave_the_others(tmp_path: Path) -> None:
    file = tmp_path / "project.zip"
    good, bad = json.dumps(cas()), json.dumps(cas(None))
    file.write_bytes(zipped({"annotation/p1/ann.json": good, "annotation/p1/ben.json": bad}))
    labels = read_labels(file, "inception", Fields("document"))
    assert [each.user for each in labels.read] == ["ann"]
    assert [each.where.file for each in labels.unread] == ["annotation/p1/ben.json"]
