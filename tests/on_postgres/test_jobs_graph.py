from tests.services.law.graph.test_citation_graph import *  # noqa: F403
