"""Configurations of other tools as first drafts: each question in our words, the rest listed."""

from __future__ import annotations

import json

import pytest

from annotation.tasks.foreign_configs import draft_task
from annotation.tasks.reading import read_spec
from annotation.tasks.spec import Kind
from tests.support.refusals import code_of

STUDIO = """<View>
  <Header value="Read"/>
  <Text name="t" value="$judgment"/>
  <Choices name="Relevant?" toName="t" required="true">
    <Choice value="Yes, whole" alias="yes" hotkey="e"/><Choice value="no" hotkey="ctrl+n"/>
  </Choices>
  <View visibleWhen="choice-selected" whenTagName="Relevant?" whenChoiceValue="yes">
    <Labels name="parts" toName="t"><Label value="Party"/>
      <Label value="Holding" hotkey="h"/></Labels>
    <TextArea name="why" toName="t"/>
  </View>
  <Choices name="topics" toName="t" choice="multiple">
    <Choice value="a"/><Choice value="b"/></Choices>
  <Rating name="왜" toName="t" maxRating="4"/>
  <Rating name="?" toName="t"/>
  <Pairwise name="better" toName="t"/>
  <Image name="i" value="$img"/>
</View>"""
POTATO = """
item_properties: {id_key: id, text_key: body}
annotation_schemes:
- annotation_type: radio
  name: relevance
  description: How relevant?
  labels: [{name: high, key_value: '1'}, low]
  label_requirement: {required: true}
- {annotation_type: likert, name: sure, description: Sure?, size: 5}
- {annotation_type: multirate, name: m}
- {annotation_type: span, name: s, labels: [A, B]}
- {annotation_type: slider, name: n, min_value: 0, max_value: 10}
- {annotation_type: text, name: words}
"""


def test_a_configuration_of_label_studio_is_a_first_draft() -> None:
    draft = draft_task(STUDIO, "label-studio", "config.xml")
    spec = read_spec(draft.text)
    assert {name: each.kind for name, each in spec.fields.items()} == {
        "relevant": Kind.CHOICE,
        "parts": Kind.SPANS,
        "why": Kind.TEXT,
        "topics": Kind.CHOICES,
        "field": Kind.SCALE,
        "field_2": Kind.SCALE,
        "better": Kind.CHOICE,
    }
    relevant = spec.fields["relevant"]
    assert relevant.values == ("yes", "no") and relevant.required
    assert (relevant.options[0].label, relevant.options[0].key) == ("Yes, whole", "e")
    assert dict(spec.fields["parts"].shown_when) == {"relevant": ("yes",)}
    assert not spec.fields["why"].required
    assert spec.subject is not None and tuple(spec.subject.show) == ("judgment",)
    assert draft.left_out == [("Image", 17)]


def test_a_configuration_of_potato_is_a_first_draft() -> None:
    draft = draft_task(POTATO, "potato", "config.yaml")
    spec = read_spec(draft.text)
    kinds = [each.kind for each in spec.fields.values()]
    assert kinds == [Kind.CHOICE, Kind.SCALE, Kind.SPANS, Kind.NUMBER, Kind.TEXT]
    assert spec.fields["relevance"].label == "How relevant?" and spec.fields["relevance"].required
    assert spec.fields["sure"].values == (1, 2, 3, 4, 5)
    assert (spec.fields["n"].least, spec.fields["n"].most) == (0, 10)
    assert spec.subject is not None and tuple(spec.subject.show) == ("body",)
    assert draft.left_out == [("multirate", 10)]


def test_the_layers_of_inception_are_a_first_draft() -> None:
    layers = [
        {"name": "webanno.custom.Part", "uiName": "Part", "type": "span", "enabled": True}
        | {"features": [{"name": "role", "uiName": "Role", "tag_set": {"name": "roles"}}]},
        {"name": "webanno.custom.Grade", "uiName": "Grade", "type": "document-metadata"}
        | {"features": [{"name": "why", "required": True}, {"name": "level", "tag_set": None}]},
        {"name": "webanno.custom.Link", "uiName": "Link", "type": "relation", "features": []},
        {"name": "x.Token", "type": "span", "enabled": False, "features": []},
        {"name": "webanno.custom.Mark", "type": "span", "features": []},
    ]
    roles = [{"name": "roles", "tags": [{"tag_name": "who"}, {"tag_name": "what"}]}]
    made = draft_task(json.dumps({"layers": layers, "tag_sets": roles}), "inception", "p.json")
    spec = read_spec(made.text)
    assert {name: (str(f.kind), f.values, f.required) for name, f in spec.fields.items()} == {
        "part_role": ("spans", ("who", "what"), False),
        "grade_why": ("text", (), True),
        "grade_level": ("text", (), False),
        "mark": ("spans", ("Mark",), False),
    }
    assert [part for part, _ in made.left_out] == ["Link"]


@pytest.mark.parametrize(
    ("text", "tool", "code"),
    [
        ("<View/>", "label-studio", "task_draft_empty"),
        ("<View><Image/></View>", "label-studio", "task_draft_empty"),
        ("<View>", "label-studio", "xml_broken"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><View>&b;</View>', "label-studio", "xml_doctype"),
        ("- 1", "potato", "task_draft_empty"),
        ("annotation_schemes: {a: b}", "potato", "task_draft_empty"),
        (
            "annotation_schemes: [1, [2], {annotation_type: best_worst}]",
            "potato",
            "task_draft_empty",
        ),
        ("x", "prodigy", "labels_tool"),
    ],
)
def test_what_is_no_configuration_is_refused(text: str, tool: str, code: str) -> None:
    assert code_of(draft_task, text, tool, "config") == code
