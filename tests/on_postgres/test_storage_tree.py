from tests.storage.law.test_outline import *  # noqa: F403
