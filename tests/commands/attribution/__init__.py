"""Attribution on the command line."""
