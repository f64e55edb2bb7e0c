"""The law: statutes, snapshots, graph and comparison."""
