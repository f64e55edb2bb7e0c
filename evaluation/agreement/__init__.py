"""How far people agree beyond chance: statistics with their n, interval and plain reading. Pure.

``Ratings`` hold who said what; a statistic is a value (``KrippendorffAlpha("masi")``); ``measure``
gives its finding. What each statistic means and when it misleads: docs/agreement.md.
"""
