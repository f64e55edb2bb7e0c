"""Write the table of docs/roles.md from the table of roles itself, so that neither can drift.

The words before the list of roles are written by hand, in the page.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

TARGET = ROOT / "docs" / "roles.md"


def render() -> str:
    """Return the page docs/roles.md with roles and table anew; its head stays."""
    from annotation.people.roles import Act, Role, may
    from evaluation.tables import markdown_lines
    from messages import say

    head = ["", *(say(f"roles.role.{role}") for role in Role)]
    marks = ([say(f"roles.act.{act}"), *("✓" * may(role, act) for role in Role)] for act in Act)
    rows = markdown_lines(head, marks, rule="|---|" + ":-:|" * len(Role))
    helps = [f"* **{say(f'roles.role.{role}')}** {say(f'roles.help.{role}')}" for role in Role]
    words = TARGET.read_text(encoding="utf-8").partition("\n* **")[0]
    return words + "\n" + "\n".join(helps) + "\n\n" + "\n".join(rows) + "\n"


if __name__ == "__main__":
    TARGET.write_text(render(), encoding="utf-8")
