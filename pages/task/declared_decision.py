"""The decision on a declared form: a widget for each field that an adjudicator decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from annotation.forms.disputes import FormDisputeView
from annotation.tasks.form import chosen_units
from annotation.tasks.outcomes import completed
from annotation.tasks.spec import NO, YES, FieldSpec, Kind, TaskSpec, holds
from normalization.grouping import grouped
from pages.shell import draft_state
from pages.shell.guard import md_literal
from pages.task.form_pane import differs

_ICONS = {
    **{"keep": ":material/check:", "fix": ":material/edit:", "edit": ":material/edit:"},
    **{"drop": ":material/delete:", "reject": ":material/delete:"},
}
_BESIDE = 2
_REASON = "reason"  # the bar below the case asks for it
_SEVERAL = "criteria"  # name of the field of several yes-or-no questions

Answers = Mapping[str, Any]
Part = Mapping[str, Any]


def deciders(spec: TaskSpec) -> list[str]:
    """Return the decided fields that others depend on, such as a verdict."""
    fields = spec.fields.values()
    named = {name for each in fields for name in (*each.shown_when, *each.decided_when)}
    return [each.key for each in fields if each.key in named and each.decided]


@dataclass(frozen=True, slots=True)
class Decision:
    """The fields of a decision: drawn in the order that conditions need, each kept as a draft."""

    spec: TaskSpec
    form: Part
    shown: Part
    case: FormDisputeView
    name: str
    message: Callable[..., str]

    @property
    def parts(self) -> list[int]:
        """The parts of the subject to decide: those in dispute, else all."""
        keys = grouped((each.part, each.key) for each in self.spec.fields.values() if each.part)
        differing = [part for part, names in keys.items() if differs(self.case.sides, *names)]
        return differing or list(keys)

    def whole(self, answers: Answers) -> Answers:
        """Return a decision; of a subject in parts, completed by what all sides say of others."""
        return completed(self.spec, answers, self.case.sides) if self.parts else answers

    def draw(self) -> dict[str, Any]:
        """Draw the applicable fields of every part; return the chosen answers."""
        answers: dict[str, Any] = {}
        for part in self.parts:
            with st.container(border=True, key=f"part-{self.case.item_id}-{part}"):
                st.markdown(f"**{self.message('part', number=part)}**")
                for each in self.spec.fields.values():
                    if each.part == part and holds(each.shown_when, answers):
                        answers |= self._draw_group([each])
        for group in self._groups():
            if group[0].part:
                continue
            place = st.container()
            if all(holds(when, answers) for when in (group[0].shown_when, group[0].decided_when)):
                key = group[0].key if len(group) == 1 else _SEVERAL
                with place.container(border=True, key=f"part-{self.case.item_id}-{key}"):
                    answers |= self._draw_group(group)
        return answers

    def is_ready(self, answers: Answers) -> bool:
        """Return True if what decides on the item is chosen; without such a field, if all is."""
        if self.parts:
            return not self.spec.missing(self.whole(answers), decision=True)
        needed = deciders(self.spec) or [
            n for n in self.spec.missing(answers, decision=True) if n != _REASON
        ]
        return all(name in answers for name in needed)

    def copy(self, answers: Answers) -> None:
        """Copy all of a side's answers."""
        entered: dict[str, Any] = {}
        for group in self._groups():
            entered |= self._entered(group, self.spec.visible(answers))
        draft_state.enter(self.name, entered)

    def _groups(self) -> list[list[FieldSpec]]:
        """Return the decided fields in order: what others depend on, corrections, the rest, causes.

        Yes-or-no questions that follow each other are one field.
        """
        first = deciders(self.spec)

        def order(field: FieldSpec) -> int:
            """Return the place of a field's kind in the decision."""
            if field.key in first:
                return 0
            return 3 if field.codebook else 1 if field.kind is Kind.EDIT else 2

        decided = [e for e in self.spec.fields.values() if e.decided and e.key != _REASON]
        groups: list[list[FieldSpec]] = []
        for each in sorted(decided, key=order):
            last = groups[-1][-1] if groups else each
            alike = (last.shown_when, last.decided_when) == (each.shown_when, each.decided_when)
            if groups and alike and last.kind is each.kind is Kind.YES_NO:
                groups[-1].append(each)
            else:
                groups.append([each])
        return groups

    def _draw_group(self, group: Sequence[FieldSpec]) -> dict[str, Any]:
        """Draw fields that belong together; return their values."""
        if len(group) > 1:
            return self._draw_several(group)
        field = group[0]
        value = self._draw_field(field, self.form["fields"][field.key])
        return {} if value is None else {field.key: value}

    def _draw_several(self, group: Sequence[FieldSpec]) -> dict[str, Any]:
        """Draw yes-or-no fields as one choice; return their values."""
        labels = {each.key: self._label(each) for each in group}
        met = st.pills(
            self.message("criteria"),
            list(labels),
            selection_mode="multi",
            format_func=lambda each: labels[each],
            **draft_state.kept_choices(
                self.name,
                f"{self.name}-{_SEVERAL}",
                labels,
                [key for key in labels if all(said == YES for said in self._told(key))],
            ),
        )
        return {each.key: YES if each.key in met else NO for each in group}

    def _label(self, field: FieldSpec) -> str:
        """Return the label of a field."""
        told = self.form["fields"][field.key]
        return md_literal(told.get("short", told["label"]))

    def _draw_field(self, field: FieldSpec, told: Part) -> Any:
        """Draw a field by its kind; return its value."""
        key = f"{self.name}-{field.key}"
        match field.kind:
            case Kind.EDIT:
                return self._draw_parts(field, told)
            case Kind.UNITS:
                return self._draw_units(field, told)
            case Kind.SPANS:
                return self._draw_spans(field, told)
            case Kind.TEXT:
                kept = draft_state.kept_value(self.name, key, self._begun(field.key) or "")
                return st.text_area(told["label"], **kept).strip() or None
            case Kind.NUMBER if not told["options"]:
                kept = draft_state.kept_value(self.name, key, self._begun(field.key))
                return st.number_input(told["label"], field.least, field.most, **kept)
        names = {
            value: f"{_ICONS.get(str(value), '')} {(more or [None])[0] or words}".strip()
            for value, words, _, *more in told["options"]
        }
        label, options = md_literal(told["label"]), list(names)
        if field.kind is Kind.CHOICES:
            kept = draft_state.kept_choices(self.name, key, options, self._shared(field.key))
            chosen = st.pills(
                label, options, selection_mode="multi", format_func=names.__getitem__, **kept
            )
            return list(chosen) or None
        draw: Callable[..., Any] = (
            st.pills if field.codebook and not field.values else st.segmented_control
        )
        kept = draft_state.kept_choice(self.name, key, options, self._begun(field.key))
        return draw(label, options, format_func=lambda each: names.get(each, str(each)), **kept)

    def _draw_parts(self, field: FieldSpec, told: Part) -> dict[str, Any]:
        """Draw the parts of a correction, prefilled with an existing one."""
        first, made = self._first_edit(field), dict[str, Any]()
        for part in told["parts"]:
            name, label = part["name"], part["label"]
            if part["kind"] == "text":
                kept = draft_state.kept_value(self.name, f"{self.name}-{name}", first[name])
                made[name] = str(st.text_area(label, **kept))
                continue
            texts = []
            for at, words in enumerate(first[name]):
                if at % _BESIDE == 0:  # pairs in a row of their own, in order on a phone as well
                    columns = st.columns(_BESIDE)
                kept = draft_state.kept_value(self.name, f"{self.name}-option-{at}", words)
                number = self.message("option", number=at + 1)
                texts.append(str(columns[at % _BESIDE].text_input(number, **kept)))
            made[name] = texts
            if part["right"]:
                made[part["right"]] = self._draw_right(part["right"], len(texts), first)
        return made

    def _draw_right(self, name: str, count: int, first: Part) -> int:
        """Draw the choice of the right option; return its position."""
        places = range(count)
        kept = draft_state.kept_place(self.name, f"{self.name}-{name}", places, first[name])
        label = self.message("right_option")
        return int(
            st.radio(label, places, format_func=lambda at: str(at + 1), horizontal=True, **kept)
        )

    def _draw_units(self, field: FieldSpec, told: Part) -> dict[str, str]:
        """Draw the choice of provisions; return a decision on each."""
        units = self._units
        key = f"{self.name}-{field.key}"
        chosen = st.pills(
            told["label"],
            list(units),
            selection_mode="multi",
            format_func=lambda each: md_literal(units.get(str(each), str(each))),
            help=self.message("gold_help"),
            **draft_state.kept_choices(self.name, key, units, self._shared_units(field.key)),
        )
        more = st.text_area(
            self.message("more_gold"),
            height=68,
            help=self.message("more_gold_help"),
            **draft_state.kept_value(self.name, f"{self.name}-more", ""),
        )
        listed = [e["unit"] for e in self.shown["law"]["units"] if not e.get("added")]
        named = [line.strip() for line in str(more).splitlines() if line.strip()]
        judged = dict.fromkeys(listed, NO) | dict.fromkeys([*chosen, *named], YES)
        return dict(sorted(judged.items()))

    def _draw_spans(self, field: FieldSpec, told: Part) -> Any:
        """Draw the choice of the side whose marks hold."""
        given = ((side.person, side.answers.get(field.key)) for side in self.case.sides)
        sides = {person: marks for person, marks in given if marks is not None}
        kept = draft_state.kept_choice(self.name, f"{self.name}-{field.key}", list(sides))
        person = st.segmented_control(md_literal(told["label"]), list(sides), **kept)
        return sides.get(person) if person else self._begun(field.key)

    def _entered(self, group: Sequence[FieldSpec], answers: Answers) -> dict[str, Any]:
        """Return a side's answers to a field by the keys of its widgets."""
        field = group[0]
        key, value = f"{self.name}-{field.key}", answers.get(field.key)
        if len(group) > 1:
            met = [each.key for each in group if answers.get(each.key) == YES]
            return {f"{self.name}-{_SEVERAL}": met}
        match field.kind:
            case Kind.UNITS:
                return {key: [unit for unit in self._units if unit in chosen_units(value)]}
            case Kind.SPANS:
                same = (s.person for s in self.case.sides if s.answers.get(field.key) == value)
                return {key: next(same, None)}
            case Kind.EDIT:
                texts = dict(value or {})
                for part, said in (value or {}).items():
                    if isinstance(said, list):
                        del texts[part]
                        texts |= {f"option-{at}": text for at, text in enumerate(said)}
                return {f"{self.name}-{part}": text for part, text in texts.items()}
        empty = {Kind.CHOICES: [], Kind.TEXT: ""}
        return {key: empty.get(field.kind) if value is None else value}

    @property
    def _units(self) -> dict[str, str]:
        """Heading of each provision shown."""
        return {
            each["unit"]: each["head"] for each in (self.shown.get("law") or {}).get("units", ())
        }

    def _told(self, name: str) -> list[Any]:
        """Return what a field begins with: the answer decided before, else those of all sides."""
        settled = self.case.settled
        if settled is not None and name in settled.answers:
            return [settled.answers[name]]
        return [side.answers.get(name) for side in self.case.sides]

    def _begun(self, name: str) -> Any:
        """Return a field's first value: as decided before, else what all sides share."""
        if self.case.settled is not None:
            return self.case.settled.answers.get(name)
        said = self._told(name)
        return said[0] if said and all(each == said[0] for each in said) else None

    def _shared(self, name: str) -> list[Any]:
        """Return the choices first ticked: as decided, else those that all sides share."""
        first, *others = [said or [] for said in self._told(name)] or [[]]
        return [each for each in first if all(each in other for other in others)]

    def _shared_units(self, name: str) -> list[str]:
        """Return the provisions first ticked: as decided, else those of all sides that name any."""
        settled = self.case.settled
        if settled is not None and name in settled.answers:
            said = [chosen_units(settled.answers[name])]
        else:
            seen = (self.spec.visible(side.answers) for side in self.case.sides)
            said = [units for each in seen if (units := chosen_units(each.get(name)))]
        return [unit for unit in self._units if said and all(unit in units for units in said)]

    def _first_edit(self, field: FieldSpec) -> Part:
        """Return the correction that the fields begin with: decided, a side's, or the original."""
        settled = [] if self.case.settled is None else [self.case.settled.answers]
        for answers in (*settled, *(side.answers for side in self.case.sides)):
            made: Part | None = self.spec.visible(answers).get(field.key)
            if made is not None:
                return made
        original: Part = self.shown["now"][field.key]
        return original
