from tests.services.judging.test_importing import *  # noqa: F403
