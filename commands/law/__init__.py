"""Commands about the law: statutes, snapshots, citation graph, comparison."""
