"""What groups, and what put a case there, are called on a screen."""

from __future__ import annotations

from construction.cases.group_mapping import Mapped
from construction.cases.typology import Charge, Group
from pages.shell.context import Context
from services.cases.standard_groups import CaseGroups
from storage.cases.court_cases import CaseLine


def named(charge: Charge, group: Group, language: str) -> str:
    """Return the name of a group, with its charge where that is divided."""
    if len(charge.groups) == 1 or group.label[language] == charge.label[language]:
        return group.label[language]
    return f"{charge.label[language]} · {group.label[language]}"


def names(found: CaseGroups, language: str) -> dict[str, str]:
    """Return the name of every group by its key."""
    return {
        group.key: named(charge, group, language) for _, charge, group in found.typology.groups()
    }


def titled(case: CaseLine) -> str:
    """Return the charges of a case as written, else its title."""
    return ", ".join(case.charges) or case.title


def why_words(context: Context, mapped: Mapped, group: str) -> str:
    """Return what put a case into the group: the title it names, the rule, the provisions."""
    said = []
    for each in mapped.why:
        if each.group == group:
            provisions = f": {', '.join(each.provisions)}" if each.provisions else ""
            said.append(
                f"{each.title} ({context.say(f'case_groups.rule.{each.rule}')}{provisions})"
            )
    return "; ".join(said)
