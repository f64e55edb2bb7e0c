from tests.jobs.test_experiment import *  # noqa: F403
