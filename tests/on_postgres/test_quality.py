from tests.annotation.test_quality import *  # noqa: F403
