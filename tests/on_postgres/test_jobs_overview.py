from tests.services.law.test_overview import *  # noqa: F403
