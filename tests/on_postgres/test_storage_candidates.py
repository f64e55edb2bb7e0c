from tests.storage.test_candidates import *  # noqa: F403
