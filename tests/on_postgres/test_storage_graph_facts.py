from tests.storage.law.test_graph_facts import *  # noqa: F403
