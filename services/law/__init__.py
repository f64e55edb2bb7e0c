"""Services for the law: statutes, snapshots, citation graph and comparison."""
