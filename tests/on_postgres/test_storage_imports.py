from tests.storage.test_imports import *  # noqa: F403
