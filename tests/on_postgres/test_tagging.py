from tests.annotation.test_tagging import *  # noqa: F403
