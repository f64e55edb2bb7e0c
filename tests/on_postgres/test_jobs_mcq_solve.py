from tests.services.mcq.test_solving import *  # noqa: F403
