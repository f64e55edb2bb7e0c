"""What a figure was computed with: versions and platform, so that it can be computed again."""

from __future__ import annotations

import os
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

# What a ranking or a measure may depend on.
PACKAGES = (
    "PyStemmer",
    "kiwipiepy",
    "milvus-lite",
    "numpy",
    "pymilvus",
    "pytrec-eval-terrier",
    "scikit-learn",
    "scipy",
    "sentence-transformers",
    "torch",
    "transformers",
)


@cache
def environment() -> dict[str, Any]:
    """Return the versions of Python and of the packages that are here, the platform, the cores."""
    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cores": os.cpu_count(),
        "packages": {name: found for name in PACKAGES if (found := _version(name))},
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
