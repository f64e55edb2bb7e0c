from tests.storage.law.test_passages import *  # noqa: F403
