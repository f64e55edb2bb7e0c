"""What stands against believing a corrected figure, for the page and the command alike."""

from __future__ import annotations

from evaluation.judging.estimate import Accuracy

_UNLIKELY = 0.01  # below it the rated answers hardly are a random sample


def doubt(system: str, found: Accuracy) -> tuple[str, dict[str, str]] | None:
    """Return the words that say it, under ``judge_report.page``, and what stands in them."""
    if found.corrected.value is None:
        all_rated = found.people.n > 1 and not found.unsampled.n
        return ("all_rated" if all_rated else "none_rated"), {"system": system}
    if found.p_random is not None and found.p_random < _UNLIKELY:
        inside, outside = (100 * (each.value or 0) for each in (found.sampled, found.unsampled))
        shares = {"inside": f"{inside:.1f} %", "outside": f"{outside:.1f} %"}
        return "not_random", shares | {"system": system, "p": f"{found.p_random:.2g}"}
    if found.few:
        return "few", {"system": system, "count": str(found.differing)}
    return None
