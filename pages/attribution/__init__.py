"""Attribution: the screens."""
