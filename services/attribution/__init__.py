"""Attribution: shared work."""
