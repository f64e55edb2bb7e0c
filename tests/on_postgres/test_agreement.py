from tests.annotation.agreement.test_overview import *  # noqa: F403
