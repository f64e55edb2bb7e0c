"""Agreement between raters beyond chance: statistics with n, interval and interpretation.

``Ratings`` hold the ratings; a statistic is a value (``KrippendorffAlpha("masi")``); ``measure``
returns its finding. What each statistic means and when it misleads: docs/agreement.md.
"""
