from tests.services.conftest import *  # noqa: F403
from tests.services.runs.experiments.test_running import *  # noqa: F403
