from tests.annotation.agreement.test_calibration import *  # noqa: F403
