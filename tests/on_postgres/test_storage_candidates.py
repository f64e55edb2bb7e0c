from tests.storage.mapping.test_candidates import *  # noqa: F403
