"""Law as data: import, segmentation, ids, and finding and resolving citations. Pure."""
