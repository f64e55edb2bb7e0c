from tests.annotation.test_agreement import *  # noqa: F403
