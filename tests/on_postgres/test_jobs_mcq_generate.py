from tests.services.mcq.test_generation import *  # noqa: F403
