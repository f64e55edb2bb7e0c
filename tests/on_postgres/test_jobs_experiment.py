from tests.jobs.conftest import *  # noqa: F403
from tests.jobs.test_experiment import *  # noqa: F403
