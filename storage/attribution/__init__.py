"""Attribution: reading and adding rows."""
