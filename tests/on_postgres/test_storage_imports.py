from tests.storage.law.test_imports import *  # noqa: F403
