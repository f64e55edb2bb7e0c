"""Display names of groups, sub-factors and answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from construction.stricter.grouping import NOT_ASKED, Answer
from construction.tagging.codebook import NOT_STATED, SubFactor
from pages.shell.context import Context
from services.stricter.groups import GroupPlace, Stricter

_NAMED = 12  # case ids listed in one cell; the rest is counted


def label(texts: Mapping[str, str], language: str, key: str) -> str:
    """Return a label in `language`, else in any language, else the key."""
    return texts.get(language) or next((each for each in texts.values() if each), key)


class Wording:
    """Display names for the contents of a report on stricter groups."""

    def __init__(self, context: Context, stricter: Stricter) -> None:
        self._say = context.say
        self._language = context.language
        self._found = stricter
        self._subs: dict[str, SubFactor] = {
            each.key: each for factor in stricter.book.factors for each in factor.sub_factors
        }

    def category(self, place: GroupPlace) -> str:
        """Return the display name of a category."""
        return label(place.category.label, self._language, place.category.key)

    def group(self, place: GroupPlace) -> str:
        """Return the display name of a standard group, with its charge if that adds something."""
        name = label(place.group.label, self._language, place.group.key)
        charge = label(place.charge.label, self._language, place.charge.key)
        return name if charge in name else f"{charge} · {name}"

    def sub_factor(self, key: str) -> str:
        """Return the display name of a sub-factor."""
        return label(self._subs[key].label, self._language, key)

    def answer(self, key: str, answer: Answer | None) -> str:
        """Return the display names of an answer's options; None means no answer."""
        if answer is None:
            return self._say("stricter.no_answer")
        return ", ".join(self._option(key, option) for option in answer)

    def case(self, case: int) -> str:
        """Return the external id of a case."""
        return self._found.cases[case].external_id

    def cases(self, cases: Iterable[int]) -> str:
        """Return the ids of cases; of many the first, with the number of others."""
        names = [self.case(case) for case in cases]
        more = f" +{len(names) - _NAMED:,}" if len(names) > _NAMED else ""
        return ", ".join(names[:_NAMED]) + more

    def _option(self, key: str, option: str) -> str:
        """Return the display name of an option."""
        plain = {NOT_ASKED: "not_asked", NOT_STATED: "not_stated"}
        if option in plain:
            return self._say(f"stricter.{plain[option]}")
        known = {each.key: each.label for each in self._subs[key].options}
        return label(known.get(option, {}), self._language, option)
