"""Progress callbacks of long work."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with (done, total) during the work, and once at its end."""
