from tests.storage.test_experiments import *  # noqa: F403
