from tests.services.cases.test_standard_groups import *  # noqa: F403
