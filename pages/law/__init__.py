"""Screens of the law: statutes, snapshots, citation graph, comparison."""
