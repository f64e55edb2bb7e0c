"""Write docs/roles.md from the table of roles itself, so that neither can drift from the other."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

TARGET = ROOT / "docs" / "roles.md"
HEAD = """# Roles

Look up what each role may do in a project.

This page is written by `python scripts/roles_doc.py` from
`annotation/people/roles.py`, the table that every command asks inside the transaction that does the
work; the app shows it under Roles. Whoever may read others' labels does not annotate: that is
what keeps double annotation blind. Whoever runs the command line on the machine that keeps the
workspace may do everything.

While a project has no active adjudicator, its administrators decide disputes, except on items that
still await an answer of their own. Gold's trail, the history and the datasheet say of each such
decision that an administrator made it, and whether they had labelled the item themselves.

A person has one role in a project at a time. Changing it is an event that stays; what they did in
the earlier role stays theirs, under their name. Deactivated people may do nothing, and neither
may anybody whose account is deactivated; what they did is kept and counts.
"""


def render() -> str:
    """Return the whole page."""
    from annotation.people.roles import Act, Role, may
    from evaluation.tables import markdown_lines
    from messages import say

    head = ["", *(say(f"roles.role.{role}") for role in Role)]
    marks = ([say(f"roles.act.{act}"), *("✓" * may(role, act) for role in Role)] for act in Act)
    rows = markdown_lines(head, marks, rule="|---|" + ":-:|" * len(Role))
    helps = [f"* **{say(f'roles.role.{role}')}** {say(f'roles.help.{role}')}" for role in Role]
    return HEAD + "\n" + "\n".join(helps) + "\n\n" + "\n".join(rows) + "\n"


if __name__ == "__main__":
    TARGET.write_text(render(), encoding="utf-8")
