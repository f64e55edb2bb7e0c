"""Write the lists of this folder anew from the product: ``python -m tests.inventory``."""

from __future__ import annotations

from tests.inventory.product import LISTS, listed, path

for name in LISTS:
    path(name).write_text("".join(f"{line}\n" for line in listed(name)), encoding="utf-8")
