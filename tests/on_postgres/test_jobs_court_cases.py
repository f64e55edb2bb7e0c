from tests.services.cases.test_court_cases import *  # noqa: F403
