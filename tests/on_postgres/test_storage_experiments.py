from tests.storage.runs.test_experiments import *  # noqa: F403
