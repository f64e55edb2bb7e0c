from tests.annotation.agreement.test_report import *  # noqa: F403
