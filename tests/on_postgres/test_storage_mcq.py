from tests.storage.test_mcq import *  # noqa: F403
