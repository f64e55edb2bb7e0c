from tests.annotation.test_factor_settling import *  # noqa: F403
