from tests.annotation.tagging.test_disputes import *  # noqa: F403
