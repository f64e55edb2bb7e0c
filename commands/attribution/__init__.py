"""Attribution: the command line."""
