from tests.services.mcq.test_files import *  # noqa: F403
