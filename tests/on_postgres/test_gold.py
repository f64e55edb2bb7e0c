from tests.annotation.gold.test_derivation import *  # noqa: F403
