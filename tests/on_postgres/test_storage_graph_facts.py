from tests.storage.test_graph_facts import *  # noqa: F403
