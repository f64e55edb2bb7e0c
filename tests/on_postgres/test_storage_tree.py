from tests.storage.test_tree import *  # noqa: F403
