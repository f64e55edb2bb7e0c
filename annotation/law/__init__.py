"""Changes of units between snapshots, as annotation reads them."""
