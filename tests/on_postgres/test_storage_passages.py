from tests.storage.test_passages import *  # noqa: F403
