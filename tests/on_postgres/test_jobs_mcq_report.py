from tests.services.mcq.test_report import *  # noqa: F403
